"""Times as moderators write them, made into instants and days: “20:00”, “Sun 8pm”, “24.11. 20:00”, “48h”.

Pure: what is now, and the game's zone, are arguments. Nothing is guessed: a date that can be two, and a time
that the clocks skip or repeat, raise TimeError with both. What forums print on their pages is read by
`knightfall.forums.dates`; spans are read by `knightfall.engine.spans`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from enum import Enum
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

from knightfall.engine.spans import Span, parse_span, time_of_day
from knightfall.errors import InputError, TimeError
from knightfall.forums.dates import zone_named
from knightfall.sentence import Way, joined, sentence

ZONE_LINE = Way("file_line", table="[game]", line='timezone = "America/New_York"')
"""Sets the zone of a game."""


class Side(Enum):
    """On which side of now a time lies that names no year or no day: deadlines are ahead, what was sent is
    behind; EITHER: nobody knows."""

    AHEAD = "ahead"
    BEHIND = "behind"
    EITHER = "either"


def aware(moment: datetime, zone: tzinfo | None, where: str) -> datetime:
    """The instant in UTC. Raises TimeError where it has no zone, or the clocks skip or repeat it."""
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    if zone is None:
        raise TimeError(
            sentence(
                "{where}: {moment} has no zone. Set the game's: {file}; or write the offset: {moment}-05:00.",
                where=where,
                moment=moment.isoformat(),
                file=ZONE_LINE,
            )
        )
    early, late = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() != late.utcoffset():
        shown = f"{time_of_day(moment)} on {moment:%d %b %Y}"
        back = [side.astimezone(UTC).astimezone(zone) for side in (late, early)]
        if back[1].replace(tzinfo=None) != moment:
            # Each reading of a time that does not exist is one on the other side of the gap.
            skipped = " to ".join(map(_offset, (early, late)))
            choices = " or ".join(f"{side:%Y-%m-%dT%H:%M:%S}{_offset(side)}" for side in back)
            raise TimeError(
                f"{where}: {shown} does not exist in {zone}: the clocks skip it, from {skipped}. "
                f"Write {choices}."
            )
        offsets = " or ".join(f"{moment.isoformat()}{_offset(side)}" for side in (early, late))
        raise TimeError(f"{where}: {shown} happens twice in {zone}. Write {offsets}.")
    return early.astimezone(UTC)


def _offset(moment: datetime) -> str:
    """“-05:00”."""
    return f"{moment:%z}"[:3] + ":" + f"{moment:%z}"[3:]


def later(moment: datetime, span: Span, zone: tzinfo | None, where: str) -> datetime:
    """The instant so much later: days on the clocks of the zone, the rest as time passes.

    Raises TimeError where the clocks skip or repeat that time of day, and for a year that no calendar has.
    """
    try:
        if not span.days:
            return moment + span.rest
        local = moment.astimezone(zone or UTC).replace(tzinfo=None, fold=0) + timedelta(days=span.days)
        return aware(local, zone or UTC, where) + span.rest
    except OverflowError:
        raise TimeError(f"{where}: that is after the year 9999.") from None


# -- instants ------------------------------------------------------------------------------------------

_EXPECTED = "expected a date and a time, such as “2026-11-25 20:00”, “Sun 20:00”, “tomorrow 8pm” or “in 48h”"
_EXPECTED_DAY = "expected a date, such as 2026-11-25, “25 Nov” or “25.11.”, or “Sunday”, or “tomorrow”"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RELATIVE = {"yesterday": -1, "today": 0, "tomorrow": 1}
_FILLING = frozenset({"at", "on", "the", "of", "by", "-", "–", "h", "uhr", "o'clock"})
"""Words that say nothing of a day."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOON = 12
_LONGEST_OFFSET = timedelta(hours=14)
_YEARS = 8
"""So far from this year a date without one is looked for: 29 February comes that often, nearly always."""
_HALF_A_YEAR = timedelta(days=183)
_DAY = timedelta(days=1)

