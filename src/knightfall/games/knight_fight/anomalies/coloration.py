"""Coloration: how the board is painted, and which squares a colour closes.

Every square is red, blue or yellow; you may not place on the colour of your rival's latest placement (KF-24
to KF-26).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import overload

from knightfall.engine.rng import Rng
from knightfall.games.knight_fight.anomalies.anomaly import Anomaly, Deed
from knightfall.games.knight_fight.board import Board, Side, Squares, lay, put, spread
from knightfall.games.knight_fight.options import Rules
from knightfall.games.knight_fight.state import COLOURS, Bout, Code, Move

LABEL = "kf.colors"
_LEAST = 2  # colours that each starting knight can reach


@dataclass(frozen=True, slots=True)
class PaintedRows(Sequence[str]):
    """Every way to paint a row of so many squares, as text of R, B and Y; none of them is ever stored."""

    cols: int

    def __len__(self) -> int:
        return int(len(COLOURS) ** self.cols)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):  # what walks a sequence waits for this
            raise IndexError(index)
        return "".join(COLOURS[index // 3**place % 3] for place in range(self.cols))

    def __contains__(self, row: object) -> bool:
        return isinstance(row, str) and len(row) == self.cols and set(row) <= set(COLOURS)

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        return sum(COLOURS.index(letter) * 3**place for place, letter in enumerate(value))


def paint(rules: Rules, draw: Rng) -> tuple[tuple[Squares, ...], int]:
    """KF-25: the colours, and how many paintings were rejected before."""
    board, rejected = rules.board, 0
    rows = PaintedRows(board.cols)
    while True:
        colours = read_colours(board, draw.choices(LABEL, rows, board.rows, rejected))
        if all(_reached(rules, colours, knight) >= _LEAST for knight in rules.start):
            return colours, rejected
        rejected += 1


def _reached(rules: Rules, colours: tuple[Squares, ...], knight: Squares) -> int:
    free = spread(knight) & ~(rules.start[0] | rules.start[1])
    return sum(bool(free & colour) for colour in colours)


def read_colours(board: Board, rows: Sequence[str]) -> tuple[Squares, ...]:
    """The squares of red, blue and yellow, from one text of R, B and Y for each row, row 1 first.

    Raises ValueError where the rows are not those of the board.
    """
    if len(rows) != board.rows:
        raise ValueError(f"{len(rows)} rows of colours for a board of {board.rows}")
    found = dict.fromkeys(COLOURS, 0)
    for number, row in enumerate(rows):
        for square, letter in zip(board.row(number), row, strict=True):
            found[letter] |= square
    return tuple(found.values())


def write_colours(board: Board, colours: Sequence[Squares]) -> list[str]:
    """Back into one text for each row."""
    return ["".join(row) for row in board.cut(painted(board, tuple(colours)))]


@lru_cache(maxsize=8)
def painted(board: Board, colours: tuple[Squares, ...]) -> tuple[str, ...]:
    """The colour of every bit of the board; empty where nothing is painted."""
    cells = [""] * board.bits
    for letter, squares in reversed([*zip(COLOURS, colours, strict=False)]):
        lay(cells, squares & board.ground, letter)
    return tuple(cells)


def letter_at(colours: Sequence[Squares], square: Squares) -> str:
    """The colour of a square; empty where nothing is painted."""
    return next((letter for letter, c in zip(COLOURS, colours, strict=False) if c & square), "")


def banned(bout: Bout, side: Side) -> Squares:
    """KF-24, P07: all squares of the colour of the rival's latest placement; none before it."""
    latest = bout.binding[side.rival]
    return next((colour for colour in bout.colours if colour & latest), 0)


def _wrong(bout: Bout, side: Side, move: Move) -> bool:
    return bool(move.target & banned(bout, side))


def _remember(deed: Deed) -> Deed:
    """KF-26: a placement lost to a trap sets the colour too, unless the option says no."""
    if deed.trapped and deed.bout.rules["trap_square_sets_colour"] == "no":
        return deed
    binding = put(deed.bout.binding, deed.side, deed.move.target)
    return replace(deed, bout=replace(deed.bout, binding=binding))


COLORATION = Anomaly(
    "C",
    "Coloration",
    checks=((Code.WRONG_COLOR, _wrong),),
    closed=banned,
    after=_remember,
)
