"""The board as somebody sees it, as text and as cells. X O, x o weakened, # manure, r b y colours.

In Coloration a square takes two letters, its colour and then what stands on it, so that a knight does not
hide the colour of its square.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import count, starmap
from typing import TypeAlias

from knightfall.games.knight_fight.anomalies.coloration import painted
from knightfall.games.knight_fight.anomalies.snapshot import known
from knightfall.games.knight_fight.board import SIDES, Board, Pair, Side, Squares, in_line, lay, put
from knightfall.games.knight_fight.bout import Bout, Reason

EMPTY = "."
MANURE = "#"


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A square: X O x o # or nothing, and the letter of its colour."""

    mark: str
    colour: str


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row of the board by its number."""

    number: int
    cells: tuple[DrawnCell, ...]


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board as text, and square by square under the letters of its columns."""

    text: str
    columns: tuple[str, ...]
    rows: tuple[DrawnRow, ...]


_Row: TypeAlias = tuple[int, tuple[str, ...], tuple[str, ...]]
"""The number of a row, of each square its mark, and the letter of its colour."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one pair of eyes sees: knights of X and of O, the weakened of them, manure, colours, the latest
    placement, the squares that won."""

    board: Board
    knights: Pair[Squares]
    weak: Squares = 0
    manure: Squares = 0
    colours: tuple[Squares, ...] = ()
    latest: Squares = 0
    line: Squares = 0


def everything(bout: Bout, latest: Squares = 0) -> Seen:
    """The true board."""
    winning_line: Squares
    ended = bout.ended
    if ended is None or ended.winner is None or ended.reason not in (Reason.LINE, Reason.POINTS):
        winning_line = 0
    else:
        winning_line = in_line(bout.knights[ended.winner], 4 if ended.reason is Reason.LINE else 3)
    return Seen(bout.rules.board, bout.knights, bout.weak, bout.manure, bout.colours, latest, winning_line)


def snapshot(bout: Bout, side: Side) -> Seen:
    """KF-37, KF-34, P05: own knights with their health, the rival's latest placement with its manure."""
    rival = bout.knights[side.rival] & known(bout, side)
    knights = put((rival, rival), side, bout.knights[side])
    manure = bout.last_manure[side.rival]
    weak = bout.weak & bout.knights[side]
    return Seen(bout.rules.board, knights, weak, manure, bout.colours, bout.last[side.rival])


def mark(seen: Seen, square: Squares) -> str:
    """The letter of a square, without its colour; empty where nothing is."""
    for side in SIDES:
        if seen.knights[side] & square:
            return side.name.lower() if seen.weak & square else side.name
    return MANURE if seen.manure & square else ""


def drawn_board(seen: Seen) -> DrawnBoard:
    """The board as text, in letters of one width, and as cells."""
    columns, rows = tuple(chr(65 + column) for column in range(seen.board.cols)), _rows(seen)
    lines = [f"    {('  ' if seen.colours else ' ').join(columns)}", *starmap(_line, rows)]
    return DrawnBoard("\n".join(lines), columns, tuple(starmap(_row, rows)))


@lru_cache(maxsize=4)
def _rows(seen: Seen) -> tuple[_Row, ...]:
    """Row by row, marks as `mark` says them; what is above is laid last."""
    cells = [""] * seen.board.bits
    lay(cells, seen.manure & seen.board.ground, MANURE)
    for side in reversed(SIDES):
        knights = seen.knights[side] & seen.board.ground
        lay(cells, knights & ~seen.weak, side.name)
        lay(cells, knights & seen.weak, side.name.lower())
    colours = seen.board.cut(painted(seen.board, seen.colours))
    return tuple(zip(count(1), seen.board.cut(tuple(cells)), colours, strict=False))


@lru_cache(maxsize=512)
def _line(number: int, marks: tuple[str, ...], letters: tuple[str, ...]) -> str:
    """One row as text; most are the same from board to board."""
    if any(letters):
        cells = (f"{letter.lower()}{mark or ' '}" for mark, letter in zip(marks, letters, strict=True))
    else:
        cells = (mark or EMPTY for mark in marks)
    return f"{number:>2}  {' '.join(cells)}".rstrip()


@lru_cache(maxsize=512)
def _row(number: int, marks: tuple[str, ...], letters: tuple[str, ...]) -> DrawnRow:
    """One row as facts; most are the same from board to board."""
    return DrawnRow(number, tuple(map(DrawnCell, marks, letters)))
