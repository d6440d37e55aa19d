"""The board: where a knight can jump, and which knights stand in a row. Squares are bits of one integer.

A row takes 16 bits, at most 14 of them squares: the free bits between rows stop what leaves the board
sideways, so jumps, lines and runs are shifts (KF-01).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Squares: TypeAlias = int
"""A set of squares, or one square, as bits; 0 is none."""

Pair: TypeAlias = tuple[T, T]
"""Something of X, then of O."""

LARGEST = 14
_ROW = 16
_NAMED = re.compile(r"([A-Z])([1-9][0-9]?)")
_NAMES = tuple(f"{chr(65 + index % _ROW)}{index // _ROW + 1}" for index in range(_ROW * LARGEST))


class Side(IntEnum):
    """Who plays; also the place of what is theirs in a pair."""

    X = 0
    O = 1  # noqa: E741 - the players are called X and O

    @property
    def rival(self) -> Side:
        return SIDES[1 - self]


SIDES = (Side.X, Side.O)


def put(pair: Pair[T], side: Side, value: T) -> Pair[T]:
    """The pair with another value for this side."""
    return (pair[0], value) if side else (value, pair[1])


@dataclass(frozen=True, slots=True)
class Board:
    """Row 1 on top, column A left; `ground` is all squares."""

    rows: int
    cols: int
    ground: Squares

    def square(self, name: str) -> Squares | None:
        """The square of a name as `E4`, in any case; None where the board has none."""
        found = _NAMED.fullmatch(name.upper())
        if found is None:
            return None
        bit = 1 << (_ROW * (int(found[2]) - 1) + ord(found[1]) - 65)
        return bit if ord(found[1]) - 65 < self.cols and bit & self.ground else None

    def row(self, number: int) -> tuple[Squares, ...]:
        """The squares of a row, counted from 0, column A first."""
        return tuple(1 << (_ROW * number + column) for column in range(self.cols))

    def cut(self, cells: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Cells that are one for each bit, row by row without those beside the board."""
        return [cells[_ROW * number : _ROW * number + self.cols] for number in range(self.rows)]

    @property
    def bits(self) -> int:
        """How many bits its rows take."""
        return _ROW * self.rows

    def centre(self) -> Pair[Squares] | None:
        """KF-02: the two centre squares of an odd by even board, side by side; None on another board."""
        if (self.rows + self.cols) % 2 == 0:
            return None
        first = 1 << (_ROW * ((self.rows - 1) // 2) + (self.cols - 1) // 2)
        return first, first << (_ROW if self.cols % 2 else 1)


def board_of(rows: int, cols: int) -> Board:
    """A board of at most 14 by 14 squares."""
    line = (1 << cols) - 1
    return Board(rows, cols, sum(line << (_ROW * row) for row in range(rows)))


def name_of(square: Squares) -> str:
    """The name of one square."""
    return _NAMES[square.bit_length() - 1]


def each(squares: Squares) -> Iterator[Squares]:
    """Every square of a set, row by row."""
    while squares:
        square = squares & -squares
        yield square
        squares ^= square


def names(squares: Squares) -> list[str]:
    """The names of a set, row by row."""
    found = []
    while squares:
        square = squares & -squares
        found.append(_NAMES[square.bit_length() - 1])
        squares ^= square
    return found


def lay(cells: list[str], squares: Squares, letter: str) -> None:
    """Write the letter at every square of a set into cells that are one for each bit."""
    while squares:
        place = squares.bit_length() - 1
        cells[place] = letter
        squares ^= 1 << place


def spread(knights: Squares) -> Squares:
    """Every square a knight's jump from one of these; some may lie off the board."""
    near = knights << 1 | knights >> 1
    far = knights << 2 | knights >> 2
    return near << 2 * _ROW | near >> 2 * _ROW | far << _ROW | far >> _ROW


def has_four(knights: Squares) -> bool:
    """KF-06: four or more in an unbroken row or column."""
    across = knights & knights >> 1
    down = knights & knights >> _ROW
    return bool(across & across >> 2 or down & down >> 2 * _ROW)


def runs_of_three(knights: Squares) -> int:
    """KF-41: a run of n scores n - 2, in rows and columns."""
    across = knights & knights >> 1 & knights >> 2
    down = knights & knights >> _ROW & knights >> 2 * _ROW
    return across.bit_count() + down.bit_count()


def completing(knights: Squares, length: int) -> Squares:
    """Every square that with these knights makes a run of so many; it may be off the board or taken."""
    found = 0
    for step in (1, _ROW):
        for gap in range(length):
            near = -1
            for place in range(1, length - gap):
                near &= knights >> step * place
            for place in range(1, gap + 1):
                near &= knights << step * place
            found |= near
    return found


def in_line(knights: Squares, length: int) -> Squares:
    """The squares of all runs at least so long."""
    found = 0
    for step in (1, _ROW):
        begins = knights
        for place in range(1, length):
            begins &= knights >> step * place
        for place in range(length):
            found |= begins << step * place
    return found
