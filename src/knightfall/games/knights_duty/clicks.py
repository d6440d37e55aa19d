"""The board to be clicked: a start, and the plan of a turn round by round."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knights_duty.pictures import position
from knightfall.games.knights_duty.state import State
from knightfall.games.knights_duty.submissions import BETWEEN
from knightfall.pictures.battlefield import battlefield_scene, space_corners
from knightfall.pictures.clickable import Click, Clickable
from knightfall.sentence import SlotId


def clickable(state: State, slot: SlotId, names: Mapping[SlotId, str]) -> Clickable:  # noqa: ARG001  # public
    """The board with everybody where they stand now."""
    field = position(state, names)
    return Clickable(battlefield_scene(field), space_corners(field))


def clicks(state: State, slot: SlotId, line: str) -> tuple[Click, ...]:
    """The parts of a line in the order in which they are clicked: a round each.

    A move is clicked where it leads if the moves before it go through, an attack on who is named where that
    knight stands now.
    """
    knight, found = state.knights.get(slot), list[Click]()
    here = knight.pos if knight else ""
    for part in line.replace("\n", BETWEEN).split(BETWEEN):
        word, _, rest = part.partition(" ")
        space = ""
        if word == "START":
            space = rest.strip()
        elif word == "MOVE" and here in state.board.steps:
            space = state.board.steps[here].get(rest.split(" ")[0], "")
            here = space or here
        elif "@" in part:
            aimed = part.partition("@")[2].strip()
            space = next((one.pos for name, one in state.living.items() if aimed.startswith(str(name))), "")
        found.append(Click(part, space if space in state.board.columns else ""))
    return tuple(found)
