"""What is the position of a Knight-Errant game?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from knightfall.core.game import SlotId
from knightfall.games.knight_errant.dusk import Dusk, SlotKey, uses_left
from knightfall.games.knight_errant.options import Rules
from knightfall.games.knight_errant.roles import Ability
from knightfall.games.knight_errant.wins import Winner
from knightfall.mafia.night import Action, Answer
from knightfall.mafia.roles import Alignment, Role


class Phase(StrEnum):
    """What is going on; the game opens with a day."""

    DAY = "day"
    NIGHT = "night"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Departure:
    """How a slot left the living: killed, eliminated or modkilled, and when, as "night 2"."""

    how: str
    when: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What the moderator entered for the day; `slot` None: no elimination."""

    slot: SlotId | None


@dataclass(frozen=True, slots=True)
class Learned:
    """What an investigator was told."""

    night: int
    ability: str
    target: SlotId
    answer: Answer


@dataclass(frozen=True, slots=True)
class State:
    """`cards` in slot order; `number` of the day or night; `shots` uses left where a card does not tell."""

    code: str
    rules: Rules
    cards: Mapping[SlotId, Role]
    phase: Phase
    number: int
    shots: Mapping[SlotId, Mapping[str, int]]
    left: Mapping[SlotId, Departure] = field(default_factory=dict)
    standing: Mapping[SlotKey, Action] = field(default_factory=dict)
    decision: Decision | None = None
    learned: Mapping[SlotId, tuple[Learned, ...]] = field(default_factory=dict)
    winner: Winner | None = None

    @property
    def slots(self) -> tuple[SlotId, ...]:
        return tuple(self.cards)

    @property
    def living(self) -> dict[SlotId, Role]:
        return {slot: role for slot, role in self.cards.items() if slot not in self.left}

    @property
    def actions(self) -> tuple[Action, ...]:
        """What stands for the night; the faction's kill fills two slots and counts once."""
        return tuple(dict.fromkeys(self.standing.values()))


def dusk_of(state: State) -> Dusk:
    """The position a night is decided from."""
    return Dusk(state.living, state.number, state.shots, state.rules)


def partners(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """KE-R43: masons and mafiosi know their own, dead ones too."""
    card = state.cards[slot]
    if card.alignment is Alignment.MAFIA:
        return tuple(s for s, r in state.cards.items() if r.alignment is Alignment.MAFIA and s != slot)
    mates = (s for s, r in state.cards.items() if r.name == card.name == "Town Mason" and s != slot)
    return tuple(mates)


def spend(state: State, spent: Mapping[SlotId, Mapping[str, int]]) -> dict[SlotId, Mapping[str, int]]:
    """Uses left after a night; passives are counted where the deal put them."""
    dusk, shots = dusk_of(state), dict(state.shots)
    for slot, uses in spent.items():
        after = dict(shots.get(slot, {}))
        for ability, used in uses.items():
            after[ability] = _before(dusk, slot, ability, after) - used
        shots[slot] = after
    return shots


def _before(dusk: Dusk, slot: SlotId, ability: str, listed: Mapping[str, int]) -> int:
    if ability in dusk.roles[slot].abilities:
        return uses_left(dusk, slot, ability) or 0
    return listed.get(ability, 0)


def active_shots(state: State, slot: SlotId) -> dict[str, int]:
    """KE-R41: uses left of what a slot can submit and not every night; never of a passive."""
    dusk = Dusk({slot: state.cards[slot]}, state.number, state.shots, state.rules)
    left = {ability: uses_left(dusk, slot, ability) for ability in state.cards[slot].abilities}
    return {str(Ability(ability)): uses for ability, uses in left.items() if uses}


def depart(state: State, slots: tuple[SlotId, ...], how: str, when: str) -> State:
    """The slots are dead; what they had submitted falls with them."""
    left = {**state.left, **{slot: Departure(how, when) for slot in slots}}
    standing = {key: action for key, action in state.standing.items() if action.actor not in slots}
    return replace(state, left=left, standing=standing)
