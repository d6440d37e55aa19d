"""The state of a Knight-Errant game, and the position before a night with the lines that it admits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from knightfall.games.knight_errant.abilities import KILLS, TARGETS, Ability
from knightfall.games.knight_errant.options import DEFAULT_RULES, Rules
from knightfall.mafia import state as mafia_state
from knightfall.mafia.night import Action
from knightfall.mafia.night_position import Fault, FaultCode, UsesPosition
from knightfall.mafia.roles import Alignment, Modifier, Role
from knightfall.mafia.state import SlotKey
from knightfall.sentence import SlotId

if TYPE_CHECKING:
    State: TypeAlias = mafia_state.State[Rules]
else:  # in Python 3.11 an alias with parameters cannot make a frozen value with slots
    State = mafia_state.State

FAULTS: Mapping[FaultCode, Fault] = {
    FaultCode.NOT_A_PLAYER: Fault("KE-R20", "only a living player can act", "no living player"),
    FaultCode.NOT_YOUR_ABILITY: Fault("KE-R21", "your role does not have this ability", "not on the card"),
    FaultCode.EVEN_NIGHTS_ONLY: Fault("KE-R23", "this ability works on even nights only", "even nights only"),
    FaultCode.NO_SHOTS: Fault("KE-R25", "you have no uses of this ability left", "no use left"),
    FaultCode.BAD_ARGS: Fault(
        "KE-R36",
        "name exactly one player, or nobody for an ability without a target",
        "wrong number of targets",
    ),
    FaultCode.UNKNOWN_TARGET: Fault("KE-R36", "that player is not alive", "the target is not alive"),
    FaultCode.SELF_TARGET: Fault("KE-R36", "you cannot target yourself", "no action on oneself"),
    FaultCode.TEAMMATE: Fault("KE-R18", "you cannot kill your own teammate", "no kill on a teammate"),
    FaultCode.SLOT_TAKEN: Fault(
        "KE-R17",
        "the strong kill replaces your kill, and this message has both",
        "the slot was filled",
    ),
}

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_MAFIA_KILL = Ability.MAFIA_KILL
_MAFIA, _SERIAL_KILLER = Alignment.MAFIA, Alignment.SERIAL_KILLER
_FACTION_KILL: SlotKey = ("", "kill")
_RANK: Mapping[str, int] = {Ability.MAFIA_KILL: 0, Ability.STRONG_KILL: 1, Ability.KILL: 2}


@dataclass(frozen=True, slots=True)
class KnightErrantPosition(UsesPosition):
    """The living with their cards, the number of the night, uses left, the rules chosen."""

    FAULTS: ClassVar[Mapping[FaultCode, Fault]] = FAULTS
    AIMS: ClassVar[Mapping[str, int]] = TARGETS
    """KE-R36: one target, none for commute and vest."""
    PICKY: ClassVar[frozenset[str]] = frozenset({str(_MAFIA_KILL)})

    rules: Rules = DEFAULT_RULES

    def passive_left(self, slot: SlotId, passive: str) -> int:
        """How often a passive can still work: the Serial Killer's alone are counted."""
        if self.roles[slot].alignment is not _SERIAL_KILLER:
            return 0
        return self.shots.get(slot, {}).get(passive, 0)

    def use_fault(self, role: Role, action: Action) -> FaultCode | None:
        """An ability of even nights (KE-R23: night 1 is odd), or one without a use left."""
        ability = action.ability
        if self.night % 2 and role.asks(ability, Modifier.EVEN_NIGHT):
            return FaultCode.EVEN_NIGHTS_ONLY
        if role.abilities[ability] is not None and not self.uses_left(action.actor, ability):
            return FaultCode.NO_SHOTS
        return None

    def may_target_self(self, role: Role, action: Action) -> bool:
        """KE-R36: by option the Town Cop."""
        return "ke_r36" in self.rules.house and action.ability == Ability.COP and role.name == "Town Cop"

    def aim_fault(self, action: Action) -> FaultCode | None:
        """KE-R18: by option no kill on a teammate."""
        if "ke_r18" in self.rules.house:
            roles = self.roles
            if any(target in roles and roles[target].alignment is _MAFIA for target in action.targets):
                return FaultCode.TEAMMATE
        return None

    def slots(self, action: Action, holders: Mapping[SlotKey, Action]) -> tuple[SlotKey, ...]:
        """One act a player, one kill for the faction, a kill and an extra for the Serial Killer."""
        actor, ability = action.actor, action.ability
        side = self.roles[actor].alignment
        house = self.rules.house
        if side is _SERIAL_KILLER:
            # KE-R19: one kill and one extra; by option two of any kind, or every extra once.
            if ability in KILLS:
                return ((actor, "kill"),)
            limit = self.rules["ke_r19"]
            if limit == "unlimited":
                return ((actor, ability),)
            first = holders.get((actor, "extra"))
            other = first is not None and first.ability != ability
            spare = limit == "two_actions" and other and (actor, "kill") not in holders
            return ((actor, "kill" if spare else "extra"),)
        if ability == _MAFIA_KILL:  # KE-R17: one for the faction, and the act of its carrier
            return _FACTION_KILL, (actor, "act")
        # KE-R17: by option the last living mafioso may kill and act.
        does_both = (
            side is _MAFIA
            and "ke_r17" in house
            and sum(role.alignment is _MAFIA for role in self.roles.values()) == 1
        )
        return ((actor, "extra" if does_both else "act"),)

    def in_order(self, actions: Iterable[Action]) -> list[Action]:
        """The faction's kill before one's own ability (KE-R17), the strong kill before the kill (KE-R19)."""
        return sorted(actions, key=_canonical)

    def fault_ruling(self, action: Action, code: FaultCode) -> str:
        """KE-R19 decides between two kills of the Serial Killer, KE-R17 between other lines."""
        two_kills = code is FaultCode.SLOT_TAKEN and action.ability in (Ability.KILL, Ability.STRONG_KILL)
        return "KE-R19" if two_kills else FAULTS[code].ruling


def _canonical(action: Action) -> tuple[object, ...]:
    """The key of the canonical order."""
    actor, ability, targets, _ = action
    return _RANK.get(ability, 3), ability, targets, actor


def night_position(state: State) -> KnightErrantPosition:
    """The position a night is resolved from."""
    return KnightErrantPosition(state.living, state.number, state.shots, state.rules)


def partners(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """KE-R43: masons and mafiosi know their own, dead ones too."""
    card = state.cards[slot]
    if card.alignment is Alignment.MAFIA:
        return mafia_state.teammates(state, slot)
    return tuple(name for name, other in state.cards.items() if name != slot and card.vouches(other))