# “20:00”, “20:00:30”, “8:30 pm”, “8pm”, “noon”; no piece of a date or of an offset.
_CLOCK = re.compile(
    r"(?<![\w:+.\-/])(?:(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?:\s*(?P<half>[ap])\.?m\b\.?)?"
    r"|(?P<alone>\d{1,2})\s*(?P<of>[ap])\.?m\b\.?|(?P<noon>noon)\b)",
    re.IGNORECASE,
)
# What may stand behind a clock: “Z”, “UTC”, “EST”, “Europe/Berlin”, “+01:00”, “UTC-5”.
_ZONE = re.compile(
    r"\s*(?P<name>[A-Za-z]+(?:/[A-Za-z_+\-]+)+|[A-Za-z]{1,5}(?![\w']))?\s*(?P<offset>[+\-−]\d{1,2}(?::?\d{2})?)?"
    r"(?![\w.:])"
)
_WORD = re.compile(r"[^\W\d_][^\W\d_'-]*")
_FIRST_WORD = re.compile(r"\s*,?\s*([^\W\d_]+)")
_TIME_WORD = re.compile(r"(?:\s+time\b)?\s*\)?", re.IGNORECASE)
# “evening”, “in the morning”; and an hour that stands beside such words alone.
_PART = re.compile(r"(?:\b(?:in|at)\s+(?:the\s+)?)?\b(morning|afternoon|evening|night)\b", re.IGNORECASE)
_HOUR_ALONE = re.compile(
    r"(?<![\w:+.\-/])(\d{1,2})(:\d{2})?(?![\w:/\-])(?!\.\s?\d|\.$|\.?\s*[ap]\.?m\b)", re.IGNORECASE
)
_MONTH_DAY = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)?\.?\s*(?:{'|'.join(_MONTHS)})|(?:{'|'.join(_MONTHS)})[a-z]*\.?\s*\d{{1,2}}\b"
)
_HALVES = {
    "morning": ("am", range(1, 12)),
    "afternoon": ("pm", (12, *range(1, 7))),
    "evening": ("pm", range(4, 12)),
    "night": ("pm", range(6, 12)),
}
"""What a part of the day makes of an hour, and of which ones."""
_MOST_WORDS = 3
"""Words of a city: “Port of Spain”."""
# “2026-11-24”; “24.11.”, “24/11/2026” or “11-24”, with the same mark between the parts.
_NUMERIC = re.compile(
    r"(?P<year>\d{4})(?P<by>[-/.])(?P<month>\d{1,2})(?P=by)(?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})(?P<mark>[-/.])\s?(?P<second>\d{1,2})(?:(?P=mark)\s?(?P<last>\d{4}|\d{2})?)?"
)
# “24 November”, “24. Nov. 2026”, “nov 24th”; the word may be any.
_NAMED = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th)?\.?\s*[a-z]{3,9}\.?|[a-z]{3,9}\.?\s*\d{1,2}(?:st|nd|rd|th)?)(?:\s+\d{4})?"
)
_DEFAULTS = (datetime(2004, 1, 1, tzinfo=UTC), datetime(2008, 3, 2, tzinfo=UTC))
"""Leap years, and months of 31 days: every date can be put in."""
_FROM_NOW = re.compile(r"in (?P<ahead>.+)|(?P<on>.+) from now|(?P<ago>.+) ago|(?P<alone>.+)", re.IGNORECASE)
_IN_DAYS = re.compile(r"in (\d{1,4}) days?")


def parse_instant(
    text: str, now: datetime, zone: ZoneInfo | None, where: Way | str = "", side: Side = Side.AHEAD
) -> datetime:
    """Parse a time as a moderator types it; the result is in UTC.

    `now` is an aware instant; `zone` the game's, for a time that names none; `where`, the field that it was
    typed into, begins the complaint; `side` tells which of two is meant where the day or the year is not
    written. A span is counted from now: “48h”, “in 2 days”, “3h ago”; after days it is the same time of day.

    Raises TimeError for what is no time, can be two, has no zone, or is skipped or repeated by the clocks.
    """
    said = " ".join(text.split())
    if not said:
        raise TimeError(sentence("{where}: {expected}.", where=where, expected=_EXPECTED))
    try:
        return _instant(_with_half(said), now, zone, side)
    except TimeError as fault:
        if not where:
            raise
        raise TimeError(sentence("{where} {fault}", where=where, fault=fault)) from None


