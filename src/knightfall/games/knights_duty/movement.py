"""Where everyone stands after the move step: all movers at once, whatever their seats.

Rivals for one space all stay; who wants the space of a knight that stays, stays too. Following a knight that
leaves is fine, and so is going round in a circle.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from knightfall.engine.game import Chosen, SlotId
from knightfall.games.knights_duty.board import STAY, Board
from knightfall.games.knights_duty.plan import Entry, Extra, Token
from knightfall.games.knights_duty.state import Knight, Move

Wishes = Mapping[SlotId, str]
"""The space each mover wants: on the board and not the one it stands on."""


def play_moves(
    knights: Mapping[SlotId, Knight], entries: Mapping[SlotId, Entry], board: Board, rules: Chosen
) -> tuple[Move, ...]:
    """KD-07: every move token of the round with where it ended, in seat order."""
    movers = {slot: entry for slot, entry in entries.items() if entry.token is Token.MOVE and slot in knights}
    if not movers:
        return ()
    # KD-07, KD-10: nowhere for `STAY` and for a step off the board; the token is spent all the same.
    wanted = {
        slot: board.steps[knights[slot].pos].get(entry.direction or STAY) for slot, entry in movers.items()
    }
    wishes = {slot: space for slot, space in wanted.items() if space is not None}
    yielding = {slot for slot, entry in movers.items() if Extra.YIELD in entry.extras}
    positions = {slot: knight.pos for slot, knight in knights.items()}
    gone = destinations(positions, wishes, rules, yielding)
    return tuple(
        Move(slot, entry.direction or STAY, positions[slot], wanted[slot], gone.get(slot, positions[slot]))
        for slot, entry in movers.items()
    )


def destinations(
    positions: Mapping[SlotId, str], wishes: Wishes, rules: Chosen, yielding: Set[SlotId] = frozenset()
) -> dict[SlotId, str]:
    """KD-08: who leaves a space, and for which. `positions` are everyone's, movers or not."""
    going = dict(wishes)
    if rules["swap_places"] == "false":
        # KD-09, the variant: of two who want each other's space neither goes.
        steps = {(positions[slot], space) for slot, space in going.items()}
        going = {slot: space for slot, space in going.items() if (space, positions[slot]) not in steps}
    if shares(rules):  # KD-08, R00: many on one space
        return going
    # At most one mover for each space: of rivals nobody, or whom the option lets go.
    rule = rules["kd_08"]
    rivals: dict[str, list[SlotId]] = {}
    for slot in positions:  # in seat order
        if slot in going:
            rivals.setdefault(going[slot], []).append(slot)
    chosen = {space: _first(movers, rule, yielding) for space, movers in rivals.items()}
    going = {slot: space for space, slot in chosen.items() if slot is not None}
    # Who wants the space of a knight that stays, stays too, which may keep another from going: until nothing
    # changes. What is left moves, a circle too.
    while True:
        held = {space for slot, space in positions.items() if slot not in going}
        free = {slot: space for slot, space in going.items() if space not in held}
        if len(free) == len(going):
            return going
        going = free


def shares(rules: Chosen) -> bool:
    """Whether several knights may stand on one space."""
    return rules["share_space"] == "true" or rules["kd_08"] == "sharing"


def _first(movers: list[SlotId], rule: str, yielding: Set[SlotId]) -> SlotId | None:
    """KD-08: rivals all stay; by agreement one goes when all others yield; or the first in seat order."""
    if len(movers) == 1 or rule == "seat_order":
        return movers[0]
    if rule == "agreement":
        firm = [slot for slot in movers if slot not in yielding]
        return firm[0] if len(firm) == 1 else None
    return None
