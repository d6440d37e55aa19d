"""Perft: how many sequences of moves are there from the start? By shifts and, apart, on coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from knightfall.games.knight_fight.anomalies.coloration import read_colours
from knightfall.games.knight_fight.board import Side, each
from knightfall.games.knight_fight.options import parse_options
from knightfall.games.knight_fight.rules import act, fault, placements
from knightfall.games.knight_fight.state import Bout, Move

ROWS, COLS = 11, 12
JUMPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
PAINTED = tuple(
    "".join("RBY"[(row * 2 + column * column + row * column) % 3] for column in range(COLS))
    for row in range(ROWS)
)

Square = tuple[int, int]
Sources = dict[Square, bool]

PERFT = {
    "none": (8, 64, 884, 12_052),
    "T": (8, 64, 884, 12_052),
    "N": (8, 64, 884, 12_052),
    "H": (8, 64, 884, 12_052),
    "C": (8, 36, 240, 1_998),
    "S": (8, 64, 884, 12_052),
}
"""Sequences of legal moves of length 1 to 4: traps and passes left out, `C` on PAINTED, `S` with sources."""


def by_shifts(bout: Bout, depth: int) -> int:
    """The game's own way."""
    moves = placements(bout, bout.to_move)
    if depth == 1:
        return len(moves)
    return sum(by_shifts(act(bout, bout.to_move, move), depth - 1) for move in moves)


def near(square: Square) -> Iterator[Square]:
    for right, down in JUMPS:
        column, row = square[0] + right, square[1] + down
        if 0 <= column < COLS and 0 <= row < ROWS:
            yield column, row


def targets(own: Sources, rival: Sources) -> set[Square]:
    return {target for source in own for target in near(source) if target not in own and target not in rival}


def plain(own: Sources, rival: Sources, _last: Square | None, depth: int) -> int:
    """On coordinates, with no regard to lines: none has four within four moves."""
    found = targets(own, rival)
    return len(found) if depth == 1 else sum(plain(rival, {**own, t: True}, t, depth - 1) for t in found)


def coloured(own: Sources, rival: Sources, last: Square | None, depth: int) -> int:
    closed = PAINTED[last[1]][last[0]] if last else ""
    found = [t for t in targets(own, rival) if PAINTED[t[1]][t[0]] != closed]
    return len(found) if depth == 1 else sum(coloured(rival, {**own, t: True}, t, depth - 1) for t in found)


def sick(own: Sources, rival: Sources, _last: Square | None, depth: int) -> int:
    """Each source counts by itself; a healthy one is weak afterwards, a weak one gone."""
    total = 0
    for source, healthy in own.items():
        for target in near(source):
            if target in own or target in rival:
                continue
            after = {**own, target: True, source: False}
            if not healthy:
                del after[source]
            total += 1 if depth == 1 else sick(rival, after, target, depth - 1)
    return total


SLOW: dict[str, Callable[[Sources, Sources, Square | None, int], int]] = {"C": coloured, "S": sick}


def start(letters: str) -> Bout:
    rules = parse_options({"anomalies": letters})
    colours = read_colours(rules.board, PAINTED) if "C" in letters else ()
    return replace(Bout(rules, rules.start), colours=colours, reserve=(180, 180))


@pytest.mark.parametrize("letters", PERFT)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_both_ways_count_the_sequences_of_the_table(letters: str, depth: int) -> None:
    slow = SLOW.get(letters, plain)({(5, 5): True}, {(6, 5): True}, None, depth)
    assert by_shifts(start(letters), depth) == slow == PERFT[letters][depth - 1]


def test_airdrop_one_move_with_and_without_manure() -> None:
    """Eight squares, and with each of them manure on any of 132 - 2 knights - the square itself."""
    bout = start("A")
    squares = list(each(bout.rules.board.ground))
    legal = [
        Move(target, 0, manure)
        for target in squares
        for manure in (0, *squares)
        if fault(bout, Side.X, Move(target, 0, manure)) is None
    ]
    assert len(legal) == 8 + 8 * (ROWS * COLS - 3)


def test_bidding_each_side_has_its_own_first_moves() -> None:
    """Both bid 0 to 20 with one of eight moves."""
    bout = start("B")
    assert [len(placements(bout, side)) for side in Side] == [8, 8]