def _with_half(said: str) -> str:
    """A time with “8pm” for “evening 8”; unchanged where no part of a day says which half the hour is of."""
    words = re.sub(r"\btonight\b", "today evening", said, flags=re.IGNORECASE)
    parts = list(_PART.finditer(words))
    if len(parts) != 1:
        return said
    half, hours = _HALVES[parts[0][1].casefold()]
    rest = f"{words[: parts[0].start()]} {words[parts[0].end() :]}"
    clocks = _CLOCK.finditer(rest)
    written = [one for one in clocks if one["alone"] or one["half"] or int(one["hour"] or 0) > _NOON]
    if len(written) == 1:
        is_pm = (written[0]["of"] or written[0]["half"] or "p").casefold() == "p"
        return rest if is_pm == (half == "pm") else said
    # A number beside the name of a month is a day.
    bare = _MONTH_DAY.sub(lambda date: "_" * len(date[0]), rest.casefold())
    found = [one for one in _HOUR_ALONE.finditer(bare) if int(one[1]) in hours]
    if len(found) != 1:
        return said
    return f"{rest[: found[0].start()]}{found[0][1]}{found[0][2] or ''}{half}{rest[found[0].end() :]}"


_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)


def parse_deadline(
    text: str, now: datetime, zone: ZoneInfo | None, where: Way | str = "", side: Side = Side.AHEAD
) -> datetime:
    """Parse the end of a phase, as `parse_instant` does.

    One that is counted from now ends on a full minute, as posts tell it; “48h”, which is not given to the
    minute, on full five minutes. It is never earlier than the span says; one given in seconds stays exact.
    """
    moment = parse_instant(text, now, zone, where, side)
    span = _span_ahead(" ".join(text.split()))
    if span is None or span.rest % _MINUTE:
        return moment
    full = 5 * _MINUTE if span.total >= _HOUR and not span.rest % _HOUR else _MINUTE
    over = timedelta(minutes=moment.minute, seconds=moment.second, microseconds=moment.microsecond) % full
    return moment + (full - over) % full


def _span_ahead(said: str) -> Span | None:
    """The span that is counted on from now, “48h” or “in 2 days”; None for another time."""
    found = _FROM_NOW.fullmatch(said)
    if found is None or found["ago"]:
        return None
    try:
        return parse_span(next(part for part in found.groups() if part is not None))
    except ValueError:
        return None


def _instant(said: str, now: datetime, zone: ZoneInfo | None, side: Side) -> datetime:
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        pass
    else:
        if ":" in said or "T" in said:
            return aware(moment, zone, said)
    if said.casefold() == "now":
        return now
    if (counted := _counted_from(now, said, zone, said, side)) is not None:
        return counted

    # The clock, the zone behind it, and the other words, which are those for the day.
    clocks = list(_CLOCK.finditer(said))
    if not clocks:
        _dates(said, now.astimezone(zone or UTC).date(), side, said)  # or it is no day either
        raise TimeError(f"{said}: this is only a date. Add a time of day: “{said} 20:00”.")
    if len(clocks) > 1:
        raise TimeError(f"{said}: there is more than one time of day in it; {_EXPECTED}.")
    clock = _time_of(clocks[0], said)
    behind = _ZONE.match(said, clocks[0].end())
    own: tzinfo | None
    city, after_city = _city_behind(said, clocks[0].end())
    if city is not None:
        own, letters, end = city, "", after_city
    elif behind is None or _is_word_of_a_day(behind["name"]):
        own, letters, end = None, "", clocks[0].end()
    else:
        own, letters = _zone_of(behind["name"] or "", behind["offset"] or "", said)
        end = behind.end()
    words = f"{said[: clocks[0].start()]} {said[end:]}"

    # The days it can be, and the one that is meant.
    there = own or zone or UTC
    here = now.astimezone(there).replace(tzinfo=None)
    try:
        days = _dates(words, here.date(), side, said)
    except TimeError:
        unknown = _FIRST_WORD.match(said, end)
        if unknown is None or _is_word_of_a_day(unknown[1]):
            raise
        raise TimeError(
            f"{said}: “{unknown[1]}” is no time zone, and no day. A time zone is written as Europe/London, "
            f"or as its city: London. For a day: {_EXPECTED_DAY}."
        ) from None
    moments = [datetime.combine(day, clock) for day in days]
    meant = _meant(moments, here, side, said)
    _check_weekday(words, meant.date(), said)
    if letters:
        return _in_letters(meant, letters, zone, said)
    return aware(meant, own or zone, said)


