"""The board to be clicked: a start, and the plan of a turn round by round."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knights_duty.pictures import position
from knightfall.games.knights_duty.state import State
from knightfall.pictures.battlefield import battlefield_scene, space_corners
from knightfall.pictures.clickable import Clickable
from knightfall.sentence import SlotId


def clickable(state: State, slot: SlotId, names: Mapping[SlotId, str]) -> Clickable:  # noqa: ARG001  # public
    """The board with everybody where they stand now."""
    field = position(state, names)
    return Clickable(battlefield_scene(field), space_corners(field))
