"""What a custom game tells beside the events of every mafia game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts, SlotId
from knightfall.mafia.events import Opening, Partner


@dataclass(frozen=True, slots=True)
class SetupLine:
    """A line of a setup: `count` players (None: everyone else) with one of the roles each; `pick`: so many of
    the roles, drawn; `lovers` of them are lovers."""

    count: int | None
    pick: bool
    roles: tuple[str, ...]
    lovers: int


@dataclass(frozen=True, slots=True)
class SetupRow:
    """A row of a matrix, of which one is drawn."""

    name: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownSetup:
    """A setup that everybody may know."""

    name: str
    lines: tuple[SetupLine, ...]
    matrix: tuple[SetupRow, ...]


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option that is not at its default."""

    question: str
    value: str


@dataclass(frozen=True, slots=True)
class CustomOpening(Opening):
    """The first post, with the setup (None: it is secret) and the house rules."""

    setup: ShownSetup | None
    house: tuple[HouseRule, ...]


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability on a card: its sentence, the uses (None: no end of them), and what limits it."""

    id: str
    sentence: str
    shots: int | None
    modifiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassiveLine:
    """What works by itself, and how many times (None: always)."""

    id: str
    uses: int | None


@dataclass(frozen=True, slots=True)
class KnownGroup:
    """Whom a player knows by one bond: mafia, mason or lover."""

    bond: str
    partners: tuple[Partner, ...]


@dataclass(frozen=True, slots=True)
class RolePm(Facts):
    """A card in full, under the options of this game (`rules`)."""

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: str
    side: str
    known: tuple[KnownGroup, ...]
    abilities: tuple[AbilityLine, ...]
    passives: tuple[PassiveLine, ...]
    traits: tuple[str, ...]
    rules: Mapping[str, str]
