"""Which cards does Empowered Mafia have, and what can each submit?"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from knightfall.mafia.roles import Alignment, Role


class Ability(StrEnum):
    """What a card can do. `DETONATE` is passive: nobody submits it."""

    EMPOWER = "empower"
    AMPLIFY = "amplify"
    PROTECT = "protect"
    INCARCERATE = "incarcerate"
    INVESTIGATE = "investigate"
    TRACK = "track"
    STAKEOUT = "stakeout"
    VIG = "vig"
    MURDER = "murder"
    DETONATE = "detonate"


class Extra(StrEnum):
    """What may be added to a line."""

    INVISIBLE = "invisible"
    OBLITERATE = "obliterate"


BOMB = "bomb"
"""Trait: whoever kills him is killed, if he is powered."""
SERIAL_BOMB = "serial_bomb"
"""Trait: whoever targets him is killed, if he is powered."""
PIERCING = "piercing"
"""Trait: nothing prevents his Murder."""
INVISIBLE = "invisible"
"""Trait: may hide each of his actions."""
ADAPTABLE = "adaptable"
"""Trait: once, and again while powered: Obliteration or Incarceration."""

KILLS = frozenset({Ability.MURDER, Ability.VIG})
REPORTS = frozenset({Ability.INVESTIGATE, Ability.TRACK, Ability.STAKEOUT})
UNPOWERED = frozenset({Ability.EMPOWER, Ability.MURDER})
"""What works without power whoever does it."""
TARGETS: Mapping[str, int] = {ability: 2 if ability is Ability.AMPLIFY else 1 for ability in Ability}


def _town(name: str, ability: Ability | None = None, *traits: str) -> Role:
    return Role(name, Alignment.TOWN, {ability: None} if ability else {}, frozenset(traits))


def _mafia(name: str, ability: Ability | None = None, *traits: str) -> Role:
    own: dict[str, None] = {ability: None} if ability else {}
    return Role(name, Alignment.MAFIA, {Ability.MURDER: None, **own}, frozenset(traits))


EMPOWERER = _town("Empowerer", Ability.EMPOWER)

TOWN_ROLES = (
    _town("Amplifier", Ability.AMPLIFY),
    _town("Doctor", Ability.PROTECT),
    _town("Jailkeeper", Ability.INCARCERATE),
    _town("Cop", Ability.INVESTIGATE),
    _town("Tracker", Ability.TRACK),
    _town("Watcher", Ability.STAKEOUT),
    _town("Vigilante", Ability.VIG),
    _town("Bomb", None, BOMB),
)
"""The eight of which every game has equally many on its list."""

MAFIA_ROLES = (
    _mafia("Strongman", None, PIERCING),
    _mafia("Kidnapper", Ability.INCARCERATE),
    _mafia("Ninja", Ability.INCARCERATE, INVISIBLE, ADAPTABLE),
    _mafia("Serial Bomber", None, SERIAL_BOMB),
)
"""The four that mafiosi choose from."""

UNCHOSEN = Role("Mafioso", Alignment.MAFIA)
"""EM-R29: the card of a mafioso who has not chosen his role yet."""

ROLES: Mapping[str, Role] = {role.name: role for role in (EMPOWERER, *TOWN_ROLES, *MAFIA_ROLES)}
