"""The state of a custom game, beyond that of every mafia game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from knightfall.games.custom_mafia.night_position import CustomPosition
from knightfall.games.custom_mafia.options import DEFAULT_RULES, Rules
from knightfall.games.custom_mafia.setup import Setup, vanilla
from knightfall.mafia import state as mafia_state
from knightfall.mafia.night import Night
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class Terms:
    """By which answers a game is played, from which setup it was dealt, and who loves whom in it."""

    chosen: Rules = DEFAULT_RULES
    setup: Setup = field(default_factory=lambda: vanilla(3))
    lovers: tuple[frozenset[SlotId], ...] = ()

    def __getitem__(self, name: str) -> str:
        return self.chosen[name]


if TYPE_CHECKING:
    State: TypeAlias = mafia_state.State[Terms]
else:  # in Python 3.11 an alias with parameters cannot make a frozen value with slots
    State = mafia_state.State


def night_position(state: State) -> CustomPosition:
    """The position a night is resolved from."""
    return CustomPosition(
        state.living,
        state.number,
        state.shots,
        state.rules.chosen,
        state.used_last,
        state.rules.lovers,
        state.questions.tonight,
    )


def spend(state: State, spent: Mapping[SlotId, Mapping[str, int]]) -> dict[SlotId, Mapping[str, int]]:
    """The uses left after a night."""
    position = night_position(state)
    return mafia_state.spend(state, spent, lambda slot, ability: position.uses_left(slot, ability) or 0)


def used(state: State, night: Night) -> dict[SlotId, frozenset[str]]:
    """CM-R22: what each did in the night, whatever came of it."""
    rejected = {note.action for note in night.rejected}
    actions = [action for action in state.actions if action not in rejected]
    return {
        actor: frozenset(action.ability for action in actions if action.actor == actor)
        for actor in sorted({action.actor for action in actions})
    }


def active_shots(state: State, slot: SlotId) -> dict[str, int]:
    """Uses left of what a slot can submit and not every night; never of a passive."""
    card = state.cards[slot]
    listed = state.shots.get(slot, {})
    left = {ability: listed.get(ability, printed) for ability, printed in card.abilities.items()}
    return {str(ability): uses for ability, uses in left.items() if uses}


def known_to(state: State, slot: SlotId) -> dict[str, tuple[SlotId, ...]]:
    """CM-R35: whom a player knows from the start, dead ones too, as `mafia`, `mason` or `lover`."""
    own = state.cards[slot]
    bound = {
        bond: tuple(name for name, card in state.cards.items() if name != slot and own.shares(bond, card))
        for bond in own.bonds
    }
    known = {
        "mafia": mafia_state.teammates(state, slot),
        **bound,
        "lover": lovers_of(state, slot) if state.rules["lovers_know"] == "yes" else (),
    }
    return {bond: slots for bond, slots in known.items() if slots}


def lovers_of(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """Everybody whom a slot loves, in slot order."""
    loved = {other for group in state.rules.lovers if slot in group for other in group}
    return tuple(name for name in state.cards if name in loved and name != slot)
