"""The rulings KE-R1 to KE-R44, what a moderator may answer otherwise, and the 48 setups.

The ruling behind every reason; the options; then the 4×4 table of power roles and the knight's walks over it.
A setup code is a start cell and a path: two steps along one axis, then one along the other. The four cells
crossed, start included, join the game and decide what the Serial Killer can do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from knightfall.engine.game import BY_NAME, Chosen, Option, choose, defaults, option, ties
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.knight_errant.abilities import (
    ABILITIES,
    ABILITY_OF_CELL,
    ARMED,
    ON_EVEN_NIGHTS,
    REPORTS,
    ROLES,
    SERIAL_KILLER,
    Ability,
)
from knightfall.mafia.night import Reason
from knightfall.mafia.roles import Role, wording

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

_NIGHT = tuple(str(row.id) for row in ABILITIES if row.lines)


def _each(ruling: str, but: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """One ruling for every ability, exceptions first, reports by KE-R26 where they were stopped."""
    return {ability: (but or {}).get(ability, ruling) for ability in _NIGHT}


def _stopped(ruling: str, **but: str) -> Mapping[str, str]:
    return _each(ruling, dict.fromkeys(REPORTS, "KE-R26") | but)


_ANSWERS = {str(row.id): row.ruling for row in ABILITIES if row.reports}

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


SETUP = "setup"
DRAWN = "drawn"


OPTIONS: tuple[Option, ...] = (
    option("KE-R2", "Jails on jailers and roleblocks on roleblockers", "simultaneous", "chain"),
    option("KE-R5", "A roleblock out of a jail", "fails", "works"),
    option(
        "KE-R6",
        "A commute also stops one's own other actions",
        "false",
        "true",
        name="commute_stops_own_actions",
    ),
    option("KE-R7", "A jailer's own actions on their prisoner", "exempt", "cancelled"),
    option("KE-R11", "Heal and vest on one player: which is used first", "heal_first", "vest_first"),
    option("KE-R13", "The Serial Killer's vest", "passive", "activated"),
    option("KE-R16", "Checks, tracks and watches of a player who dies that night", "happen", "lost"),
    option("KE-R17", "Actions of the last living mafioso", "one_each", "last_may_do_both"),
    option("KE-R18", "Mafia kills on teammates", "allowed", "forbidden"),
    option(
        "KE-R19", "Extras the Serial Killer may use in one night", "one_extra", "two_actions", "unlimited"
    ),
    option("KE-R22", "Nights of the Serial Killer's watch", "any_night", "even_nights"),
    option("KE-R24", "A shot whose action was blocked", "spent", "refunded"),
    option("KE-R25", "The Town Cop's investigations", "once", "unlimited"),
    option("KE-R28", "Failed action on a commuter or prisoner", "no_visit", "visit"),
    option("KE-R31", "The watcher in their own list", "excluded", "listed"),
    option("KE-R34", "The gunsmith's list", "mechanics", "godfather_true", "serial_killer_false"),
    option("KE-R35", "What the Serial Killer's immunity covers", "night", "one_check"),
    ties("KE-R35", "Which of several checks an immunity for one check covers"),
    option("KE-R36", "The Town Cop on themselves", "others_only", "allowed"),
    option("KE-R37", "The mafia wins at", "parity", "majority"),
    option("KE-R38", "The Serial Killer wins", "last_alive", "one_on_one", "one_on_one_on_one"),
    option("KE-R39", "A position nobody can win", "warn", "draw", "ignore"),
    option("KE-R43", "What a mafioso learns of their partners", "names_and_roles", "names"),
)
EARLIER = BY_NAME
"""What held before a ruling changed."""
WORDING = wording("KE-R41")
_CHOICES = (*OPTIONS, WORDING)


@dataclass(frozen=True, slots=True)
class Rules(Chosen):
    """What was chosen, and the cards as they then are."""

    roles: Mapping[str, Role] = field(default_factory=lambda: ROLES)


DEFAULT_RULES = Rules(defaults(_CHOICES).values)


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a game file, `setup` left aside. Raises InputError with the choices."""
    said = {name: value for name, value in given.items() if name != SETUP}
    chosen = choose("Knight-Errant", _CHOICES, said)
    return Rules(chosen.values, chosen.house, _cards(chosen.values)) if chosen.house else DEFAULT_RULES


def _cards(chosen: Mapping[str, str]) -> Mapping[str, Role]:
    """The cards that an option rewrites: Cop (KE-R25), Serial Killer (KE-R13, R22, R34)."""
    cards = dict(ROLES)
    if chosen["ke_r25"] == "unlimited":
        cards["Town Cop"] = replace(ROLES["Town Cop"], abilities={Ability.COP: None})
    killer = SERIAL_KILLER
    if chosen["ke_r13"] == "activated":
        killer = replace(killer, abilities={**killer.abilities, Ability.BULLETPROOF: 0})
    if chosen["ke_r22"] == "even_nights":
        killer = replace(killer, modifiers=ON_EVEN_NIGHTS)
    if chosen["ke_r34"] == "serial_killer_false":
        killer = replace(killer, traits=killer.traits - {ARMED})
    return cards | {killer.name: killer}


# ── The 48 setups. ────────────────────────────────────────────────────────────────────────────────────────

SIDE = 4
PLAYERS = 18

