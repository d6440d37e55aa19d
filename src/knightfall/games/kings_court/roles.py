"""Who is what in one attempt of King's Court, and who is said to be what by a judge who is annoyed?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knightfall.core.game import SlotId


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
