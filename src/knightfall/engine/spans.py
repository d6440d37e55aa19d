"""Spans of time as people write them, such as “48h” or “2 days”, and in words; the time of day.

The only reader of spans: of options, of rules in a game file and of what a moderator types.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from knightfall.markup.dialects.moments import time_of_day as time_of_day

EXPECTED = "days, hours or minutes such as “2d”, “48h” or “90m”"

_UNITS = {
    "w": timedelta(weeks=1),
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
}
# A number and its unit, in full or by its first letters; the first letter tells which one it is.
_PART = re.compile(
    r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*"
    r"(w(?:(?:ee)?ks?)?|d(?:ays?)?|h(?:(?:ou)?rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)",
    re.IGNORECASE,
)
_SPAN = re.compile(rf"{_PART.pattern}(?:(?:\s*,)?(?:\s+and)?\s*{_PART.pattern})*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """A span as it was written: after whole `days` it is the same time of day, whatever the clocks did in
    between; `rest` is time that passes."""

    days: int
    rest: timedelta

    @property
    def total(self) -> timedelta:
        """Its length, a day as 24 hours."""
        return timedelta(days=self.days) + self.rest


def parse_span(text: str) -> Span:
    """Parse “48h”, “2d”, “90 min” or “1 day 12 hours”. Raises ValueError, which says what was expected."""
    said = text.strip()
    if _SPAN.fullmatch(said) is None:
        raise ValueError(EXPECTED)
    days, rest = 0, timedelta()
    try:
        for number, unit in _PART.findall(said):
            length = _UNITS[unit[0].lower()]
            if length >= _UNITS["d"] and "." not in number:
                days += int(number) * length.days
            else:
                rest += float(number) * length
        timedelta(days=days) + rest  # what `total` will be
    except OverflowError:
        raise ValueError(EXPECTED) from None
    return Span(days, rest)


def format_span(span: timedelta) -> str:
    """“3 d 4 h”, “6 h 40 min”, “5 min”: the two largest units."""
    minutes = int(span.total_seconds()) // 60
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [f"{days} d"] * bool(days) + [f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest)
    return " ".join(parts[:2]) or "less than a minute"


def time_in_utc(instant: datetime) -> str:
    """“21:14 UTC”."""
    return f"{instant.astimezone(UTC):%H:%M} UTC"
