"""The state of an Empowered Mafia game, beyond that of every mafia game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from knightfall.engine.rng import Rng
from knightfall.games.empowered.night_position import EmpoweredPosition
from knightfall.games.empowered.options import Rules
from knightfall.games.empowered.roles import UNCHOSEN
from knightfall.mafia import state as mafia_state
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId

if TYPE_CHECKING:
    State: TypeAlias = mafia_state.State[Rules]
else:  # in Python 3.11 an alias with parameters cannot make a frozen value with slots
    State = mafia_state.State

READY = "ready"
"""An order that is no action: its sender agrees that the night ends early (EM-R27)."""
_ADAPTABILITY = "adaptability"
_HOURS: Mapping[str, Mapping[Phase, int]] = {
    "72_24": {Phase.DAY: 72, Phase.NIGHT: 24},
    "48_24": {Phase.DAY: 48, Phase.NIGHT: 24},
}


def hours_of(rules: Rules) -> Mapping[Phase, int]:
    """EM-R31: how long a day and a night last."""
    return _HOURS[rules["phases"]]


def hours(state: State) -> int:
    """How long the day or night lasts; 0 where there is no deadline."""
    return hours_of(state.rules).get(state.phase, 0)


def deadline(state: State) -> datetime | None:
    """When the day or night is over; None before day 1, or where its beginning is not known. A deadline that
    the moderator gave it goes before the game's own."""
    if state.moved and state.moved[0] == state.when:
        return state.moved[1]
    lasts = hours(state)
    return state.since + timedelta(hours=lasts) if state.since and lasts else None


def mafiosi(state: State) -> tuple[SlotId, ...]:
    """The living ones."""
    return tuple(slot for slot, role in state.living.items() if role.alignment is Alignment.MAFIA)


def unchosen(state: State) -> tuple[SlotId, ...]:
    """EM-R29: the living mafiosi without a role."""
    return tuple(slot for slot, role in state.living.items() if role is UNCHOSEN)


def all_ready(state: State) -> bool:
    """EM-R27: every living player has agreed that the night may end."""
    return all((slot, READY) in state.standing for slot in state.living)


def plans(state: State) -> tuple[Action, ...]:
    """The actions that stand, in order of arrival."""
    return tuple(action for action in state.actions if action.ability != READY)


def has_lost(state: State, slot: SlotId) -> bool:
    """EM-R12: whether the slot was a Ninja with Adaptability and is one without."""
    return state.shots.get(slot, {}).get(_ADAPTABILITY) == 0


def losing(state: State, slots: Iterable[SlotId]) -> State:
    """Adaptability is gone for good."""
    return replace(state, shots={**state.shots, **{slot: {_ADAPTABILITY: 0} for slot in slots}})


def night_position(state: State, draw: Rng | None = None) -> EmpoweredPosition:
    """The position a night is resolved from; `draw` is asked only where Bombs attack one of several
    killers."""
    lost = frozenset(slot for slot in state.shots if has_lost(state, slot))
    arrival = {action: place for place, action in enumerate(plans(state))}
    lot: Mapping[SlotId, int] = {}
    if draw is not None and "em_r17" in state.rules.house:
        order = draw.at("night", state.number).sample("em.bomb", tuple(state.living), len(state.living))
        lot = {slot: place for place, slot in enumerate(order)}
    return EmpoweredPosition(state.living, state.number, lost, state.rules, arrival, lot)
