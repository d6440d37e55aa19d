"""The phases of a game by file and journal: when each opened, ends and was closed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from knightfall.engine.commands import ELIMINATE, NO_ELIMINATION, TIE, Order
from knightfall.engine.entries import Closed, Extended, Locked, Opened, Stopped
from knightfall.engine.journal import Journal, Record, standing
from knightfall.models import BoundPost
from knightfall.sentence import SlotId
from knightfall.votes.config import DaySetup

WINDOW = "day-"


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


def end_of_day(slots: Iterable[SlotId]) -> tuple[Order, ...]:
    """The end of a day: each who falls, or that nobody does."""
    return tuple(Order(ELIMINATE, (slot,)) for slot in slots) or (Order(NO_ELIMINATION),)


def tie_of(slots: Iterable[SlotId | None]) -> tuple[Order, ...]:
    """A tie that the game draws; None among the slots is no elimination."""
    return (Order(TIE, tuple(slots)),)


def day_of(window: str) -> int | None:
    """The number of a day by what it is called in the journal; None for another phase."""
    digits = window.removeprefix(WINDOW)
    return int(digits) if window.startswith(WINDOW) and digits.isdecimal() else None


# The last post of the evidence of a closing: “… posts 31-84”.
_POSTS = re.compile(r" posts [0-9]+-([0-9]+)$")


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase such as `day-2` or `night-1`: its first post or instant, its deadline and the earlier ones with
    the instants at which they were changed, the last post that counts, and when it was opened and closed;
    `named` is the title that its game gives it ("": as `window` reads). `start_bound` and `end_bound` are the
    posts that the journal means by those numbers."""

    window: str
    start: int | None = None
    begins: datetime | None = None
    deadline: datetime | None = None
    stood: tuple[tuple[datetime, datetime | None], ...] = ()
    end: int | None = None
    opened: datetime | None = None
    closed: datetime | None = None
    stopped: bool = False
    named: str = ""
    start_bound: BoundPost | None = None
    end_bound: BoundPost | None = None

    @property
    def title(self) -> str:
        """“Day 2”, “A move for X”."""
        return self.named or self.window.replace("-", " ").capitalize()

    @property
    def running(self) -> bool:
        """Whether it was opened and not closed."""
        return self.opened is not None and self.closed is None

    def moved(self, deadline: datetime | None, at: datetime) -> Phase:
        """The phase with another deadline, since that instant."""
        return replace(self, deadline=deadline, stood=(*self.stood, (at, self.deadline)))


def phases(days: Iterable[DaySetup], journal: Journal) -> tuple[Phase, ...]:
    """Every phase that the file lists or the journal names, in the order of their first mention."""
    filed = (Phase(window_of(day.number), day.start, day.begins, day.deadline, end=day.end) for day in days)
    found = {phase.window: phase for phase in filed}
    for record in standing(journal):
        entry = record.entry
        if isinstance(entry, Opened | Extended | Locked | Stopped | Closed):
            found[entry.window] = _after(found.get(entry.window) or Phase(entry.window), record)
    return tuple(found.values())


def days_of(days: tuple[DaySetup, ...], journal: Journal) -> tuple[DaySetup, ...]:
    """The days of the file with what the journal says of them, and the days that only the journal knows."""
    filed = {day.number: day for day in days}
    found: list[DaySetup] = []
    for phase in phases(days, journal):
        if (number := day_of(phase.window)) is not None:
            shown = (number, phase.start, phase.deadline, phase.end, phase.begins, phase.stood)
            found.append(
                DaySetup(
                    *shown,
                    filed=number in filed,
                    closed=phase.closed is not None,
                    start_bound=phase.start_bound,
                    end_bound=phase.end_bound,
                    resets=filed[number].resets if number in filed else (),
                )
            )
    return tuple(found)


def _after(phase: Phase, record: Record) -> Phase:
    """The phase after one more entry. Who extends a phase unlocks the thread, too."""
    bound = bound_by(record)
    match record.entry:
        case Opened():
            # An open phase that is opened again gets a new deadline; what was closed or locked runs again.
            entry = record.entry
            said = bool(entry.post and entry.post.isdecimal())
            start = int(entry.post or 0) if said else phase.start
            start_bound = bound if said else phase.start_bound
            if entry.until is not None and phase.opened is not None:
                moved = phase.moved(entry.until, record.at)
            else:
                moved = replace(phase, deadline=entry.until or phase.deadline)
            begins = entry.begins or phase.begins
            fresh = replace(
                moved,
                start=start,
                begins=begins,
                opened=record.at,
                closed=None,
                stopped=False,
                start_bound=start_bound,
            )
            return replace(fresh, end=None, end_bound=None) if phase.opened else fresh
        case Extended(until=until):
            return replace(phase.moved(until, record.at), end=None, end_bound=None, stopped=False)
        case Stopped():
            return replace(phase.moved(None, record.at), stopped=True)
        case Locked(post=post):
            return replace(phase, end=int(post), end_bound=bound) if post.isdecimal() else phase
        case Closed(evidence=evidence):
            # A day that was closed before its time ends with the last post that it rests on.
            early = phase.deadline is None or record.at < phase.deadline
            rests = _POSTS.search(evidence or "") if early and phase.end is None else None
            closed = replace(phase, closed=record.at)
            return replace(closed, end=int(rests[1]), end_bound=bound) if rests else closed
    return phase


def bound_by(record: Record) -> BoundPost | None:
    """The post that an entry is bound to; None for one that knows the number alone, or names no post."""
    mark = getattr(record.entry, "mark", None)
    return None if mark is None else BoundPost(mark, record.number)