def _counted_from(now: datetime, said: str, zone: tzinfo | None, head: str, side: Side) -> datetime | None:
    """“48h”, “in 2 days” or “3h ago” from now; None where it is no span."""
    found = _FROM_NOW.fullmatch(said)
    if found is None:
        return None
    try:
        span = parse_span(next(part for part in found.groups() if part is not None))
    except ValueError:
        return None
    now = now.replace(microsecond=0)  # as posts tell their times
    if found["ago"]:
        return later(now, Span(-span.days, -span.rest), zone, head)
    if found["alone"] and side is not Side.AHEAD:
        raise TimeError(f"{head}: is this before or after now? Write “{said} ago” or “in {said}”.")
    return later(now, span, zone, head)


def _time_of(found: re.Match[str], head: str) -> time:
    if found["noon"]:
        return time(_NOON)
    hour, half = int(found["hour"] or found["alone"]), (found["half"] or found["of"] or "").casefold()
    if half and not 1 <= hour <= _NOON:
        raise TimeError(f"{head}: {found[0]} is no time of day.")
    if half:
        hour = hour % _NOON + _NOON * (half == "p")
    try:
        return time(hour, int(found["minute"] or 0), int(found["second"] or 0))
    except ValueError:
        raise TimeError(f"{head}: {found[0]} is no time of day.") from None


def parse_clock(text: str) -> time:
    """Parse a time of day, “23:00” or “11pm”. Raises TimeError."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise TimeError(f"{text.strip()}: expected a time of day, such as “23:00” or “11pm”.")
    return _time_of(found, text.strip())


# -- zones ---------------------------------------------------------------------------------------------


def _is_word_of_a_day(name: str | None) -> bool:
    """Whether the word behind a clock is no zone but belongs to the day: “8pm Sunday”, “20:00 Nov 24”."""
    word = (name or "").casefold()
    return bool(word) and (
        word in _FILLING
        or word in _RELATIVE
        or word in ("in", "next", "this", "last")
        or _weekday_of(word) is not None
        or (word[:3] in _MONTHS and "/" not in word)
    )


@cache
def _cities() -> Mapping[str, str]:
    """The zones by the cities that they are called after, in lower case: those that name just one."""
    found: dict[str, list[str]] = {}
    for name in available_timezones():
        area, slash, city = name.rpartition("/")
        if slash and area != "Etc":
            found.setdefault(city.replace("_", " ").casefold(), []).append(name)
    return {city: names[0] for city, names in found.items() if len(names) == 1}


def no_zone(name: str) -> str:
    """The sentence for a name of no time zone, with the one that is meant by a city: “London”, “new york”."""
    meant = _cities().get(" ".join(name.replace("_", " ").split()).casefold())
    way_out = f"Did you mean {meant}?" if meant else "Write it as in Europe/Lisbon or America/New_York."
    return f"There is no time zone “{name}”. {way_out}"


def _city_behind(said: str, begin: int) -> tuple[ZoneInfo | None, int]:
    """The zone of the city that is named right behind a place, “London” or “New York time”, and where that
    ends."""
    words = list(islice(_WORD.finditer(said, begin), _MOST_WORDS))
    if not words or said[begin : words[0].start()].strip(" ,(") or _is_word_of_a_day(words[0][0]):
        return None, begin
    for last in reversed(words):
        name = " ".join(said[words[0].start() : last.end()].split()).casefold()
        if (zone := _cities().get(name)) is not None:
            time_word = _TIME_WORD.match(said, last.end())
            return ZoneInfo(zone), time_word.end() if time_word else last.end()
    return None, begin


def _zone_of(name: str, offset: str, head: str) -> tuple[tzinfo | None, str]:
    """The zone that was written behind a clock; or letters that only the game's zone can explain."""
    universal = name.casefold() in ("", "z", "utc", "gmt")
    if offset and universal:
        ahead = _offset_of(offset)
        if abs(ahead) > _LONGEST_OFFSET:
            raise TimeError(f"{head}: no time zone is {offset} from UTC.")
        return timezone(ahead), ""
    if name and universal:
        return UTC, ""
    if offset:
        raise TimeError(f"{head}: use a zone or an offset, not both: “{name}”, “{offset}”.")
    if "/" in name:
        if (known := zone_named(name)) is None:
            raise TimeError(f"{head}: “{name}” is not a time zone. Use a name like America/New_York.")
        return known, ""
    return None, name


