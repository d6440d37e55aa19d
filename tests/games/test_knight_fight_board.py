"""Shifts against counting square by square."""

from __future__ import annotations

import random

import pytest

from knightfall.games.knight_fight.board import (
    board_of,
    each,
    has_four,
    in_line,
    name_of,
    names,
    runs_of_three,
    spread,
)

SIZES = [(11, 12), (12, 11), (5, 6), (14, 14)]
JUMPS = {(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)}


def place_of(square: int) -> tuple[int, int]:
    """Column and row of one square, counted from 0: a row has sixteen bits."""
    row, column = divmod(square.bit_length() - 1, 16)
    return column, row


def some(size: tuple[int, int], seed: int) -> tuple[int, set[tuple[int, int]]]:
    """Random squares of a board, as bits and as places."""
    chance = random.Random(seed)
    squares = [s for s in each(board_of(*size).ground) if chance.random() < 0.45]
    return sum(squares), {place_of(square) for square in squares}


def lines(size: tuple[int, int]) -> list[list[tuple[int, int]]]:
    rows, cols = size
    across = [[(c, r) for c in range(cols)] for r in range(rows)]
    return across + [[(c, r) for r in range(rows)] for c in range(cols)]


def runs(size: tuple[int, int], places: set[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Every unbroken run of two or more."""
    found: list[list[tuple[int, int]]] = []
    run: list[tuple[int, int]] = []
    for line in lines(size):
        for place in [*line, None]:
            if place in places:
                run.append(place)
                continue
            found, run = ([*found, run] if len(run) > 1 else found), []
    return found


@pytest.mark.few(20)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(25))
def test_points_lines_and_jumps_are_those_of_a_slow_count(size: tuple[int, int], seed: int) -> None:
    knights, places = some(size, seed)
    found = runs(size, places)
    assert runs_of_three(knights) == sum(len(run) - 2 for run in found)
    assert has_four(knights) == any(len(run) >= 4 for run in found)
    for length in (3, 4):
        assert {place_of(s) for s in each(in_line(knights, length))} == {
            place for run in found if len(run) >= length for place in run
        }
    rows, cols = size
    near = {(c + dc, r + dr) for c, r in places for dc, dr in JUMPS}
    reached = {place_of(square) for square in each(spread(knights) & board_of(*size).ground)}
    assert reached == {(c, r) for c, r in near if 0 <= c < cols and 0 <= r < rows}


@pytest.mark.parametrize("size", SIZES)
def test_every_square_has_a_name_that_reads_back(size: tuple[int, int]) -> None:
    board = board_of(*size)
    assert [board.square(name_of(square)) for square in each(board.ground)] == list(each(board.ground))
    assert names(board.ground)[0] == "A1" and len(names(board.ground)) == size[0] * size[1]


@pytest.mark.parametrize("name", ["M1", "A12", "A0", "Z99", "A", "1A", "", "AA1", "A01"])
def test_what_the_board_has_not_is_no_square(name: str) -> None:
    assert board_of(11, 12).square(name) is None


def test_the_centre_is_two_squares_side_by_side_or_none() -> None:
    def centre(rows: int, cols: int) -> str | None:
        pair = board_of(rows, cols).centre()
        return " ".join(map(name_of, pair)) if pair else None

    assert [centre(11, 12), centre(12, 11), centre(6, 5), centre(9, 9)] == ["F6 G6", "F6 F7", "C3 C4", None]
