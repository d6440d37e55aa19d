"""Which spaces are beside each other, and how far apart are two? On hexes and on squares.

Hexes stand on a corner and are named by axial coordinates (q to the east, r to the south-east); squares by
column and row, with eight neighbours each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


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
