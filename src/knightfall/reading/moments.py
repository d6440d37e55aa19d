"""Times as somebody writes them into a post: “Friday 20:00 EST”, “4.12., 20 Uhr”, “le 5 décembre à minuit”.

`moment_in` reads the first one of a text as an instant, or as from when to when it may be: where it names no
zone, a day alone, or a date that can be two. `span_in` reads how long something goes on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from knightfall.names import fold
from knightfall.reading.lexicon import ENGLISH, LETTERS, languages, parted, spoken, tag_of

Range = tuple[datetime, datetime | None]
"""From when to when an instant may be; None: nobody tells the latest."""

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
_ANYWHERE = (timezone(timedelta(hours=14)), timezone(timedelta(hours=-12)))
"""The first zone that has a time of day, and the last."""
_YEARS_AHEAD = 1
_NOON = 12


@cache
def words() -> Mapping[str, Any]:
    """The tables of `times.toml`."""
    return tomllib.loads(files("knightfall.reading").joinpath("times.toml").read_text("utf-8"))


@cache
def _calendar(table: str) -> Mapping[str, int]:
    """The words of a table of the calendar, folded → their place."""
    rows = words()["calendar"][table]
    listed = [rows] if isinstance(rows, str) else rows
    return {fold(word): place for place, row in enumerate(listed, start=1) for word in row.split()}


@cache
def _months() -> Mapping[str, int]:
    rows = words()["calendar"]["months"]
    return {word: place for place, row in enumerate(rows, start=1) for word in row.split()}


def month_of(word: str) -> int | None:
    """The month, 1 to 12, that a word in lower case begins as; the longest beginning wins."""
    longest = max(map(len, _months()))
    beginnings = (word[:letters] for letters in range(longest, 0, -1))
    return next((_months()[one] for one in beginnings if one in _months()), None)


# ---- The marks of a time

_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
# “20:00”, “8:30 pm”, “20.00 Uhr”; “8pm”, “9 p.m.”; “20h”, “18 Uhr”, “godz. 21”; “2100 GMT”.
_HALF = r"(?:\s?(?P<half{n}>[ap])\.?\s?m\b\.?)"
_CLOCK = re.compile(
    rf"(?<![\w:./])(?:(?P<h1>\d{{1,2}}):(?P<m1>\d{{2}})(?::\d{{2}})?(?!\d){_HALF.format(n=1)}?(?:\s?(?:uhr|hrs?|h)\b)?"
    rf"|(?P<h2>\d{{1,2}})[h.](?P<m2>\d{{2}})(?!\d)(?:{_HALF.format(n=2)}|\s?(?:uhr|h)\b|(?<=h\d\d)\b)"
    rf"|(?P<h3>\d{{1,2}}){_HALF.format(n=3)}|(?P<h4>\d{{1,2}})\s?(?:uhr|h|o'clock)\b"
    r"|godz(?:\.|inie)?\s?(?P<h5>\d{1,2})(?![\d:])"
    r"|(?P<h6>[01]\d|2[0-3])(?P<m6>[0-5]\d)(?=\s?(?:h|hrs|hours|uhr|utc|gmt|[ecmp][sd]?t|cest|mez)\b))",
    re.IGNORECASE,
)
_OFFSET = re.compile(
    r"\s*[(,]?\s*(?:utc|gmt)?\s?(?P<sign>[+\-−–])\s?(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?(?![\d:]|\.\d)",
    re.IGNORECASE,
)
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d/.])(\d{1,2})([-/.])\s?(\d{1,2})(?:\2\s?(\d{4}|\d{2})(?!\d))?(?![\d/])")
_YEAR = r"(?:,?\s+(?:de\s+)?(?P<year>20\d{2})(?!\d|\s?(?:h|hrs|utc|gmt)\b))?"
_DAY_FIRST = re.compile(
    rf"(?<![\d:])(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|ª)?\.?\s*(?:(?:of|de)\s+|d')?(?P<month>[^\W\d_]{{3,}})\.?{_YEAR}",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"(?P<month>[^\W\d_]{{3,}})\.?,?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:/.]\d|\s?(?:[ap]\.?m|h|uhr)\b){_YEAR}",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)\b", re.IGNORECASE)
_SPAN = re.compile(
    rf"(?<![\w:.,/])(?=(?P<span>(?P<many>\d{{1,3}}(?:[.,]5)?|{_WORD})(?:\s*\(\d+\))?[\s-]?"
    rf"(?:more\s|weitere\s|más\s|full\s)?(?P<unit>{_WORD})))",
    re.IGNORECASE,
)
_SHORT = 3
_BESIDE = 2
"""Signs between a time of day in numbers and in words."""
_STAMP = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(?![\d:]|\s?(?:Z|UTC|GMT|[+\-−]\d))")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time that a text names: where in it, from when to when it may be, and the zones that it can be in by
    its own words (None: it names none)."""

    start: int
    end: int
    earliest: datetime
    latest: datetime | None
    zones: tuple[tzinfo, ...] | None


