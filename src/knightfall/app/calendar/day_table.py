"""Where a day of a begun game is closed by its votes: does the game take the end, and what does it say?

The vote is read from the thread, the roles are in the deal: the game itself writes the post that tells who
fell, and as what, only after the closing stands in the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from knightfall.app.diary.journal import journal_of
from knightfall.app.people.dead import begun
from knightfall.app.people.holders import holders
from knightfall.app.play.table import Table, refusal_lines, table_of
from knightfall.app.play.texts import texts_of
from knightfall.app.ports import Ports
from knightfall.core.entries import Closed
from knightfall.core.game import Announced, Window
from knightfall.core.journal import Record
from knightfall.errors import DecisionNeeded
from knightfall.setups.closed import window_of

ELIMINATION = "elimination"


def day_table(day: int, folder: Path, ports: Ports) -> Table | None:
    """The begun game whose votes end that day; None where none was begun, or it knows no days. Raises
    DecisionNeeded where another phase is open in it."""
    if not begun(journal_of(ports)):
        return None
    table = table_of(folder, ports)
    if not any(by_vote(window) for window in _ever(table)):
        return None
    if not is_open(day, table):
        now = ", ".join(window.title for window in table.windows) or "over"
        raise DecisionNeeded(
            f"Day {day} cannot be closed: in the game it is {now}. See knightfall missing, and close that "
            "first: knightfall commit"
        )
    return table


def elsewhere(title: str, folder: Path, ports: Ports) -> Iterator[str]:
    """Where a begun game is not in the phase of that title: in which one it is."""
    if begun(journal_of(ports)):
        windows = table_of(folder, ports).windows
        if windows and title not in (window.title for window in windows):
            now = ", ".join(window.title for window in windows)
            yield f"In the game it is {now} still: this deadline is told to people, not to the game."


def by_vote(window: Window) -> bool:
    """A phase that everybody sees and that players end by votes in the thread."""
    return window.kind == "day" and not window.secret and not window.slots


def is_open(day: int, table: Table) -> bool:
    """Whether that day is going on in the game."""
    return any(by_vote(one) and _named(one) == window_of(day) for one in table.windows)


def refuse_untaken(table: Table, closing: Closed, day: int, ports: Ports) -> None:
    """Raises DecisionNeeded where the game would not take that end of the day."""
    after = table.after(closing, ports.clock.now(), ports.author)
    if is_open(day, after):
        raise DecisionNeeded("\n".join(("Nothing was closed.", *refusal_lines(after.last_refused))))


def elimination_post(record: Record, table: Table, dialect: str) -> str | None:
    """The post with which the game answered the closing of a day; None where it said nothing."""
    events = tuple(
        event for taken in table.replay.taken if taken.number == record.number for event in taken.events
    )
    fell = tuple(event for event in events if isinstance(event, Announced) and event.kind == ELIMINATION)
    texts = texts_of(table.game.spec.id, fell, dialect, holders(table.journal))
    return next((text.text for text in texts), None)


def _named(window: Window) -> str:
    return window.title.casefold().replace(" ", "-")


def _ever(table: Table) -> tuple[Window, ...]:
    """What is open now; a mafia game at night, or over, has its days all the same."""
    from knightfall.mafia.state import State

    if isinstance(table.state, State):
        return (Window("day", "", (), secret=False),)
    return table.windows
