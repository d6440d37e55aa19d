"""The state of an Empowered Mafia game, and the position before a night with the lines that it admits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from knightfall.engine.rng import Rng
from knightfall.games.empowered.abilities import ADAPTABLE, INVISIBLE, TARGETS, UNCHOSEN, Ability, Extra
from knightfall.games.empowered.options import DEFAULT_RULES, Rules
from knightfall.mafia import state as mafia_state
from knightfall.mafia.night import Action
from knightfall.mafia.night_position import Fault, FaultCode, NightPosition
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.state import Phase, SlotKey
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

FAULTS: Mapping[FaultCode, Fault] = {
    FaultCode.NOT_A_PLAYER: Fault("EM-R31", "only a living player can act", "no living player"),
    FaultCode.NOT_YOUR_ABILITY: Fault("EM-R29", "your role does not have this ability", "not of this role"),
    FaultCode.NOT_YOUR_EXTRA: Fault(
        "EM-R14",
        "only a Ninja can add invisible, and obliterate only to a Murder they carry",
        "not of this role",
    ),
    FaultCode.USED_UP: Fault("EM-R12", "your Adaptability is used up", "Adaptability is used up"),
    FaultCode.BAD_ARGS: Fault("EM-R4", "name one player; to amplify, two", "wrong number of targets"),
    FaultCode.UNKNOWN_TARGET: Fault("EM-R4", "that player is not alive", "the target is not alive"),
    FaultCode.SELF_TARGET: Fault("EM-R4", "you cannot target yourself", "no action on oneself"),
    FaultCode.SAME_TARGET: Fault("EM-R4", "name two different players", "twice the same target"),
    FaultCode.SLOT_TAKEN: Fault("EM-R2", "a plan can have each ability only once", "one is taken already"),
}

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_MURDER, _INCARCERATE = str(Ability.MURDER), str(Ability.INCARCERATE)
_OBLITERATE, _INVISIBLE = str(Extra.OBLITERATE), str(Extra.INVISIBLE)

MAY_ADAPT = (_MURDER, _INCARCERATE)
"""What Adaptability is used for (EM-R12): nothing else can be a use of it."""
_ABILITY_FIRST = itemgetter(1, 2, 0, 3)
"""Ability, targets, actor, options of an action."""
FACTION_MURDER: SlotKey = ("", "murder")
"""EM-R23: one for the faction."""


@dataclass(frozen=True, slots=True)
class EmpoweredPosition(NightPosition):
    """The living with their cards, which Ninjas have lost Adaptability, the rules chosen.

    `arrival` tells the place in which a line came, for moderators who settle rings by that; `lot` is a drawn
    order of the living, for those whose Bombs attack one killer of several (EM-R17).
    """

    FAULTS: ClassVar[Mapping[FaultCode, Fault]] = FAULTS
    AIMS: ClassVar[Mapping[str, int]] = TARGETS
    PICKY: ClassVar[frozenset[str]] = frozenset({str(Ability.AMPLIFY)})

    lost: frozenset[SlotId] = frozenset()
    rules: Rules = DEFAULT_RULES
    arrival: Mapping[Action, int] = field(default_factory=dict)
    lot: Mapping[SlotId, int] = field(default_factory=dict)

    def adapts(self, action: Action) -> bool:
        """Whether the line uses Adaptability: a Ninja's incarceration or Obliteration."""
        if action.ability != _INCARCERATE and _OBLITERATE not in action.options:
            return False
        return ADAPTABLE in self.roles[action.actor].traits

    def use_fault(self, role: Role, action: Action) -> FaultCode | None:
        """A word that the card does not have, or Adaptability that is lost (EM-R12)."""
        if action.options:
            # EM-R14: a Ninja hides any action; EM-R13: and obliterates with a Murder.
            allowed = {
                _INVISIBLE: INVISIBLE in role.traits,
                _OBLITERATE: ADAPTABLE in role.traits and action.ability == _MURDER,
            }
            if not all(allowed.get(extra, False) for extra in action.options):
                return FaultCode.NOT_YOUR_EXTRA
        if self.lost and action.actor in self.lost and self.adapts(action):
            return FaultCode.USED_UP
        return None

    def may_target_self(self, role: Role, action: Action) -> bool:
        """EM-R4: by option."""
        return "em_r4" in self.rules.house

    def aim_fault(self, action: Action) -> FaultCode | None:
        """EM-R4: an Amplifier names two different players."""
        targets = action.targets
        return FaultCode.SAME_TARGET if len(targets) == 2 and targets[0] == targets[1] else None

    def slots(self, action: Action, holders: Mapping[SlotKey, Action]) -> tuple[SlotKey, ...]:
        """One act a player and one Murder for the faction, by option also its carrier's act (EM-R2)."""
        own: SlotKey = (action.actor, "act")
        if action.ability not in MAY_ADAPT:
            return (own,)
        claimed: tuple[SlotKey, ...]
        if action.ability != _MURDER:
            claimed = (own,)
        else:
            claimed = (FACTION_MURDER, own) if "em_r2" in self.rules.house else (FACTION_MURDER,)
        return (*claimed, (action.actor, "adapt")) if self.adapts(action) else claimed  # EM-R13

    def in_order(self, actions: Iterable[Action]) -> list[Action]:
        """By ability, targets and actor."""
        return sorted(actions, key=_ABILITY_FIRST)

    def fault_ruling(self, action: Action, code: FaultCode) -> str:
        """EM-R23 decides between two Murders, EM-R2 between other lines."""
        if code is FaultCode.SLOT_TAKEN and action.ability == _MURDER:
            return "EM-R23"
        return FAULTS[code].ruling


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
