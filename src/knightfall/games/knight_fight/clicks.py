"""The board of a bout to be clicked: the square moved from, the one moved to, and the one for manure."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knight_fight.notation import BidLine, ProxyLine, TrapLine, Written, match_line
from knightfall.games.knight_fight.pictures import scene
from knightfall.games.knight_fight.state import State
from knightfall.pictures.board import space_corners
from knightfall.pictures.clickable import Click, Clickable
from knightfall.sentence import SlotId


def clickable(state: State, slot: SlotId, names: Mapping[SlotId, str]) -> Clickable:
    """The board as that slot may see it. Raises InputError where there is none."""
    drawn = scene(state, slot, names)
    if state.table is None:
        return Clickable(drawn, {})
    board = state.table.bout.rules.board
    return Clickable(drawn, space_corners(board.rows, board.cols))


def clicks(state: State, slot: SlotId, line: str) -> tuple[Click, ...]:  # noqa: ARG001  # of any bout alike
    """The parts of a line in the order in which they are clicked."""
    match match_line(line):
        case Written() as move:
            return _squares(move)
        case BidLine(chips, move):
            return (Click(f"Bid {chips}"), *_squares(move))
        case ProxyLine(side, move):
            return (Click(f"For {side.name}"), *_squares(move))
        case TrapLine(str(square)):
            return (Click("Trap"), Click(square, square))
    return (Click(line),)


def _squares(move: Written) -> tuple[Click, ...]:
    found = [Click(f"from {move.source}", move.source)] if move.source else []
    found.append(Click(f"to {move.target}" if move.source else move.target, move.target))
    if move.manure:
        found.append(Click(f"manure on {move.manure}", move.manure))
    return tuple(found)
