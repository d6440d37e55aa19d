"""Which lines of a night are legal, and which one has the slot where several want it?

`Dusk` is the position before the night. `fault` judges one line, by message or in a bare set alike; `admit`
turns a bare set into the actions of the night, in an order that does not depend on how they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knightfall.engine.game import SlotId
from knightfall.games.custom_mafia.options import DEFAULT_RULES, Rules
from knightfall.games.custom_mafia.verbs import AIMS, Ability
from knightfall.mafia.night import Action, Fate, Note, Sheet
from knightfall.mafia.orders import occupy
from knightfall.mafia.roles import Modifier, Role
from knightfall.mafia.state import SlotKey


class Code(StrEnum):
    """Why a line is not taken; when several apply, the first listed is given."""

    NOT_A_PLAYER = "NOT_A_PLAYER"
    NOT_YOUR_ABILITY = "NOT_YOUR_ABILITY"
    WRONG_NIGHT = "WRONG_NIGHT"
    NO_SHOTS = "NO_SHOTS"
    BAD_ARGS = "BAD_ARGS"
    UNKNOWN_TARGET = "UNKNOWN_TARGET"
    SELF_TARGET = "SELF_TARGET"
    SLOT_TAKEN = "SLOT_TAKEN"


RULING_OF_CODE: Mapping[str, str] = {
    Code.NOT_A_PLAYER: "CM-R31",
    Code.NOT_YOUR_ABILITY: "CM-R32",
    Code.WRONG_NIGHT: "CM-R21",
    Code.NO_SHOTS: "CM-R20",
    Code.BAD_ARGS: "CM-R34",
    Code.UNKNOWN_TARGET: "CM-R33",
    Code.SELF_TARGET: "CM-R33",
    Code.SLOT_TAKEN: "CM-R32",
}

_MAFIA_KILL = Ability.MAFIA_KILL  # bound once: looking a member up in its enum takes time
_NONE: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Dusk:
    """The living with their cards, the number of the night, uses left, who loves whom.

    A limited ability or passive that `shots` does not list has the number printed on the card. `used_last`:
    the abilities each slot used in the night before. `lovers`: groups that die together. `ruled`: the choice
    for each knot the moderator ruled on tonight, by the knot's key.
    """

    roles: Mapping[SlotId, Role]
    night: int = 1
    shots: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)
    rules: Rules = DEFAULT_RULES
    used_last: Mapping[SlotId, frozenset[str]] = field(default_factory=dict)
    lovers: tuple[frozenset[SlotId], ...] = ()
    ruled: Mapping[str, str] = field(default_factory=dict)


def uses_left(dusk: Dusk, slot: SlotId, ability: str) -> int | None:
    """How often the holder may still use it; None: every night. Passives count as well."""
    role = dusk.roles[slot]
    printed = role.abilities[ability] if ability in role.abilities else role.passives[ability]
    return None if printed is None else dusk.shots.get(slot, _NONE).get(ability, printed)


def fault(dusk: Dusk, action: Action) -> Code | None:
    """What is wrong with the line by itself; None: nothing."""
    role = dusk.roles.get(action.actor)
    if role is None:
        return Code.NOT_A_PLAYER
    if action.ability not in role.abilities:
        return Code.NOT_YOUR_ABILITY
    if action.ability in role.modifiers and not _its_night(dusk, role, action):
        return Code.WRONG_NIGHT
    if role.abilities[action.ability] is not None and not uses_left(dusk, action.actor, action.ability):
        return Code.NO_SHOTS
    targets = action.targets
    if len(targets) != AIMS[action.ability] or len(set(targets)) < len(targets):
        return Code.BAD_ARGS
    for target in targets:
        if target not in dusk.roles:
            return Code.UNKNOWN_TARGET
    # CM-R33: by option, and never to kill himself.
    if action.actor in targets and not (
        "self_target" in dusk.rules.house and action.ability not in (_MAFIA_KILL, Ability.KILL)
    ):
        return Code.SELF_TARGET
    return None


def _its_night(dusk: Dusk, role: Role, action: Action) -> bool:
    """CM-R21, CM-R22."""
    modifiers = role.modifiers[action.ability]
    if Modifier.EVEN_NIGHT in modifiers and dusk.night % 2:
        return False
    if Modifier.ODD_NIGHT in modifiers and not dusk.night % 2:
        return False
    tired = action.ability in dusk.used_last.get(action.actor, ())
    return not (tired and Modifier.NON_CONSECUTIVE in modifiers)


_FACTION: SlotKey = ("", "kill")


def slots_of(dusk: Dusk, action: Action) -> tuple[SlotKey, ...]:
    """The slots that a legal line fills (CM-R32): the faction's kill is also its carrier's act."""
    if action.ability != _MAFIA_KILL:
        return ((action.actor, "act"),)
    return (_FACTION,) if "carrier" in dusk.rules.house else (_FACTION, (action.actor, "act"))


def admit(dusk: Dusk, actions: Iterable[Action], sheet: Sheet) -> list[Action]:
    """The actions of the night in canonical order; every other line is noted as rejected."""
    holders: dict[SlotKey, Action] = {}
    admitted = []
    for action in sorted(actions, key=_order):
        if code := fault(dusk, action):
            sheet.notes.append(Note(action, Fate.REJECTED, code, None, RULING_OF_CODE[code]))
        elif taken := occupy(holders, slots_of(dusk, action), action):
            sheet.notes.append(Note(action, Fate.REJECTED, Code.SLOT_TAKEN, taken, "CM-R32"))
        else:
            admitted.append(action)
    return admitted


def _order(action: Action) -> tuple[bool, str, tuple[SlotId, ...], SlotId]:
    """The faction's kill before one's own ability, as in every game of ours."""
    actor, ability, targets, _ = action
    return ability != _MAFIA_KILL, ability, targets, actor
