"""What can be submitted in a custom game, one row an ability; and what a card can be by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from knightfall.mafia.abilities import STRIKE_BACK, Block, Drive, Jail, Redirect, check_answer
from knightfall.mafia.ability_row import AbilityRow, Effect, having
from knightfall.mafia.nar import ActionModifier
from knightfall.mafia.roles import Alignment, Role


class Ability(StrEnum):
    """The abilities that the rules speak of by name. `ABILITIES` has all, with everything about each."""

    MAFIA_KILL = "mafia_kill"
    KILL = "kill"
    COMMUTE = "commute"
    ROLEBLOCK = "roleblock"
    JAIL = "jail"
    REDIRECT = "redirect"
    DRIVE = "drive"
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


class CardSeen(NamedTuple):
    """A card as a check finds it. `bare_name` gives a card's name without side and limits, `house` are the
    options that are not at their default."""

    role: Role
    bare_name: Callable[[Role], str]
    house: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomAbility(AbilityRow):
    """An ability that roles can be put together from.

    `role` is the word of a role's name that gives it, with `aliases`; "" where none does. `does` says it in
    the catalog, `rulings` are the numbers of CM-R that bear on it, and `rule` the sentence of its own ruling
    where that is about nothing else. `gun`: who has it is armed (CM-R24). At night it changes other actions
    by `act`, in a ring as the wiki's list has it (`rank`), or answers by `find`; what is left of the night is
    of the rules' own making.
    """

    role: str = ""
    aliases: tuple[str, ...] = ()
    does: str
    rulings: tuple[int, ...]
    rule: str = ""
    stopped_by: str
    gun: bool = False
    act: ActionModifier | None = None
    rank: int | None = None
    find: Callable[[CardSeen], str] | None = None


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


NOTHING = "nothing"
_HELD = "a roleblock or a jail on its holder, a commuting target"
_COVERED = f"{_HELD}; on the target a heal, a jail, bulletproof or a bodyguard"
_CHECKS = frozenset({Effect.CHECKS})
_CHECK_WORDS = ("check", "investigate")

ABILITIES: tuple[CustomAbility, ...] = (
    CustomAbility(
        id=Ability.MAFIA_KILL,
        lines=("mafia kill", "mafia_kill"),
        title="Factional Kill",
        pm="You kill that player. The mafia has one kill a night, whichever of you carries it. To have a "
        "partner carry it out, write: kill NAME by PARTNER.",
        deed="kill of",
        called=("kill",),
        ruling="CM-R32",
        effects=frozenset({Effect.KILLS}),
        does="One member carries the faction's kill.",
        rulings=(13, 29, 31, 32),
        stopped_by=_COVERED,
        gun=True,
    ),
    CustomAbility(
        id=Ability.COP,
        lines=("cop",),
        title="Investigate",
        pm="You learn Guilty or Innocent.",
        deed="check of",
        called=("cop", *_CHECK_WORDS),
        ruling="CM-R23",
        effects=_CHECKS,
        asks="whether a player is guilty",
        answers={"Innocent": "of the town, or a Godfather", "Guilty": "mafia, Serial Killer or Miller"},
        role="Cop",
        does="Learns whether a player is Guilty or Innocent.",
        rulings=(23, 30),
        rule="A cop finds mafia, Serial Killer and Miller guilty, and a Godfather innocent.",
        stopped_by=_HELD,
        gun=True,
        find=_guilt,
    ),
    CustomAbility(
        id=Ability.HEAL,
        lines=("heal", "protect", "save"),
        title="Heal",
        pm="You protect that player from being killed that night.",
        deed="heal of",
        ruling="CM-R10",
        effects=frozenset({Effect.SHIELDS}),
        role="Doctor",
        aliases=("doc",),
        does="Protects a player from being killed.",
        rulings=(10, 13),
        rule="A doctor stops one kill; two doctors stop two.",
        stopped_by=_HELD,
    ),
    CustomAbility(
        id=Ability.KILL,
        lines=("shoot", "vig"),
        title="Kill",
        pm="You kill that player.",
        deed="kill of",
        called=("kill",),
        ruling="CM-R29",
        effects=frozenset({Effect.KILLS}),
        role="Vigilante",
        aliases=("vig", "vigi"),
        does="Kills a player.",
        rulings=(13, 24, 29, 31),
        stopped_by=_COVERED,
        gun=True,
    ),
    CustomAbility(
        id=Ability.ROLEBLOCK,
        lines=("roleblock", "block"),
        title="Roleblock",
        pm="Whatever that player set out to do that night fails.",
        deed="roleblock of",
        ruling="CM-R4",
        effects=frozenset({Effect.HOLDS}),
        role="Roleblocker",
        aliases=("rb", "role blocker"),
        does="Stops what a player does.",
        rulings=(4, 5),
        rule="A roleblock stops whatever its target set out to do, the mafia's kill too; passives work on.",
        stopped_by=_HELD,
        act=Block(),
        rank=1,
    ),
    CustomAbility(
        id=Ability.JAIL,
        lines=("jail",),
        title="Jail",
        pm="Whatever that player set out to do that night fails, and they cannot be killed, except by a "
        "Strongman.",
        deed="jail of",
        ruling="CM-R6",
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
        role="Jailkeeper",
        aliases=("jk", "jail keeper"),
        does="Jails a player, who can neither act nor be killed.",
        rulings=(6, 13, 14, 24),
        rule="A jail stops whatever its prisoner set out to do, and protects them from every kill.",
        stopped_by=_HELD,
        gun=True,
        act=Jail(),
        rank=1,
    ),
    CustomAbility(
        id=Ability.TRACK,
        lines=("track", "follow"),
        title="Track",
        pm="You learn whom that player visited: names, or “nobody”.",
        deed="track of",
        ruling="CM-R26",
        effects=frozenset({Effect.FOLLOWS}),
        asks="whom a player visited",
        role="Tracker",
        does="Learns whom a player visited.",
        rulings=(26, 28, 29, 30),
        rule="A tracker learns whom their target visited, wherever these visits were turned.",
        stopped_by=_HELD,
    ),
    CustomAbility(
        id=Ability.WATCH,
        lines=("watch",),
        title="Watch",
        pm="You learn who visited that player: names, or “nobody”. You do not see yourself.",
        deed="watch of",
        ruling="CM-R27",
        effects=frozenset({Effect.WATCHES}),
        asks="who visited a player",
        role="Watcher",
        does="Learns who visited a player.",
        rulings=(27, 28, 29, 30),
        rule="A watcher learns who visited their target, and does not see themselves.",
        stopped_by=_HELD,
    ),
    CustomAbility(
        id=Ability.GUNSMITH,
        lines=("gunsmith",),
        title="Investigate",
        pm="You learn Gun or No gun. Mafiosi, Serial Killers, Vigilantes, Cops, Gunsmiths, Jailkeepers and "
        "Bodyguards have a gun.",
        deed="gun check of",
        called=("gunsmith", *_CHECK_WORDS),
        ruling="CM-R24",
        effects=_CHECKS,
        asks="whether a player has a gun",
        answers={"No gun": "no card that brings one", "Gun": "a card that brings a gun"},
        role="Gunsmith",
        does="Learns whether a player has a gun.",
        rulings=(24, 30),
        rule="A gunsmith finds guns with mafia, killers, cops, gunsmiths, jailkeepers and bodyguards.",
        stopped_by=_HELD,
        gun=True,
        find=_gun,
    ),
    CustomAbility(
        id=Ability.ROLECOP,
        lines=("rolecop", "role cop"),
        title="Investigate",
        pm="You learn that player's role, but not their side.",
        deed="role check of",
        called=("rolecop", *_CHECK_WORDS),
        ruling="CM-R25",
        effects=_CHECKS,
        asks="which role a player has",
        role="Rolecop",
        aliases=("role cop",),
        does="Learns a player's role, but not their side.",
        rulings=(25, 30),
        rule="A rolecop learns the role without its side.",
        stopped_by=_HELD,
        find=lambda card: card.bare_name(card.role),
    ),
    CustomAbility(
        id="neapolitan",
        lines=("neapolitan",),
        title="Investigate",
        pm="You learn Vanilla Townie or Not a Vanilla Townie.",
        deed="vanilla check of",
        called=("neapolitan", *_CHECK_WORDS),
        ruling="CM-R44",
        effects=_CHECKS,
        asks="whether a player is a Vanilla Townie",
        answers={
            "Not a Vanilla Townie": "a power, or not of the town",
            "Vanilla Townie": "of the town, without a power",
        },
        role="Neapolitan",
        does="Learns whether a player is a Vanilla Townie.",
        rulings=(30, 44),
        rule="A Neapolitan learns whether a player is a Vanilla Townie.",
        stopped_by=_HELD,
        find=_vanilla,
    ),
    CustomAbility(
        id=Ability.COMMUTE,
        lines=("commute",),
        targets=0,
        title="Commute",
        pm="You are away that night. Whatever others aim at you fails.",
        deed="commute",
        ruling="CM-R3",
        role="Commuter",
        does="Is away for the night: what is aimed at them fails.",
        rulings=(3,),
        rule="A commuter is away: what others aim at them fails, and nothing keeps them at home.",
        stopped_by=NOTHING,
    ),
    CustomAbility(
        id=Ability.REDIRECT,
        lines=("redirect",),
        targets=2,
        between=("to", "onto"),
        title="Redirect",
        pm="What the first player set out to do that night goes to the second player.",
        deed="redirection of",
        ruling="CM-R7",
        role="Redirector",
        does="Sends what one player does to another player.",
        rulings=(1, 2, 7, 9, 34),
        rule="A redirect sends its first target's action to its second; of two aims it changes the first.",
        stopped_by=_HELD,
        act=Redirect(),
        rank=2,
    ),
    CustomAbility(
        id=Ability.DRIVE,
        lines=("drive", "swap"),
        targets=2,
        between=("and", "with"),
        title="Drive",
        pm="Whatever is aimed at one of these players that night goes to the other.",
        deed="drive of",
        ruling="CM-R8",
        role="Bus Driver",
        aliases=("busdriver",),
        does="Swaps two players: what is aimed at one reaches the other.",
        rulings=(1, 2, 8, 9, 34),
        rule="A bus driver swaps two players for everything aimed at either of them.",
        stopped_by=_HELD,
        act=Drive(),
        rank=0,
    ),
    CustomAbility(
        id=Ability.GUARD,
        lines=("guard", "bodyguard"),
        title="Guard",
        pm="If nothing else stops a kill on that player, you die in their place. Nothing saves you then.",
        deed="guarding of",
        ruling="CM-R11",
        role="Bodyguard",
        aliases=("bg", "body guard"),
        does="Dies in a player's place if nothing else stops the kill.",
        rulings=(11, 13, 24),
        rule="A bodyguard dies in their target's place if nothing else stops the kill; nothing saves them.",
        stopped_by=_HELD,
        gun=True,
    ),
)
"""Every ability; those that a role's word gives are in the order of a role's name."""

BY_THEMSELVES: tuple[AbilityRow, ...] = (
    AbilityRow(id=STRIKE_BACK, called=("bomb",), deed="blast at", ruling="CM-R15"),
    AbilityRow(id="love", called=("in love with",), deed="love for", ruling="CM-R16"),
)
"""What nobody submits: the blow of a Bomb, and a death of love."""

BY_ID: Mapping[str, CustomAbility] = {row.id: row for row in ABILITIES}
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