def _offset_of(written: str) -> timedelta:
    """“-05:00”, “+0530” or “-5”."""
    digits = written[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
    span = timedelta(hours=int(hours), minutes=int(minutes))
    return span if written[0] == "+" else -span


def _in_letters(moment: datetime, letters: str, zone: ZoneInfo | None, head: str) -> datetime:
    """A time with “EST” behind it, where the game's zone is called so at that moment: the same letters mean
    other zones elsewhere."""
    sides = [moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1)] if zone else []
    for side in sides:
        exists = side.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == moment
        if exists and (side.tzname() or "").casefold() == letters.casefold():
            return side.astimezone(UTC)
    year = [moment.replace(month=month, day=1, tzinfo=zone) for month in (1, 7)] if zone else []
    known = next((one for one in year if (one.tzname() or "").casefold() == letters.casefold()), None)
    shown = f"{moment:%Y-%m-%dT}{time_of_day(moment)}"
    if known is not None:
        own, other = shown + _offset(sides[0]), shown + _offset(known)
        raise TimeError(
            f"{head}: on that day {zone} has {sides[0].tzname()}, not {letters}. Write {own} or {other}."
        )
    raise TimeError(
        f"{head}: “{letters}” is not a clear time zone. Write the offset, such as {shown}-05:00, "
        "or a name such as America/New_York."
    )


# -- days ----------------------------------------------------------------------------------------------


def parse_days(text: str, today: date) -> tuple[date, date]:
    """Parse the first and the last day of an absence: “2026-11-28..2026-12-01”, “28 Nov to Tuesday”, one day.

    A date without a year is the nearest one, a weekday the next one, today itself included; the last day is
    the first such day behind the first. Raises TimeError for anything else, and for an end before the
    beginning.
    """
    said = " ".join(text.split())
    parts = re.split(r"\s*\.{2,3}\s*|\s+(?:to|until|till)\s+|\s*[–—]\s*|\s+-\s+", said)
    if len(parts) > 2 or not all(parts):
        raise TimeError(
            f"{said}: expected a day, or the first and the last one, such as 2026-11-28..2026-12-01."
        )
    days = _dates(parts[0], today, Side.AHEAD, said)
    if days[-1] - days[0] > _HALF_A_YEAR:
        first = min(days, key=lambda day: abs(day - today))
    else:
        first = next((day for day in days if day >= today), days[-1])
    last = first
    if len(parts) > 1:
        beginning = today if parts[1].casefold() in _RELATIVE else first
        days = _dates(parts[1], beginning, Side.AHEAD, said)
        last = next((day for day in days if day >= first), days[-1])
    for part, day in zip(parts, (first, last), strict=False):
        _check_weekday(part, day, said)
    if last < first:
        raise TimeError(f"{said}: the last day comes before the first one.")
    return first, last


def _dates(words: str, today: date, side: Side, head: str) -> tuple[date, ...]:
    """The days that the words can mean, in order: one, or the same day of other weeks or years; without words
    yesterday, today and tomorrow. Raises TimeError for no day, and where day and month can be swapped."""
    said = words.casefold().replace(",", " ")
    tokens = [token for token in said.split() if token not in _FILLING]
    if not tokens:
        return (today - _DAY, today, today + _DAY)
    if len(tokens) == 1 and tokens[0] in _RELATIVE:
        return (today + _RELATIVE[tokens[0]] * _DAY,)
    if found := _IN_DAYS.fullmatch(" ".join(tokens)):
        return (today + int(found[1]) * _DAY,)

    rest = [token for token in tokens if _weekday_of(token) is None]
    if len(rest) == len(tokens):
        return _calendar(" ".join(tokens), today, side, head)
    if len(tokens) - len(rest) > 1:
        raise TimeError(f"{head}: there is more than one day of the week in it.")
    if rest not in ([], ["this"], ["next"], ["last"]):
        return _calendar(" ".join(rest), today, side, head)  # its weekday is checked once the year is known
    weekday = next(n for token in tokens if (n := _weekday_of(token)) is not None)
    week = [day for n in range(-7, 8) if (day := today + n * _DAY).weekday() == weekday]
    coming = next(day for day in week if day > today)
    if rest == ["next"]:
        raise TimeError(
            f"{head}: this one or the one after it? Write {coming.isoformat()} or "
            f"{(coming + 7 * _DAY).isoformat()}."
        )
    if rest == ["last"]:
        return (week[0],)
    return (next(day for day in week if day >= today),) if rest else tuple(week)