TABLE: tuple[tuple[str, ...], ...] = (
    ("Town 3-Shot Commuter", "Mafia Bulletproof", "Town Gunsmith", "Mafia Roleblocker"),
    ("Mafia Godfather", "Town Cop", "Mafia Even-Night Watcher", "Town Tracker"),
    ("Town Jailkeeper", "Mafia Roleblocker", "Town Bulletproof", "Mafia Bulletproof"),
    ("Mafia Even-Night Watcher", "Town Roleblocker", "Mafia Godfather", "Town Doctor"),
)
"""Row 1 first, column A first."""

FIXED: tuple[str, ...] = ("Town Mason", "Town Mason", "Mafia Goon", "Mafia Goon", "Serial Killer")

_STEPS = {"R": (1, 0), "L": (-1, 0), "D": (0, 1), "U": (0, -1)}


@dataclass(frozen=True, slots=True)
class SetupCode:
    """One of the 48: `cells` in walking order, the power role of each, how often it is drawn."""

    code: str
    cells: tuple[str, ...]
    powers: tuple[str, ...]
    probability: Fraction

    @property
    def roles(self) -> tuple[str, ...]:
        """All 18 cards, Vanilla Townies last."""
        dealt = (*self.powers, *FIXED)
        return dealt + ("Vanilla Townie",) * (PLAYERS - len(dealt))

    @property
    def shots(self) -> dict[str, int]:
        """What the Serial Killer gets: a cell met twice gives two uses (KE-R21), always one strong kill."""
        return {**Counter(ABILITY_OF_CELL[power] for power in self.powers), "strong_kill": 1}


def _cell(column: int, row: int) -> str:
    return f"{'ABCD'[column]}{row + 1}"


def _walk(column: int, row: int, path: str) -> list[tuple[int, int]]:
    """The four squares of the walk; some may lie off the table."""
    squares = [(column, row)]
    for letter in (path[0], *path):
        dx, dy = _STEPS[letter]
        squares.append((squares[-1][0] + dx, squares[-1][1] + dy))
    return squares


_PATHS = tuple(a + b for a in _STEPS for b in _STEPS if (a in "RL") != (b in "RL"))


def _from(column: int, row: int) -> list[SetupCode]:
    """Every legal walk from a cell: the cell is drawn uniformly, then one of its walks uniformly."""
    walks = {path: _walk(column, row, path) for path in _PATHS}
    legal = {
        path: squares
        for path, squares in walks.items()
        if all(0 <= column < SIDE and 0 <= row < SIDE for column, row in squares)
    }
    chance = Fraction(1, SIDE * SIDE * len(legal))
    return [
        SetupCode(
            f"{_cell(column, row)}-{path}",
            tuple(_cell(*square) for square in squares),
            tuple(TABLE[y][x] for x, y in squares),
            chance,
        )
        for path, squares in legal.items()
    ]


WALKS: dict[str, tuple[SetupCode, ...]] = {
    _cell(column, row): tuple(_from(column, row)) for row in range(SIDE) for column in range(SIDE)
}
"""The walks from each start cell: what the deal draws from."""

CODES: dict[str, SetupCode] = {setup.code: setup for walks in WALKS.values() for setup in walks}


SETUP_CODE = Option(
    SETUP,
    (DRAWN, *CODES),
    "KE-R21",
    "The cards: drawn at the deal, or one of the 48 setups by its code, such as A1-RD",
)


@dataclass(frozen=True, slots=True)
class WalkOdds:
    """Each walk from one of these cells is drawn once in so many games."""

    cells: tuple[str, ...]
    one_in: int


def walk_odds() -> tuple[WalkOdds, ...]:
    """How likely each walk is: a start cell is drawn, then one of its walks, each uniformly."""
    cells: dict[int, list[str]] = {}
    for cell, walks in WALKS.items():
        cells.setdefault(len(WALKS) * len(walks), []).append(cell)
    return tuple(WalkOdds(tuple(cells[one_in]), one_in) for one_in in sorted(cells))


def parse_code(text: str) -> SetupCode:
    """A code in any case, `A1-RD` or `A1 RD` or `A1RD`. Raises InputError with the codes of that cell."""
    plain = "".join(letter for letter in text.upper() if letter.isalnum())
    setup = CODES.get(f"{plain[:2]}-{plain[2:]}")
    if setup is None:
        near = [code for code in CODES if code.startswith(plain[:2])] or list(CODES)
        raise InputError(f"“{text}” is no Knight-Errant code; expected one of {', '.join(near)}.")
    return setup


def choose_code(options: Mapping[str, object], draw: Rng) -> SetupCode:
    """The named code, or a start cell and then one of its walks, each uniformly."""
    named = str(options.get(SETUP, DRAWN))
    if named != DRAWN:
        return parse_code(named)
    start = draw.choice("ke.cell", tuple(WALKS))
    return CODES[draw.choice("ke.walk", tuple(walk.code for walk in WALKS[start]))]


def deck_of(options: Mapping[str, object]) -> list[Any]:
    """The roles of the code for the plan of a deal, drawn as `choose_code` draws it; those with which
    every code ends stand there once."""
    named = str(options.get(SETUP, DRAWN))
    if named != DRAWN:
        return list(parse_code(named).roles)
    places = enumerate(zip(*(code.roles for code in CODES.values()), strict=True), start=1)
    own = max(place for place, roles in places if len(set(roles)) > 1)
    cells = [
        [1, {"draw": "ke.walk", "of": [[1, list(walk.roles[:own])] for walk in walks]}]
        for walks in WALKS.values()
    ]
    return [{"draw": "ke.cell", "of": cells}, *next(iter(CODES.values())).roles[own:]]
