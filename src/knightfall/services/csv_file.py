"""A saved file of comma-separated values: its columns, its rows, and when each row was written.

How a date is meant is read from all rows together: 3/4 alone is two days.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.errors import InputError, TimeError
from knightfall.setups.instants import aware

_DELIMITERS = ",;\t"
_NARROW = "cp1252"
"""What older boards and spreadsheets save in where it is not UTF-8."""
ORDERS = ("dmy", "mdy")
_DATE = re.compile(
    r"(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})[,T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([ap])?\.?m?\.?"
    r"\s*(Z|[A-Z]{2,5})?\s*([+-]\d{1,2}(?::?\d{2})?)?",
    re.I,
)
_YEAR = 31
_NOON = 12


@dataclass(frozen=True, slots=True)
class Row:
    """`line` is where it begins in the file, from 1; `digest` is that of its cells and, where the same cells
    come again, of which time that is."""

    line: int
    cells: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file read: its name, the words of its first row, its other rows without empty ones."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]

    def column(self, name: str) -> int:
        """The place of a column. Raises InputError, saying what there is."""
        heads = [head.casefold() for head in self.heads]
        if name.strip().casefold() not in heads:
            raise InputError(f"{self.name}: no column “{name}”; there are {self.told}.")
        return heads.index(name.strip().casefold())

    @property
    def told(self) -> str:
        """The columns in words."""
        return ", ".join(f"“{head}”" for head in self.heads)

    def values(self, place: int) -> tuple[str, ...]:
        """The cells of a column."""
        return tuple(row.cells[place] for row in self.rows)


def read_sheet(path: Path) -> Sheet:
    """Reads a file. Raises InputError where there is none, and where it is no CSV."""
    text = _text(path)
    if text.lstrip().startswith("<"):
        raise InputError(f"{path}: this looks like XML or HTML. Save it as CSV and give me that.")
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        return _sheet(path.name, text, delimiter)
    except csv.Error as error:
        raise InputError(f"{path}: this is no CSV: {error}.") from None


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode(_NARROW, "replace")


def _sheet(name: str, text: str, delimiter: str) -> Sheet:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines: list[tuple[int, list[str]]] = []
    begins = 1
    for cells in reader:
        lines.append((begins, cells))
        begins = reader.line_num + 1
    if not lines:
        raise InputError(f"{name}: the file is empty.")
    heads = tuple(head.strip() for head in lines[0][1])
    return Sheet(name, heads, _rows(len(heads), lines[1:]))


def _rows(width: int, lines: Sequence[tuple[int, list[str]]]) -> tuple[Row, ...]:
    seen: Counter[str] = Counter()
    rows = []
    for line, cells in lines:
        if any(cell.strip() for cell in cells):
            rows.append(_row(line, [*cells, *[""] * width][: max(width, len(cells))], seen))
    return tuple(rows)


def _row(line: int, cells: Sequence[str], seen: Counter[str]) -> Row:
    said = "\0".join(cells)
    seen[said] += 1
    return Row(line, tuple(cells), sha256(f"{said}\0{seen[said]}".encode()).hexdigest()[:20])


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