def moment_in(
    text: str, said: datetime, usual: Sequence[tzinfo] | None, about: bool = False
) -> Moment | None:
    """The first time of a text that lies behind `said`, an aware instant; `usual` are the zones that a time
    can be in which names none (None: any of the world). `about`: it is not given to the minute. None where
    there is none."""
    clocks = [*_clocks(text)]
    clock = clocks[0] if clocks else None
    end = clocks[1][0] if len(clocks) > 1 else len(text)  # the same time by other clocks
    head = text[:end]
    days, place = _days_in(head, clock and clock[:2])
    if clock is None and days is None:
        return None
    named = _zones(head, 0 if clock is None else clock[1])
    found: list[tuple[datetime, datetime]] = []
    sure = days is not None
    for where in named or usual or _ANYWHERE:
        here = said.astimezone(where)
        options = [here.date() + n * _DAY for n in range(2)] if days is None else [*days.on(here.date())]
        times = (time(0), None) if clock is None else clock[2]
        moments = [_at(day, at, where) for day, at in product(options, times)]
        if clock is None:
            pairs = [*zip(moments[::2], moments[1::2], strict=True)]
            found += [(begin, over) for begin, over in pairs if over > said]
        else:
            ahead = [one for one in moments if one > said]
            found += [(one, one) for one in (ahead if sure else ahead[:1])]
    if not found:
        return None
    earliest, latest = min(one for one, _ in found), max(one for _, one in found)
    start = min([at for at in (place, clock[0] if clock else None) if at is not None], default=0)
    if about:
        latest += _HOUR
    return Moment(start, end, earliest, latest if sure else None, named)


def stamp_in(text: str) -> str:
    """The time that a board shows by its own clock, “2026-12-04 20:00:00” as of a countdown; "" for none."""
    found = _STAMP.search(text)
    return found[0] if found else ""


def _at(day: date, at: time | None, zone: tzinfo) -> datetime:
    """The instant of a time of a day by a zone; None: the end of that day."""
    behind = day if at is not None else day + _DAY
    return datetime.combine(behind, at or time(0), zone).astimezone(UTC)


def _clocks(text: str) -> Iterator[tuple[int, int, tuple[time | None, ...]]]:
    """Where the times of day of a text stand, and what each can be; None: the end of the day."""
    found = [(one.start(), one.end(), read) for one in _CLOCK.finditer(text) if (read := _clock(one))]
    for one in re.finditer(_WORD, text):
        word = fold(one[0])
        if word in _calendar("noon"):
            found.append((one.start(), one.end(), (time(12),)))
        elif word in _calendar("midnight"):
            found.append((one.start(), one.end(), (time(0), None)))
    # “12:00 PM (noon)” is one time.
    last = -1
    for start, end, read in sorted(found, key=lambda one: one[0]):
        if start > last + _BESIDE:
            yield start, end, read
        last = end


def _clock(found: re.Match[str]) -> tuple[time | None, ...]:
    parts = found.groupdict()
    hour = int(next(parts[f"h{n}"] for n in range(1, 7) if parts[f"h{n}"]))
    minute = int(parts["m1"] or parts["m2"] or parts["m6"] or 0)
    half = (parts["half1"] or parts["half2"] or parts["half3"] or "").casefold()
    if half and 1 <= hour <= _NOON:
        hour = hour % _NOON + _NOON * (half == "p")
    if hour == 24 and not minute:
        return (None,)
    if hour > 23 or minute > 59:
        return ()
    # “8:30” may be in the morning or in the evening; “08:30”, “8:30 Uhr” and “20:30” are not so.
    twelve = not half and found["h1"] and 0 < hour <= _NOON and found[0] == f"{hour}:{minute:02}"
    hours = (hour % _NOON, hour % _NOON + _NOON) if twelve else (hour,)
    return tuple(time(one, minute) for one in hours)


# ---- Its zone


