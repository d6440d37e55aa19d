"""What can be submitted in a custom game, and what a card can be by itself."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Ability(StrEnum):
    """What can be submitted, in the notation of the cases."""

    MAFIA_KILL = "mafia_kill"
    """The faction's kill: one a night for the whole faction."""
    KILL = "kill"
    """A vigilante's or a Serial Killer's own."""
    COMMUTE = "commute"
    ROLEBLOCK = "roleblock"
    JAIL = "jail"
    REDIRECT = "redirect"
    """Two targets: whose action is turned, and to whom."""
    DRIVE = "drive"
    """Two targets, swapped."""
    HEAL = "heal"
    GUARD = "guard"
    COP = "cop"
    GUNSMITH = "gunsmith"
    ROLECOP = "rolecop"
    TRACK = "track"
    WATCH = "watch"


class Passive(StrEnum):
    """What works by itself, perhaps so many times only."""

    BULLETPROOF = "bulletproof"


class Trait(StrEnum):
    """What a card is, without anything to submit."""

    STRONGMAN = "strongman"
    NINJA = "ninja"
    GODFATHER = "godfather"
    MILLER = "miller"
    BOMB = "bomb"
    MASON = "mason"
    LOVER = "lover"
    ARMED = "armed"
    """The gunsmith finds a gun."""


KILLS = frozenset({Ability.MAFIA_KILL, Ability.KILL})
REPORTS = frozenset({Ability.COP, Ability.GUNSMITH, Ability.ROLECOP, Ability.TRACK, Ability.WATCH})
"""Abilities that bring an answer."""

_AIMED_OTHERWISE = {Ability.COMMUTE: 0, Ability.REDIRECT: 2, Ability.DRIVE: 2}
AIMS: Mapping[str, int] = {ability: _AIMED_OTHERWISE.get(ability, 1) for ability in Ability}
"""How many players each ability is aimed at."""
