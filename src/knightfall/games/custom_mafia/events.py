"""What a custom game tells beside the events of every mafia game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts
from knightfall.mafia.events import MafiaSetup, Opening, Partner
from knightfall.sentence import SlotId


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
    """An option that is not at its default, and its value."""

    option: str
    value: str


@dataclass(frozen=True, slots=True)
class CustomOpening(Opening):
    """The first post, with the setup (None: it is secret) and the house rules."""

    setup: ShownSetup | None
    house: tuple[HouseRule, ...]


@dataclass(frozen=True, slots=True)
class RoleSheet:
    """A role of the setup and, in sentences, what it does and what limits that."""

    role: str
    does: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetupPost(MafiaSetup):
    """“This setup” of a custom game.

    `setup` and `sheets` are there where the players may know what is in the game. `about` are the abilities,
    passives, traits and sides that the rules have to speak of, and `shots` where something is limited: all of
    them where the setup is secret.
    """

    players: int
    night_first: bool
    setup: ShownSetup | None
    sheets: tuple[RoleSheet, ...]
    about: frozenset[str]


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability on a card: its heading, its line, its sentence, the uses (None: no end of them), on which
    `nights` (“even_night”, “odd_night”, "" on all), and what else limits it. `aimed`: it names players;
    `stoppable`: a limited use of it can be stopped by somebody else; `reports`: it brings an answer."""

    id: str
    title: str
    line: str
    sentence: str
    shots: int | None
    nights: str
    modifiers: tuple[str, ...]
    aimed: bool
    stoppable: bool
    reports: bool


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
    """A card in full, under the options of this game (`rules`). `in_love`: there are lovers, whether they
    are known or not. `can_be_away`: for all that the players know, a Commuter may be in the game. `title` is
    the name of the setup, or of the game where that is secret; `wording` in which words."""

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: str
    side: str
    known: tuple[KnownGroup, ...]
    abilities: tuple[AbilityLine, ...]
    passives: tuple[PassiveLine, ...]
    traits: tuple[str, ...]
    in_love: bool
    can_be_away: bool
    rules: Mapping[str, str]
    title: str
    wording: str
