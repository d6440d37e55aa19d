"""How are random plain bouts of Knight Fight played fast, and how is a crowded position made?

The loop uses the game's own shifts without its protocol: no clock, no record, no posts.
"""

from __future__ import annotations

import random
from dataclasses import replace

from knightfall.games.knight_fight.board import each, has_four, spread
from knightfall.games.knight_fight.options import parse_options
from knightfall.games.knight_fight.state import Bout

RULES = parse_options({})


def bout(chance: random.Random) -> int:
    """A whole bout between two random players; returns its moves."""
    knights, moves, side = list(RULES.start), 0, 0
    ground = RULES.board.ground
    while True:
        squares = list(each(spread(knights[side]) & ground & ~(knights[0] | knights[1])))
        if not squares:
            return moves
        knights[side] |= chance.choice(squares)
        moves += 1
        if has_four(knights[side]):
            return moves
        side = 1 - side


def crowded(amount: int, chance: random.Random) -> Bout:
    """A position with so many knights, half of them X's."""
    squares = chance.sample(list(each(RULES.board.ground)), amount)
    x, o = sum(squares[::2]), sum(squares[1::2])
    return replace(Bout(RULES, (x, o)), reserve=(180, 180))
