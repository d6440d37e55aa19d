"""How is a deadline told: to the moderator with the last second that counts, to the players with the site's
own countdown?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from knightfall.app.calendar.deadlines import lasting, shown
from knightfall.markup import dialects
from knightfall.markup.nodes import Countdown, Text
from knightfall.setups.setup import Setup
from knightfall.votes.election import Boundary
from knightfall.writeups.render import render

_SECOND = timedelta(seconds=1)


def deadline_line(deadline: datetime, setup: Setup) -> str:
    """“Deadline Wed 25 Nov 2026, 20:00 EST (UTC-5) = Thu 26 Nov 01:00 UTC. Last counted second: 19:59:59
    (boundary “before”).”"""
    zone = setup.zone or ZoneInfo("UTC")
    there = deadline.astimezone(zone)
    utc = f" ({offset(there)}) = {deadline.astimezone(UTC):%a %d %b %H:%M} UTC" if there.utcoffset() else ""
    return f"Deadline {shown(deadline, zone)}{utc}. {last_second(deadline, setup)}"


def last_second(deadline: datetime, setup: Setup) -> str:
    """The boundary rule in words, for that deadline."""
    boundary = setup.rule.boundary
    if boundary is Boundary.UNTIL_LOCK:
        return f"Posts count until you lock the thread (boundary “{boundary.value}”): knightfall phase lock."
    last = (setup.rule.closes(deadline) - _SECOND).astimezone(setup.zone or UTC)
    return f"Last counted second: {last:%H:%M:%S} (boundary “{boundary.value}”)."


def offset(there: datetime) -> str:
    """“UTC-5”, “UTC+5:30”."""
    minutes = int((there.utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def deadline_post(
    title: str, deadline: datetime | None, before: datetime | None, now: datetime, setup: Setup, dialect: str
) -> str:
    """The post that tells everybody until when a phase lasts; `before` is the deadline that stood so far."""
    facts: dict[str, object] = {
        "title": title,
        "deadline": _facts(deadline, now, setup, dialect) if deadline else None,
        "before": shown(before, setup.zone) if before else None,
    }
    return render("any/deadline", facts, dialect)


def _facts(deadline: datetime, now: datetime, setup: Setup, dialect: str) -> dict[str, object]:
    zone = setup.zone or ZoneInfo("UTC")
    last = (setup.rule.closes(deadline) - _SECOND).astimezone(zone)
    lock = setup.rule.boundary is Boundary.UNTIL_LOCK
    return {
        "instant": deadline.isoformat(),
        "zone": zone.key,
        "words": " = ".join(_words(deadline, zone)),
        "left": None if counts_down(dialect) or deadline <= now else lasting(deadline - now),
        "last": None if lock else f"{last:%H:%M:%S %Z}",
    }


def _words(deadline: datetime, zone: ZoneInfo) -> Iterator[str]:
    yield shown(deadline, zone)
    if deadline.astimezone(zone).utcoffset():
        yield f"{deadline.astimezone(UTC):%a %d %b %H:%M} UTC"


def counts_down(dialect: str) -> bool:
    """Whether the site has a tag that counts down, or shows each reader his own time."""
    words = (Text("then"),)
    writer = dialects.dialect(dialect)
    return writer.write((Countdown(datetime(2026, 1, 1, tzinfo=UTC), "UTC", words),)) != writer.write(words)
