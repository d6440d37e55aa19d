"""The deal: roles, who is annoyed, and the three names on everybody's list.

KC-01: roles, the annoyed Duke, the annoyed Noble, the lists, in this order. All draws of a deal stand under
a path of their own, so that each attempt can have its own seed and the last one can be published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import permutations

from knightfall.engine.game import Chosen
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.kings_court.options import source
from knightfall.sentence import SlotId


class Role(StrEnum):
    """The three teams; the King is a team of one."""

    KING = "King"
    DUKE = "Duke"
    NOBLE = "Noble"


PLAYERS = 11
TEAMS: Mapping[Role, int] = {Role.KING: 1, Role.DUKE: 5, Role.NOBLE: 5}
OTHER: Mapping[Role, Role] = {Role.KING: Role.KING, Role.DUKE: Role.NOBLE, Role.NOBLE: Role.DUKE}
"""What the annoyed are claimed to be."""


@dataclass(frozen=True, slots=True)
class Deal:
    """KC-01: roles in slot order, the annoyed Duke and the annoyed Noble, three names for each player."""

    roles: Mapping[SlotId, Role]
    king: SlotId
    annoyed: frozenset[SlotId] = frozenset()
    hints: Mapping[SlotId, tuple[SlotId, ...]] = field(default_factory=dict)

    def team(self, role: Role) -> tuple[SlotId, ...]:
        """Its members in slot order."""
        return tuple(slot for slot, held in self.roles.items() if held is role)

    def claimed(self, slot: SlotId) -> Role:
        """KC-15: an annoyed Duke counts as Noble, an annoyed Noble as Duke."""
        role = self.roles[slot]
        return OTHER[role] if slot in self.annoyed else role


def check_slots(slots: Sequence[SlotId]) -> None:
    """KC-01: exactly 11 names. Raises InputError."""
    if len(slots) != PLAYERS:
        raise InputError(f"King's Court is for {PLAYERS} players; the list has {len(slots)}.")
    if len({slot.casefold() for slot in slots}) < PLAYERS:
        raise InputError("Two players have the same name: give one of them another.")


def deal(
    slots: Sequence[SlotId], rules: Chosen, draw: Rng, number: int, past_kings: Sequence[SlotId] = ()
) -> Deal:
    """Deal `number` of the match. KC-23: the kings of earlier attempts cannot be King."""
    here = source(rules, draw, "deal", number)
    king = here.choice("kc.king", tuple(slot for slot in slots if slot not in past_kings))
    others = tuple(slot for slot in slots if slot != king)
    dukes = here.sample("kc.dukes", others, TEAMS[Role.DUKE])
    roles = {slot: _role(slot, king, dukes) for slot in slots}
    bare = Deal(roles, king)
    duke = here.choice("kc.annoyed.duke", bare.team(Role.DUKE))
    noble = here.choice("kc.annoyed.noble", bare.team(Role.NOBLE))
    dealt = Deal(roles, king, frozenset({duke, noble}))
    # KC-19: one list each, or by option one for all.
    lists: Mapping[SlotId, tuple[SlotId, ...]]
    if rules["hint_lists"] == "shared":
        lists = dict.fromkeys(dealt.roles, _list(dealt, rules, None, here))
    else:
        lists = {slot: _list(dealt, rules, slot, here) for slot in dealt.roles}
    return Deal(roles, king, dealt.annoyed, lists)


def _role(slot: SlotId, king: SlotId, dukes: Sequence[SlotId]) -> Role:
    if slot == king:
        return Role.KING
    return Role.DUKE if slot in dukes else Role.NOBLE


def _list(dealt: Deal, rules: Chosen, reader: SlotId | None, draw: Rng) -> tuple[SlotId, ...]:
    """A Noble and a Duke other than its reader, a third out of everybody else, in random order."""
    seen = dealt.claimed if rules["annoyed_scope"] == "lists" else dealt.roles.__getitem__  # KC-16
    others = [slot for slot in dealt.roles if slot != reader]
    key = f":{reader}" if reader else ""
    noble = draw.choice(f"kc.hint.noble{key}", [slot for slot in others if seen(slot) is Role.NOBLE])
    duke = draw.choice(f"kc.hint.duke{key}", [slot for slot in others if seen(slot) is Role.DUKE])
    without_king = rules["hint_lists"] == "king_excluded"
    rest = [s for s in others if s not in (noble, duke) and not (without_king and s == dealt.king)]
    third = draw.choice(f"kc.hint.third{key}", rest)
    return draw.choice(f"kc.hint.order{key}", tuple(permutations((noble, duke, third))))
