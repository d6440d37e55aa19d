"""Which lines of a night of Empowered Mafia are legal, and which one has the slot where several want it?

`Dusk` is the position before the night. `fault` judges one line, by message or in a bare set alike; `admit`
turns a bare set into the actions of the night, in an order that does not depend on how they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knightfall.engine.game import SlotId
from knightfall.games.empowered.options import DEFAULT_RULES, Rules
from knightfall.games.empowered.roles import ADAPTABLE, INVISIBLE, TARGETS, Ability, Extra
from knightfall.mafia.night import Action, Fate, Note
from knightfall.mafia.orders import occupy
from knightfall.mafia.roles import Role
from knightfall.mafia.state import SlotKey


class Code(StrEnum):
    """Why a line is not taken; when several apply, the first listed is given."""

    NOT_A_PLAYER = "NOT_A_PLAYER"
    NOT_YOUR_ABILITY = "NOT_YOUR_ABILITY"
    NOT_YOUR_EXTRA = "NOT_YOUR_EXTRA"
    USED_UP = "USED_UP"
    BAD_ARGS = "BAD_ARGS"
    UNKNOWN_TARGET = "UNKNOWN_TARGET"
    SELF_TARGET = "SELF_TARGET"
    SAME_TARGET = "SAME_TARGET"
    SLOT_TAKEN = "SLOT_TAKEN"


RULING_OF_CODE: Mapping[str, str] = {
    Code.NOT_A_PLAYER: "EM-R31",
    Code.NOT_YOUR_ABILITY: "EM-R29",
    Code.NOT_YOUR_EXTRA: "EM-R14",
    Code.USED_UP: "EM-R12",
    Code.BAD_ARGS: "EM-R4",
    Code.UNKNOWN_TARGET: "EM-R4",
    Code.SELF_TARGET: "EM-R4",
    Code.SAME_TARGET: "EM-R4",
    Code.SLOT_TAKEN: "EM-R2",
}

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_MURDER, _INCARCERATE = str(Ability.MURDER), str(Ability.INCARCERATE)
_OBLITERATE, _INVISIBLE = str(Extra.OBLITERATE), str(Extra.INVISIBLE)


@dataclass(frozen=True, slots=True)
class Dusk:
    """The living with their cards, which Ninjas have lost Adaptability, the rules chosen.

    `arrival` tells the place in which a line came, for moderators who settle rings by that; `lot` is a drawn
    order of the living, for those whose Bombs attack one killer of several (EM-R17).
    """

    roles: Mapping[SlotId, Role]
    night: int = 1
    lost: frozenset[SlotId] = frozenset()
    rules: Rules = DEFAULT_RULES
    arrival: Mapping[Action, int] = field(default_factory=dict)
    lot: Mapping[SlotId, int] = field(default_factory=dict)


def adapts(dusk: Dusk, action: Action) -> bool:
    """Whether the line uses Adaptability: a Ninja's incarceration or Obliteration."""
    if action.ability != _INCARCERATE and _OBLITERATE not in action.options:
        return False
    return ADAPTABLE in dusk.roles[action.actor].traits


def fault(dusk: Dusk, action: Action) -> Code | None:
    """What is wrong with the line by itself; None: nothing."""
    role = dusk.roles.get(action.actor)
    if role is None:
        return Code.NOT_A_PLAYER
    if action.ability not in role.abilities:
        return Code.NOT_YOUR_ABILITY
    if action.options and not _may_add(role, action):
        return Code.NOT_YOUR_EXTRA
    if dusk.lost and action.actor in dusk.lost and adapts(dusk, action):
        return Code.USED_UP  # EM-R12
    targets = action.targets
    if len(targets) != TARGETS[action.ability]:
        return Code.BAD_ARGS
    if any(target not in dusk.roles for target in targets):
        return Code.UNKNOWN_TARGET
    if action.actor in targets and "em_r4" not in dusk.rules.house:
        return Code.SELF_TARGET
    return Code.SAME_TARGET if len(targets) == 2 and targets[0] == targets[1] else None


def _may_add(role: Role, action: Action) -> bool:
    """EM-R14: a Ninja hides any action; EM-R13: he obliterates with a Murder."""
    allowed = {
        _INVISIBLE: INVISIBLE in role.traits,
        _OBLITERATE: ADAPTABLE in role.traits and action.ability == _MURDER,
    }
    return all(allowed.get(extra, False) for extra in action.options)


def slots_of(dusk: Dusk, action: Action) -> tuple[SlotKey, ...]:
    """The slots that a legal line fills."""
    actor = action.actor
    own = (actor, "act")
    if action.ability == _MURDER:  # EM-R23: one for the faction
        found: tuple[SlotKey, ...] = (
            (("", "murder"), own) if "em_r2" in dusk.rules.house else (("", "murder"),)
        )
    else:
        found = (own,)
    return (*found, (actor, "adapt")) if adapts(dusk, action) else found  # EM-R13


def _order(action: Action) -> tuple[str, tuple[SlotId, ...], SlotId, tuple[str, ...]]:
    return action.ability, action.targets, action.actor, action.options


def admit(dusk: Dusk, actions: Iterable[Action], trace: list[Note]) -> list[Action]:
    """The actions of the night in canonical order; every other line is noted as rejected."""
    holders: dict[SlotKey, Action] = {}
    admitted = []
    for action in sorted(actions, key=_order):
        if code := fault(dusk, action):
            trace.append(Note(action, Fate.REJECTED, code, None, RULING_OF_CODE[code]))
        elif taken := occupy(holders, slots_of(dusk, action), action):
            ruling = "EM-R23" if action.ability == _MURDER else RULING_OF_CODE[Code.SLOT_TAKEN]
            trace.append(Note(action, Fate.REJECTED, Code.SLOT_TAKEN, taken, ruling))
        else:
            admitted.append(action)
    return admitted
