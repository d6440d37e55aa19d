"""The position before a night, and which lines of the night it admits.

A game's own position adds what its abilities ask for (uses left, lovers, options) and says in a few hooks
what its rules allow. `fault` judges one line, sent by message or standing in a bare set alike; `admit` turns
a bare set into the actions of the night, in an order that does not depend on how they came.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, NamedTuple, TypeVar

from knightfall.mafia.night import Action, Fate, Note
from knightfall.mafia.roles import Role
from knightfall.mafia.state import SlotKey
from knightfall.sentence import SlotId

T = TypeVar("T")


class FaultCode(StrEnum):
    """Why a line is not taken; when several apply, the first listed is given. No game has all of them."""

    NOT_A_PLAYER = "NOT_A_PLAYER"
    NOT_YOUR_ABILITY = "NOT_YOUR_ABILITY"
    NOT_YOUR_EXTRA = "NOT_YOUR_EXTRA"
    EVEN_NIGHTS_ONLY = "EVEN_NIGHTS_ONLY"
    WRONG_NIGHT = "WRONG_NIGHT"
    WRONG_TIME = "WRONG_TIME"
    LOST = "LOST"
    NO_SHOTS = "NO_SHOTS"
    USED_UP = "USED_UP"
    BAD_ARGS = "BAD_ARGS"
    UNKNOWN_TARGET = "UNKNOWN_TARGET"
    SELF_TARGET = "SELF_TARGET"
    SAME_TARGET = "SAME_TARGET"
    TEAMMATE = "TEAMMATE"
    SLOT_TAKEN = "SLOT_TAKEN"


class Fault(NamedTuple):
    """A fault in one game: the ruling behind it, the sentence its sender reads, the moderator's phrase."""

    ruling: str
    sentence: str
    phrase: str


@dataclass(frozen=True, slots=True)
class NightPosition(ABC):
    """The living with their cards, and the number of the night."""

    FAULTS: ClassVar[Mapping[FaultCode, Fault]]
    """Every fault that the game knows."""
    AIMS: ClassVar[Mapping[str, int]]
    """How many players each ability is aimed at."""
    PICKY: ClassVar[frozenset[str]] = frozenset()
    """The abilities for which `aim_fault` is asked."""
    FREE: ClassVar[frozenset[str]] = frozenset()
    """The abilities that may also name nobody."""

    roles: Mapping[SlotId, Role]
    night: int = 1

    @abstractmethod
    def use_fault(self, role: Role, action: Action) -> FaultCode | None:
        """What forbids the holder of the card this ability tonight, whoever it is aimed at."""

    @abstractmethod
    def may_target_self(self, role: Role, action: Action) -> bool:
        """Whether the card allows the ability on its own holder."""

    def aim_fault(self, action: Action) -> FaultCode | None:
        """What is wrong with the targets of one of the `PICKY` abilities, whoever they are."""
        return None

    @abstractmethod
    def slots(self, action: Action, holders: Mapping[SlotKey, Action]) -> tuple[SlotKey, ...]:
        """The slots that a legal line fills, given who holds which already."""

    @abstractmethod
    def in_order(self, actions: Iterable[Action]) -> list[Action]:
        """The lines in canonical order: of two that want one slot the earlier has it."""

    def fault(self, action: Action) -> FaultCode | None:
        """What is wrong with the line by itself; None: nothing."""
        actor, ability, targets, _ = action
        roles = self.roles
        role = roles.get(actor)
        if role is None:
            return FaultCode.NOT_A_PLAYER
        if ability not in role.abilities:
            return FaultCode.NOT_YOUR_ABILITY
        if code := self.use_fault(role, action):
            return code
        aim = self.aim_fault(action) if ability in self.PICKY else None
        named = len(targets) == self.AIMS[ability] or (not targets and ability in self.FREE)
        if not named or aim is FaultCode.BAD_ARGS:
            return FaultCode.BAD_ARGS
        for target in targets:
            if target not in roles:
                return FaultCode.UNKNOWN_TARGET
        if actor in targets and not self.may_target_self(role, action):
            return FaultCode.SELF_TARGET
        return aim

    def fault_ruling(self, action: Action, code: FaultCode) -> str:
        """The ruling by which this action is not taken."""
        return self.FAULTS[code].ruling

    def admit(self, actions: Iterable[Action], notes: list[Note]) -> list[Action]:
        """The actions of the night in canonical order; every other line is noted as rejected."""
        holders: dict[SlotKey, Action] = {}
        admitted = []
        for action in self.in_order(actions):
            code, holder = self.fault(action), None
            if code is None:
                holder = claim_slots(holders, self.slots(action, holders), action)
                if holder is None:
                    admitted.append(action)
                    continue
                code = FaultCode.SLOT_TAKEN
            notes.append(Note(action, Fate.REJECTED, code, holder, self.fault_ruling(action, code)))
        return admitted


@dataclass(frozen=True, slots=True)
class UsesPosition(NightPosition):
    """With the uses left: a limited ability or passive that `shots` does not list has the number printed on
    the card."""

    shots: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)

    def uses_left(self, slot: SlotId, ability: str) -> int | None:
        """How often the holder may still use an ability or passive of the card; None: every night."""
        role = self.roles[slot]
        printed = role.abilities[ability] if ability in role.abilities else role.printed[ability]
        return None if printed is None else self.shots.get(slot, {}).get(ability, printed)


def claim_slots(holders: dict[SlotKey, T], wanted: tuple[SlotKey, ...], claimant: T) -> T | None:
    """Give the slots to the claimant; where one of them has a holder give none and return that holder."""
    for slot in wanted:
        if slot in holders:
            return holders[slot]
    for slot in wanted:
        holders[slot] = claimant
    return None
