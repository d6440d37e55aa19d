"""Which spaces does a board have, where does the game start, and where is the Glory Hill?

Two boards are printed (KD-01): a hexagon of 61 spaces with starts in the middle of its edges, and the first
edition's of 37 with starts in its corners. Rows are A, B, C… from the top, spaces 1, 2, 3… from the left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from knightfall.games.knights_duty.geometry import STEPS, Cell, Grid, bearing, column, distance

MID_EDGE = "r4-midedge"
CORNERS = "r3-corners"
OWN = "own"
CLANS = ("purple", "red", "yellow", "aqua", "blue", "green")
"""KD-28: the clan is the colour of the start space, clockwise from the first."""

_ROWS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Board:
    """`spaces` in reading order; `starts` clockwise from the top left; `steps` by space and direction."""

    grid: Grid
    spaces: Mapping[str, Cell]
    starts: tuple[str, ...]
    hills: frozenset[str]
    steps: Mapping[str, Mapping[str, str]]
    distances: Mapping[str, Mapping[str, int]]

    def clan(self, space: str) -> str:
        """The colour of a start space."""
        return CLANS[self.starts.index(space)]


def make_board(grid: Grid, cells: Iterable[Cell], starts: Iterable[Cell], hills: Iterable[Cell]) -> Board:
    """A board of these cells with its spaces named and its starts in order."""
    names = _names(grid, cells)
    spaces = {name: cell for cell, name in names.items()}
    here = frozenset(hills)
    order = sorted(starts, key=lambda cell: (cell.r, cell.q))
    first, centre = names[order[0]], min(here)
    around = [names[cell] for cell in sorted(order, key=lambda cell: bearing(grid, centre, cell))]
    at = around.index(first)
    return Board(
        grid,
        MappingProxyType(spaces),
        (*around[at:], *around[:at]),
        frozenset(names[cell] for cell in here),
        MappingProxyType({name: _steps(grid, names, cell) for name, cell in spaces.items()}),
        MappingProxyType({a: {b: distance(grid, p, q) for b, q in spaces.items()} for a, p in spaces.items()}),
    )


def _names(grid: Grid, cells: Iterable[Cell]) -> dict[Cell, str]:
    """Row letter and place in the row, in reading order."""
    ordered = sorted(cells, key=lambda cell: (cell.r, column(grid, cell)))
    top, names, places = ordered[0].r, {}, dict.fromkeys({cell.r for cell in ordered}, 0)
    for cell in ordered:
        places[cell.r] += 1
        names[cell] = f"{_ROWS[cell.r - top]}{places[cell.r]}"
    return names


def _steps(grid: Grid, names: Mapping[Cell, str], cell: Cell) -> Mapping[str, str]:
    """Where each direction leads; directions off the board are missing."""
    ahead = {word: Cell(cell.q + step.q, cell.r + step.r) for word, step in STEPS[grid].items()}
    return {word: names[there] for word, there in ahead.items() if there in names}


@cache
def printed_board(name: str) -> Board:
    """One of the two printed boards."""
    return _mid_edge() if name == MID_EDGE else _corners()


def _hexagon(radius: int) -> list[Cell]:
    span = range(-radius, radius + 1)
    return [Cell(q, r) for r in span for q in span if abs(q + r) <= radius]


def _mid_edge() -> Board:
    """KD-01: radius 4, the middle of each edge."""
    turns = (Cell(2, -4), Cell(4, -2), Cell(2, 2), Cell(-2, 4), Cell(-4, 2), Cell(-2, -2))
    return make_board(Grid.HEX, _hexagon(4), turns, [Cell(0, 0)])


def _corners() -> Board:
    """KD-01: radius 3, the six corners."""
    steps = STEPS[Grid.HEX].values()
    return make_board(Grid.HEX, _hexagon(3), [Cell(3 * q, 3 * r) for q, r in steps], [Cell(0, 0)])
