"""Roles as data: a name, a side, abilities with their shots, traits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from knightfall.engine.game import Option

CLASSIC = "classic"
"""The wording of role PMs in the order and with the headings of a game's source."""


def wording(ruling: str) -> Option:
    """The option that chooses it. No night hangs on it, so it is none of a game's rules."""
    return Option("wording", ("ours", CLASSIC), ruling, "The wording of the role PMs")


Shots: TypeAlias = int | None
"""How often an ability may be used in the whole game; None: every night."""


class Alignment(StrEnum):
    """Whose victory a role works for."""

    TOWN = "town"
    MAFIA = "mafia"
    SERIAL_KILLER = "sk"
    JESTER = "jester"
    SURVIVOR = "survivor"


class Modifier(StrEnum):
    """What an ability asks for beyond its verb."""

    EVEN_NIGHT = "even_night"
    ODD_NIGHT = "odd_night"
    NON_CONSECUTIVE = "non_consecutive"
    """Not in a night after one in which it was used."""
    LAZY = "lazy"
    """Fails when at dusk one player or none of another side than the town is alive."""
    LOYAL = "loyal"
    """Fails on players of another side."""
    DISLOYAL = "disloyal"
    """Fails on players of one's own side."""
    WEAK = "weak"
    """Who reaches a player of another side dies of it."""


@dataclass(frozen=True, slots=True)
class Role:
    """One card. `abilities` are what its holder may submit, each with its `modifiers`; `passives` work by
    themselves, so often."""

    name: str
    alignment: Alignment
    abilities: Mapping[str, Shots] = field(default_factory=dict)
    traits: frozenset[str] = frozenset()
    modifiers: Mapping[str, frozenset[Modifier]] = field(default_factory=dict)
    passives: Mapping[str, Shots] = field(default_factory=dict)

    def asks(self, ability: str, modifier: Modifier) -> bool:
        """Whether the ability is so modified."""
        return ability in self.modifiers and modifier in self.modifiers[ability]
