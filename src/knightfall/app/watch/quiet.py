"""Is it an hour in which the moderator sleeps? “23:00-07:00”, by his own clocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from knightfall.errors import InputError

_HOURS = re.compile(r"\s*(\d{1,2}:\d{2})\s*[-–]\s*(\d{1,2}:\d{2})\s*")


@dataclass(frozen=True, slots=True)
class Quiet:
    """From `begins` up to, and without, `ends`; over midnight where it ends earlier than it begins."""

    begins: time
    ends: time

    def at(self, moment: datetime, zone: ZoneInfo) -> bool:
        """Whether that instant is in it."""
        now = moment.astimezone(zone).time().replace(tzinfo=None)
        if self.begins <= self.ends:
            return self.begins <= now < self.ends
        return now >= self.begins or now < self.ends

    def left(self, moment: datetime, zone: ZoneInfo) -> float:
        """Seconds until it ends."""
        local = moment.astimezone(zone)
        ends = local.replace(hour=self.ends.hour, minute=self.ends.minute, second=0, microsecond=0)
        ahead = ends if ends > local else ends + timedelta(days=1)
        return (ahead.astimezone(moment.tzinfo) - moment).total_seconds()


def parse_quiet(text: str) -> Quiet:
    """The hours. Raises InputError."""
    found = _HOURS.fullmatch(text)
    try:
        begins, ends = (time.fromisoformat(part.zfill(5)) for part in (found.groups() if found else ()))
    except ValueError:
        raise InputError(f"--quiet {text}: expected hours such as 23:00-07:00.") from None
    if begins == ends:
        raise InputError(f"--quiet {text}: that is no time at all. Leave --quiet out, or say until when.")
    return Quiet(begins, ends)
