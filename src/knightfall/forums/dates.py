"""Dates as forums print them, made into instants."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# The beginnings of the names of the twelve months in the languages of the boards; the longest that fits wins.
MONTHS = {
    beginning: number
    for number, beginnings in enumerate(
        (
            "jan ene gen янв sty led tammi січ",
            "feb fév fev фев lut úno helmi лют",
            "mar mär mrt мар břez maalis már бер",
            "apr avr abr апр kwi dub huhti ápr квіт",
            "may mai mei maj mag май мая kvě touko máj трав",
            "jun juin giu июн cze červen červn kesä jún черв",
            "jul juil lug июл lip červenec července heinä júl лип",
            "aug aoû aou ago авг sie srp elo серп",
            "sep set сен wrz zář syys sze вер",
            "oct okt out ott окт paź říj loka жовт",
            "nov ноя lis marras лист",
            "dec déc dez dic des дек gru pro joulu груд",
        ),
        start=1,
    )
    for beginning in beginnings.split()
}
LONGEST_MONTH = max(map(len, MONTHS))
DAYS_BACK = {
    0: "today heute aujourd oggi hoy hoje vandaag сегодня dzisiaj dziś idag dnes tänään ma",
    1: "yesterday gestern hier ieri ayer ontem gisteren вчера wczoraj igår včera eilen tegnap",
}
DAY_NAMED = {back: re.compile(rf"\b(?:{'|'.join(names.split())})\b") for back, names in DAYS_BACK.items()}
UNITS = {
    1: "second sekund seconde secondo segundo секунд",
    60: "minute minuut minuto minut минут min",
    3600: "hour stunde heure ora hora uur час godzin timm",
    86400: "day tag jour giorno día dia dag дн день dni",
    604800: "week woche semaine settiman seman недел tydzień tygodn veck",
}
# "14:51", "14h51", "4:34:02 pm", "4:34 p.m.".
CLOCK = re.compile(r"(?<!\d)(\d{1,2})[:h](\d{2})(?::(\d{2}))?(?!\d)(?:\s*([ap])\.?\s?m\b)?")
# "2019-05-26" and its like; then day and month in either order: "26.05.2019", "5/26/19".
YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[-/.]\s?(\d{1,2})[-/.]\s?(\d{1,2})(?!\d)")
NUMERIC = re.compile(r"(?<!\d)(\d{1,2})[-/.]\s?(\d{1,2})[-/.]\s?(\d{4}|\d{2})(?!\d)")
# "26th May 2019", "26 de mayo de 2019"; the other way round "May 26th, 2019". The year may be missing. A
# number before a colon is an hour, not a day.
DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|º)?[.,]?\s+(?:de\s+)?([^\W\d_]{3,})\.?(?:,?\s+(?:de\s+)?(\d{4}))?"
)
MONTH_FIRST = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?!\d|:)(?:,?\s+(\d{4}))?")
COUNTED = re.compile(r"(?<!\d)(\d+)\s*([^\W\d_]+)")
QUARTER = timedelta(minutes=15)
WEST, EAST = -48, 56
"""The outermost zones, in quarters of an hour ahead of UTC."""
SLACK = timedelta(minutes=5)
"""So far a board's clock may be from a zone's: an older page was kept by somebody between."""
LONGEST_UNIX = 15
"""Digits of a Unix time in thousandths, up to the year 9999."""
# "UTC", "UTC - 5 hours", "GMT +05:30", "WEZ + 3.5": sign, hours, and minutes or tenths of an hour.
OFFSET = re.compile(r"(?:UTC|GMT|WEZ)(?:\s*([+\-−])\s*(\d{1,2})(?::?(\d{2})|\.(\d))?)?")


def machine_time(text: str | None) -> datetime | None:
    """An ISO 8601 instant with its offset; None for anything else, a time without offset too."""
    if not text:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    return read.astimezone(UTC) if read.tzinfo else None


def epoch_time(seconds: object) -> datetime | None:
    """The instant of a Unix time in seconds, given as a number; None for anything else."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def unix_stamp(digits: str | None, per_second: int = 1) -> str | None:
    """The ISO 8601 instant of a Unix time that an attribute tells in digits; None for anything else."""
    if not digits or not digits.isdecimal() or len(digits) > LONGEST_UNIX:
        return None
    instant = epoch_time(int(digits) / per_second)
    return instant.isoformat() if instant else None


def written_time(text: str, now: datetime, zone: tzinfo = UTC, order: str = "mdy") -> datetime | None:
    """The instant that words like "Sun May 26, 2019 4:34 pm", "Gestern, 14:51" or "5 minutes ago" name.

    `zone` is the zone the board shows, `order` ("mdy", "dmy") decides 06-05-2016. None where nothing is read.
    """
    return read_words(text, now, zone, order)[0]


def read_words(text: str, now: datetime, zone: tzinfo, order: str) -> tuple[datetime | None, bool]:
    """As `written_time`, and whether the words name a day by a calendar, not a distance."""
    plain = _plain(text)
    day = _day(plain, now.astimezone(zone).date(), order)
    if day is not None:
        clock = _clock(plain)
        return (datetime.combine(day, clock, zone).astimezone(UTC) if clock is not None else None), True
    for found in COUNTED.finditer(plain):
        for seconds, names in UNITS.items():
            if any(found[2].startswith(name) for name in names.split()):
                return (now - timedelta(seconds=seconds * int(found[1]))).astimezone(UTC), False
    return None, False


