"""What is the position of a Knight-Errant game, beyond that of every mafia game?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from knightfall.engine.game import SlotId
from knightfall.games.knight_errant.dusk import Dusk, uses_left
from knightfall.games.knight_errant.options import Rules
from knightfall.games.knight_errant.roles import Ability
from knightfall.mafia import state as mafia_state
from knightfall.mafia.roles import Alignment

if TYPE_CHECKING:
    State: TypeAlias = mafia_state.State[Rules]
else:  # in Python 3.11 an alias with parameters cannot make a frozen value with slots
    State = mafia_state.State


def dusk_of(state: State) -> Dusk:
    """The position a night is decided from."""
    return Dusk(state.living, state.number, state.shots, state.rules)


def partners(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """KE-R43: masons and mafiosi know their own, dead ones too."""
    card = state.cards[slot]
    if card.alignment is Alignment.MAFIA:
        return mafia_state.teammates(state, slot)
    mates = (s for s, r in state.cards.items() if r.name == card.name == "Town Mason" and s != slot)
    return tuple(mates)


def spend(state: State, spent: Mapping[SlotId, Mapping[str, int]]) -> dict[SlotId, Mapping[str, int]]:
    """Uses left after a night; passives are counted where the deal put them."""
    dusk = dusk_of(state)
    return mafia_state.spend(state, spent, lambda slot, ability: _before(dusk, slot, ability))


def _before(dusk: Dusk, slot: SlotId, ability: str) -> int:
    if ability in dusk.roles[slot].abilities:
        return uses_left(dusk, slot, ability) or 0
    return dusk.shots.get(slot, {}).get(ability, 0)


def active_shots(state: State, slot: SlotId) -> dict[str, int]:
    """KE-R41: uses left of what a slot can submit and not every night; never of a passive."""
    dusk = Dusk({slot: state.cards[slot]}, state.number, state.shots, state.rules)
    left = {ability: uses_left(dusk, slot, ability) for ability in state.cards[slot].abilities}
    return {str(Ability(ability)): uses for ability, uses in left.items() if uses}
