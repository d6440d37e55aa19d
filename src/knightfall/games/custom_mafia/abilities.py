"""The abilities that a custom game has, with their rulings; and what a card can be by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from knightfall.mafia.abilities import SHOOT_AT_THE_DOOR, STRIKE_BACK, check_answer
from knightfall.mafia.ability_row import AbilityRow, CardSeen, Effect, having
from knightfall.mafia.ability_table import TABLE
from knightfall.mafia.ability_table import Ability as Ability
from knightfall.mafia.nar import ActionModifier
from knightfall.mafia.roles import SERVES_FACTION, TEAMS, UNKNOWN_TO_FACTION, Alignment, Role


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
    NEIGHBOR = "neighbor"
    INNOCENT_CHILD = "innocent_child"
    ENCRYPTOR = "encryptor"
    TRAITOR = UNKNOWN_TO_FACTION
    MACHO = "macho"
    ASCETIC = "ascetic"
    DOUBLEVOTER = "doublevoter"
    VOTELESS = "voteless"
    LOVED = "loved"
    HATED = "hated"
    TREESTUMP = "treestump"
    UNIVERSAL_BACKUP = "universal_backup"
    GUN_OWNER = "gun_owner"
    LYCAN = "lycan"
    MINION = SERVES_FACTION
    INFORMED = "informed"
    ARMED = "armed"
    """The gunsmith finds a gun."""


VOTES = frozenset({Trait.DOUBLEVOTER, Trait.VOTELESS, Trait.LOVED, Trait.HATED})
"""What bears on the vote."""


def _guilt(card: CardSeen) -> str:
    """CM-R23."""
    role = card.role
    killer = role.alignment is Alignment.SERIAL_KILLER and "cop_sees_killer" not in card.house
    wolf = role.alignment is Alignment.WEREWOLVES and "cop_sees_werewolves" in card.house
    guilty = killer or (role.alignment in TEAMS and not wolf) or not _GUILTY.isdisjoint(role.traits)
    return check_answer(guilty, Trait.GODFATHER in role.traits, ("Guilty", "Innocent"))


_GUILTY = frozenset({Trait.MILLER, Trait.LYCAN})


def _wolf(card: CardSeen) -> str:
    """CM-R70, CM-R99, CM-R101."""
    role = card.role
    wolf = role.alignment is Alignment.WEREWOLVES and Trait.MINION not in role.traits
    wolf = wolf or Trait.LYCAN in role.traits
    return check_answer(wolf, False, ("Werewolf", "Not a Werewolf"))


def _seer(card: CardSeen) -> str:
    """CM-R100."""
    return check_answer(Ability.SEER in card.role.abilities, False, ("Seer", "Not a Seer"))


def _gun(card: CardSeen) -> str:
    """CM-R24; by option as Normal games on MafiaScum have it."""
    armed = _is_armed(card.role) if "guns" in card.house else Trait.ARMED in card.role.traits
    return check_answer(armed, False, ("Gun", "No gun"))


def _is_armed(role: Role) -> bool:
    """Whether a card has a gun in a Normal game: its backups have one, too."""
    mafia = (
        role.alignment in TEAMS and Trait.TRAITOR not in role.traits and Ability.HEAL not in role.abilities
    )
    killer = role.alignment is Alignment.SERIAL_KILLER
    return mafia or (not killer and not _NORMAL_GUNS.isdisjoint(role.abilities))


_NORMAL_GUNS = frozenset(
    map(
        str,
        (
            Ability.COP,
            Ability.KILL,
            Ability.GUNSMITH,
            Ability.ROLECOP,
            Ability.VANILLA_COP,
            Ability.DETECTIVE,
            Ability.NEAPOLITAN,
            Ability.AVENGE,
        ),
    )
)


def _vanilla(card: CardSeen) -> str:
    """CM-R44."""
    townie = card.role.name == "Vanilla Townie"
    return check_answer(townie, False, ("Vanilla Townie", "Not a Vanilla Townie"))


def _name(card: CardSeen) -> str:
    """CM-R25."""
    return card.bare_name(card.role)


def is_vanilla(role: Role) -> bool:
    """Whether a card has no more than its side: a Vanilla Townie, or a goon of a mafia or of werewolves."""
    return role.name == "Vanilla Townie" or (role.alignment in TEAMS and role.name.endswith(" Goon"))


def _bare(card: CardSeen) -> str:
    """CM-R53."""
    return "Vanilla" if is_vanilla(card.role) else "Not vanilla"


def _talks(card: CardSeen) -> str:
    """CM-R54."""
    role = card.role
    talks = role.in_team or role.bonds.keys() & {Trait.MASON, Trait.NEIGHBOR}
    reaches = role.abilities.keys() & {Ability.NEIGHBORIZE, Ability.MESSAGE}
    return "Talks" if talks or reaches else "Does not talk"


ABILITIES: tuple[AbilityRow, ...] = (
    replace(
        TABLE[Ability.MAFIA_KILL],
        pm="You kill that player. Your side has one kill a night, whichever of you carries it. To have a "
        "partner carry it out, add to that line: by PARTNER.",
        ruling="CM-R32",
        rulings=(13, 29, 31, 32),
    ),
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
    replace(
        TABLE[Ability.STRONG_KILL],
        pm="You kill that player, instead of using your normal kill. No roleblock, jail, protection or "
        "Bulletproof stops it.",
        ruling="CM-R14",
        rulings=(13, 14, 29, 32),
    ),
    replace(TABLE[Ability.HIDDEN_KILL], ruling="CM-R28", rulings=(13, 28, 29, 32)),
    replace(
        TABLE[Ability.HIDE],
        ruling="CM-R50",
        rulings=(14, 50),
        rule="No kill but a Strongman's reaches a hider; they die if whom they hide behind dies, or is mafia "
        "or a Serial Killer, and not of their own side; nothing saves them.",
    ),
    replace(
        TABLE[Ability.BABYSIT],
        ruling="CM-R51",
        rulings=(10, 13, 51),
        rule="A babysitter stops one kill; if they die that night, whom they sat for dies, too.",
    ),
    replace(
        TABLE[Ability.FRAME],
        ruling="CM-R52",
        rulings=(23, 52),
        rule="Who was framed is guilty to every cop that night, a Godfather too.",
    ),
    replace(
        TABLE[Ability.VANILLA_COP],
        find=_bare,
        ruling="CM-R53",
        rulings=(30, 53),
        rule="A vanilla cop learns whether a player is a Vanilla Townie or a Goon, or neither.",
    ),
    replace(
        TABLE[Ability.TRAFFIC],
        find=_talks,
        ruling="CM-R54",
        rulings=(30, 54),
        rule="A traffic analyst learns whether a card lets its holder talk in private: mafia but no traitor, "
        "masons, neighbors, neighborizers and messengers.",
    ),
    replace(
        TABLE[Ability.FOLLOW],
        ruling="CM-R55",
        rulings=(28, 29, 30, 55),
        rule="A follower learns what kind of action a player did; every kill is “kill”.",
    ),
    replace(
        TABLE[Ability.VOYEUR],
        ruling="CM-R56",
        rulings=(28, 29, 30, 56),
        rule="A voyeur learns what kinds of action others than themselves did to a player.",
    ),
    replace(
        TABLE[Ability.MOTION],
        ruling="CM-R57",
        rulings=(28, 29, 30, 57),
        rule="A motion detector learns whether a player visited anybody, or anybody but the detector them.",
    ),
    replace(
        TABLE[Ability.REPORT],
        ruling="CM-R58",
        rulings=(28, 29, 30, 58),
        rule="A reporter learns whether a player visited anybody.",
    ),
    replace(
        TABLE[Ability.ROLE_WATCH],
        ruling="CM-R59",
        rulings=(25, 28, 29, 30, 59),
        rule="A role watcher learns the roles of who visited their target, but no names.",
    ),
    replace(
        TABLE[Ability.FRUIT],
        ruling="CM-R60",
        rulings=(60,),
        rule="Who was given fruit is told so in the morning, and not by whom.",
    ),
    replace(TABLE[Ability.WEAR], ruling="CM-R85", rulings=(12, 13, 85)),
    # After the MafiaScum wiki: Traffic Analyst, which speaks of whom the moderator relays messages for.
    replace(
        TABLE[Ability.MESSAGE],
        ruling="CM-R93",
        rulings=(54, 93),
        rule="What a messenger writes is told in the morning to whoever it reaches, and not by whom.",
    ),
    # After the MafiaScum wiki: Rolestopper, Alien (role), Detective; Shield by what Bulwark says of it.
    replace(
        TABLE[Ability.ROLESTOP],
        ruling="CM-R89",
        rulings=(1, 2, 14, 89),
        rule="A rolestop stops whatever others aim at its target, but a Strongman's kill, a bus drive and "
        "another rolestop.",
    ),
    replace(
        TABLE[Ability.ABDUCT],
        ruling="CM-R90",
        rulings=(1, 2, 4, 14, 89, 90),
        rule="An alien blocks their target, and stops what others aim at them as a rolestop does, a rolestop "
        "and another alien apart.",
    ),
    replace(
        TABLE[Ability.DETECTIVE],
        ruling="CM-R91",
        rulings=(30, 91),
        rule="A detective learns whether a player has ever sent a kill, tonight's too, whatever came of it, "
        "and a Ninja's as well.",
    ),
    replace(
        TABLE[Ability.SHIELD],
        ruling="CM-R92",
        rulings=(13, 14, 92),
        rule="A shield dies in the place of the first whom their target would kill, before anything else "
        "could stop that; nothing saves them. Of several the first in the list of players does.",
    ),
    replace(
        TABLE[Ability.BEFRIEND],
        ruling="CM-R61",
        rulings=(61,),
        rule="Who was befriended is told by whom, and that they are of the town.",
    ),
    replace(
        TABLE[Ability.OWN],
        ruling="CM-R68",
        rulings=(68,),
        rule="What a card of the moderator's own does is decided by the moderator; a block or a jail stops "
        "it, and it is a visit where it names a player.",
    ),
    replace(
        TABLE[Ability.NEIGHBORIZE],
        ruling="CM-R62",
        rulings=(30, 62),
        rule="Who was neighborized talks with the neighborizer and their neighbors from the morning on.",
    ),
    replace(
        TABLE[Ability.PART],
        ruling="CM-R95",
        rulings=(30, 95),
        rule="Who was deneighborized leaves the rooms of neighborizers from the morning on, until they are "
        "made a neighbor again on a later night, and is told by whom; neighbors by their card stay.",
    ),
    replace(
        TABLE[Ability.SEER],
        find=_wolf,
        ruling="CM-R70",
        rulings=(30, 70),
        rule="A Seer finds werewolves and nobody else.",
    ),
    replace(
        TABLE[Ability.DAY_KILL],
        ruling="CM-R71",
        rulings=(12, 24, 71),
        rule="A day vigilante's target dies when the line is sent; nothing but Bulletproof stops it, "
        "there is one shot a day, and none once the votes have ended it.",
    ),
    replace(
        TABLE[Ability.AVENGE],
        ruling="CM-R72",
        rulings=(12, 72),
        rule="A vengeful player who was voted out may kill somebody until the night is closed; while they "
        "may, nobody but the town can win.",
    ),
    replace(
        TABLE[Ability.PARDON],
        ruling="CM-R73",
        rulings=(73,),
        rule="Where a governor's pardon stands when a day ends, nobody is eliminated; only then it is spent. "
        "It may be sent after the votes have ended the day, too, until the day is closed; then it stands.",
    ),
    replace(
        TABLE[Ability.REVEAL],
        ruling="CM-R74",
        rulings=(74,),
        rule="Everybody is told of a mayor who steps forward; each vote that they post from then on "
        "counts twice. It is too late once the votes have ended the day.",
    ),
    # After what Town of Salem says of a Veteran; a roleblock stops it here as it stops all that is done.
    replace(
        TABLE[Ability.ALERT],
        ruling="CM-R97",
        rulings=(12, 14, 96, 97),
        rule="A veteran on alert survives every kill but a Strongman's, and shoots whoever comes to them.",
    ),
    # After the MafiaScum wiki: CPR Doctor.
    replace(
        TABLE[Ability.CPR],
        ruling="CM-R98",
        rulings=(10, 13, 98),
        rule="CPR is a heal for whoever somebody tries to kill that night, and a kill for everybody else; "
        "that kill can be stopped.",
    ),
    # After Ultimate Werewolf: Sorceress, Cupid.
    replace(
        TABLE[Ability.SORCERER],
        find=_seer,
        ruling="CM-R100",
        rulings=(30, 100),
        rule="A sorcerer finds Seers and nobody else.",
    ),
    replace(
        TABLE[Ability.LINK],
        ruling="CM-R106",
        rulings=(16, 34, 106),
        rule="Cupid makes two players lovers on night 1, who are told and love from the start of that night.",
    ),
)
"""Every ability; those that a role's word gives are in the order of a role's name."""

BY_THEMSELVES: tuple[AbilityRow, ...] = (
    replace(TABLE[STRIKE_BACK], ruling="CM-R15"),
    replace(TABLE[SHOOT_AT_THE_DOOR], ruling="CM-R96"),
    replace(TABLE["love"], ruling="CM-R16"),
)
"""What nobody submits: the blow of a Bomb, the shot of who shoots whoever comes, and a death of love."""

BY_DAY = frozenset(str(row.id) for row in ABILITIES if row.by_day)
"""What is done by day, or by who was voted out."""
BY_ID: Mapping[str, AbilityRow] = {row.id: row for row in ABILITIES}
BY_OPTION: Mapping[tuple[str, str], AbilityRow] = {
    ("hider", "lives"): replace(
        BY_ID[Ability.HIDE],
        pm="No regular kill can reach you that night. If that player is killed, you die, too.",
        does="Hides behind a player from every kill, and dies if that player is killed.",
        rule="No kill but a Strongman's reaches a hider; they die if whom they hide behind is killed, "
        "whichever side that is; nothing saves them.",
    ),
    ("bodyguard", "lives"): replace(
        BY_ID[Ability.GUARD],
        pm="You protect that player from being killed that night. You may not name the same player on two "
        "nights in a row.",
        does="Protects a player from being killed, not the same on two nights in a row.",
        rule="A bodyguard stops one kill as a doctor does, and guards nobody on two nights in a row.",
    ),
    ("guns", "normal"): replace(
        BY_ID[Ability.GUNSMITH],
        pm="You learn Gun or No gun. Mafiosi have a gun, except Traitors and Doctors; so have Cops, "
        "Vigilantes, Gunsmiths, Rolecops, Vanilla Cops, Detectives, Neapolitans, Vengefuls and "
        "Jacks-of-all-Trades, and their backups.",
        rule="A gunsmith finds guns with mafia but Traitors and Doctors, and with cops, vigilantes, "
        "gunsmiths, rolecops, vanilla cops, detectives, neapolitans, vengefuls, jacks-of-all-trades and "
        "their backups.",
    ),
}
"""How an ability is told under a value of an option."""
KILLS = having(ABILITIES, Effect.KILLS) - BY_DAY
"""The kills of a night."""
STRONG_KILLS, HIDDEN_KILLS = frozenset({str(Ability.STRONG_KILL)}), frozenset({str(Ability.HIDDEN_KILL)})
"""Kills of a Strongman and a Ninja whose power is limited, so that they say when they use it."""
MAFIAS_KILLS = KILLS - {str(Ability.KILL)}
"""What is the mafia's kill where one of the mafia does it."""
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
