"""Which instant does the moderator mean by a deadline, and is it one that can still be meant?

Hours are time that passes; days are dates on the calendar: where the clocks change in between they differ by
an hour, and that is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from knightfall.errors import InputError, TimeError
from knightfall.setups.absence import parse_span
from knightfall.setups.instants import aware
from knightfall.writeups.facts import local_time

_DAYS = "d"
_WEEK = timedelta(days=7)


def parse_instant(text: str, zone: ZoneInfo | None, where: str) -> datetime:
    """“2026-11-25 20:00” in the game's zone, or with an offset, in UTC. Raises TimeError for what is no such
    time, has no zone, or is skipped or repeated by the clocks."""
    said = text.strip()
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        raise TimeError(f"{where} {said}: expected a date and a time, such as “2026-11-25 20:00”.") from None
    if ":" not in said and "T" not in said:
        raise TimeError(f"{where} {said}: a date is a whole day. Say the time, too: “{said} 20:00”.")
    return aware(moment, zone, where)


def checked_future(moment: datetime, now: datetime, zone: ZoneInfo | None, past: bool) -> datetime:
    """The deadline, where it is ahead or the moderator writes down the past. Raises TimeError, with the next
    one on that weekday, else."""
    if moment > now or past:
        return moment
    again = _ahead(moment, now, zone)
    raise TimeError(
        f"Deadline {shown(moment, zone)} was {lasting(now - moment)} ago: now it is {shown(now, zone)}. "
        f'If you meant {again:%a %d %b}: --ends "{again:%Y-%m-%d %H:%M}". To record a past phase add --past.'
    )


def moved(deadline: datetime, by: str, zone: ZoneInfo | None) -> datetime:
    """The deadline so much later: “48h” and “90m” as time passes, “2d” at the same time of day. Raises
    InputError for another span, TimeError where the clocks skip or repeat that time of day."""
    try:
        span = parse_span(by)
    except ValueError as fault:
        raise InputError(f"--by {by}: expected {fault}.") from None
    if not by.endswith(_DAYS):
        return deadline + span
    local = deadline.astimezone(zone or UTC)
    return aware(local.replace(tzinfo=None, fold=0) + span, zone or ZoneInfo("UTC"), f"--by {by}")


def clock_change(deadline: datetime, by: str, zone: ZoneInfo | None) -> Iterator[str]:
    """Where the clocks change on the way: what the other reading of the span would be."""
    span = parse_span(by)
    if zone is None or span % timedelta(days=1):
        return
    later = (deadline + span).astimezone(zone)
    if later.utcoffset() == deadline.astimezone(zone).utcoffset():
        return
    days, hours = f"{span.days}d", f"{span.days * 24}h"
    other, meant = (hours, "so much time passes") if by.endswith(_DAYS) else (days, "the same time of day")
    yield (
        f"The clocks change on the way: {by} ends {shown(moved(deadline, by, zone), zone)}. If you mean that "
        f"{meant}, it is --by {other}."
    )


def shown(moment: datetime, zone: ZoneInfo | None) -> str:
    """“Wed 25 Nov 2026, 20:00 EST”."""
    return local_time(moment, zone or ZoneInfo("UTC"))


def lasting(span: timedelta) -> str:
    """“3 d 4 h”, “6 h 40 min”, “5 min”."""
    minutes = int(span.total_seconds()) // 60
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [f"{days} d"] * bool(days) + [f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest)
    return " ".join(parts[:2]) or "less than a minute"


def _ahead(moment: datetime, now: datetime, zone: ZoneInfo | None) -> datetime:
    """The same weekday and time of day, as soon as it is ahead."""
    local = moment.astimezone(zone or UTC)
    weeks = (now - moment) // _WEEK + 1
    return local + weeks * _WEEK