def _zones(text: str, behind: int) -> tuple[tzinfo, ...] | None:
    """The zones that a text can name behind a time of day; None where it names none."""
    offset = _OFFSET.match(text, behind)
    if offset is None and (far := re.search(r"\b(?:utc|gmt)\s?(?=[+\-−–])", text[behind:], re.IGNORECASE)):
        offset = _OFFSET.match(text, behind + far.start())
    if offset is not None:
        ahead = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"] or 0))
        if ahead < _DAY:
            return (timezone(ahead if offset["sign"] == "+" else -ahead),)
    rest = text[behind:]
    found = [*re.finditer(_WORD, rest)]
    for place, one in enumerate(found):
        near = not rest[: one.start()].strip(" ,(/")
        several = " ".join(fold(two[0]) for two in found[place : place + 2])
        word = fold(one[0])
        for said in (several, word):
            if said in words()["zones"] and (near or len(said) > _SHORT or one[0].isupper()):
                return tuple(map(_zone, words()["zones"][said]))
    for place, one in enumerate(found):
        if one[0][0].isupper():
            for many in (3, 2, 1):
                name = " ".join(two[0] for two in found[place : place + many])
                if (city := _cities().get(fold(name))) is not None:
                    return (ZoneInfo(city),)
    return None


def _zone(said: int | str) -> tzinfo:
    return ZoneInfo(said) if isinstance(said, str) else timezone(timedelta(minutes=said))


@cache
def _cities() -> Mapping[str, str]:
    """The zones by the cities that they are called after, folded: those that name just one."""
    named: dict[str, set[str]] = {}
    for name in available_timezones():
        area, slash, city = name.rpartition("/")
        if slash and area not in ("Etc", "posix", "right"):
            named.setdefault(fold(city.replace("_", " ")), set()).add(name)
    return {city: next(iter(one)) for city, one in named.items() if len(one) == 1}


# ---- Its day


@dataclass(frozen=True, slots=True)
class _Days:
    """The days that words can mean: dates with a year or without, a day of the week, so many days on."""

    dates: tuple[tuple[int | None, int, int], ...] = ()
    weekday: int | None = None
    later: int | None = None
    of_month: int | None = None
    coming: bool = False
    """“Next Friday”."""

    def on(self, today: date) -> Iterator[date]:
        """The days, as somebody means them who says it on that day."""
        if self.later is not None:
            yield today + self.later * _DAY
        elif self.dates:
            found = {day for one in self.dates for day in _dates(*one, today)}
            named = {day for day in found if self.weekday in (None, day.weekday())}
            if self.weekday is not None and not named:
                found.add(today + (self.weekday - today.weekday()) % 7 * _DAY)  # the day or the date is wrong
            yield from sorted(named or found)
        elif self.of_month is not None:
            ahead = (today + n * _DAY for n in range(62))
            yield next(day for day in ahead if day.day == self.of_month)
        elif self.weekday is not None:
            days = (self.weekday - today.weekday()) % 7
            yield today + days * _DAY
            if not days or self.coming:
                yield today + (days + 7) * _DAY


def _dates(year: int | None, month: int, day: int, today: date) -> Iterator[date]:
    """That day in its year, else the next one from yesterday on."""
    years = (year,) if year is not None else range(today.year, today.year + _YEARS_AHEAD + 1)
    for one in years:
        try:
            found = date(one, month, day)
        except ValueError:
            continue
        if year is not None or found >= today - _DAY:
            yield found
            return


def _days_in(text: str, clock: tuple[int, int] | None) -> tuple[_Days | None, int | None]:
    """The day that a text names outside its time of day, and where."""
    plain = text if clock is None else text[: clock[0]] + " " * (clock[1] - clock[0]) + text[clock[1] :]
    weekday, at, coming = _weekday_in(plain)
    if (iso := _ISO.search(plain)) is not None:
        return _Days(((int(iso[1]), int(iso[2]), int(iso[3])),)), iso.start()
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for found in pattern.finditer(plain):
            month = month_of(found["month"].casefold())
            if month is not None and 1 <= int(found["day"]) <= 31:
                year = int(found["year"]) if found["year"] else None
                return _Days(((year, month, int(found["day"])),), weekday), found.start()
    for number in _NUMERIC.finditer(plain):
        if options := _numeric(number, clock is not None):
            return _Days(options, weekday), number.start()
    for one in re.finditer(_WORD, plain):
        for table, later in (("today", 0), ("tomorrow", 1)):
            if fold(one[0]) in _calendar(table):
                return _Days(later=later), one.start()
    if (ordinal := _ORDINAL.search(plain)) is not None and 1 <= int(ordinal[1]) <= 31:
        return _Days(weekday=weekday, of_month=int(ordinal[1])), ordinal.start()
    return (None, None) if weekday is None else (_Days(weekday=weekday, coming=coming), at)


