"""The abilities of Knight-Errant as they differ from the table of all, and its sixteen cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knightfall.mafia.abilities import check_answer
from knightfall.mafia.ability_row import AbilityRow, CardSeen, Effect, having
from knightfall.mafia.ability_table import TABLE
from knightfall.mafia.ability_table import Ability as Ability
from knightfall.mafia.roles import Alignment, Knowledge, Modifier, Role, Shots

PROOF = "bulletproof"
IMMUNE = "immune"
ARMED = "armed"
ANTI_TOWN = "anti_town"


def _side(card: CardSeen) -> str:
    """KE-R33, of a card that does not hide."""
    return check_answer(ANTI_TOWN in card.role.traits, False, ("Anti-Town", "Town"))


def _gun(card: CardSeen) -> str:
    """KE-R34, of a card that does not hide."""
    return check_answer(ARMED in card.role.traits, False, ("True", "False"))


ABILITIES: tuple[AbilityRow, ...] = (
    replace(
        TABLE[Ability.MAFIA_KILL], lines=("kill", "mafia kill", "mafia_kill"), called=(), ruling="KE-R17"
    ),
    replace(TABLE[Ability.KILL], lines=("kill",), called=(), ruling="KE-R19"),
    replace(TABLE[Ability.STRONG_KILL], ruling="KE-R8"),
    replace(
        TABLE[Ability.COMMUTE],
        pm="You are away that night. Whatever others aim at you fails, except a strong kill.",
        ruling="KE-R3",
    ),
    replace(
        TABLE[Ability.JAIL],
        pm="Whatever others aim at that player fails, and so does whatever that player does later in the "
        "order, except a strong kill. A player who commutes cannot be jailed.",
        ruling="KE-R1",
    ),
    replace(
        TABLE[Ability.ROLEBLOCK],
        pm="What that player does later in the order of the night fails, except a strong kill.",
        ruling="KE-R2",
    ),
    replace(
        TABLE[Ability.HEAL],
        lines=("heal",),
        pm="You protect that player from one kill that night, but not from a strong kill.",
        ruling="KE-R10",
    ),
    replace(
        TABLE[Ability.COP],
        pm="You learn Town or Anti-Town. The mafia and the Serial Killer are Anti-Town. A player with "
        "investigation immunity shows as Town.",
        asks="whether a player is of the town",
        answers={"Town": "of the town, or immune", "Anti-Town": "mafia or Serial Killer, not immune"},
        guilt={"Anti-Town": 1, "Town": -1},
        find=_side,
        ruling="KE-R33",
    ),
    replace(
        TABLE[Ability.GUNSMITH],
        pm="You learn True or False.",
        answers={"False": "no gun, or immune", "True": "a card with a gun, not immune"},
        guilt={"True": 0.4, "False": -0.4},
        find=_gun,
        ruling="KE-R34",
    ),
    replace(TABLE[Ability.TRACK], lines=("track",), ruling="KE-R32"),
    replace(
        TABLE[Ability.WATCH], pm="You learn who visited that player: names, or “nobody”.", ruling="KE-R31"
    ),
    replace(TABLE[Ability.BULLETPROOF], ruling="KE-R13"),
    replace(TABLE[Ability.IMMUNITY], ruling="KE-R35"),
)
"""Every ability; the immunity works by itself, and the vest unless an option says otherwise (KE-R13)."""

BY_ID: Mapping[str, AbilityRow] = {row.id: row for row in ABILITIES}
PASSIVES = frozenset({Ability.BULLETPROOF, Ability.IMMUNITY})
TARGETS: Mapping[str, int] = {str(row.id): row.targets for row in ABILITIES}
CHECKS = {str(row.id): row.find for row in ABILITIES if row.find is not None}
"""What each check finds on a card."""
REPORTS = frozenset(row.id for row in ABILITIES if row.reports)
"""Abilities that bring an answer."""
KILLS = having(ABILITIES, Effect.KILLS)
STOPPABLE = frozenset(row.id for row in ABILITIES if row.targets) - {Ability.STRONG_KILL}
"""What somebody else can stop."""


ABILITY_OF_CELL: Mapping[str, Ability] = {
    "Town 3-Shot Commuter": Ability.COMMUTE,
    "Mafia Bulletproof": Ability.BULLETPROOF,
    "Town Bulletproof": Ability.BULLETPROOF,
    "Town Gunsmith": Ability.GUNSMITH,
    "Mafia Roleblocker": Ability.ROLEBLOCK,
    "Town Roleblocker": Ability.ROLEBLOCK,
    "Mafia Godfather": Ability.IMMUNITY,
    "Town Cop": Ability.COP,
    "Mafia Even-Night Watcher": Ability.WATCH,
    "Town Tracker": Ability.TRACK,
    "Town Jailkeeper": Ability.JAIL,
    "Town Doctor": Ability.HEAL,
}
"""What the Serial Killer receives for each cell that the knight crosses."""

ON_EVEN_NIGHTS: Mapping[str, frozenset[Modifier]] = {Ability.WATCH: frozenset({Modifier.EVEN_NIGHT})}

_EXTRAS: dict[str, Shots] = {ability: 0 for ability in ABILITY_OF_CELL.values() if ability not in PASSIVES}
SERIAL_KILLER = Role(
    "Serial Killer",
    Alignment.SERIAL_KILLER,
    {Ability.KILL: None, Ability.STRONG_KILL: 0} | _EXTRAS,
    frozenset({ARMED, ANTI_TOWN}),
)


def _town(name: str, abilities: Mapping[str, Shots] | None = None, *traits: str) -> Role:
    return Role(name, Alignment.TOWN, abilities or {}, frozenset(traits))


def _mafia(name: str, ability: Ability | None = None, *traits: str) -> Role:
    own: dict[str, Shots] = {ability: None} if ability else {}
    marks = frozenset({ARMED, ANTI_TOWN, *traits})
    return Role(name, Alignment.MAFIA, {Ability.MAFIA_KILL: None, **own}, marks)


_CARDS: tuple[Role, ...] = (
    _town("Vanilla Townie"),
    replace(_town("Town Mason"), bonds={"mason": Knowledge.PARTNERS}),  # KE-R43
    _town("Town 3-Shot Commuter", {Ability.COMMUTE: 3}),
    _town("Town Gunsmith", {Ability.GUNSMITH: None}, ARMED),  # KE-R34: it is on the mechanics list
    _town("Town Cop", {Ability.COP: 1}, ARMED),
    _town("Town Tracker", {Ability.TRACK: None}),
    _town("Town Jailkeeper", {Ability.JAIL: None}, ARMED),
    _town("Town Bulletproof", {}, PROOF),
    _town("Town Roleblocker", {Ability.ROLEBLOCK: None}),
    _town("Town Doctor", {Ability.HEAL: None}),
    _mafia("Mafia Goon"),
    _mafia("Mafia Godfather", None, IMMUNE),
    _mafia("Mafia Bulletproof", None, PROOF),
    _mafia("Mafia Roleblocker", Ability.ROLEBLOCK),
    replace(
        _mafia("Mafia Even-Night Watcher", Ability.WATCH),  # KE-R44: the Goon's card and the watch
        modifiers=ON_EVEN_NIGHTS,
    ),
    SERIAL_KILLER,
)
ROLES: dict[str, Role] = {role.name: role for role in _CARDS}
