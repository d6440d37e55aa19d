"""What does the clock alone have to tell: an hour left and messages missing, time up, a deadline passed?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from knightfall.core.notices import Notice
from knightfall.services.awaited import Awaited, time_left
from knightfall.votes.config import DaySetup
from knightfall.votes.election import Boundary, Rule
from knightfall.writeups.facts import local_time

WARNING = timedelta(hours=1)
"""So long before its end a window is told whose messages are missing."""


def alarms(awaited: Iterable[Awaited], now: datetime) -> Iterator[Notice]:
    """Windows of a begun game whose time is short or up. Who is awaited in a secret window is nobody else's
    business: a server on the way is told how many, not who."""
    for one in awaited:
        if one.until is None or now < one.until - WARNING or (not one.absent and now < one.until):
            continue
        title, until, waits = one.window.title, f"{one.until.isoformat()}", _waits(one)
        who = waits if not one.absent or one.window.secret is False else f"missing: {len(one.absent)}"
        if now < one.until:
            words = f"{title}: {time_left(one.until, now)}, {{}}."
            shown = words.format(waits) + " knightfall missing --draft writes the reminders."
            yield Notice(f"missing {title} {until}", now, shown, words.format(who))
        elif _sends(one):
            words = f"{title}: time is up, {{}}."
            shown = words.format(waits) + f" Next: knightfall commit {one.window.kind}"
            yield Notice(f"up {title} {until}", now, shown, words.format(who), urgent=True)


def deadline_passed(day: DaySetup, rule: Rule, zone: ZoneInfo, now: datetime) -> Iterator[Notice]:
    """That the last instant of a day is over, or with a lock as its only end, that it is time to lock."""
    if day.deadline is None or now < rule.closes(day.deadline):
        return
    words = f"The deadline of day {day.number} has passed ({local_time(day.deadline, zone)})."
    locks = rule.boundary is Boundary.UNTIL_LOCK and day.end is None
    lock = " Votes count until you lock the thread: then knightfall phase lock" if locks else ""
    yield Notice(deadline_key(day), now, words + lock, words, urgent=True)


def deadline_key(day: DaySetup) -> str:
    """Under which a deadline that passed is told once."""
    return f"deadline day-{day.number} {day.deadline.isoformat() if day.deadline else ''}"


def next_alarm(awaited: Iterable[Awaited], now: datetime) -> float | None:
    """Seconds until the clock alone has something to tell."""
    moments = (moment for one in awaited if one.until for moment in (one.until - WARNING, one.until))
    return min(((moment - now).total_seconds() for moment in moments if moment > now), default=None)


def _sends(one: Awaited) -> bool:
    """Whether players send messages in it; a day of votes in the thread has an end of its own."""
    return bool(one.window.slots) or one.window.secret


def _waits(one: Awaited) -> str:
    return f"missing: {', '.join(one.absent)}" if one.absent else "nobody is missing"
