"""The state of a Knight-Errant game, beyond that of every mafia game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from knightfall.games.knight_errant.night_position import KnightErrantPosition
from knightfall.games.knight_errant.options import Rules
from knightfall.mafia import state as mafia_state
from knightfall.mafia.roles import Alignment
from knightfall.sentence import SlotId

if TYPE_CHECKING:
    State: TypeAlias = mafia_state.State[Rules]
else:  # in Python 3.11 an alias with parameters cannot make a frozen value with slots
    State = mafia_state.State


def night_position(state: State) -> KnightErrantPosition:
    """The position a night is resolved from."""
    return KnightErrantPosition(state.living, state.number, state.shots, state.rules)


def partners(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """KE-R43: masons and mafiosi know their own, dead ones too."""
    card = state.cards[slot]
    if card.alignment is Alignment.MAFIA:
        return mafia_state.teammates(state, slot)
    return tuple(name for name, other in state.cards.items() if name != slot and card.vouches(other))


def spend(state: State, spent: Mapping[SlotId, Mapping[str, int]]) -> dict[SlotId, Mapping[str, int]]:
    """Uses left after a night; passives are counted where the deal put them."""
    position = night_position(state)

    def left(slot: SlotId, ability: str) -> int:
        if ability in position.roles[slot].abilities:
            return position.uses_left(slot, ability) or 0
        return position.shots.get(slot, {}).get(ability, 0)

    return mafia_state.spend(state, spent, left)


def active_shots(state: State, slot: SlotId) -> dict[str, int]:
    """KE-R41: uses left of what a slot can submit and not every night; never of a passive."""
    position = KnightErrantPosition({slot: state.cards[slot]}, state.number, state.shots, state.rules)
    left = {ability: position.uses_left(slot, ability) for ability in state.cards[slot].abilities}
    return {str(ability): uses for ability, uses in left.items() if uses}
