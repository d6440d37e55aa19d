"""What can a written name turn out to mean?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from knightfall.core.roster import Slot


class Gone(Enum):
    """Why somebody cannot be voted for."""

    DEAD = "dead_target"
    NOT_A_PLAYER = "not_a_player"


@dataclass(frozen=True, slots=True)
class Matched:
    """One living slot fits by `rule`; `score` is 1.0 for certainty, less by edit distance."""

    slot: Slot
    rule: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class NoElimination:
    """The words mean that nobody shall be eliminated."""


@dataclass(frozen=True, slots=True)
class Absent:
    """The name is that of somebody who cannot be voted for."""

    name: str
    why: Gone


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Two or more of the living fit by the same rule."""

    candidates: tuple[Slot, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody fits; `nearest` lists who came closest, for the question to the moderator."""

    nearest: tuple[Slot, ...] = ()


Meaning: TypeAlias = Matched | NoElimination | Absent | Ambiguous | Unknown
