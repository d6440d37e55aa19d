"""When was a row of a saved file written? By the spelling of all rows together: 3/4 alone is two days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from knightfall.errors import InputError, TimeError
from knightfall.setups.instants import aware

ORDERS = ("dmy", "mdy")
_DATE = re.compile(
    r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})[,T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([ap])?\.?m?\.?"
    r"\s*(Z|[A-Z]{2,5})?\s*([+-]\d{1,2}(?::?\d{2})?)?",
    re.I,
)
_YEAR = 31
_NOON = 12


@dataclass(frozen=True, slots=True)
class Times:
    """The instants of the rows, None where one cannot be read; `notes` tell what was assumed."""

    instants: tuple[datetime | None, ...]
    notes: tuple[str, ...] = ()


def times_of(written: Sequence[str], zone: ZoneInfo | None, order: str | None, now: datetime) -> Times:
    """Reads the times of all rows. `order` is dmy or mdy (None: as the rows show); times without an offset
    are in `zone`. Raises InputError where day and month cannot be told apart."""
    if order not in (None, *ORDERS):
        raise InputError(f"--dates {order}: expected {' or '.join(ORDERS)}.")
    orders = ORDERS if order is None else (order,)
    read = {one: tuple(_instant(text, zone, one) for text in written) for one in orders}
    best = max(_known(instants, now) for instants in read.values())
    found = {one: instants for one, instants in read.items() if _known(instants, now) == best}
    if len(set(found.values())) > 1:
        raise InputError(
            f"“{_doubtful(written, read)}”: is the day or the month first? Say --dates dmy or --dates mdy."
        )
    return Times(next(iter(found.values())), tuple(_notes(written, next(iter(found.values())), zone)))


def _known(instants: Sequence[datetime | None], now: datetime) -> int:
    """How many can be read, and do not lie ahead."""
    return sum(one is not None and one <= now + timedelta(days=1) for one in instants)


def _instant(text: str, zone: ZoneInfo | None, order: str) -> datetime | None:
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    try:
        return _placed(_clock(found, order), found, zone)
    except ValueError:
        return None


def _clock(found: re.Match[str], order: str) -> datetime:
    """What the clock and the calendar said. Raises ValueError for what no calendar has."""
    first, second, third = (int(found[place]) for place in (1, 2, 3))
    hour = int(found[4])
    if found[7]:
        hour = hour % _NOON + (_NOON if found[7].casefold() == "p" else 0)
    if first > _YEAR:
        year, month, day = first, second, third
    else:
        year, (day, month) = third, (first, second) if order == "dmy" else (second, first)
    return datetime(year, month, day, hour, int(found[5]), int(found[6] or 0))  # noqa: DTZ001 - its zone comes next


def _placed(clock: datetime, found: re.Match[str], zone: ZoneInfo | None) -> datetime:
    """In UTC: by its own offset, else in the game's zone; an hour that comes twice is its first."""
    if found[9]:
        return clock.replace(tzinfo=_offset(found[9])).astimezone(UTC)
    if found[8] and found[8].upper() in ("Z", "UTC", "GMT"):
        return clock.replace(tzinfo=UTC)
    try:
        return aware(clock, zone or ZoneInfo("UTC"), "")
    except TimeError:
        return clock.replace(tzinfo=zone).astimezone(UTC)


def _offset(written: str) -> timezone:
    hours, minutes = written[1:].replace(":", "")[:2], written[1:].replace(":", "")[2:]
    if ":" in written:
        hours, _, minutes = written[1:].partition(":")
    span = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(-span if written[0] == "-" else span)


def _doubtful(written: Sequence[str], read: Mapping[str, Sequence[datetime | None]]) -> str:
    """The first time that the two orders read differently."""
    pairs = zip(written, *read.values(), strict=True)
    return next((str(text) for text, *both in pairs if len(set(both)) > 1), "")


def _notes(
    written: Sequence[str], instants: Sequence[datetime | None], zone: ZoneInfo | None
) -> Iterator[str]:
    odd = [text for text, instant in zip(written, instants, strict=True) if instant is None]
    if odd:
        yield f"{len(odd)} times cannot be read, the first is “{odd[0]}”: these messages count as sent now."
    if zone is None and len(odd) < len(instants):
        yield "Times without an offset are read as UTC: set timezone in [game] of game.toml."
