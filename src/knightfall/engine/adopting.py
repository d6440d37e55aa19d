"""Where a game that was begun elsewhere stands: by what was told of its days and deaths, and of its roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knightfall.engine.entries import Adopted, Closed, Entry, Opened, Removed, Revived
from knightfall.engine.game import Position
from knightfall.sentence import SlotId

_HOW: Mapping[str, str] = {"modkill": "modkilled", "kill": "killed"}


def position_of(adopted: Adopted, earlier: Iterable[Entry]) -> Position:
    """The position of an adopted game; `earlier` are the entries before it, in their order."""
    kind, _, number = adopted.window.rpartition("-")
    left = departures(earlier)
    return Position(kind, int(number), adopted.roles, left, adopted.uses, adopted.groups)


def departures(entries: Iterable[Entry]) -> dict[SlotId, tuple[str, str]]:
    """How and when each of the dead left, in words: by the days that were closed, and who was taken out
    between and within them. Whoever dies before a day has opened died in no phase: "before day 1"."""
    left: dict[SlotId, tuple[str, str]] = {}
    now = "before day 1"
    for entry in entries:
        match entry:
            case Opened(window=window):
                now = window.replace("-", " ")
            case Closed(window=window):
                day = window.replace("-", " ")
                left.update({SlotId(name): ("eliminated", day) for name in entry.eliminated})
                now = day.replace("day", "night")
            case Removed(slot=slot, how=how):
                left[slot] = (_HOW.get(how, how), now)
            case Revived(slot=slot):
                left.pop(slot, None)
    return left
