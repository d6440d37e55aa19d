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
        title="Empower",
        pm="That player has power that night.",
        deed="empowering of",
        ruling="EM-R3",
        effects=frozenset({Effect.POWERS}),
    ),
    AbilityRow(
        id=Ability.AMPLIFY,
        lines=("amplify",),
        targets=2,
        between=("and",),
        title="Amplify",
        pm="If you have power, both of these players have power that night, too.",
        deed="amplifying of",
        ruling="EM-R3",
        effects=frozenset({Effect.POWERS}),
    ),
    AbilityRow(
        id=Ability.PROTECT,
        lines=("protect", "heal"),
        title="Protection",
        pm="If you have power, you stop {stopped} on that player that night, except an Obliteration.",
        deed="protection of",
        ruling="EM-R15",
        effects=frozenset({Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.INCARCERATE,
        lines=("incarcerate", "jail"),
        title="Incarceration",
        pm="{that} player's actions are cancelled that night, and nothing but an Obliteration can kill them.",
        deed="incarceration of",
        ruling="EM-R7",
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.INVESTIGATE,
        lines=("investigate", "cop", "check"),
        title="Investigation",
        pm="If you have power, you learn in the morning whether that player is with the Town or the Mafia.",
        deed="investigation of",
        ruling="EM-R20",
        effects=frozenset({Effect.CHECKS}),
        asks="which side a player is on",
        answers={"Town": "of the town", "Mafia": "of the mafia"},
    ),
    AbilityRow(
        id=Ability.TRACK,
        lines=("track",),
        title="Tracking",
        pm="If you have power, you learn in the morning whom that player targeted: names, or “nobody”.",
        deed="track of",
        ruling="EM-R32",
        effects=frozenset({Effect.FOLLOWS}),
        asks="whom a player targeted",
    ),
    AbilityRow(
        id=Ability.STAKEOUT,
        lines=("watch", "stakeout"),
        title="Stakeout",
        pm="If you have power, you learn in the morning who targeted that player: names, or “nobody”.",
        deed="watch of",
        called=("stakeout",),
        ruling="EM-R22",
        effects=frozenset({Effect.WATCHES}),
        asks="who targeted a player",
    ),
    AbilityRow(
        id=Ability.VIG,
        lines=("shoot", "vig"),
        title="Murder",
        pm="If you have power, you kill that player at the end of the night. Everybody learns that it was a "
        "shooting.",
        deed="shot at",
        called=("vig",),
        ruling="EM-R19",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.MURDER,
        lines=("murder", "kill"),
        title="Murder",
        pm="One of you kills that player at the end of the night. Everybody learns that it was a shooting.",
        deed="murder of",
        ruling="EM-R19",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.DETONATE,
        title="Detonation",
        deed="explosion on",
        called=("detonate",),
        ruling="EM-R16",
        effects=frozenset({Effect.KILLS}),
    ),
)
"""Every ability. A sentence with a gap is filled by the options and the card in `views`."""

BY_ID: Mapping[str, AbilityRow] = {str(row.id): row for row in ABILITIES}
REPORTS = frozenset(str(row.id) for row in ABILITIES if row.reports)
UNPOWERED = frozenset({str(Ability.EMPOWER), str(Ability.MURDER)})
"""What works without power whoever does it."""
TARGETS: Mapping[str, int] = {str(row.id): row.targets for row in ABILITIES}
