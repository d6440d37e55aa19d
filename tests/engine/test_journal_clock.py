"""Deadlines in a replay: which one holds, what runs out by it, and when what is entered later took place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from knightfall.engine.entries import Closed, Entry, Extended, Opened, Started, Stopped, Submitted
from knightfall.engine.game import Game, Window
from knightfall.engine.journal import Journal, append
from knightfall.engine.replay import Replay, replay
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT
from knightfall.games.knight_errant import KNIGHT_ERRANT
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.sentence import SlotId
from salt_court import COURT
from salt_harbour import NAMES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIGHTERS = (SlotId("Ada"), SlotId("Boro"))


def at(hour: int) -> datetime:
    """So many hours after the game began."""
    return NOON + timedelta(hours=hour)


def played(
    game: Game[Any], slots: tuple[SlotId, ...], *said: tuple[int, Entry], timeouts: str = "close"
) -> Replay[Any]:
    """A game that began at noon, and what was written so many hours later."""
    journal: Journal = append((), Started(game.spec.id, slots, timeouts=timeouts), NOON, "Wren")
    for hour, entry in said:
        journal = append(journal, entry, at(hour), "Wren")
    return replay(journal, game, lambda: SeededRng(b"clock"))


def first_window(game: Game[Any], found: Replay[Any]) -> Window:
    return game.windows(found.state)[0]


ENDS_NEXT_DAY = (1, Extended("vote", at(24)))


@pytest.mark.parametrize(
    ("entry", "closes"),
    [(Extended("vote", at(30)), at(30)), (Stopped("vote", "a storm"), None)],
    ids=["extended", "stopped"],
)
def test_a_window_whose_time_is_up_is_not_closed_by_the_entry_that_gives_it_more(
    entry: Entry, closes: datetime | None
) -> None:
    window = first_window(KINGS_COURT, played(KINGS_COURT, COURT, ENDS_NEXT_DAY, (25, entry)))
    assert (window.title, window.closes) == ("Round 1", closes)


def test_a_window_whose_time_is_up_is_closed_by_an_entry_that_is_about_another_one() -> None:
    other = played(KINGS_COURT, COURT, ENDS_NEXT_DAY, (25, Stopped("shop", "a storm")))
    assert first_window(KINGS_COURT, other).title == "Tie of round 1"


def test_a_closing_that_is_entered_later_took_place_when_it_says() -> None:
    late = played(KINGS_COURT, COURT, (30, Closed("vote", ended=at(24))), timeouts="ask")
    assert first_window(KINGS_COURT, late).opens == at(24)
    now = played(KINGS_COURT, COURT, (30, Closed("vote")), timeouts="ask")
    assert first_window(KINGS_COURT, now).opens == at(30)


def test_a_message_that_is_entered_later_was_sent_when_it_says() -> None:
    late = played(KNIGHT_FIGHT, FIGHTERS, (9, Submitted(FIGHTERS[0], "SIDE: X", sent=at(2))))
    assert first_window(KNIGHT_FIGHT, late).opens == at(2)
    now = played(KNIGHT_FIGHT, FIGHTERS, (9, Submitted(FIGHTERS[0], "SIDE: X")))
    assert first_window(KNIGHT_FIGHT, now).opens == at(9)


@pytest.mark.parametrize(
    ("timeouts", "closes"),
    [("ask", at(26)), ("close", at(24) + timedelta(hours=12))],
)
def test_a_deadline_said_ahead_that_is_over_holds_only_where_no_clock_closes_by_it(
    timeouts: str, closes: datetime
) -> None:
    """Where the moderator is asked, they see a tie that is over; where the clock closes, nobody had time."""
    ahead = (1, Opened("tie-of-round-1", until=at(26)))
    found = played(KINGS_COURT, COURT, ahead, (30, Closed("vote", ended=at(24))), timeouts=timeouts)
    window = first_window(KINGS_COURT, found)
    assert (window.title, window.closes) == ("Tie of round 1", closes)


def test_a_deadline_of_one_window_does_not_hold_for_the_next_one_of_its_kind() -> None:
    first, second = FIGHTERS
    longer, chosen, given_up = (
        Extended("side", at(200)),
        Submitted(first, "SIDE: X"),
        Submitted(first, "RESIGN"),
    )
    bout_2 = ((1, longer), (2, chosen), (2, given_up))
    found = played(KNIGHT_FIGHT, FIGHTERS, *bout_2)
    assert first_window(KNIGHT_FIGHT, found).title == "Choice of sides for bout 2"
    assert not found.pending.until
    # Nobody chooses: by its own deadline the clock closes this one, too.
    found = played(KNIGHT_FIGHT, FIGHTERS, *bout_2, (100, Submitted(second, "SIDE: X")))
    assert [line for line, _ in found.taken[-1].refused] == ["SIDE: X"]


@pytest.mark.parametrize("timeouts", ["close", "ask"])
def test_the_first_choice_of_a_side_keeps_the_clock_that_its_game_began_with(timeouts: str) -> None:
    by_post = {"move_time": "24h", "reserve": "72h"}
    chosen = Submitted(FIGHTERS[0], "SIDE: O", when=at(30))

    def after(options: dict[str, str], *said: tuple[int, Entry]) -> Replay[Any]:
        started = Started("knight_fight", FIGHTERS, options, timeouts=timeouts)
        journal: Journal = append((), started, NOON, "Wren")
        for hour, entry in said:
            journal = append(journal, entry, at(hour), "Wren")
        return replay(journal, KNIGHT_FIGHT, lambda: SeededRng(b"clock"))

    # A journal of before names no such option: a choice that came on the next day counts as it did.
    assert first_window(KNIGHT_FIGHT, after(by_post)).closes is None
    assert after(by_post, (30, chosen)).state.chosen.name == "O"
    new = {**by_post, **KNIGHT_FIGHT.spec.begun_with}
    assert first_window(KNIGHT_FIGHT, after(new)).closes == at(24)
    # In one sitting the clock begins with the moderator's post.
    assert first_window(KNIGHT_FIGHT, after({**KNIGHT_FIGHT.spec.begun_with})).closes is None


def test_a_window_that_refused_to_close_waits_for_the_moderator() -> None:
    day = (1, Extended("day", at(24)))
    late = [(25 + hour, Submitted(NAMES[0], "good evening")) for hour in range(3)]
    found = played(KNIGHT_ERRANT, NAMES, day, *late)
    refused = [(taken.number, line) for taken in found.taken for line, _ in taken.refused]
    assert [number for number, line in refused if line != "good evening"] == [3]
    assert found.pending.until == {"day": None}
    assert found.state.phase == "day"
