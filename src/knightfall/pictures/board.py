"""The picture of a board of squares: two sides, weakened pieces, manure, colours, last move, winning line.

Nothing is told by colour alone: squares carry the letter of their colour, a weakened piece is smaller and has
a small letter, the latest one stands in a frame, a winning line is a bar. Below stand the notes, and what the
signs mean that are there. Made to be read on a telephone, 320 dots wide, without colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from knightfall.pictures.scene import (
    INK,
    Align,
    Box,
    Label,
    Line,
    Marker,
    Point,
    Scene,
    centred,
    cross,
    wrapped,
)

CELL = 26.0
_MARGIN = 20.0
_FOOT = 8.0
_NOTE = 15.0
"""From one line of the notes to the next."""
_LEAST_WIDTH = 220.0
_GAP = 1.0
_LETTER, _SMALL, _CORNER = 14.0, 11.0, 8.5
_GROUND = "#ece7dc"
_PAINT = {"R": "#d0726c", "B": "#9dbfe8", "Y": "#f8ecb4"}
_MANURE = "#5d4427"
_BAR = "#7a2e00"
_WHITE = "#ffffff"
_GREY = "#6b6b6b"


@dataclass(frozen=True, slots=True)
class Cell:
    """One square: `mark` X or O, small for a weakened one, # for manure; `colour` R, B or Y; whether the
    latest move was played here (without a knight: one was lost), and whether it belongs to a winning line."""

    mark: str = ""
    colour: str = ""
    latest: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Squares:
    """A board, row by row, and what is said below it, each note on lines of its own."""

    title: str
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()


def board_scene(board: Squares) -> Scene:
    """The board with letters over its columns and numbers before its rows."""
    cols, rows = len(board.rows[0]), len(board.rows)
    width, end = max(_MARGIN + cols * CELL + _FOOT, _LEAST_WIDTH), _MARGIN + rows * CELL + _FOOT
    foot = tuple(_foot(board, width, end))

    squares = [
        _square(cell, column, row)
        for row, cells in enumerate(board.rows)
        for column, cell in enumerate(cells)
    ]

    # A bar between neighbours of a winning line.
    bars: list[Line] = []
    for row, cells in enumerate(board.rows):
        for column, cell in enumerate(cells):
            for right, down in ((1, 0), (0, 1)):
                beside = column + right < len(cells) and row + down < rows
                if cell.won and beside and board.rows[row + down][column + right].won:
                    bars.append(Line((_middle(column, row), _middle(column + right, row + down)), _BAR, 12.0))

    lines = (*bars, *(line for square in squares for line in square.lines))
    edges: list[Label] = []
    for column in range(cols):
        edges.append(Label(_middle(column, 0)[0], _MARGIN - 6, chr(65 + column), _SMALL, INK, Align.MIDDLE))
    for row in range(rows):
        y = centred(_middle(0, row)[1], _SMALL)
        edges.append(Label(_MARGIN - 4, y, str(row + 1), _SMALL, INK, Align.END))

    labels = (*edges, *(label for square in squares for label in square.labels), *foot)
    height = end + _NOTE * len(foot)
    return Scene(board.title, width, height, tuple(square.ground for square in squares), lines, labels)


def space_corners(rows: int, cols: int) -> Mapping[str, tuple[Point, ...]]:
    """The corners of each square on the picture of such a board, by its name: “A1” is at the upper left."""
    half = CELL / 2
    return {
        f"{chr(65 + column)}{row + 1}": tuple(
            (_middle(column, row)[0] + half * dx, _middle(column, row)[1] + half * dy)
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        for row in range(rows)
        for column in range(cols)
    }


def _foot(board: Squares, width: float, top: float) -> Iterator[Label]:
    """The notes and the key, in as many lines as they need."""
    # The signs that are on the board, in one line; nothing where there is none.
    key: list[str] = []
    cells = [cell for row in board.rows for cell in row]
    signs = {
        "frame: latest move": any(cell.latest for cell in cells),
        "cross: a knight lost there": any(cell.latest and not cell.mark for cell in cells),
        "bar: a line that won": any(cell.won for cell in cells),
        "small: weakened": any(cell.mark.islower() for cell in cells),
        "#: manure": any(cell.mark == "#" for cell in cells),
        "r, b, y: red, blue, yellow": any(cell.colour for cell in cells),
    }
    shown = "; ".join(sign for sign, there in signs.items() if there)
    if shown:
        key.append(f"{shown[0].upper()}{shown[1:]}.")

    said = (*board.notes, *key)
    lines = (line for note in said for line in wrapped(note, width - _FOOT - _MARGIN, _SMALL))
    for number, line in enumerate(lines):
        yield Label(_MARGIN, top + _NOTE * number + _SMALL - 1, line, _SMALL)


@dataclass(frozen=True, slots=True)
class _Square:
    """What is drawn of one square."""

    ground: Box
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]


@cache
def _square(cell: Cell, column: int, row: int) -> _Square:
    """From one picture to the next most squares are drawn alike."""
    x, y = _middle(column, row)
    side = CELL - _GAP
    colour = _MANURE if cell.mark == "#" else _PAINT.get(cell.colour, _GROUND)
    ground = Box(x - side / 2, y - side / 2, side, side, colour)
    return _Square(ground, tuple(_lines(cell, x, y)), tuple(_labels(cell, x, y)))


def _middle(column: int, row: int) -> tuple[float, float]:
    return _MARGIN + (column + 0.5) * CELL, _MARGIN + (row + 0.5) * CELL


def _lines(cell: Cell, x: float, y: float) -> Iterator[Line]:
    """The frame of the latest move, and the piece."""
    if cell.latest:
        half = CELL / 2 - 1.5
        corners = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
        yield Line(tuple((x + half * dx, y + half * dy) for dx, dy in corners), INK, 2.4)
        if not cell.mark:
            yield from cross(x, y, CELL / 2 - 8, CELL / 2 - 4)
    if cell.mark.upper() in ("X", "O"):
        filled = cell.mark.upper() == "X"
        size = 14.0 if cell.mark.islower() else 20.0
        yield Line(((x, y),), INK, 1.4, marker=Marker("o", filled), marked=(0,), marker_size=size)


def _labels(cell: Cell, x: float, y: float) -> Iterator[Label]:
    if cell.mark:
        white = cell.mark in ("X", "x", "#")
        size = _SMALL if cell.mark.islower() else _LETTER
        base = centred(y, size) - (0.8 if cell.mark.islower() else 0)
        yield Label(x, base, cell.mark, size, _WHITE if white else INK, Align.MIDDLE, bold=True)
        if cell.colour and cell.mark != "#":  # in the corner, so that the colour under a knight can be read
            yield Label(
                x + CELL / 2 - 3.5, y + CELL / 2 - 1.5, cell.colour.lower(), _CORNER, INK, Align.MIDDLE
            )
    elif cell.colour:
        yield Label(x, centred(y, _SMALL), cell.colour.lower(), _SMALL, INK, Align.MIDDLE)
    else:
        yield Label(x, centred(y, _SMALL), "·", _SMALL, _GREY, Align.MIDDLE)
