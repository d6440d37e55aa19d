"""What Knight-Errant tells beside the events of every mafia game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts, SlotId
from knightfall.mafia.events import Partner


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability on a card: its sentence, the uses it begins with (None: no end of them), and whether it is
    for even nights only."""

    id: str
    sentence: str
    shots: int | None
    even_only: bool


@dataclass(frozen=True, slots=True)
class PassiveLine:
    """What works by itself, and how many times."""

    id: str
    uses: int


@dataclass(frozen=True, slots=True)
class RolePm(Facts):
    """A card: its side, the partners, what can be sent, what it is by nature (`traits`), what works by itself
    so many times (`passives`)."""

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: str
    side: str
    partners: tuple[Partner, ...]
    abilities: tuple[AbilityLine, ...]
    traits: tuple[str, ...]
    passives: tuple[PassiveLine, ...]