def _weekday_of(word: str) -> int | None:
    """0 for “Mon”, “Mon.” and “Monday”; None for another word."""
    word = word.casefold().rstrip(".")
    fits = (n for n, name in enumerate(_WEEKDAYS) if len(word) > 2 and name.startswith(word))
    return next(fits, None)


def _check_weekday(words: str, day: date, head: str) -> None:
    """Raises TimeError where the weekday that is written is not that of the day."""
    for word in words.replace(",", " ").split():
        said = _weekday_of(word)
        if said is not None and said != day.weekday():
            raise TimeError(f"{head}: {day.day} {day:%b %Y} is a {day:%A}. Do you mean the day or the date?")


def _calendar(said: str, today: date, side: Side, head: str) -> tuple[date, ...]:
    """The days of a date in numbers or with the name of its month."""
    found = _NUMERIC.fullmatch(said)
    if found is None:
        return _named_date(said, today, head)
    if found["year"]:
        year, pairs = int(found["year"]), {(int(found["day"]), int(found["month"]))}
    else:
        first, second, last = int(found["first"]), int(found["second"]), found["last"] or ""
        # Where dots are written, the day comes first; with other marks either can.
        dotted = found["mark"] == "."
        if len(last) == 2 and not dotted:
            raise TimeError(f"{head}: write the year with four digits, such as {today.year}-11-24.")
        year = int(last) + 2000 * (len(last) == 2) if last else 0
        pairs = {(first, second)} if dotted else {(first, second), (second, first)}
    read = [days for day, month in sorted(pairs) if (days := _in_years(day, month, year, today))]
    if not read:
        raise TimeError(f"{head}: this date does not exist.")
    if len(read) > 1:
        two = [_nearest(days, today, side) for days in read]
        raise TimeError(
            f"{head}: is “{said}” {' or '.join(f'{day.day} {day:%B}' for day in two)}? "
            f"Write {' or '.join(day.isoformat() for day in two)}."
        )
    return read[0]


def _named_date(said: str, today: date, head: str) -> tuple[date, ...]:
    """The days of “24 November”, “Nov 24th” or “24. Nov. 2026”."""
    # Waited for by nobody who writes numbers: it takes as long as all of this package.
    from dateutil.parser import parse

    # It takes what is missing from a default, so two that have nothing in common tell what was written.
    try:
        if _NAMED.fullmatch(said) is None:
            raise ValueError
        one, other = (parse(said.replace(".", " "), default=default) for default in _DEFAULTS)
    except (ValueError, OverflowError):
        raise TimeError(f"{head}: “{said}” is no day; {_EXPECTED_DAY}.") from None
    if (one.day, one.month) != (other.day, other.month):
        raise TimeError(f"{head}: “{said}” is no day; {_EXPECTED_DAY}.")
    return _in_years(one.day, one.month, one.year if one.year == other.year else 0, today)


def _in_years(day: int, month: int, year: int, today: date) -> tuple[date, ...]:
    """That day in that year, else (0) in all years around; none where no calendar has it."""
    found = []
    for one in [year] if year else range(today.year - _YEARS, today.year + _YEARS + 1):
        try:
            found.append(date(one, month, day))
        except ValueError:
            continue
    return tuple(found)


def _nearest(days: Sequence[date], today: date, side: Side) -> date:
    """The one of the days that is meant by its side, to be shown."""
    ahead, behind = [day for day in days if day >= today], [day for day in days if day <= today]
    if len(days) == 1 or side is Side.EITHER:
        return min(days, key=lambda day: abs(day - today))
    return ahead[0] if side is Side.AHEAD else behind[-1]


