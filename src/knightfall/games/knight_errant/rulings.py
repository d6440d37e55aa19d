"""The rulings KE-R1 to KE-R44 in one line each, and the ruling behind every reason."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.knight_errant.abilities import ABILITIES, REPORTS, Ability
from knightfall.mafia.night import Reason

RULINGS: Mapping[str, str] = {
    "KE-R1": "Commute, then jail, then roleblock; what comes first is not affected by what comes later.",
    "KE-R2": "Two jails, or two roleblocks, on each other both hold.",
    "KE-R3": "Whatever is aimed at a commuter fails; a roleblock on a prisoner fails.",
    "KE-R4": "A roleblock on a jailer does not open the jail; the jailer's other actions fail.",
    "KE-R5": "A jailed player's roleblock fails.",
    "KE-R6": "A jail or roleblock on a commuter fails, so their other actions go on.",
    "KE-R7": "A jailer may act on their own prisoner; another jail on that prisoner still stops them.",
    "KE-R8": "Nothing stops a strong kill. It is a visit and uses its shot.",
    "KE-R9": "A heal on a commuter or a prisoner fails.",
    "KE-R10": "One heal stops one kill; heals add up.",
    "KE-R11": "A heal is used before the Serial Killer's vest.",
    "KE-R12": "A vest is spent only by a regular kill that reaches its wearer unhealed.",
    "KE-R13": "The Serial Killer's vest works by itself, jailed or roleblocked or not.",
    "KE-R14": "A Bulletproof card stops every regular kill, never a strong one.",
    "KE-R15": "Two kills on one player are one death; the moderator sees both.",
    "KE-R16": "What a player killed tonight set out to do still happens.",
    "KE-R17": "One factional kill a night, one action for each mafioso, its carrier included.",
    "KE-R18": "A mafioso may be killed by their own faction, after a warning; nobody kills themselves.",
    "KE-R19": "The Serial Killer has one kill and one active extra a night; a strong kill replaces the kill.",
    "KE-R20": "The Serial Killer may use an extra without a kill, or do nothing.",
    "KE-R21": "The Serial Killer has one use for each cell crossed: a repeated ability has two.",
    "KE-R22": "The Serial Killer's watch works on every night.",
    "KE-R23": "The game opens with Day 1; Night 1 is odd, the Even-Night Watcher acts on even nights.",
    "KE-R24": "A blocked shot is spent all the same.",
    "KE-R25": "The Town Cop investigates once a game.",
    "KE-R26": "A check, track or watch says “No Result” if it was stopped; a dead target is no obstacle.",
    "KE-R27": "“nobody” means that there was no visit to see.",
    "KE-R28": "An action that failed is no visit.",
    "KE-R29": "A kill that a heal, a vest or a Bulletproof card stopped is a visit.",
    "KE-R30": "Every action with a target is a visit; a commute is none.",
    "KE-R31": "A watcher does not see themselves.",
    "KE-R32": "A track lists every player visited once, in alphabetical order.",
    "KE-R33": "Mafia and Serial Killer are Anti-Town, unless immune; cops are sane.",
    "KE-R34": "The gunsmith finds Cop, Gunsmith, Jailkeeper, Serial Killer and mafia, unless immune.",
    "KE-R35": "The Serial Killer's immunity covers all checks of the night it first meets one.",
    "KE-R36": "Nobody targets themselves.",
    "KE-R37": "The mafia wins when the Serial Killer is dead and the town does not outnumber it.",
    "KE-R38": "The Serial Killer wins as the last player alive.",
    "KE-R39": "Nobody alive is a draw; a position nobody can win is put to the moderator.",
    "KE-R40": "Wins are checked after all deaths of the moment.",
    "KE-R41": "Only investigators get a result; who used a limited ability learns how many uses are left.",
    "KE-R42": "The town wins when mafia and Serial Killer are dead and a town player lives.",
    "KE-R43": "Masons and mafiosi know their partners and talk at night; mafiosi know their partners' cards.",
    "KE-R44": "The Mafia Even-Night Watcher is a Goon who may watch on even nights.",
}

_NIGHT = tuple(ability for ability in Ability if ability is not Ability.IMMUNITY)


def _each(ruling: str, but: Mapping[Ability, str] | None = None) -> Mapping[str, str]:
    """One ruling for every ability, exceptions first, reports by KE-R26 where they were stopped."""
    return {ability: (but or {}).get(ability, ruling) for ability in _NIGHT}


def _stopped(ruling: str, **but: str) -> Mapping[str, str]:
    return _each(
        ruling,
        dict.fromkeys(map(Ability, REPORTS), "KE-R26") | {Ability(name): by for name, by in but.items()},
    )


_ANSWERS = {Ability(row.id): row.ruling for row in ABILITIES if row.reports}

RULING_OF_REASON: Mapping[str, Mapping[str, str]] = {
    Reason.TARGET_COMMUTING: _stopped("KE-R3", heal="KE-R9"),
    Reason.ACTOR_JAILED: _stopped("KE-R1", roleblock="KE-R5"),
    Reason.TARGET_JAILED: _stopped("KE-R1", roleblock="KE-R3", heal="KE-R9"),
    Reason.ACTOR_ROLEBLOCKED: _stopped("KE-R1", roleblock="KE-R2"),
    Reason.ACTOR_KILLED: _each("KE-R16"),
    Reason.ACTOR_COMMUTING: _each("KE-R6"),
    Reason.AWAY: _each("KE-R1"),
    Reason.HOLDS: _each("KE-R1", {Ability.ROLEBLOCK: "KE-R2"}),
    Reason.LANDED: _each("KE-R15"),
    Reason.UNSTOPPABLE: _each("KE-R8"),
    Reason.HEALED: _each("KE-R10"),
    Reason.BULLETPROOF: _each("KE-R14"),
    Reason.VEST: _each("KE-R12"),
    Reason.SAVED: _each("KE-R10"),
    Reason.UNUSED: _each("KE-R10"),
    Reason.WORN: _each("KE-R13"),
    Reason.ANSWERED: _each("KE-R30", _ANSWERS),
}
