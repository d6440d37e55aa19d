"""The instant of a countdown, as a site that counts writes it, and in words for one that does not.

Every deadline that a text tells is written here: by the clocks of the game and of UTC, with the time left.
"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from knightfall.errors import TimeError
from knightfall.markup.nodes import Countdown


def local(countdown: Countdown) -> datetime:
    """The instant on the clocks of its zone. Raises TimeError for a naive instant or an unknown zone."""
    if countdown.instant.tzinfo is None:
        raise TimeError(f"The deadline {countdown.instant} has no zone. Give it one, e.g. 20:00-05:00.")
    try:
        return countdown.instant.astimezone(ZoneInfo(countdown.zone or "UTC"))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise TimeError(f"{countdown.zone!r} is no time zone. Use a name like America/New_York.") from error


def stamp(countdown: Countdown) -> str:
    """`2026-11-25 20:00:00 -5.00`: MafiaScum's form, the offset in decimal hours, never with a plus."""
    there = local(countdown)
    offset = there.utcoffset()
    hours = offset.total_seconds() / 3600 if offset else 0.0
    return f"{there:%Y-%m-%d %H:%M:%S} {hours:.2f}"


def in_words(countdown: Countdown) -> str:
    """`Wed 25 Nov 2026, 20:00 EST = Thu 26 Nov 01:00 UTC (in 2 d)`: the time left where it is known;
    seconds where they are not zero."""
    there = local(countdown)
    clock = "%H:%M:%S" if there.second else "%H:%M"
    if there.utcoffset():
        said = f"{there:%a %d %b %Y, {clock} %Z} = {there.astimezone(UTC):%a %d %b {clock}} UTC"
    else:
        said = f"{there:%a %d %b %Y, {clock}} UTC"
    return f"{said} (in {countdown.left})" if countdown.left else said


def parts(countdown: Countdown) -> dict[str, str]:
    """What the forms of the dialects may ask for, by name."""
    there = local(countdown)
    return {
        "stamp": stamp(countdown),
        "date": f"{there:%Y-%m-%d}",
        "time": f"{there:%H:%M:%S}",
        "zone": countdown.zone or "UTC",
        "unix": str(int(there.timestamp())),
    }