def needs_zone(text: str, now: datetime) -> bool:
    """Whether words name a day by a calendar, as “Today, 14:51”, and not a distance, as “5 minutes ago”."""
    return _day(_plain(text), now.date(), "mdy") is not None


def clock_told(shown: str, exact: datetime, usual: str) -> tuple[tzinfo, str] | None:
    """The zone and the order of day and month ("mdy", "dmy") by a clock that showed these words at an
    instant; None where they are no such clock. Clocks show whole minutes, zones are whole quarters of an
    hour."""
    for order in (usual, "mdy", "dmy"):
        read = written_time(shown, exact, UTC, order) if needs_zone(shown, exact) else None
        if read is not None:
            quarters = round((read - exact) / QUARTER)
            if WEST <= quarters <= EAST and abs(read - exact - quarters * QUARTER) <= SLACK:
                return timezone(quarters * QUARTER), order_told([shown], order)
    return None


def zone_beside(stamps: Iterable[tuple[str, str | None]]) -> tzinfo | None:
    """The zone of a clock by stamps that it shows beside their instants (words, ISO 8601); None where none
    tells it. “Today, 14:51” leaves a whole day open: then it is the zone that is nearest to UTC."""
    a_day = timedelta(days=1) // QUARTER
    for shown, machine in stamps:
        exact = machine_time(machine)
        read = written_time(shown, exact, UTC) if exact and needs_zone(shown, exact) else None
        if exact is None or read is None:
            continue
        # Clocks show whole minutes, zones are whole quarters of an hour.
        quarters = round((read - exact) / QUARTER)
        apart = abs(read - exact - quarters * QUARTER)
        if _relative_day(_plain(shown), exact.date()) is not None:
            quarters = (quarters + a_day // 2) % a_day - a_day // 2
        if WEST <= quarters <= EAST and apart <= SLACK:
            return timezone(quarters * QUARTER)
    return None


def zone_at(ahead: timedelta, moment: datetime, usual: str | None) -> tzinfo:
    """The zone of a clock that is so far ahead of UTC at that instant: the one of the IANA name `usual` where
    its clocks show the same, for it knows when they change; else a fixed one, less than a day from UTC."""
    named = zone_named(usual) if usual else None
    return named if named and moment.astimezone(named).utcoffset() == ahead else timezone(ahead)


def zone_key(zone: tzinfo) -> str:
    """What a zone is called: “America/New_York”, “UTC-05:00”."""
    return getattr(zone, "key", None) or str(zone)


def order_told(texts: Iterable[str], usual: str) -> str:
    """The order of day and month that dates of one page give away: by dots or a number above 12."""
    for text in texts:
        for found in NUMERIC.finditer(text):
            if int(found[1]) > 12 or text[found.end(1)] == ".":
                return "dmy"
            if int(found[2]) > 12:
                return "mdy"
    return usual


def zone_named(name: str) -> tzinfo | None:
    """The zone of an IANA name; phpBB writes it with spaces ("America/New York")."""
    try:
        return ZoneInfo(name.strip().replace(" ", "_"))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_offset(text: str) -> tzinfo | None:
    """The zone of words like "All times are UTC - 5 hours [ DST ]", "UTC+05:30" or "GMT + 3.5 Hours". None
    where they tell none, or one of a day and more, which is nowhere."""
    found = OFFSET.search(text)
    if found is None:
        return None
    sign, hours, minutes, tenths = found.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0) + 6 * int(tenths or 0))
    summer = timedelta(hours=1 if re.search(r"\bDST\b", text) else 0)
    ahead = (-offset if sign in ("-", "−") else offset) + summer
    return timezone(ahead) if abs(ahead) < timedelta(days=1) else None


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _clock(text: str) -> time | None:
    found = CLOCK.search(text)
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        hour = hour % 12 + (12 if found[4] == "p" else 0)
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


def _day(text: str, today: date, order: str) -> date | None:
    if found := YEAR_FIRST.search(text):
        return _date(int(found[1]), int(found[2]), int(found[3]))
    if found := NUMERIC.search(text):
        # A number above 12 is the day whatever the board's order.
        first = int(found[1])
        second = int(found[2])
        year = int(found[3])
        day_first = first > 12 or (order == "dmy" and second <= 12)
        day, month = (first, second) if day_first else (second, first)
        return _date(year if year > 99 else 2000 + year, month, day)
    return _named(text, today) or _relative_day(text, today)


def _named(text: str, today: date) -> date | None:
    """A month's name next to a day; without a year the last such day that is not in the future."""
    for found in DAY_FIRST.finditer(text):
        if month := _month(found[2]):
            return _year_guessed(found[3], month, int(found[1]), today)
    for found in MONTH_FIRST.finditer(text):
        if month := _month(found[1]):
            return _year_guessed(found[3], month, int(found[2]), today)
    return None


def _month(word: str) -> int | None:
    beginnings = (word[:letters] for letters in range(LONGEST_MONTH, 0, -1))
    return next((MONTHS[beginning] for beginning in beginnings if beginning in MONTHS), None)


def _year_guessed(year: str | None, month: int, day: int, today: date) -> date | None:
    if year:
        return _date(int(year), month, day)
    this = _date(today.year, month, day)
    return this if this is None or this <= today + timedelta(days=1) else _date(today.year - 1, month, day)


def _relative_day(text: str, today: date) -> date | None:
    back = next((back for back, named in DAY_NAMED.items() if named.search(text)), None)
    return None if back is None else today - timedelta(days=back)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
