"""What does a file of comma-separated values say: its columns and its rows, whoever saved it?"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from knightfall.errors import InputError

_DELIMITERS = ",;\t"
_NARROW = "cp1252"
"""What older boards and spreadsheets save in where it is not UTF-8."""


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
