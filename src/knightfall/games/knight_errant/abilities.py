"""What can be submitted in Knight-Errant, one row an ability, and the Serial Killer's passives."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from knightfall.mafia.ability_row import AbilityRow, Effect, having


class Ability(StrEnum):
    """What can be submitted, and the Serial Killer's passives, in the notation of the cases."""

    MAFIA_KILL = "mafia_kill"
    KILL = "kill"
    STRONG_KILL = "strong_kill"
    COMMUTE = "commute"
    JAIL = "jail"
    ROLEBLOCK = "roleblock"
    HEAL = "heal"
    COP = "cop"
    GUNSMITH = "gunsmith"
    TRACK = "track"
    WATCH = "watch"
    BULLETPROOF = "bulletproof"
    IMMUNITY = "immunity"


_CHECK_WORDS = ("check", "investigate")

ABILITIES: tuple[AbilityRow, ...] = (
    AbilityRow(
        id=Ability.MAFIA_KILL,
        lines=("kill", "mafia kill", "mafia_kill"),
        pm="kill NAME: one kill a night for your whole faction; whoever carries it does nothing else that "
        "night.",
        deed="kill of",
        ruling="KE-R17",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.KILL,
        lines=("kill",),
        pm="kill NAME: every night.",
        deed="kill of",
        ruling="KE-R19",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.STRONG_KILL,
        lines=("strong kill", "strong-kill", "strong_kill", "strongkill"),
        pm="strong kill NAME: in place of your kill; nothing stops it.",
        deed="strong kill of",
        ruling="KE-R8",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.COMMUTE,
        lines=("commute",),
        targets=0,
        pm="commute: whatever is aimed at you that night fails.",
        deed="commute",
        ruling="KE-R3",
    ),
    AbilityRow(
        id=Ability.JAIL,
        lines=("jail",),
        pm="jail NAME: nothing but your own actions gets to that player or comes from him that night.",
        deed="jail of",
        ruling="KE-R1",
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.ROLEBLOCK,
        lines=("roleblock", "block"),
        pm="roleblock NAME: that player's actions fail that night.",
        deed="roleblock of",
        ruling="KE-R2",
        effects=frozenset({Effect.HOLDS}),
    ),
    AbilityRow(
        id=Ability.HEAL,
        lines=("heal",),
        pm="heal NAME: stops one kill on that player that night.",
        deed="heal of",
        ruling="KE-R10",
        effects=frozenset({Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.COP,
        lines=("cop",),
        pm="cop NAME: you are told Town, Anti-Town or No Result.",
        deed="check of",
        called=("cop", *_CHECK_WORDS),
        ruling="KE-R33",
        effects=frozenset({Effect.CHECKS}),
        asks="whether a player is of the town",
        answers={"Town": "of the town, or immune", "Anti-Town": "mafia or Serial Killer, not immune"},
    ),
    AbilityRow(
        id=Ability.GUNSMITH,
        lines=("gunsmith",),
        pm="gunsmith NAME: True for Cop, Gunsmith, Jailkeeper, Serial Killer and mafia, else False; or No "
        "Result.",
        deed="gun check of",
        called=("gunsmith", *_CHECK_WORDS),
        ruling="KE-R34",
        effects=frozenset({Effect.CHECKS}),
        asks="whether a player has a gun",
        answers={"False": "no gun, or immune", "True": "a card with a gun, not immune"},
    ),
    AbilityRow(
        id=Ability.TRACK,
        lines=("track",),
        pm="track NAME: whom that player visits; nobody; or No Result.",
        deed="track of",
        ruling="KE-R32",
        effects=frozenset({Effect.FOLLOWS}),
        asks="whom a player visited",
    ),
    AbilityRow(
        id=Ability.WATCH,
        lines=("watch",),
        pm="watch NAME: who visits that player; nobody; or No Result.",
        deed="watch of",
        ruling="KE-R31",
        effects=frozenset({Effect.WATCHES}),
        asks="who visited a player",
    ),
    AbilityRow(
        id=Ability.BULLETPROOF,
        lines=("bulletproof", "vest"),
        targets=0,
        pm="vest: no regular kill can hurt you that night.",
        deed="vest",
        called=("vest",),
        ruling="KE-R13",
    ),
    AbilityRow(id=Ability.IMMUNITY, targets=0, deed="immunity", called=("immunity",), ruling="KE-R35"),
)
"""Every ability; the immunity works by itself, and the vest unless an option says otherwise (KE-R13)."""

BY_ID: Mapping[str, AbilityRow] = {row.id: row for row in ABILITIES}
PASSIVES = frozenset({Ability.BULLETPROOF, Ability.IMMUNITY})
SELF_ONLY = frozenset(row.id for row in ABILITIES if not row.targets)
"""Abilities without a target."""
TARGETS: Mapping[str, int] = {row.id: row.targets for row in ABILITIES}
CHECKS = having(ABILITIES, Effect.CHECKS)
REPORTS = frozenset(row.id for row in ABILITIES if row.reports)
"""Abilities that bring an answer."""
KILLS = having(ABILITIES, Effect.KILLS)
