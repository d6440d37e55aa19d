"""The instant of a countdown, as a site that counts writes it, and in words for one that does not.

Every time that a text tells is written here: by the clocks of the game, and of UTC where those show another
time. How long it is till then is told by sites that count it down, and by nothing that stays as it is.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
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


def time_of_day(moment: datetime) -> str:
    """“20:00”; with seconds where there are any, “20:00:59”."""
    return f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"


def zone_name(moment: datetime) -> str:
    """What a reader calls the zone of an aware instant: “EST”; “UTC” where its clocks show that, whatever the
    zone is called then; “UTC-3” where it has no letters of its own."""
    if not moment.utcoffset():
        return "UTC"
    letters = f"{moment:%Z}"
    return letters if letters.isalpha() else offset_name(moment)


def offset_name(moment: datetime) -> str:
    """“UTC-5”, “UTC+5:30”: how far the clocks of an aware instant are from UTC."""
    minutes = int((moment.utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def utc_words(moment: datetime) -> str:
    """“Thu 26 Nov 01:00 UTC”."""
    there = moment.astimezone(UTC)
    return f"{there:%a %d %b} {time_of_day(there)} UTC"


def local_words(moment: datetime) -> str:
    """“Wed 25 Nov 2026, 20:00 EST”, by the clocks of its own zone."""
    return f"{moment:%a %d %b %Y}, {time_of_day(moment)} {zone_name(moment)}"


def instant_words(moment: datetime) -> str:
    """“Wed 25 Nov 2026, 20:00 EST = Thu 26 Nov 01:00 UTC”, by the clocks of its own zone; once where both
    show the same; seconds where they are not zero."""
    return f"{local_words(moment)} = {utc_words(moment)}" if moment.utcoffset() else local_words(moment)


def in_words(countdown: Countdown) -> str:
    """The instant by the clocks of its zone and of UTC."""
    return instant_words(local(countdown))


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
