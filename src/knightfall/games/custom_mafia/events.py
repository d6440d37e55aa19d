"""What a custom game tells, one dataclass for each kind of post."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts


@dataclass(frozen=True, slots=True)
class SetupLine:
    """A table of the setup: `count` cards of one role or each drawn from several, with `pick` each role at
    most once; `count` None: everyone else. `lovers`: how many of its cards love each other."""

    role: tuple[str, ...]
    count: int | None
    pick: bool
    lovers: int


@dataclass(frozen=True, slots=True)
class SetupRow:
    """One of the rows or columns of which one is drawn."""

    role: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownSetup:
    """A setup that everybody may know."""

    name: str
    lines: tuple[SetupLine, ...]
    matrix: tuple[SetupRow, ...]


@dataclass(frozen=True, slots=True)
class RoleSheet:
    """A role of the setup and, in sentences, what it does and what limits that."""

    role: str
    does: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetupPost(Facts):
    """“This setup”: the rules of the game under the chosen options, for everybody. Nothing of the deal.

    `setup` and `sheets` are there where the players may know what is in the game. `about` are the abilities,
    passives, traits and sides that the rules have to speak of, and `shots` where something is limited: all of
    them where the setup is secret. `rules` has the value of every option by name; `voting` are sentences
    about the day.
    """

    kind: ClassVar[str] = "setup"

    players: int
    night_first: bool
    setup: ShownSetup | None
    sheets: tuple[RoleSheet, ...]
    about: frozenset[str]
    rules: Mapping[str, str]
    voting: tuple[str, ...]
