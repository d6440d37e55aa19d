"""The abilities that a custom game has, with their rulings; and what a card can be by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from knightfall.mafia.abilities import STRIKE_BACK, TABLE, check_answer
from knightfall.mafia.abilities import Ability as Ability
from knightfall.mafia.ability_row import AbilityRow, CardSeen, Effect, having
from knightfall.mafia.nar import ActionModifier
from knightfall.mafia.roles import Alignment


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


def _guilt(card: CardSeen) -> str:
    """CM-R23."""
    role = card.role
    killer = role.alignment is Alignment.SERIAL_KILLER and "cop_sees_killer" not in card.house
    guilty = killer or role.alignment is Alignment.MAFIA or Trait.MILLER in role.traits
    return check_answer(guilty, Trait.GODFATHER in role.traits, ("Guilty", "Innocent"))


def _gun(card: CardSeen) -> str:
    """CM-R24."""
    return check_answer(Trait.ARMED in card.role.traits, False, ("Gun", "No gun"))


def _vanilla(card: CardSeen) -> str:
    """CM-R44."""
    townie = card.role.name == "Vanilla Townie"
    return check_answer(townie, False, ("Vanilla Townie", "Not a Vanilla Townie"))


def _name(card: CardSeen) -> str:
    """CM-R25."""
    return card.bare_name(card.role)


ABILITIES: tuple[AbilityRow, ...] = (
    replace(TABLE[Ability.MAFIA_KILL], ruling="CM-R32", rulings=(13, 29, 31, 32)),
    replace(
        TABLE[Ability.COP],
        find=_guilt,
        ruling="CM-R23",
        rulings=(23, 30),
        rule="A cop finds mafia, Serial Killer and Miller guilty, and a Godfather innocent.",
    ),
    replace(
        TABLE[Ability.HEAL],
        ruling="CM-R10",
        rulings=(10, 13),
        rule="A doctor stops one kill; two doctors stop two.",
    ),
    replace(TABLE[Ability.KILL], ruling="CM-R29", rulings=(13, 24, 29, 31)),
    replace(
        TABLE[Ability.ROLEBLOCK],
        ruling="CM-R4",
        rulings=(4, 5),
        rule="A roleblock stops whatever its target set out to do, the mafia's kill too; passives work on.",
    ),
    replace(
        TABLE[Ability.JAIL],
        ruling="CM-R6",
        rulings=(6, 13, 14, 24),
        rule="A jail stops whatever its prisoner set out to do, and protects them from every kill.",
    ),
    replace(
        TABLE[Ability.TRACK],
        ruling="CM-R26",
        rulings=(26, 28, 29, 30),
        rule="A tracker learns whom their target visited, wherever these visits were turned.",
    ),
    replace(
        TABLE[Ability.WATCH],
        ruling="CM-R27",
        rulings=(27, 28, 29, 30),
        rule="A watcher learns who visited their target, and does not see themselves.",
    ),
    replace(
        TABLE[Ability.GUNSMITH],
        find=_gun,
        ruling="CM-R24",
        rulings=(24, 30),
        rule="A gunsmith finds guns with mafia, killers, cops, gunsmiths, jailkeepers and bodyguards.",
    ),
    replace(
        TABLE[Ability.ROLECOP],
        find=_name,
        ruling="CM-R25",
        rulings=(25, 30),
        rule="A rolecop learns the role without its side.",
    ),
    replace(
        TABLE[Ability.NEAPOLITAN],
        find=_vanilla,
        ruling="CM-R44",
        rulings=(30, 44),
        rule="A Neapolitan learns whether a player is a Vanilla Townie.",
    ),
    replace(
        TABLE[Ability.COMMUTE],
        ruling="CM-R3",
        rulings=(3,),
        rule="A commuter is away: what others aim at them fails, and nothing keeps them at home.",
    ),
    replace(
        TABLE[Ability.REDIRECT],
        ruling="CM-R7",
        rulings=(1, 2, 7, 9, 34),
        rule="A redirect sends its first target's action to its second; of two aims it changes the first.",
    ),
    replace(
        TABLE[Ability.DRIVE],
        ruling="CM-R8",
        rulings=(1, 2, 8, 9, 34),
        rule="A bus driver swaps two players for everything aimed at either of them.",
    ),
    replace(
        TABLE[Ability.GUARD],
        ruling="CM-R11",
        rulings=(11, 13, 24),
        rule="A bodyguard dies in their target's place if nothing else stops the kill; nothing saves them.",
    ),
)
"""Every ability; those that a role's word gives are in the order of a role's name."""

BY_THEMSELVES: tuple[AbilityRow, ...] = (
    replace(TABLE[STRIKE_BACK], ruling="CM-R15"),
    replace(TABLE["love"], ruling="CM-R16"),
)
"""What nobody submits: the blow of a Bomb, and a death of love."""

BY_ID: Mapping[str, AbilityRow] = {row.id: row for row in ABILITIES}
KILLS = having(ABILITIES, Effect.KILLS)
REPORTS = frozenset(str(row.id) for row in ABILITIES if row.reports)
"""Abilities that bring an answer."""
CHECKS = {str(row.id): row.find for row in ABILITIES if row.find is not None}
"""What each check finds on a card."""
ACTION_MODIFIERS: Mapping[str, ActionModifier] = {
    str(row.id): row.act for row in ABILITIES if row.act is not None
}
"""What changes other actions."""
AIMS: Mapping[str, int] = {str(row.id): row.targets for row in ABILITIES}
"""How many players each ability is aimed at."""
