"""Which days were closed, and with whom? What the journal says and no undo took back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knightfall.core.entries import Closed
from knightfall.core.journal import Journal, Record, standing

WINDOW = "day-"
ELIMINATE = "eliminate "
NOBODY = "no elimination"


def window_of(day: int) -> str:
    """What a day is called in the journal."""
    return f"{WINDOW}{day}"


def closed_day(journal: Journal, day: int) -> Record | None:
    """The record that closed that day; None while it is open."""
    return next((record for number, record in closed_days(journal) if number == day), None)


def closed_days(journal: Journal) -> Iterator[tuple[int, Record]]:
    """Every closed day by number with its record, in the order of the journal."""
    for record in standing(journal):
        if isinstance(record.entry, Closed) and (number := day_of(record.entry.window)) is not None:
            yield number, record


def outcome_of(names: Sequence[str]) -> str:
    """The end of a day in the games' own notation: a line for each who falls, or that nobody does."""
    return "\n".join(f"{ELIMINATE}{name}" for name in names) or NOBODY


def eliminated(closed: Closed) -> tuple[str, ...]:
    """The names of all who fell with it; empty for no elimination."""
    lines = (closed.outcome or "").splitlines()
    return tuple(line.removeprefix(ELIMINATE) for line in lines if line.startswith(ELIMINATE))


def day_of(window: str) -> int | None:
    """The number of a day by what it is called in the journal; None for another phase."""
    digits = window.removeprefix(WINDOW)
    return int(digits) if window.startswith(WINDOW) and digits.isdecimal() else None
