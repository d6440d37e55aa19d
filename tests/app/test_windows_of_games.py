"""`knightfall phase` on the windows of every game: another deadline, before and after the old one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from app.voting_day import MemoryLedger, VotingDay, voting_day
from fetch.loopback import StillClock
from knightfall.engine.journal import Extended, Ruled, Stopped
from knightfall.errors import DecisionNeeded, InputError
from knightfall.services.awaited import pending
from knightfall.services.close_day import close
from knightfall.services.new_game import NewGameRequest, begin
from knightfall.services.phases import PhaseRequest, extend, open_phase, stop
from knightfall.services.turns import PostOptions, submit
from knightfall.services.turns import close as close_window
from salt_harbour import NAMES

GAMES = {"kings_court": 11, "knights_duty": 3, "knight_fight": 2, "empowered": 9}


def begun(folder: Path, kind: str) -> VotingDay:
    """A game as it was dealt."""
    found = VotingDay(folder / "game", StillClock(), MemoryLedger())
    names = NAMES[: GAMES[kind]]
    begin(NewGameRequest(kind, names, found.folder, b"seed" * 8, b"salt" * 8, "Windows"), found.session)
    return found


@pytest.mark.parametrize("kind", GAMES)
def test_every_window_can_be_stopped_and_extended_by_its_kind_and_its_title(
    tmp_path: Path, kind: str
) -> None:
    game = begun(tmp_path, kind)
    window = game.table.windows[0]
    ends = (game.clock.now() + timedelta(hours=30)).isoformat()
    extend(PhaseRequest(window.kind, ends=ends, shorten=True), PostOptions(), game.session, "as agreed")
    assert pending(game.table)[0].until == game.clock.now() + timedelta(hours=30)
    [ruled] = [r.entry for r in game.ledger.journal if isinstance(r.entry, Ruled)]
    assert ruled.why == "as agreed"
    stop(PhaseRequest(window.title), "the site is down", PostOptions(), game.session)
    assert isinstance(game.ledger.journal[-1].entry, Stopped)
    assert pending(game.table)[0].stopped
    game.wait(48)
    ends = (game.clock.now() + timedelta(hours=5)).isoformat()
    extend(PhaseRequest(window.kind, ends=ends), PostOptions(), game.session)
    assert pending(game.table)[0].until == game.clock.now() + timedelta(hours=5)
    assert game.table.windows[0].title == window.title


@pytest.mark.parametrize("kind", GAMES)
def test_a_window_whose_time_is_up_goes_on_when_it_is_extended(tmp_path: Path, kind: str) -> None:
    game = begun(tmp_path, kind)
    window = game.table.windows[0]
    ends = (game.clock.now() + timedelta(hours=1)).isoformat()
    extend(PhaseRequest(window.kind, ends=ends, shorten=True), PostOptions(), game.session)
    game.wait(2)
    change = extend(PhaseRequest(window.kind, by="24h"), PostOptions(), game.session)
    assert isinstance(game.ledger.journal[-1].entry, Extended)
    assert change.overdue == timedelta(hours=1)
    assert game.table.windows[0] == window
    assert not change.receipt or not change.receipt.texts


def test_a_window_that_is_not_open_is_told_with_those_that_are(tmp_path: Path) -> None:
    game = begun(tmp_path, "kings_court")
    with pytest.raises(InputError, match="“turn” is not a phase: open now: vote"):
        extend(PhaseRequest("turn", by="24h"), PostOptions(), game.session)


def opens(day: VotingDay, kind: str, number: int, ends: str = "") -> None:
    open_phase(PhaseRequest(kind, number, ends=ends), PostOptions(), day.session)


def test_only_what_is_open_or_comes_next_is_opened(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    refused: tuple[tuple[str, int], ...] = (("night", 7), ("day", 2), ("night", 2))
    for kind, number in refused:
        with pytest.raises(DecisionNeeded, match="the game is in Day 1, and next comes night 1"):
            opens(day, kind, number)
    opens(day, "day", 1)
    opens(day, "night", 1)
    submit("moderator", "draw", "plain", day.session)
    with pytest.raises(DecisionNeeded, match="The game is over"):
        opens(day, "night", 1)


def test_a_deadline_in_another_year_is_asked_about(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    with pytest.raises(DecisionNeeded, match="days ahead"):
        opens(day, "day", 1, "2027-11-23 20:00")
    open_phase(PhaseRequest("day", 1, ends="2027-11-23 20:00", far=True), PostOptions(), day.session)


def test_a_phase_of_empowered_mafia_is_opened_with_its_own_deadline(tmp_path: Path) -> None:
    """EM-R31: 72 hours; “when it ends will be told” would be false."""
    day = voting_day(tmp_path, "empowered")
    change = open_phase(PhaseRequest("day", 1), PostOptions(), day.session)
    assert "Day 1 ends: Tue 24 Nov 2026, 12:00 UTC" in change.post.text


def test_posts_of_a_phase_that_is_not_the_last_one_say_so(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    close(day.look(early="it is enough"), "No Elimination", day.session)
    assert not day.post("end-of-day").remarks
    close_window("night", "plain", day.session)
    assert not day.post("dawn").remarks
    said = day.post("end-of-day")
    assert "This is the post for day 1, but the game is now in Day 2." in said.remarks
    assert "Night falls" not in said.text
    day.said += [("Ada", "hm"), ("Wren", "[b]Day 2 begins.[/b]")]
    close(day.look(early="it is enough"), "No Elimination", day.session)
    assert "This is the post for night 1, but the game is now in Night 2." in day.post("dawn").remarks
