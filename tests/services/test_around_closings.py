"""In every game: what is sent around a closing counts by the instant at which it was sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from begun import MemoryLedger, begin, copy_with_journal
from fetch.loopback import StillClock
from knightfall.engine.entries import Closed
from knightfall.engine.game import Window
from knightfall.engine.journal import instant
from knightfall.errors import InputError
from knightfall.games import game_ids
from knightfall.services.game.players import replace_player
from knightfall.services.game.undo import undo
from knightfall.services.requests import NewGameRequest, PostOptions
from knightfall.services.running import closings
from knightfall.services.session import journal_of
from knightfall.services.window.message_table import MessageRow, message_table
from knightfall.services.window.placing import PlacingNeeded
from knightfall.services.window.turns import SenderLeft, close, submit
from salt_harbour import NAMES
from services.voting_day import MADE_OF, VotingDay

PLAYERS = {"knight_errant": 18, "empowered": 9, "kings_court": 11, "knights_duty": 4, "knight_fight": 2}
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
OPTIONS: dict[str, dict[str, object]] = {
    "custom_mafia": {"setup": MADE_OF},
    "knight_fight": {"move_time": "24h"},
}


@dataclass
class Open:
    """A window of a game that waits for `sender`, who may send the one line or the other."""

    day: VotingDay
    kind: str
    title: str
    sender: str
    one: str
    other: str

    def sends(self, line: str, at: datetime, late: bool = False) -> None:
        submit(self.sender, line, "plain", self.day.session, at=at, late=late)

    def closes(self) -> None:
        if all(window.title != self.title for window in self.day.table.windows):
            return  # the message ended it, as a move does
        close(self.kind, "plain", self.day.session, why_early="for the test")

    @property
    def now(self) -> datetime:
        return self.day.clock.now()

    @property
    def ended(self) -> datetime:
        return instant(closings(self.day.table)[-1])


OPEN_AT: dict[str, datetime] = {}
"""Game → the instant at which what is copied of it stands."""


def _opened(folder: Path, ledger: MemoryLedger) -> None:
    """A game, named as its folder, on to the window that waits."""
    game, day = folder.name, VotingDay(folder, StillClock(), ledger)
    names = NAMES[: PLAYERS.get(game, 7)]
    options: Any = OPTIONS.get(game, {})
    begin(
        NewGameRequest(game, names, folder, b"seed" * 8, b"salt" * 8, "Around", options=options),
        day.session,
    )
    day.wait(0.1)
    if any(window.kind == "choosing" for window in day.table.windows):
        for _, row in rows(day):
            submit(row.name, row.choices[0], "plain", day.session)
        close("choosing", "plain", day.session)
    if any(window.kind == "day" for window in day.table.windows):
        submit("moderator", "no elimination", "plain", day.session)
        close("day", "plain", day.session)
        day.wait(0.1)
    OPEN_AT[game] = day.clock.now()


@pytest.fixture(params=game_ids())
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Open]:
    """The same game as often as it is asked for; its window is open since ten minutes."""
    count = iter(range(9))

    def again() -> Open:
        folder = tmp_path / str(next(count)) / request.param
        ledger = copy_with_journal("a window of the game is open", _opened, folder)
        return waiting(VotingDay(folder, StillClock(began=OPEN_AT[request.param]), ledger))

    return again


def rows(day: VotingDay) -> list[tuple[Window, MessageRow]]:
    """Who is awaited, and in which window."""
    return [(one.window.window, row) for one in message_table(day.session).windows for row in one.rows]


def waiting(day: VotingDay) -> Open:
    """The window of whoever can send most."""
    window, row = max(rows(day), key=lambda one: len(one[1].choices))
    lines = [line for line in row.choices if line != row.nothing]
    return Open(day, window.kind, window.title, row.name, lines[0], lines[-1])


def outcomes(here: Open) -> list[str | None]:
    """What each closing led to."""
    return [
        "\n".join(record.entry.lines)
        for record in closings(here.day.table)
        if isinstance(record.entry, Closed)
    ]


def stands(here: Open) -> Any:
    return here.day.table.state


@pytest.mark.few(2)
def test_what_was_sent_a_second_before_and_is_read_after_is_put_in_its_place(
    opened: Callable[[], Open],
) -> None:
    late, punctual = opened(), opened()
    for here, waits in ((late, True), (punctual, False)):
        at = here.now + MINUTE - SECOND
        here.day.clock.sleep(60)
        if not waits:
            here.sends(here.one, at)
        here.closes()
    with pytest.raises(PlacingNeeded) as asked:
        late.sends(late.one, late.ended - SECOND)
    assert asked.value.placing.window.casefold() == late.title.casefold()
    late.sends(late.one, late.ended - SECOND, late=True)
    assert stands(late) == stands(punctual)


@pytest.mark.few(3)
def test_what_was_sent_with_the_closing_or_after_it_never_changes_what_is_closed(
    opened: Callable[[], Open],
) -> None:
    here = opened()
    here.closes()
    outcome = outcomes(here)
    before = here.day.table.replay.events
    here.day.clock.sleep(60)
    for at in (here.ended, here.ended + SECOND):
        here.sends(here.one, at)
    after = here.day.table.replay.events
    assert after[: len(before)] == before
    assert outcomes(here) == outcome


@pytest.mark.few(2)
def test_the_later_sent_of_two_holds_whichever_was_read_first(opened: Callable[[], Open]) -> None:
    late, punctual = opened(), opened()
    start = late.now
    for here in (late, punctual):
        here.day.clock.sleep(600)
        if here is punctual:
            here.sends(here.other, start + MINUTE)
            here.sends(here.one, start + 2 * MINUTE)
        here.closes()
    late.sends(late.one, start + 2 * MINUTE, late=True)
    late.sends(late.other, start + MINUTE, late=True)
    assert stands(late) == stands(punctual)


@pytest.mark.few(2)
def test_what_was_missing_comes_in_between_an_undo_and_the_closing(opened: Callable[[], Open]) -> None:
    late, punctual = opened(), opened()
    start = late.now
    for here in (late, punctual):
        here.day.clock.sleep(600)
        if here is punctual:
            here.sends(here.one, start + MINUTE)
        here.closes()
    undo(closings(late.day.table)[-1].number, "a PM was missing", late.day.session)
    late.sends(late.one, start + MINUTE)
    late.closes()
    assert stands(late) == stands(punctual)


def test_nothing_is_sent_before_the_game_or_in_time_to_come(opened: Callable[[], Open]) -> None:
    here = opened()
    entries = len(journal_of(here.day.session))
    began = instant(journal_of(here.day.session)[0])
    for at in (began - SECOND, here.now + MINUTE):
        with pytest.raises(InputError):
            here.sends(here.one, at)
    assert len(journal_of(here.day.session)) == entries


@pytest.mark.few(3)
def test_a_message_of_who_has_left_counts_for_the_slot_alone_if_the_moderator_says_so(
    opened: Callable[[], Open],
) -> None:
    here = opened()
    here.day.clock.sleep(60)
    replace_player(here.sender, "Newcomer", None, "no time", PostOptions(), here.day.session)
    state = stands(here)
    with pytest.raises(SenderLeft):
        here.sends(here.one, here.now)
    assert stands(here) == state
    submit(here.sender, here.one, "plain", here.day.session, at=here.now, for_slot=True)
    assert stands(here) != state


@pytest.mark.few(3)
def test_nothing_on_purpose_settles_a_row(opened: Callable[[], Open]) -> None:
    here = opened()
    idle = next((row for _, row in rows(here.day) if row.nothing), None)
    if idle is None:
        return  # on this board everybody moves
    submit(str(idle.slot), idle.nothing, "plain", here.day.session)
    [now] = [row for _, row in rows(here.day) if row.slot == idle.slot]
    assert now.settled
    assert not now.left_over
