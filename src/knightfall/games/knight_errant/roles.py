"""The sixteen roles of Knight-Errant as data, before any option changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knightfall.games.knight_errant.abilities import ANTI_TOWN, ARMED, IMMUNE, PASSIVES, PROOF, Ability
from knightfall.mafia.roles import Alignment, Knowledge, Modifier, Role, Shots

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
