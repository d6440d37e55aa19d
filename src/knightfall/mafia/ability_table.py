"""Every ability of the mafia games as a row: what parser, PM, explanations and simulations say of it.

A game takes from `TABLE` the rows that it has, and states what it overrides: the ruling, a sentence, a word,
the name of the ability there. CONTRIBUTING.md tells how one is added.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from knightfall.mafia.abilities import STRIKE_BACK, Abduct, Block, Drive, Jail, Redirect, Rolestop
from knightfall.mafia.ability_row import AbilityRow, Compact, Effect


class Ability(StrEnum):
    """The abilities that rules speak of by name. `TABLE` has all; a game may call one by another name."""

    MAFIA_KILL = "mafia_kill"
    KILL = "kill"
    STRONG_KILL = "strong_kill"
    COMMUTE = "commute"
    JAIL = "jail"
    ROLEBLOCK = "roleblock"
    HEAL = "heal"
    GUARD = "guard"
    COP = "cop"
    GUNSMITH = "gunsmith"
    ROLECOP = "rolecop"
    NEAPOLITAN = "neapolitan"
    TRACK = "track"
    WATCH = "watch"
    REDIRECT = "redirect"
    DRIVE = "drive"
    HIDDEN_KILL = "hidden_kill"
    HIDE = "hide"
    BABYSIT = "babysit"
    FRAME = "frame"
    VANILLA_COP = "vanilla_cop"
    TRAFFIC = "traffic"
    FOLLOW = "follow"
    VOYEUR = "voyeur"
    MOTION = "motion"
    REPORT = "report"
    ROLE_WATCH = "role_watch"
    FRUIT = "fruit"
    WEAR = "wear"
    ROLESTOP = "rolestop"
    ABDUCT = "abduct"
    DETECTIVE = "detective"
    SHIELD = "shield"
    BEFRIEND = "befriend"
    NEIGHBORIZE = "neighborize"
    OWN = "own"
    BULLETPROOF = "bulletproof"
    IMMUNITY = "immunity"
    EMPOWER = "empower"
    AMPLIFY = "amplify"


NOTHING = "nothing"
"""What cannot be stopped is stopped by this."""
_HELD = "a roleblock or a jail on its holder, a commuting target"
_COVERED = f"{_HELD}; on the target a heal, a jail, bulletproof or a bodyguard"
_KILLS, _CHECKS = frozenset({Effect.KILLS}), frozenset({Effect.CHECKS})
_DEEDS, _DONE = frozenset({Effect.SEES_DEEDS}), frozenset({Effect.SEES_DONE})
_CHECK_WORDS = ("check", "investigate")
_KILL_WORDS = (
    "kill",
    "shoot",
    "murder",
    "attack",
    "eliminate",
    "hit",
    "stab",
    "nk",
    "nightkill",
    "night kill",
)
_LOOK_WORDS = ("inspect", "examine", "scan", "peek", "peek at", "look at", "look into", "see")
"""Words that people say for every kill, and for every check."""

_ROWS: tuple[AbilityRow, ...] = (
    AbilityRow(
        id=Ability.MAFIA_KILL,
        lines=("mafia kill", "mafia_kill"),
        called=("kill",),
        everyday=_KILL_WORDS,
        faction=True,
        gun=True,
        title="Factional Kill",
        pm="You kill that player. The mafia has one kill a night, whichever of you carries it. To have a "
        "partner carry it out, add to that line: by PARTNER.",
        deed="kill of",
        does="One member carries the faction's kill.",
        stopped_by=_COVERED,
        effects=_KILLS,
        compact=Compact.FACTION_KILL,
    ),
    AbilityRow(
        id=Ability.KILL,
        lines=("shoot", "vig"),
        called=("kill",),
        everyday=_KILL_WORDS,
        role="Vigilante",
        aliases=("vig", "vigi"),
        gun=True,
        title="Kill",
        pm="You kill that player.",
        deed="kill of",
        does="Kills a player.",
        stopped_by=_COVERED,
        effects=_KILLS,
        compact=Compact.KILL,
    ),
    AbilityRow(
        id=Ability.STRONG_KILL,
        lines=("strong kill", "strong-kill", "strong_kill", "strongkill"),
        everyday=("strongman", "strongman kill", "unstoppable kill"),
        title="Strong Kill",
        pm="You kill that player, instead of using your normal kill. Nothing stops a strong kill.",
        deed="strong kill of",
        does="Kills a player, and nothing but an empty house stops it.",
        stopped_by="a commuting target only",
        effects=_KILLS,
        compact=Compact.STRONG_KILL,
    ),
    AbilityRow(
        id=Ability.COMMUTE,
        lines=("commute",),
        everyday=("leave", "hide", "go away", "leave town", "be away"),
        targets=0,
        role="Commuter",
        title="Commute",
        pm="You are away that night. Whatever others aim at you fails.",
        deed="commute",
        does="Is away for the night: what is aimed at them fails.",
        stopped_by=NOTHING,
        compact=Compact.COMMUTE,
    ),
    AbilityRow(
        id=Ability.JAIL,
        lines=("jail",),
        everyday=("jailkeep", "lock up", "lock", "imprison", "arrest", "detain"),
        role="Jailkeeper",
        aliases=("jk", "jail keeper"),
        gun=True,
        title="Jail",
        pm="Whatever that player set out to do that night fails, and they cannot be killed, except by a "
        "Strongman.",
        deed="jail of",
        does="Jails a player, who can neither act nor be killed.",
        stopped_by=_HELD,
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
        act=Jail(),
        rank=1,
        compact=Compact.JAIL,
    ),
    AbilityRow(
        id=Ability.ROLEBLOCK,
        lines=("roleblock", "block"),
        everyday=("rb", "stop", "hook", "distract", "occupy", "role block"),
        role="Roleblocker",
        aliases=("rb", "role blocker"),
        title="Roleblock",
        pm="Whatever that player set out to do that night fails.",
        deed="roleblock of",
        does="Stops what a player does.",
        stopped_by=_HELD,
        effects=frozenset({Effect.HOLDS}),
        act=Block(),
        rank=1,
        compact=Compact.ROLEBLOCK,
    ),
    AbilityRow(
        id=Ability.HEAL,
        lines=("heal", "protect", "save"),
        everyday=("doc", "doctor", "cover", "guard", "keep safe", "look after"),
        role="Doctor",
        aliases=("doc",),
        title="Heal",
        pm="You protect that player from being killed that night.",
        deed="heal of",
        does="Protects a player from being killed.",
        stopped_by=_HELD,
        effects=frozenset({Effect.SHIELDS}),
        compact=Compact.HEAL,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.GUARD,
        lines=("guard", "bodyguard"),
        everyday=("protect", "cover", "defend", "save", "die for"),
        role="Bodyguard",
        aliases=("bg", "body guard"),
        gun=True,
        title="Guard",
        pm="If nothing else stops a kill on that player, you die in their place. Nothing saves you then.",
        deed="guarding of",
        does="Dies in a player's place if nothing else stops the kill.",
        stopped_by=_HELD,
        compact=Compact.GUARD,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.COP,
        lines=("cop",),
        called=("cop", *_CHECK_WORDS),
        everyday=("cop check", *_LOOK_WORDS),
        role="Cop",
        gun=True,
        title="Investigate",
        pm="You learn Guilty or Innocent.",
        deed="check of",
        does="Learns whether a player is Guilty or Innocent.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player is guilty",
        answers={"Innocent": "of the town, or a Godfather", "Guilty": "mafia, Serial Killer or Miller"},
        compact=Compact.CHECK,
        guilt={"Guilty": 1, "Innocent": -1},
    ),
    AbilityRow(
        id=Ability.GUNSMITH,
        lines=("gunsmith",),
        called=("gunsmith", *_CHECK_WORDS),
        everyday=("gun check", *_LOOK_WORDS),
        role="Gunsmith",
        gun=True,
        title="Investigate",
        pm="You learn Gun or No gun. Mafiosi, Serial Killers, Vigilantes, Cops, Gunsmiths, Jailkeepers and "
        "Bodyguards have a gun.",
        deed="gun check of",
        does="Learns whether a player has a gun.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player has a gun",
        answers={"No gun": "no card that brings one", "Gun": "a card that brings a gun"},
        compact=Compact.CHECK,
        guilt={"Gun": 0.4, "No gun": -0.4},
    ),
    AbilityRow(
        id=Ability.ROLECOP,
        lines=("rolecop", "role cop"),
        called=("rolecop", *_CHECK_WORDS),
        everyday=("role check", *_LOOK_WORDS),
        role="Rolecop",
        aliases=("role cop",),
        title="Investigate",
        pm="You learn that player's role, but not their side.",
        deed="role check of",
        does="Learns a player's role, but not their side.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="which role a player has",
        compact=Compact.CHECK,
    ),
    AbilityRow(
        id=Ability.NEAPOLITAN,
        lines=("neapolitan",),
        called=("neapolitan", *_CHECK_WORDS),
        everyday=("vanilla check", *_LOOK_WORDS),
        role="Neapolitan",
        title="Investigate",
        pm="You learn Vanilla Townie or Not a Vanilla Townie.",
        deed="vanilla check of",
        does="Learns whether a player is a Vanilla Townie.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player is a Vanilla Townie",
        answers={
            "Not a Vanilla Townie": "a power, or not of the town",
            "Vanilla Townie": "of the town, without a power",
        },
        compact=Compact.CHECK,
        guilt={"Vanilla Townie": -1},
    ),
    AbilityRow(
        id=Ability.TRACK,
        lines=("track", "follow"),
        everyday=("tail", "shadow", "stalk", "trail"),
        role="Tracker",
        title="Track",
        pm="You learn whom that player visited: names, or “nobody”.",
        deed="track of",
        does="Learns whom a player visited.",
        stopped_by=_HELD,
        effects=frozenset({Effect.FOLLOWS}),
        asks="whom a player visited",
        compact=Compact.TRACK,
    ),
    AbilityRow(
        id=Ability.WATCH,
        lines=("watch",),
        everyday=("observe", "stake out", "look out for", "keep an eye on"),
        role="Watcher",
        title="Watch",
        pm="You learn who visited that player: names, or “nobody”. You do not see yourself.",
        deed="watch of",
        does="Learns who visited a player.",
        stopped_by=_HELD,
        effects=frozenset({Effect.WATCHES}),
        asks="who visited a player",
        compact=Compact.WATCH,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.REDIRECT,
        lines=("redirect",),
        everyday=("send", "turn", "divert"),
        targets=2,
        between=("to", "onto"),
        role="Redirector",
        title="Redirect",
        pm="What the first player set out to do that night goes to the second player.",
        deed="redirection of",
        does="Sends what one player does to another player.",
        stopped_by=_HELD,
        act=Redirect(),
        rank=2,
    ),
    AbilityRow(
        id=Ability.DRIVE,
        lines=("drive", "swap"),
        everyday=("switch", "bus", "bus drive", "exchange"),
        targets=2,
        between=("and", "with"),
        role="Bus Driver",
        aliases=("busdriver",),
        title="Drive",
        pm="Whatever is aimed at one of these players that night goes to the other.",
        deed="drive of",
        does="Swaps two players: what is aimed at one reaches the other.",
        stopped_by=_HELD,
        act=Drive(),
        rank=0,
    ),
    AbilityRow(
        id=Ability.BULLETPROOF,
        lines=("bulletproof", "vest"),
        called=("vest",),
        everyday=("shield", "bullet proof", "protect myself", "wear my vest"),
        targets=0,
        title="Bulletproof",
        pm="No regular kill can hurt you that night.",
        deed="vest",
        compact=Compact.VEST,
    ),
    AbilityRow(
        id=Ability.IMMUNITY, called=("immunity",), targets=0, deed="immunity", compact=Compact.IMMUNITY
    ),
    AbilityRow(
        id=Ability.EMPOWER,
        lines=("empower",),
        everyday=("power", "power up", "boost", "strengthen"),
        title="Empower",
        pm="That player has power that night.",
        deed="empowering of",
        effects=frozenset({Effect.POWERS}),
        compact=Compact.EMPOWER,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.AMPLIFY,
        lines=("amplify",),
        everyday=("amp", "boost"),
        targets=2,
        between=("and",),
        title="Amplify",
        pm="If you have power, both of these players have power that night, too.",
        deed="amplifying of",
        effects=frozenset({Effect.POWERS}),
        compact=Compact.AMPLIFY,
    ),
    AbilityRow(
        id=Ability.HIDDEN_KILL,
        lines=("ninja kill", "ninja", "hidden kill"),
        everyday=("unseen kill",),
        gun=True,
        title="Hidden Kill",
        pm="You kill that player, instead of using your normal kill. Nobody who tracks or watches sees it.",
        deed="hidden kill of",
        does="Kills a player, unseen.",
        stopped_by=_COVERED,
        effects=_KILLS,
    ),
    AbilityRow(
        id=Ability.HIDE,
        lines=("hide behind", "hide with", "hide"),
        called=("hide",),
        role="Hider",
        title="Hide",
        pm="No regular kill can reach you that night. If that player dies, or is mafia or a killer of "
        "another side, you die, too.",
        deed="hiding behind",
        does="Hides behind a player from every kill, and dies if that player dies or is an enemy.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.BABYSIT,
        lines=("babysit", "sit"),
        everyday=("protect", "cover", "save", "look after"),
        role="Babysitter",
        title="Babysit",
        pm="You protect that player from being killed that night; if you die that night, they die, too.",
        deed="babysitting of",
        does="Protects a player from being killed; if the Babysitter dies that night, the player does, too.",
        stopped_by=_HELD,
        effects=frozenset({Effect.SHIELDS}),
        trusted=True,
    ),
    AbilityRow(
        id=Ability.FRAME,
        lines=("frame",),
        everyday=("make guilty",),
        role="Framer",
        title="Frame",
        pm="Cops find that player Guilty that night.",
        deed="framing of",
        does="Makes a player Guilty to every Cop that night.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.VANILLA_COP,
        lines=("vanilla cop", "vanilla"),
        called=("vanilla", *_CHECK_WORDS),
        everyday=("vanilla check", *_LOOK_WORDS),
        role="Vanilla Cop",
        title="Investigate",
        pm="You learn Vanilla or Not vanilla: whether that player has any ability, whatever their side.",
        deed="vanilla check of",
        does="Learns whether a player has no ability, whatever their side.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player has no ability",
        answers={"Not vanilla": "a role with an ability", "Vanilla": "a Vanilla Townie or a Goon"},
    ),
    AbilityRow(
        id=Ability.TRAFFIC,
        lines=("traffic", "analyse", "analyze"),
        called=("traffic", *_CHECK_WORDS),
        everyday=("traffic check", *_LOOK_WORDS),
        role="Traffic Analyst",
        aliases=("pt cop",),
        title="Investigate",
        pm="You learn Talks or Does not talk: whether that player's card lets them talk with "
        "others in private.",
        deed="traffic check of",
        does="Learns whether a player's card lets them talk with others in private.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player talks with others in private",
        answers={
            "Does not talk": "no private talk by the card",
            "Talks": "mafia, Mason, Neighbor or Neighborizer",
        },
        guilt={"Talks": 0.2, "Does not talk": -0.2},
    ),
    AbilityRow(
        id=Ability.FOLLOW,
        lines=("follow",),
        called=("follow",),
        everyday=("tail", "shadow", "stalk"),
        role="Follower",
        title="Follow",
        pm="You learn what kind of action that player did that night, such as “kill”, but not to whom; or "
        "“nothing”.",
        deed="following of",
        does="Learns what kind of action a player did, but not to whom.",
        stopped_by=_HELD,
        effects=_DEEDS,
        asks="what a player did",
    ),
    AbilityRow(
        id=Ability.VOYEUR,
        lines=("peep", "voyeur", "spy on"),
        called=("peep",),
        everyday=("spy", "look through the window"),
        role="Voyeur",
        title="Peep",
        pm="You learn what kinds of action were done to that player, but not by whom; or “nothing”.",
        deed="peeping at",
        does="Learns what kinds of action were done to a player, but not by whom.",
        stopped_by=_HELD,
        effects=_DONE,
        asks="what was done to a player",
    ),
    AbilityRow(
        id=Ability.MOTION,
        lines=("detect", "motion"),
        called=("detect",),
        everyday=("motion detect", "sense"),
        role="Motion Detector",
        title="Detect",
        pm="You learn Motion or No motion: whether that player did anything that night, or anybody else did "
        "anything to them.",
        deed="motion check of",
        does="Learns whether a player did anything, or anything was done to them.",
        stopped_by=_HELD,
        effects=_DEEDS | _DONE,
        asks="whether there was motion at a player's",
        answers={"No motion": "nobody came or went", "Motion": "they did something, or something was done"},
    ),
    AbilityRow(
        id=Ability.REPORT,
        lines=("report",),
        called=("report",),
        everyday=("report on", "interview"),
        role="Reporter",
        title="Report",
        pm="You learn Went out or Stayed in: whether that player visited anybody that night.",
        deed="report on",
        does="Learns whether a player visited anybody, but not whom.",
        stopped_by=_HELD,
        effects=_DEEDS,
        asks="whether a player visited anybody",
        answers={"Stayed in": "they visited nobody", "Went out": "they visited somebody"},
    ),
    AbilityRow(
        id=Ability.ROLE_WATCH,
        lines=("role watch", "rolewatch"),
        everyday=("watch", "observe"),
        role="Role Watcher",
        title="Role Watch",
        pm="You learn the roles, without side and name, of who visited that player; or “nobody”.",
        deed="role watch of",
        does="Learns the roles of who visited a player, but not their names.",
        stopped_by=_HELD,
        effects=_DONE,
        asks="which roles visited a player",
    ),
    AbilityRow(
        id=Ability.FRUIT,
        lines=("fruit", "vend", "give fruit to"),
        called=("fruit",),
        everyday=("give fruit", "sell fruit", "feed"),
        role="Fruit Vendor",
        title="Fruit",
        pm="That player is told that somebody gave them fruit; nothing else happens.",
        deed="fruit for",
        does="Gives a player fruit: they are told so, and not by whom.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.WEAR,
        lines=("vest", "wear vest", "wear"),
        called=("vest",),
        everyday=("bulletproof", "activate", "protect myself", "wear my vest"),
        targets=0,
        title="Bulletproof",
        pm="No kill can hurt you that night, except a Strongman's.",
        deed="vest",
        does="Survives every kill of a night in which it is used.",
        stopped_by="a roleblock or a jail on its holder",
    ),
    AbilityRow(
        id=Ability.ROLESTOP,
        lines=("rolestop", "role stop"),
        everyday=("stop", "seal off", "isolate"),
        role="Rolestopper",
        aliases=("role stopper",),
        title="Rolestop",
        pm="Whatever others do to that player that night fails, except a Strongman's kill and a bus drive.",
        deed="rolestop of",
        does="Keeps from a player whatever others do to them, kills too.",
        stopped_by=_HELD,
        effects=frozenset({Effect.SHIELDS}),
        act=Rolestop(),
        rank=1,
    ),
    AbilityRow(
        id=Ability.ABDUCT,
        lines=("abduct",),
        everyday=("kidnap", "take away", "beam up"),
        role="Alien",
        title="Abduct",
        pm="Whatever that player set out to do that night fails, and whatever others do to them, except a "
        "Strongman's kill and a bus drive.",
        deed="abduction of",
        does="Stops what a player does, and keeps from them whatever others do to them, kills too.",
        stopped_by=_HELD,
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
        act=Abduct(),
        rank=1,
    ),
    AbilityRow(
        id=Ability.DETECTIVE,
        lines=("detective", "probe"),
        called=("detective", *_CHECK_WORDS),
        everyday=("kill check", *_LOOK_WORDS),
        role="Detective",
        title="Investigate",
        pm="You learn Has killed or Has not killed: whether that player has ever sent a kill, tonight's and "
        "those that failed too.",
        deed="kill check of",
        does="Learns whether a player has ever set out to kill somebody at night.",
        stopped_by=_HELD,
        effects=_DEEDS,
        asks="whether a player has ever set out to kill",
        answers={"Has not killed": "no kill so far", "Has killed": "a kill in this or an earlier night"},
        guilt={"Has killed": 0.7, "Has not killed": -0.1},
    ),
    AbilityRow(
        id=Ability.SHIELD,
        lines=("shield",),
        everyday=("block the kill of", "stand in front of", "intercept"),
        role="Shield",
        title="Shield",
        pm="If that player kills somebody that night, you die instead of their victim. Nothing saves you "
        "then. A Strongman's kill you cannot take.",
        deed="shielding from",
        does="Dies in the place of whom a player would kill.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.BEFRIEND,
        lines=("befriend", "greet"),
        everyday=("visit", "say hello to", "tell"),
        role="Friendly Neighbor",
        aliases=("friendly neighbour",),
        title="Befriend",
        pm="That player is told your name, and that you are of the town.",
        deed="befriending of",
        does="Tells a player that its holder is of the town.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.NEIGHBORIZE,
        lines=("neighborize", "neighbourize", "neighborise", "neighbourise"),
        called=("neighborize",),
        everyday=("invite", "recruit", "add"),
        role="Neighborizer",
        aliases=("neighbourizer", "neighboriser", "neighbouriser"),
        title="Neighborize",
        pm="That player becomes your neighbor: from the next day on you and all of them talk in a private "
        "thread.",
        deed="neighborizing of",
        does="Makes a player a neighbor, who talks with its holder in private from then on.",
        stopped_by=_HELD,
        effects=frozenset({Effect.JOINS}),
        asks="whether a player is a neighbor now",
        answers={"joined": "a neighbor from now on"},
    ),
    AbilityRow(
        id=Ability.OWN,
        lines=("use", "act"),
        called=("use",),
        title="Use",
        pm="You use what your card says, on a player or as you write it; I decide what comes of it.",
        deed="use on",
        does="Does what its card says; the moderator decides what comes of it.",
        stopped_by=_HELD,
    ),
    # What nobody submits: the blow of a Bomb, and a death of love.
    AbilityRow(id=STRIKE_BACK, called=("bomb",), deed="blast at"),
    AbilityRow(id="love", called=("in love with",), deed="love for"),
)

TABLE: Mapping[str, AbilityRow] = {row.id: row for row in _ROWS}
"""Every ability by its name in most games. Their order is that of their numbers in a simulation: a new row
comes last of those that somebody submits."""
