"""What Knight-Errant tells beside the events of every mafia game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts
from knightfall.mafia.events import MafiaSetup, Partner
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability on a card: its heading, its line, its sentence, the uses it begins with (None: no end of
    them), and on which `nights` (“even_night”, "" on all). `aimed`: it names a player; `stoppable`: a limited
    use of it can be stopped by somebody else."""

    id: str
    title: str
    line: str
    sentence: str
    shots: int | None
    nights: str
    aimed: bool
    stoppable: bool


@dataclass(frozen=True, slots=True)
class PassiveLine:
    """What works by itself, and how many times."""

    id: str
    uses: int


@dataclass(frozen=True, slots=True)
class RolePm(Facts):
    """A card: its side, the partners, what can be sent, what it is by nature (`traits`), what works by itself
    so many times (`passives`), the value of every option by name (`rules`), and in which `wording`."""

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: str
    side: str
    partners: tuple[Partner, ...]
    abilities: tuple[AbilityLine, ...]
    traits: tuple[str, ...]
    passives: tuple[PassiveLine, ...]
    rules: Mapping[str, str]
    wording: str


@dataclass(frozen=True, slots=True)
class RoleCount:
    """So many cards of one role."""

    role: str
    count: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the 4×4 table: its number, and the power role of each column from A to D."""

    number: int
    role: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartOdds:
    """Each walk that starts on one of these cells comes once in so many games."""

    cells: tuple[str, ...]
    one_in: int


@dataclass(frozen=True, slots=True)
class WalkStep:
    """A cell that the knight crosses: `A1`, its power role, and what it gives the Serial Killer."""

    cell: str
    role: str
    gives: str


@dataclass(frozen=True, slots=True)
class SetupPost(MafiaSetup):
    """“This setup” of Knight-Errant.

    `fixed` are the cards of every game, `townies` how many Vanilla Townies fill it up. `codes` walks are
    possible, with these `odds`. `example` is the walk of one of them, the same one in every game.
    """

    players: int
    fixed: tuple[RoleCount, ...]
    townies: int
    table: tuple[TableRow, ...]
    codes: int
    odds: tuple[StartOdds, ...]
    example_code: str
    example: tuple[WalkStep, ...]
