"""What the journal makes of the game file: days and their deadlines, people, prods and absences."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from knightfall.config.calendar import phases
from knightfall.config.decided import FiledDeath, decided, with_deaths
from knightfall.config.setup import Setup
from knightfall.engine.entries import (
    Away,
    Closed,
    Entry,
    Extended,
    Locked,
    Opened,
    Prodded,
    Removed,
    Replaced,
    Revived,
    Stopped,
    Undone,
)
from knightfall.engine.journal import Journal, append
from knightfall.engine.prods import Absence, Prod
from knightfall.errors import InputError
from knightfall.models import Departure, DepartureKind, Holder, Roster, roster_of
from knightfall.sentence import SlotId
from knightfall.votes.config import DaySetup

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ENDS = NOON + 8 * HOUR
ADA, BORO, FEN = map(SlotId, ("Ada", "Boro", "Fen"))


def written(*entries: Entry) -> Journal:
    """One entry an hour, from noon on."""
    journal: Journal = ()
    for number, entry in enumerate(entries):
        journal = append(journal, entry, NOON + number * HOUR, "Wren")
    return journal


def setup_with(*entries: Entry, days: tuple[DaySetup, ...] = ()) -> Setup:
    return decided(Setup("game.toml", roster=roster_of(["Ada", "Boro", "Fen"]), days=days), written(*entries))


def day_with(*entries: Entry, days: tuple[DaySetup, ...] = ()) -> DaySetup:
    found = setup_with(*entries, days=days).day(1)
    assert found is not None
    return found


def roster_with(*entries: Entry) -> Roster:
    found = setup_with(*entries).roster
    assert found is not None
    return found


def test_a_day_that_is_opened_starts_and_ends_as_it_was_opened() -> None:
    day = day_with(Opened("day-1", "3", ENDS, NOON))
    assert (day.start, day.deadline, day.begins, day.end, day.filed) == (3, ENDS, NOON, None, False)


def test_what_the_file_says_of_a_day_stays_where_the_journal_says_nothing_of_it() -> None:
    filed = DaySetup(1, 1, ENDS, 90)
    assert day_with(Opened("night-1", "91"), days=(filed,)) == filed
    assert day_with(Opened("day-1", "2"), days=(filed,)).deadline == ENDS


def test_an_extension_moves_the_deadline_and_is_known_only_since_it_was_said() -> None:
    later = ENDS + 24 * HOUR
    day = day_with(Opened("day-1", "3", ENDS), Locked("day-1", "60"), Extended("day-1", later))
    assert day.deadline == later
    assert day.end is None  # who extends a phase unlocks the thread
    said = NOON + 2 * HOUR
    assert day.deadline_at(said - HOUR) == ENDS
    assert day.deadline_at(said) == later
    assert day.deadline_at(None) == later


def test_a_stopped_clock_has_no_deadline_until_it_is_extended() -> None:
    opened, stopped = Opened("day-1", "3", ENDS), Stopped("day-1", "the site is down")
    assert day_with(opened, stopped).deadline is None
    day = day_with(opened, stopped, Extended("day-1", ENDS + HOUR))
    assert day.deadline == ENDS + HOUR
    assert [ends for _, ends in day.stood] == [ENDS, None]


@pytest.mark.parametrize(
    ("closed_after", "end"), [(None, 60), ("sha256:00 posts 3-44", 60), ("sha256:00 posts none", 60)]
)
def test_the_post_of_the_lock_is_the_last_one_that_counts(closed_after: str | None, end: int) -> None:
    closing = Closed("day-1", "no elimination", closed_after)
    assert day_with(Opened("day-1", "3", ENDS), Locked("day-1", "60"), closing).end == end


def test_a_day_that_was_closed_before_its_time_ends_with_the_posts_that_it_rests_on() -> None:
    opened, closing = Opened("day-1", "3", ENDS), Closed("day-1", "eliminate Ada", "sha256:00 posts 3-44")
    assert day_with(opened, closing).end == 44
    late: tuple[Entry, ...] = (*(Prodded(ADA) for _ in range(8)), closing)
    assert day_with(opened, *late).end is None  # the deadline itself ends it


def test_what_is_taken_back_is_as_if_it_never_was() -> None:
    day = day_with(Opened("day-1", "3", ENDS), Extended("day-1", ENDS + HOUR), Undone(2, "the wrong day"))
    assert (day.deadline, day.stood) == (ENDS, ())


def test_a_phase_runs_from_its_opening_to_its_closing() -> None:
    entries = Opened("night-1", None, ENDS), Closed("night-1")
    [open_] = phases((), written(*entries[:1]))
    [closed] = phases((), written(*entries))
    assert (open_.title, open_.running, closed.running) == ("Night 1", True, False)


def test_a_replacement_holds_the_slot_from_its_post_on() -> None:
    roster = roster_with(Replaced(ADA, "Rook", "50"))
    slot = roster.slot_of("Rook")
    assert slot is not None
    assert slot.holders == (Holder("Ada"), Holder("Rook", 50))
    assert (slot.name, slot.holder_at(49), slot.holder_at(50)) == ("Rook", "Ada", "Rook")
    earlier = roster.as_of(49).slot_of("Rook")
    assert earlier is not None
    assert (earlier.name, earlier.names) == ("Ada", ("Ada", "Rook"))


def test_who_comes_back_to_his_own_slot_is_its_holder_again() -> None:
    slot = roster_with(Replaced(ADA, "Rook", "50"), Replaced(ADA, "Ada", "90")).slot_of("Rook")
    assert slot is not None
    assert [slot.holder_at(post) for post in (1, 60, 95)] == ["Ada", "Rook", "Ada"]
    assert slot.names == ("Ada", "Rook")


def test_one_account_cannot_hold_two_slots() -> None:
    with pytest.raises(InputError, match="in the player list twice"):
        roster_with(Replaced(ADA, "Boro", "50"))


@pytest.mark.parametrize(
    ("how", "known"),
    [
        ("kill", DepartureKind.KILLED),
        ("modkill", DepartureKind.MODKILLED),
        ("forfeit", DepartureKind.MODKILLED),
    ],
)
def test_who_is_taken_out_lives_before_that_post_and_not_from_it_on(how: str, known: DepartureKind) -> None:
    roster = roster_with(Removed(FEN, how, "50", "why"))
    slot = roster.slot_of("Fen")
    assert slot is not None
    assert slot.left == Departure(known, 50)
    assert [len(roster.alive_at(post)) for post in (49, 50)] == [3, 2]


def test_who_is_revived_was_dead_in_between_only() -> None:
    entries = Removed(FEN, "kill", "50"), Revived(FEN, "70"), Removed(FEN, "modkill", "90")
    slot = roster_with(*entries).slot_of("Fen")
    assert slot is not None
    assert [slot.alive_at(post) for post in (49, 50, 69, 70, 89, 90)] == [
        True,
        False,
        False,
        True,
        True,
        False,
    ]
    assert slot.turns == (50, 70, 90)
    gone = slot.gone_at(95)
    assert gone is not None
    assert gone.how is DepartureKind.MODKILLED
    back = roster_with(*entries[:2]).slot_of("Fen")
    assert back is not None
    assert back.left is None


def test_a_death_that_is_learned_of_after_the_revival_lies_before_it() -> None:
    roster = roster_with(Revived(FEN, "70")).with_departure("Fen", Departure(DepartureKind.ELIMINATED, 40))
    slot = roster.slot_of("Fen")
    assert slot is not None
    assert [slot.alive_at(post) for post in (39, 40, 70, 200)] == [True, False, True, True]


def test_prods_bear_the_name_of_who_held_the_slot_then() -> None:
    setup = setup_with(Prodded(ADA), Replaced(ADA, "Rook", "50"), Prodded(ADA))
    assert setup.prodded == (Prod("Ada", NOON), Prod("Rook", NOON + 2 * HOUR))


def test_absences_of_the_journal_join_those_of_the_file() -> None:
    filed = Setup("game.toml", v_la=(("Boro", (Absence(date(2026, 11, 1), date(2026, 11, 2)),)),))
    setup = decided(filed, written(Away(ADA, "2026-11-28", "2026-12-01")))
    assert [name for name, _ in setup.v_la] == ["Boro", "Ada"]
    assert setup.v_la[1][1] == (Absence(date(2026, 11, 28), date(2026, 12, 1)),)


@pytest.mark.parametrize(("night_first", "day"), [(False, 2), (True, 1)])
def test_who_died_in_a_night_is_dead_on_the_day_after_it(night_first: bool, day: int) -> None:
    assert with_deaths(Setup("x"), [FiledDeath("Ada", "night 2")], night_first).slain == ((day, "Ada"),)


def test_who_fell_by_an_entry_is_not_mourned_twice() -> None:
    setup = setup_with(Closed("day-1", "eliminate Ada"), Removed(FEN, "modkill", "9"))
    deaths = [FiledDeath("Ada", "day 1"), FiledDeath("Fen", "day 1"), FiledDeath("Boro", "day 1")]
    assert with_deaths(setup, deaths).slain == ((1, "Boro"),)  # died of love, say
