"""The abilities of Empowered Mafia as they differ from the table of all, what a line may add, the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from knightfall.mafia import ability_table as common
from knightfall.mafia.abilities import STRIKE_BACK
from knightfall.mafia.ability_row import AbilityRow, CardSeen, Effect
from knightfall.mafia.ability_table import TABLE
from knightfall.mafia.roles import Alignment, Role


class Ability(StrEnum):
    """What a card can do, by its name in this game. `DETONATE` is passive: nobody submits it."""

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


def _side(card: CardSeen) -> str:
    """EM-R20."""
    return "Mafia" if card.role.alignment is Alignment.MAFIA else "Town"


ABILITIES: tuple[AbilityRow, ...] = (
    replace(TABLE[common.Ability.EMPOWER], ruling="EM-R3"),
    replace(TABLE[common.Ability.AMPLIFY], ruling="EM-R3"),
    replace(
        TABLE[common.Ability.HEAL],
        id=Ability.PROTECT,
        lines=("protect", "heal"),
        title="Protection",
        pm="If you have power, you stop {stopped} on that player that night, except an Obliteration.",
        deed="protection of",
        ruling="EM-R15",
    ),
    replace(
        TABLE[common.Ability.JAIL],
        id=Ability.INCARCERATE,
        lines=("incarcerate", "jail"),
        title="Incarceration",
        pm="{that} player's actions are cancelled that night, and nothing but an Obliteration can kill them.",
        deed="incarceration of",
        ruling="EM-R7",
    ),
    replace(
        TABLE[common.Ability.COP],
        id=Ability.INVESTIGATE,
        lines=("investigate", "cop", "check"),
        called=(),
        title="Investigation",
        pm="If you have power, you learn in the morning whether that player is with the Town or the Mafia.",
        deed="investigation of",
        asks="which side a player is on",
        answers={"Town": "of the town", "Mafia": "of the mafia"},
        guilt={"Mafia": 1, "Town": -1},
        find=_side,
        ruling="EM-R20",
    ),
    replace(
        TABLE[common.Ability.TRACK],
        lines=("track",),
        title="Tracking",
        pm="If you have power, you learn in the morning whom that player targeted: names, or “nobody”.",
        asks="whom a player targeted",
        ruling="EM-R32",
    ),
    replace(
        TABLE[common.Ability.WATCH],
        id=Ability.STAKEOUT,
        lines=("watch", "stakeout"),
        called=("stakeout",),
        title="Stakeout",
        pm="If you have power, you learn in the morning who targeted that player: names, or “nobody”.",
        asks="who targeted a player",
        ruling="EM-R22",
    ),
    replace(
        TABLE[common.Ability.KILL],
        id=Ability.VIG,
        called=("vig",),
        title="Murder",
        pm="If you have power, you kill that player at the end of the night. Everybody learns that it was a "
        "shooting.",
        deed="shot at",
        ruling="EM-R19",
    ),
    replace(
        TABLE[common.Ability.MAFIA_KILL],
        id=Ability.MURDER,
        lines=("murder", "kill"),
        called=(),
        title="Murder",
        pm="One of you kills that player at the end of the night. Everybody learns that it was a shooting.",
        deed="murder of",
        ruling="EM-R19",
    ),
    replace(
        TABLE[STRIKE_BACK],
        id=Ability.DETONATE,
        called=("detonate",),
        title="Detonation",
        deed="explosion on",
        effects=frozenset({Effect.KILLS}),
        ruling="EM-R16",
    ),
)
"""Every ability. A sentence with a gap is filled by the options and the card in `views`."""

BY_ID: Mapping[str, AbilityRow] = {str(row.id): row for row in ABILITIES}
CHECKS = {str(row.id): row.find for row in ABILITIES if row.find is not None}
"""What each check finds on a card."""
REPORTS = frozenset(str(row.id) for row in ABILITIES if row.reports)
UNPOWERED = frozenset({str(Ability.EMPOWER), str(Ability.MURDER)})
"""What works without power whoever does it."""
TARGETS: Mapping[str, int] = {str(row.id): row.targets for row in ABILITIES}


BOMB = "bomb"
"""Trait: whoever kills its holder is killed, if the holder is powered."""
SERIAL_BOMB = "serial_bomb"
"""Trait: whoever targets its holder is killed, if the holder is powered."""
PIERCING = "piercing"
"""Trait: nothing prevents a Murder that its holder carries."""
INVISIBLE = "invisible"
"""Trait: its holder may hide each action."""
ADAPTABLE = "adaptable"
"""Trait: once, and again while powered: Obliteration or Incarceration."""


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
"""EM-R29: the card of a mafioso who has not chosen a role yet."""

ROLES: Mapping[str, Role] = {role.name: role for role in (EMPOWERER, *TOWN_ROLES, *MAFIA_ROLES)}