def _meant(moments: Sequence[datetime], now: datetime, side: Side, head: str) -> datetime:
    """The one of the moments, which are in order, that is meant by its side of `now`. Raises TimeError with
    both where it could be the last or the next one."""
    if len(moments) == 1:
        return moments[0]
    behind = [moment for moment in moments if moment <= now]
    ahead = [moment for moment in moments if moment > now]
    if side is Side.AHEAD:
        return ahead[0]
    if side is Side.BEHIND:
        return behind[-1]
    # Of a date without a year the nearer one; nobody means the time a year ago, or in a year.
    if ahead[0] - behind[-1] > _HALF_A_YEAR:
        return min(behind[-1], ahead[0], key=lambda moment: abs(moment - now))
    last, coming = (f"{moment:%Y-%m-%d} {time_of_day(moment)}" for moment in (behind[-1], ahead[0]))
    raise TimeError(f"{head}: is this the last one or the next one? Write {last} or {coming}.")


# -- columns -------------------------------------------------------------------------------------------

ORDERS = ("dmy", "mdy")
# A date in numbers and a clock, as programs export them: “11/24/2026 8:00:05 PM”, “24.11.2026, 20:00 +01:00”.
_CELL = re.compile(
    r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})[,T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([ap])?\.?m?\.?"
    r"\s*(Z|[A-Z]{2,5})?\s*([+-]\d{1,2}(?::?\d{2})?)?",
    re.IGNORECASE,
)
_YEAR = 31


@dataclass(frozen=True, slots=True)
class Times:
    """The instants of the cells of a column, None where one cannot be read; `notes` tell what was assumed."""

    instants: tuple[datetime | None, ...]
    notes: tuple[str, ...] = ()


def parse_column(written: Sequence[str], zone: ZoneInfo | None, order: str | None, now: datetime) -> Times:
    """Parse a column of dates, which are all written alike. `order` is dmy or mdy (None: as the cells show);
    times without an offset are in `zone`. Raises InputError where day and month cannot be told apart."""
    if order not in (None, *ORDERS):
        raise InputError(
            sentence(
                "{dates} {order}: expected {orders}.",
                dates=Way("field", name="dates"),
                order=order,
                orders=" or ".join(ORDERS),
            )
        )
    orders = ORDERS if order is None else (order,)
    read = {one: tuple(_parse_cell(text, zone, one) for text in written) for one in orders}
    # The order by which the most can be read, and do not lie ahead.
    known = {one: sum(at is not None and at <= now + _DAY for at in read[one]) for one in orders}
    found = {one: read[one] for one in orders if known[one] == max(known.values())}
    if len(set(found.values())) > 1:
        pairs = zip(written, *read.values(), strict=True)
        doubtful = next((str(text) for text, *both in pairs if len(set(both)) > 1), "")
        answers = joined(" or ", (Way("field", name="dates", value=one) for one in ORDERS))
        raise InputError(
            sentence("“{cell}”: is the day or the month first? {answers}.", cell=doubtful, answers=answers)
        )
    instants = next(iter(found.values()))
    return Times(instants, tuple(_notes(written, instants, zone)))


def _parse_cell(text: str, zone: ZoneInfo | None, order: str) -> datetime | None:
    """In UTC: by its own offset, else in the game's zone; an hour that comes twice is its first. None for
    what no calendar has."""
    found = _CELL.fullmatch(text.strip())
    if found is None:
        return None
    first, second, third, hour = (int(found[place]) for place in (1, 2, 3, 4))
    if found[7]:
        hour = hour % _NOON + (_NOON if found[7].casefold() == "p" else 0)
    if first > _YEAR:
        year, month, day = first, second, third
    else:
        year, (day, month) = third, (first, second) if order == "dmy" else (second, first)
    try:
        clock = datetime(year, month, day, hour, int(found[5]), int(found[6] or 0))  # noqa: DTZ001 - its zone comes next
        if found[9]:
            return clock.replace(tzinfo=timezone(_offset_of(found[9]))).astimezone(UTC)
    except ValueError:
        return None
    if found[8] and found[8].upper() in ("Z", "UTC", "GMT"):
        return clock.replace(tzinfo=UTC)
    return clock.replace(tzinfo=zone or UTC).astimezone(UTC)


def _notes(
    written: Sequence[str], instants: Sequence[datetime | None], zone: ZoneInfo | None
) -> Iterator[str]:
    odd = [text for text, instant in zip(written, instants, strict=True) if instant is None]
    if odd:
        yield f"{len(odd)} times cannot be read. The first is “{odd[0]}”. These messages count as sent now."
    if zone is None and len(odd) < len(instants):
        yield sentence("Times without an offset are read as UTC. To change that: {file}.", file=ZONE_LINE)
