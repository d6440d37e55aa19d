"""Between the hammer and the post that closes the day: what is done by day is too late, a pardon is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.mafia.state import Phase
from knightfall.services.game.undo import undo
from knightfall.services.session import journal_of
from services.timed_day import TimedDay, timed_day

ROLES = ("Mafia Goon", "Mafia Goon", "Town Day Vigilante", "Town Mayor", "Town Governor")


def hammered(tmp_path: Path, target: str, players: int = 9) -> tuple[TimedDay, str]:
    """A day with a hammer on the first of that role, and who that is."""
    day = timed_day(tmp_path, *ROLES, players=players)
    name = day.who(target)[0]
    voters = [slot for slot in day.table.state.cards if slot != name]
    for voter in voters[:5]:
        day.votes(voter, name)
    assert day.count().tally.hammer is not None
    return day, name


def codes(day: TimedDay, slot: str, line: str) -> list[str]:
    return [why.code for _, why in day.sends(slot, line).refused]


@pytest.mark.parametrize(("role", "line"), [("Town Day Vigilante", "shoot {}"), ("Town Mayor", "reveal")])
def test_a_shot_and_a_step_forward_are_too_late_after_the_hammer(
    tmp_path: Path, role: str, line: str
) -> None:
    day, boro = hammered(tmp_path, "Mafia Goon")
    before = day.table.state
    other = day.who("Vanilla Townie")[0]
    assert codes(day, day.who(role)[0], line.format(other)) == ["DAY_OVER"]
    assert (day.table.state.living, day.table.state.forward) == (before.living, before.forward)
    day.ends(boro, early="")
    assert day.table.state.phase is Phase.NIGHT and boro in day.table.state.left


def test_what_was_sent_before_the_hammer_counts_though_it_is_entered_behind_it(tmp_path: Path) -> None:
    day = timed_day(tmp_path, *ROLES, players=9)
    sent = day.clock.now()
    boro = day.who("Mafia Goon")[0]
    for voter in [slot for slot in day.table.state.cards if slot != boro][:5]:
        day.votes(voter, boro)
    (mayor,) = day.who("Town Mayor")
    assert day.sends(mayor, "reveal", at=sent).refused == ()
    assert mayor in day.table.state.forward


def test_a_pardon_is_taken_once_after_the_hammer_and_not_taken_back(tmp_path: Path) -> None:
    day, boro = hammered(tmp_path, "Mafia Goon")
    (governor,) = day.who("Town Governor")
    assert day.sends(governor, "pardon").refused == ()
    assert codes(day, governor, "no action") == ["DAY_OVER"]
    closed = day.ends("pardon", early="")
    assert closed.eliminated == ()
    state = day.table.state
    assert state.phase is Phase.NIGHT and boro in state.living
    assert not [
        taken
        for taken in day.table.replay.taken
        if taken.number == closed.record.number - 1 and taken.refused
    ]


def test_a_pardon_after_the_hammer_survives_that_the_closing_is_taken_back(tmp_path: Path) -> None:
    day, boro = hammered(tmp_path, "Mafia Goon")
    day.sends(day.who("Town Governor")[0], "pardon")
    closed = day.ends("pardon", early="")
    undo(closed.record.number, "once more", day.session)
    day.ends("pardon", early="")
    assert day.table.state.phase is Phase.NIGHT and boro in day.table.state.living
    assert len(journal_of(day.session)) > 0


def test_who_was_hammered_does_nothing_more(tmp_path: Path) -> None:
    day, governor = hammered(tmp_path, "Town Governor")
    assert codes(day, governor, "pardon") == ["DAY_OVER"]
    day.ends(governor, early="")
    assert governor in day.table.state.left


def test_a_pardon_sent_before_the_hammer_is_not_taken_back_behind_it(tmp_path: Path) -> None:
    day = timed_day(tmp_path, *ROLES, players=9)
    (governor,), boro = day.who("Town Governor"), day.who("Mafia Goon")[0]
    day.sends(governor, "pardon")
    for voter in [slot for slot in day.table.state.cards if slot != boro][:5]:
        day.votes(voter, boro)
    assert codes(day, governor, "no action") == ["DAY_OVER"]
    day.ends("pardon", early="")
    assert boro in day.table.state.living


def test_a_day_closes_though_who_was_hammered_has_died_since(tmp_path: Path) -> None:
    day, boro = hammered(tmp_path, "Mafia Goon")
    day.sends("moderator", f"kill {boro}")
    closed = day.ends("No Elimination", early="")
    assert closed.eliminated == ()
    assert day.table.state.phase is Phase.NIGHT and boro in day.table.state.left


def test_night_orders_after_the_hammer_count_for_the_night(tmp_path: Path) -> None:
    day, boro = hammered(tmp_path, "Town Mayor")
    goon = day.who("Mafia Goon")[0]
    victim = day.who("Vanilla Townie")[0]
    said = day.sends(goon, f"kill {victim}")
    assert "counts for the night" in str(said.waits)
    day.ends(boro, early="")
    assert [one.targets for one in day.table.state.actions] == [(victim,)]
