"""What can be submitted in Empowered Mafia, one row an ability, and what may be added to a line."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from knightfall.mafia.ability_row import AbilityRow, Effect


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


ABILITIES: tuple[AbilityRow, ...] = (
    AbilityRow(
        id=Ability.EMPOWER,
        lines=("empower",),
        pm="choose a player, who has power that night: what his own role can do then works.",
        deed="empowering of",
        ruling="EM-R3",
        effects=frozenset({Effect.POWERS}),
    ),
    AbilityRow(
        id=Ability.AMPLIFY,
        lines=("amplify",),
        targets=2,
        between=("and",),
        pm="choose two players, who both have power that night if you have it yourself.",
        deed="amplifying of",
        ruling="EM-R3",
        effects=frozenset({Effect.POWERS}),
    ),
    AbilityRow(
        id=Ability.PROTECT,
        lines=("protect", "heal"),
        pm="choose a player: if you have power, {shots}. Only an Obliteration gets through.",
        deed="protection of",
        ruling="EM-R15",
        effects=frozenset({Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.INCARCERATE,
        lines=("incarcerate", "jail"),
        pm="choose a player{condition}nothing that player set out to do happens, and no kill reaches him. "
        "Only an Obliteration gets through.",
        deed="incarceration of",
        ruling="EM-R7",
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.INVESTIGATE,
        lines=("investigate", "cop", "check"),
        pm="choose a player: if you have power, you are told in the morning whether he is with the Town or "
        "the Mafia.",
        deed="investigation of",
        ruling="EM-R20",
        effects=frozenset({Effect.CHECKS}),
        asks="which side a player is on",
        answers={"Town": "of the town", "Mafia": "of the mafia"},
    ),
    AbilityRow(
        id=Ability.TRACK,
        lines=("track",),
        pm="choose a player: if you have power, you are told in the morning whom he targeted, or nobody.",
        deed="track of",
        ruling="EM-R32",
        effects=frozenset({Effect.FOLLOWS}),
        asks="whom a player targeted",
    ),
    AbilityRow(
        id=Ability.STAKEOUT,
        lines=("watch", "stakeout"),
        pm="choose a player: if you have power, you are told in the morning who targeted him, or nobody.",
        deed="watch of",
        called=("stakeout",),
        ruling="EM-R22",
        effects=frozenset({Effect.WATCHES}),
        asks="who targeted a player",
    ),
    AbilityRow(
        id=Ability.VIG,
        lines=("shoot", "vig"),
        pm="choose a player: if you have power, you shoot him at the end of the night, and the shooting is "
        "made public.",
        deed="shot at",
        called=("vig",),
        ruling="EM-R19",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.MURDER,
        lines=("murder", "kill"),
        pm="one a night for your whole faction",
        deed="murder of",
        ruling="EM-R19",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.DETONATE,
        deed="explosion on",
        called=("detonate",),
        ruling="EM-R16",
        effects=frozenset({Effect.KILLS}),
    ),
)
"""Every ability. A sentence with a gap is filled by the options and the card in `views`."""

BY_ID: Mapping[str, AbilityRow] = {row.id: row for row in ABILITIES}
REPORTS = frozenset(row.id for row in ABILITIES if row.reports)
UNPOWERED = frozenset({Ability.EMPOWER, Ability.MURDER})
"""What works without power whoever does it."""
TARGETS: Mapping[str, int] = {row.id: row.targets for row in ABILITIES}
