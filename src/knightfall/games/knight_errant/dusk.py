"""Which lines of a night are legal, and which one has the slot where several want it?

`Dusk` is the position before the night. `fault` judges one line, by message or in a bare set alike; `admit`
turns a bare set into the actions of the night, in an order that does not depend on how they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knightfall.engine.game import SlotId
from knightfall.games.knight_errant.options import DEFAULT_RULES, Rules
from knightfall.games.knight_errant.roles import KILLS, SELF_ONLY, Ability
from knightfall.mafia.night import Action, Fate, Note, Sheet
from knightfall.mafia.orders import occupy
from knightfall.mafia.roles import Alignment, Modifier, Role
from knightfall.mafia.state import SlotKey


class Code(StrEnum):
    """Why a line is not taken; when several apply, the first listed is given."""

    NOT_A_PLAYER = "NOT_A_PLAYER"
    NOT_YOUR_ABILITY = "NOT_YOUR_ABILITY"
    EVEN_NIGHTS_ONLY = "EVEN_NIGHTS_ONLY"
    NO_SHOTS = "NO_SHOTS"
    BAD_ARGS = "BAD_ARGS"
    UNKNOWN_TARGET = "UNKNOWN_TARGET"
    SELF_TARGET = "SELF_TARGET"
    TEAMMATE = "TEAMMATE"
    SLOT_TAKEN = "SLOT_TAKEN"


RULING_OF_CODE: Mapping[str, str] = {
    Code.NOT_A_PLAYER: "KE-R20",
    Code.NOT_YOUR_ABILITY: "KE-R21",
    Code.EVEN_NIGHTS_ONLY: "KE-R23",
    Code.NO_SHOTS: "KE-R25",
    Code.BAD_ARGS: "KE-R36",
    Code.UNKNOWN_TARGET: "KE-R36",
    Code.SELF_TARGET: "KE-R36",
    Code.TEAMMATE: "KE-R18",
    Code.SLOT_TAKEN: "KE-R17",
}

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_MAFIA_KILL = Ability.MAFIA_KILL
_MAFIA, _SERIAL_KILLER = Alignment.MAFIA, Alignment.SERIAL_KILLER
_NO_SHOTS: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Dusk:
    """The living with their cards, the number of the night, uses left, the rules chosen.

    A limited ability that `shots` does not list has the number printed on the card.
    """

    roles: Mapping[SlotId, Role]
    night: int
    shots: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)
    rules: Rules = DEFAULT_RULES


def uses_left(dusk: Dusk, slot: SlotId, ability: str) -> int | None:
    """How often the holder may still use it; None: every night."""
    printed = dusk.roles[slot].abilities[ability]
    return None if printed is None else dusk.shots.get(slot, _NO_SHOTS).get(ability, printed)


def passive_left(dusk: Dusk, slot: SlotId, passive: str) -> int:
    """How often a passive of the Serial Killer can still work: his alone are counted."""
    if dusk.roles[slot].alignment is not _SERIAL_KILLER:
        return 0
    return dusk.shots.get(slot, _NO_SHOTS).get(passive, 0)


def fault(dusk: Dusk, action: Action) -> Code | None:
    """What is wrong with the line by itself; None: nothing."""
    role = dusk.roles.get(action.actor)
    if role is None:
        return Code.NOT_A_PLAYER
    ability = action.ability
    if ability not in role.abilities:
        return Code.NOT_YOUR_ABILITY
    if dusk.night % 2 and role.asks(ability, Modifier.EVEN_NIGHT):
        return Code.EVEN_NIGHTS_ONLY  # KE-R23: night 1 is odd
    if role.abilities[ability] is not None and not uses_left(dusk, action.actor, ability):
        return Code.NO_SHOTS
    actor, ability, targets, _ = action
    if len(targets) != (0 if ability in SELF_ONLY else 1):
        return Code.BAD_ARGS
    if not targets:
        return None
    if targets[0] == actor:
        may_check_self = "ke_r36" in dusk.rules.house and ability == Ability.COP and role.name == "Town Cop"
        return None if may_check_self else Code.SELF_TARGET
    target = dusk.roles.get(targets[0])
    if target is None:
        return Code.UNKNOWN_TARGET
    if ability == _MAFIA_KILL and target.alignment is _MAFIA and "ke_r18" in dusk.rules.house:
        return Code.TEAMMATE
    return None


_FACTION_KILL: SlotKey = ("", "kill")


def slots_of(dusk: Dusk, action: Action, holders: Mapping[SlotKey, Action]) -> tuple[SlotKey, ...]:
    """The slots that a legal line fills, given who holds which already."""
    actor, ability = action.actor, action.ability
    side = dusk.roles[actor].alignment
    if side is _SERIAL_KILLER:
        return (_serial_slot(dusk, actor, ability, holders),)
    if ability == _MAFIA_KILL:  # KE-R17: one for the faction, and the act of its carrier
        return _FACTION_KILL, (actor, "act")
    return ((actor, "extra" if side is _MAFIA and _does_both(dusk) else "act"),)


def _serial_slot(dusk: Dusk, actor: SlotId, ability: str, holders: Mapping[SlotKey, Action]) -> SlotKey:
    """KE-R19: one kill and one extra; by option two of any kind, or every extra once."""
    if ability in KILLS:
        return actor, "kill"
    limit = dusk.rules["ke_r19"]
    if limit == "unlimited":
        return actor, ability
    first = holders.get((actor, "extra"))
    other = first is not None and first.ability != ability
    spare = limit == "two_actions" and other and (actor, "kill") not in holders
    return actor, "kill" if spare else "extra"


def _does_both(dusk: Dusk) -> bool:
    if "ke_r17" not in dusk.rules.house:
        return False
    return sum(role.alignment is _MAFIA for role in dusk.roles.values()) == 1


_RANK: Mapping[str, int] = {Ability.MAFIA_KILL: 0, Ability.STRONG_KILL: 1, Ability.KILL: 2}


def _order(action: Action) -> tuple[int, str, tuple[SlotId, ...], SlotId]:
    """The faction's kill before one's own ability (KE-R17), the strong kill before the kill (KE-R19)."""
    actor, ability, targets, _ = action
    return _RANK.get(ability, 3), ability, targets, actor


def admit(dusk: Dusk, actions: Iterable[Action], sheet: Sheet) -> list[Action]:
    """The actions of the night in canonical order; every other line is noted as rejected."""
    holders: dict[SlotKey, Action] = {}
    admitted = []
    for action in sorted(actions, key=_order):
        if code := fault(dusk, action):
            _reject(sheet, action, code, None)
        elif taken := occupy(holders, slots_of(dusk, action, holders), action):
            _reject(sheet, action, Code.SLOT_TAKEN, taken)
        else:
            admitted.append(action)
    return admitted


def _reject(sheet: Sheet, action: Action, code: Code, taken: Action | None) -> None:
    ruling = "KE-R19" if action.ability in _SERIAL_ONLY and taken else RULING_OF_CODE[code]
    sheet.notes.append(Note(action, Fate.REJECTED, code, taken, ruling))


_SERIAL_ONLY = frozenset({Ability.KILL, Ability.STRONG_KILL})