def _numeric(found: re.Match[str], clock: bool) -> tuple[tuple[int | None, int, int], ...]:
    """(year, month, day) of a date in numbers, both ways where it can be two; with dots the day is first.
    `clock`: a time of day stands beside it."""
    first, mark, second = int(found[1]), found[2], int(found[3])
    year = None if found[4] is None else int(found[4]) + 2000 * (len(found[4]) == 2)
    if mark == "." and found[4] is None and not clock and found.string[found.end() :][:1] != ".":
        return ()  # “8.10” may be a time of day
    ways = {(second, first)} if mark == "." else {(second, first), (first, second)}
    return tuple((year, month, day) for month, day in sorted(ways) if month <= 12 and day <= 31)


def _weekday_in(text: str) -> tuple[int | None, int | None, bool]:
    """The first day of the week in a text, Monday 0; where; and whether the next one is said. Three letters
    are one with a capital alone."""
    before = ""
    for one in re.finditer(_WORD, text):
        word = fold(one[0])
        for said in (word, *word.split("-")[:1]):
            place = _calendar("weekdays").get(said)
            if place is not None and (len(said) > _SHORT or one[0][0].isupper()):
                return place - 1, one.start(), before == "next"
        before = word
    return None, None, False


_OF_TIME = ("weekdays", "tomorrow", "noon", "midnight", "minute", "hour", "day", "week", "weekend", "at")


def is_of_time(word: str) -> bool:
    """Whether a word tells when something is to be: a weekday, a part of the clock, “in”."""
    return any(fold(word) in _calendar(table) for table in _OF_TIME)


def speaks_of_today(text: str) -> bool:
    """Whether a word of today, or of this evening, stands in a text."""
    return any(fold(one[0]) in _calendar("today") for one in re.finditer(_WORD, text))


def is_short_form(word: str) -> bool:
    """Whether a word behind which a full stop stands may be the short form of a month or of a day."""
    return month_of(word.casefold()) is not None or fold(word) in _calendar("weekdays")


# ---- How long


def span_in(text: str) -> tuple[timedelta, int, int] | None:
    """The first span of a text, “48 hours”, “two days”, “une semaine”, and where it stands."""
    for found in _SPAN.finditer(text):
        length, many = _unit(found["unit"]), _many(found["many"])
        if length is not None and many is not None:
            return many * length, *found.span("span")
    return None


def _unit(word: str) -> timedelta | None:
    lengths = {"minute": timedelta(minutes=1), "hour": _HOUR, "day": _DAY, "week": 7 * _DAY}
    return next((span for unit, span in lengths.items() if fold(word) in _calendar(unit)), None)


def _many(word: str) -> float | None:
    if word[0].isdigit():
        return float(word.replace(",", "."))
    if fold(word) in _calendar("one"):
        return 1
    said = parted(word)
    for code in languages():
        found = tag_of(said, 0, code) if len(said) == 1 else None
        if found is not None and found[0] == LETTERS["numbers"]:
            return found[1]
    return None


# ---- The words of a sentence


@dataclass(frozen=True, slots=True)
class Tagged:
    """A word or phrase of a sentence: the letter of the lexicon or the table of `times.toml` that has it, its
    value, and where it stands."""

    tag: str
    value: int
    start: int
    end: int


def tagged(text: str) -> tuple[Tagged, ...]:
    """What the words of a sentence mean, by the language that it is in; a word may have a meaning in both."""
    found_in = re.finditer(rf"{_WORD}|\d+", text)  # a number parts the words of a phrase
    parts = [(part, one.start(), one.end()) for one in found_in for part in parted(one[0])]
    said = [part for part, _, _ in parts]
    code = spoken(said) if said else ""
    found: list[Tagged] = []
    behind = 0
    for place in range(len(parts)):
        known = tag_of(said, place, code, rules=True) if place >= behind else None
        if known is not None:
            behind = place + known[2]
            found.append(Tagged(known[0], known[1], parts[place][1], parts[behind - 1][2]))
        for many in range(1, min(_MOST_WORDS, len(parts) - place) + 1):
            here = tuple(said[place : place + many])
            for language in dict.fromkeys((code, ENGLISH)):
                for tag in _phrases().get((language, here), ()):
                    found.append(Tagged(tag, 0, parts[place][1], parts[place + many - 1][2]))
    return tuple(found)


_MOST_WORDS = 5


@cache
def _phrases() -> Mapping[tuple[str, tuple[str, ...]], Sequence[str]]:
    """(language, words) → the tables of sentences that have them."""
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for table, rows in words().items():
        if table not in ("calendar", "zones"):
            for code, written in rows.items():
                for one in written:
                    found.setdefault((code, tuple(parted(one))), []).append(table)
    return found
