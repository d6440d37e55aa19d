"""Which day is watched now, and is its vote over?"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from knightfall.votes.config import DaySetup
from knightfall.votes.election import Boundary, Rule


def over(day: DaySetup, rule: Rule, now: datetime) -> bool:
    """Whether no vote can count any more: the thread is locked, or the last instant has passed; where only a
    lock ends the day its deadline alone ends nothing."""
    if day.end is not None:
        return True
    return (
        day.deadline is not None
        and rule.boundary is not Boundary.UNTIL_LOCK
        and now >= rule.closes(day.deadline)
    )


def final_key(day: DaySetup) -> str:
    """Under which the final count of a day is noted; another deadline asks for another count."""
    return f"final day-{day.number} {day.deadline.isoformat() if day.deadline else ''}".rstrip()


def watching_key(day: DaySetup) -> str:
    """Under which is noted that a day was watched: it will be watched to its end, through any restart."""
    return f"watching day-{day.number}"


def watched(
    days: Iterable[DaySetup], closed: frozenset[int], rule: Rule, now: datetime, known: frozenset[str]
) -> DaySetup | None:
    """The day to watch: one that was watched and has no final count yet, else the next that will end, else
    the last one that is not closed. `known` are the keys of what was noticed."""
    open_ = sorted((day for day in days if day.number not in closed), key=lambda day: day.number)
    begun = [day for day in open_ if watching_key(day) in known and final_key(day) not in known]
    ahead = [day for day in open_ if day.deadline and not over(day, rule, now)]
    return next(iter((*begun, *sorted(ahead, key=_deadline), *reversed(open_))), None)


def _deadline(day: DaySetup) -> str:
    return day.deadline.isoformat() if day.deadline else ""
