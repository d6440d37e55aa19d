"""The boards: their spaces, where the game starts, and where the Glory Hill is.

Two boards are printed (KD-01): a hexagon of 61 spaces with starts in the middle of its edges, and the first
edition's of 37 with starts in its corners. Rows are A, B, C… from the top, spaces 1, 2, 3… from the left.

A board is read and drawn as text, too. A file of a moderator's own board begins with a line `hex` or
`square`; then a line a row, each space four characters wide: `( )` plain, `(P)` a start, `(*)` the Glory
Hill. A row of hexes is shifted by two characters against the next. Lines that begin with `#` say something to
people.

    hex
      (P) ( )
    ( ) (*) ( )
      ( ) (P)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from knightfall.errors import InputError


class Grid(StrEnum):
    """The shape of the spaces."""

    HEX = "hex"
    SQUARE = "square"


class Cell(NamedTuple):
    """Axial (q, r) on hexes, (column, row) on squares."""

    q: int
    r: int


STAY = "STAY"

STEPS: Mapping[Grid, Mapping[str, Cell]] = {
    Grid.HEX: {
        "E": Cell(1, 0),
        "W": Cell(-1, 0),
        "NE": Cell(1, -1),
        "NW": Cell(0, -1),
        "SE": Cell(0, 1),
        "SW": Cell(-1, 1),
    },
    Grid.SQUARE: {
        "N": Cell(0, -1),
        "E": Cell(1, 0),
        "S": Cell(0, 1),
        "W": Cell(-1, 0),
        "NE": Cell(1, -1),
        "NW": Cell(-1, -1),
        "SE": Cell(1, 1),
        "SW": Cell(-1, 1),
    },
}
"""KD-01: the directions and where they lead."""


def distance(grid: Grid, one: Cell, other: Cell) -> int:
    """KD-02: steps between two spaces; nothing stands in the way."""
    q, r = one.q - other.q, one.r - other.r
    return max(abs(q), abs(r), abs(q + r)) if grid is Grid.HEX else max(abs(q), abs(r))


def column(grid: Grid, cell: Cell) -> int:
    """How far to the right a space is drawn, in half spaces: a row of hexes is shifted by a half."""
    return 2 * cell.q + cell.r if grid is Grid.HEX else 2 * cell.q


def bearing(grid: Grid, centre: Cell, cell: Cell) -> float:
    """The clockwise angle from straight up, 0 to 2π."""
    across = (column(grid, cell) - column(grid, centre)) / 2
    down = (cell.r - centre.r) * (math.sqrt(3) / 2 if grid is Grid.HEX else 1)
    return round(math.atan2(across, -down) % math.tau, 9)


MID_EDGE = "r4-midedge"
CORNERS = "r3-corners"
OWN = "own"
PRINTED_BOARDS = (MID_EDGE, CORNERS)
CLANS = ("purple", "red", "yellow", "aqua", "blue", "green")
"""KD-28: the clan is the colour of the start space, clockwise from the first."""

_ROWS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Board:
    """`spaces` in reading order, and at which character of its row each is drawn; `blank` the rows drawn
    without knights; `starts` clockwise from the top left; `steps` by space and direction."""

    grid: Grid
    spaces: Mapping[str, Cell]
    columns: Mapping[str, int]
    blank: tuple[str, ...]
    starts: tuple[str, ...]
    hills: frozenset[str]
    steps: Mapping[str, Mapping[str, str]]
    distances: Mapping[str, Mapping[str, int]]

    def clan(self, space: str) -> str:
        """The colour of a start space."""
        return CLANS[self.starts.index(space)]


def make_board(grid: Grid, cells: Iterable[Cell], starts: Iterable[Cell], hills: Iterable[Cell]) -> Board:
    """A board of these cells with its spaces named and its starts in order."""
    # Row letter and place in the row, in reading order.
    ordered = sorted(cells, key=lambda cell: (cell.r, column(grid, cell)))
    top, names, places = ordered[0].r, {}, dict.fromkeys({cell.r for cell in ordered}, 0)
    for cell in ordered:
        places[cell.r] += 1
        names[cell] = f"{_ROWS[cell.r - top]}{places[cell.r]}"
    spaces = {name: cell for cell, name in names.items()}
    here = frozenset(hills)
    order = sorted(starts, key=lambda cell: (cell.r, cell.q))
    first, centre = names[order[0]], min(here)
    around = [names[cell] for cell in sorted(order, key=lambda cell: bearing(grid, centre, cell))]
    at = around.index(first)
    # Four characters a space, three before the first for the letter of the row.
    left = min(column(grid, cell) for cell in names)
    columns, hill_names = (
        {name: 3 + 2 * (column(grid, cell) - left) for cell, name in names.items()},
        frozenset(names[cell] for cell in here),
    )
    # KD-02: how far every space is.
    return Board(
        grid,
        MappingProxyType(spaces),
        MappingProxyType(columns),
        tuple(_rows_of(columns, hill_names)),
        (*around[at:], *around[:at]),
        hill_names,
        MappingProxyType({name: _steps(grid, names, cell) for name, cell in spaces.items()}),
        MappingProxyType(
            {
                name: {name: distance(grid, cell, other) for name, other in spaces.items()}
                for name, cell in spaces.items()
            }
        ),
    )


def _rows_of(columns: Mapping[str, int], hills: Set[str]) -> Iterator[str]:
    """Row letter, dots, and a star on the hill."""
    for row, group in groupby(columns, key=lambda name: name[0]):
        line = row
        for name in group:
            line = line.ljust(columns[name]) + ("*" if name in hills else ".")
        yield line


def _steps(grid: Grid, names: Mapping[Cell, str], cell: Cell) -> Mapping[str, str]:
    """Where each direction leads; directions off the board are missing."""
    ahead = {word: Cell(cell.q + step.q, cell.r + step.r) for word, step in STEPS[grid].items()}
    return {word: names[there] for word, there in ahead.items() if there in names}


@cache
def printed_board(name: str) -> Board:
    """One of the two printed boards."""
    if name == MID_EDGE:
        # KD-01: radius 4, the middle of each edge.
        turns = (Cell(2, -4), Cell(4, -2), Cell(2, 2), Cell(-2, 4), Cell(-4, 2), Cell(-2, -2))
        return make_board(Grid.HEX, _hexagon(4), turns, [Cell(0, 0)])
    # KD-01: radius 3, the six corners.
    steps = STEPS[Grid.HEX].values()
    return make_board(Grid.HEX, _hexagon(3), [Cell(3 * q, 3 * r) for q, r in steps], [Cell(0, 0)])


def _hexagon(radius: int) -> list[Cell]:
    span = range(-radius, radius + 1)
    return [Cell(q, r) for r in span for q in span if abs(q + r) <= radius]


PLAIN, START, HILL = "( )", "(P)", "(*)"

_MARK = re.compile(r"\(.\)|\S+")
_PITCH = 4  # characters from one space to the next in its row
_HALF = 2
_MOST_ROWS, _MOST_COLUMNS = 26, 40
_FEWEST_STARTS = 2


def parse_board(text: str) -> Board:
    """A moderator's own board. Raises InputError with line and column of the first thing that is wrong."""
    grid, rows = _rows(text)
    marks = dict(_cells(grid, rows))
    starts = [cell for cell, mark in marks.items() if mark == START]
    hills = [cell for cell, mark in marks.items() if mark == HILL]
    # Raises InputError for a board nobody can play on.
    if not _FEWEST_STARTS <= len(starts) <= len(CLANS):
        raise InputError(f"The board has {len(starts)} starts {START}; expected two to six.")
    if len(hills) != 1:
        raise InputError(f"The board has {len(hills)} hills {HILL}; expected one.")
    start = hills[0]
    seen, edge = {start}, [start]
    while edge:
        q, r = edge.pop()
        beside = {Cell(q + step.q, r + step.r) for step in STEPS[grid].values()}
        new = (beside & marks.keys()) - seen
        seen |= new
        edge += new
    cut = len(marks) - len(seen)
    if cut:
        raise InputError(f"The board is in pieces: {cut} spaces cannot be reached from the hill.")
    return make_board(grid, marks, starts, hills)


