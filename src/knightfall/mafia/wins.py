"""The living of each side, and the thresholds they have reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from knightfall.mafia.roles import TEAMS, Alignment, Role


class Winner(StrEnum):
    """How a game can end: one side wins, or nobody."""

    TOWN = "town"
    MAFIA = "mafia"
    SERIAL_KILLER = "sk"
    JESTER = "jester"
    MAFIA_A = "mafia a"
    MAFIA_B = "mafia b"
    MAFIA_C = "mafia c"
    WEREWOLVES = "werewolves"
    DRAW = "draw"


class Count(NamedTuple):
    """The living by side; `mafia` are those of every mafia, and werewolves."""

    town: int = 0
    mafia: int = 0
    sk: int = 0

    @property
    def alive(self) -> int:
        return self.town + self.mafia + self.sk


def count_sides(roles: Iterable[Role]) -> Count:
    """Count the sides of living players."""
    count = Counter(role.alignment for role in roles)
    mafia = sum(count[side] for side in TEAMS)
    return Count(count[Alignment.TOWN], mafia, count[Alignment.SERIAL_KILLER])


def at_parity(count: Count) -> bool:
    """At least one mafioso, and the town does not outnumber them."""
    return count.mafia > 0 and count.mafia >= count.town


def in_majority(count: Count) -> bool:
    """More mafiosi than everybody else."""
    return count.mafia > count.town + count.sk


def majority(alive: int) -> int:
    """Votes needed to eliminate: more than half of the living."""
    return alive // 2 + 1
