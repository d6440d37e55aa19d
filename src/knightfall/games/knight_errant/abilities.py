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
        title="Factional Kill",
        pm="You kill that player. The mafia has one kill a night, whichever of you carries it. To have a "
        "partner carry it out, write: kill NAME by PARTNER.",
        deed="kill of",
        ruling="KE-R17",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.KILL,
        lines=("kill",),
        title="Kill",
        pm="You kill that player.",
        deed="kill of",
        ruling="KE-R19",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.STRONG_KILL,
        lines=("strong kill", "strong-kill", "strong_kill", "strongkill"),
        title="Strong Kill",
        pm="You kill that player, instead of using your normal kill. Nothing stops a strong kill.",
        deed="strong kill of",
        ruling="KE-R8",
        effects=frozenset({Effect.KILLS}),
    ),
    AbilityRow(
        id=Ability.COMMUTE,
        lines=("commute",),
        targets=0,
        title="Commute",
        pm="You are away that night. Whatever others aim at you fails, except a strong kill.",
        deed="commute",
        ruling="KE-R3",
    ),
    AbilityRow(
        id=Ability.JAIL,
        lines=("jail",),
        title="Jail",
        pm="Whatever others aim at that player fails, and so does whatever that player does later in the "
        "order, except a strong kill. A player who commutes cannot be jailed.",
        deed="jail of",
        ruling="KE-R1",
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.ROLEBLOCK,
        lines=("roleblock", "block"),
        title="Roleblock",
        pm="What that player does later in the order of the night fails, except a strong kill.",
        deed="roleblock of",
        ruling="KE-R2",
        effects=frozenset({Effect.HOLDS}),
    ),
    AbilityRow(
        id=Ability.HEAL,
        lines=("heal",),
        title="Heal",
        pm="You protect that player from one kill that night, but not from a strong kill.",
        deed="heal of",
        ruling="KE-R10",
        effects=frozenset({Effect.SHIELDS}),
    ),
    AbilityRow(
        id=Ability.COP,
        lines=("cop",),
        title="Investigate",
        pm="You learn Town or Anti-Town. The mafia and the Serial Killer are Anti-Town. A player with "
        "investigation immunity shows as Town.",
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
        title="Investigate",
        pm="You learn True or False.",
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
        title="Track",
        pm="You learn whom that player visited: names, or “nobody”.",
        deed="track of",
        ruling="KE-R32",
        effects=frozenset({Effect.FOLLOWS}),
        asks="whom a player visited",
    ),
    AbilityRow(
        id=Ability.WATCH,
        lines=("watch",),
        title="Watch",
        pm="You learn who visited that player: names, or “nobody”.",
        deed="watch of",
        ruling="KE-R31",
        effects=frozenset({Effect.WATCHES}),
        asks="who visited a player",
    ),
    AbilityRow(
        id=Ability.BULLETPROOF,
        lines=("bulletproof", "vest"),
        targets=0,
        title="Bulletproof",
        pm="No regular kill can hurt you that night.",
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
TARGETS: Mapping[str, int] = {str(row.id): row.targets for row in ABILITIES}
CHECKS = having(ABILITIES, Effect.CHECKS)
REPORTS = frozenset(row.id for row in ABILITIES if row.reports)
"""Abilities that bring an answer."""
KILLS = having(ABILITIES, Effect.KILLS)
STOPPABLE = frozenset(row.id for row in ABILITIES if row.targets) - {Ability.STRONG_KILL}
"""What somebody else can stop."""
