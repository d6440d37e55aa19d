"""The board of a bout to be clicked: the square moved from, the one moved to, and the one for manure."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knight_fight.pictures import scene
from knightfall.games.knight_fight.state import State
from knightfall.pictures.board import space_corners
from knightfall.pictures.clickable import Clickable
from knightfall.sentence import SlotId


def clickable(state: State, slot: SlotId, names: Mapping[SlotId, str]) -> Clickable:
    """The board as that slot may see it. Raises InputError where there is none."""
    drawn = scene(state, slot, names)
    if state.table is None:
        return Clickable(drawn, {})
    board = state.table.bout.rules.board
    return Clickable(drawn, space_corners(board.rows, board.cols))