def _rows(text: str) -> tuple[Grid, list[tuple[int, str]]]:
    """The grid, and each row with the number of its line."""
    lines = [(number, line.rstrip()) for number, line in enumerate(text.expandtabs().splitlines(), start=1)]
    said = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not said or said[0][1].strip().lower() not in tuple(Grid):
        found = f"“{said[0][1].strip()}”" if said else "nothing"
        raise InputError(f"The board begins with {found}; expected a line “hex” or “square”.")
    rows = said[1:]
    if not rows:
        raise InputError(f"The board has no rows; expected lines of {PLAIN}, {START} and {HILL}.")
    if len(rows) > _MOST_ROWS:
        raise InputError(f"The board has {len(rows)} rows; there are letters for {_MOST_ROWS}.")
    return Grid(said[0][1].strip().lower()), rows


def _cells(grid: Grid, rows: list[tuple[int, str]]) -> Iterator[tuple[Cell, str]]:
    """Every space with its mark."""
    # Where the first space of the first row begins.
    origin = next(len(line) - len(line.lstrip()) for _, line in rows)
    for r, (number, line) in enumerate(rows):
        for found in _MARK.finditer(line):
            mark = found[0].upper()
            if mark not in (PLAIN, START, HILL):
                raise _at(number, found.start(), f"found “{found[0]}”, expected {PLAIN}, {START} or {HILL}")
            # KD-01: q grows by one with each space to the right; a row of hexes begins half a space further
            # on.
            at = found.start()
            shift = (found.start() - origin) - (_HALF * r if grid is Grid.HEX else 0)
            if shift % _PITCH:
                between = "rows of hexes are shifted by two" if grid is Grid.HEX else "columns are four wide"
                raise _at(number, at, f"this space stands between two columns: {between}")
            if abs(shift) > _PITCH * _MOST_COLUMNS:
                raise _at(number, at, f"the board is wider than {_MOST_COLUMNS} spaces")
            yield Cell(shift // _PITCH, r), mark


def _at(number: int, at: int, what: str) -> InputError:
    return InputError(f"The board, line {number}, column {at + 1}: {what}.")


def draw_board(board: Board, standing: Mapping[str, str]) -> list[str]:
    """The board for letters of equal width: what stands on a space, else a star on the hill or a dot."""
    rows = list(board.blank)
    for name, shown in standing.items():
        row, at = ord(name[0]) - ord("A"), board.columns[name]
        rows[row] = f"{rows[row][:at].ljust(at)}{shown}{rows[row][at + len(shown) :]}"
    return rows
