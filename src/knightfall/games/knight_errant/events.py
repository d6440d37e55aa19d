"""What Knight-Errant tells, one dataclass for each kind of post."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts


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
class WalkStep:
    """A cell that the knight crosses: `A1`, its power role, and what it gives the Serial Killer."""

    cell: str
    role: str
    gives: str


@dataclass(frozen=True, slots=True)
class SetupPost(Facts):
    """“This setup”: the rules of the game under the chosen options, for everybody. Nothing of the deal.

    `rules` has the value of every option by name. `fixed` are the cards of every game, `townies` how many
    Vanilla Townies fill it up. `example` is the walk of one code out of `codes`, the same one in every game.
    `voting` are sentences about the day.
    """

    kind: ClassVar[str] = "setup"

    players: int
    rules: Mapping[str, str]
    fixed: tuple[RoleCount, ...]
    townies: int
    table: tuple[TableRow, ...]
    codes: int
    example_code: str
    example: tuple[WalkStep, ...]
    voting: tuple[str, ...]
