"""The 4×4 table of power roles, the knight's walk over it, all 48 codes, and the deal by one of them.

A code is a start cell and a path: two steps along one axis, then one along the other. The four cells
crossed, start included, join the game and decide what the Serial Killer can do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.knight_errant.options import DRAWN, SETUP, Rules
from knightfall.games.knight_errant.roles import ABILITY_OF_CELL, SERIAL_KILLER
from knightfall.games.knight_errant.state import State
from knightfall.mafia.state import Phase, check_distinct
from knightfall.sentence import SlotId

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


def check_slots(slots: Sequence[SlotId]) -> None:
    """Raises InputError unless there are 18 different names."""
    if len(slots) != PLAYERS:
        raise InputError(f"Knight-Errant is for {PLAYERS} players; the list has {len(slots)}.")
    check_distinct(slots)


def choose_code(options: Mapping[str, object], draw: Rng) -> SetupCode:
    """The named code, or a start cell and then one of its walks, each uniformly."""
    named = str(options.get(SETUP, DRAWN))
    if named != DRAWN:
        return parse_code(named)
    start = draw.choice("ke.cell", tuple(WALKS))
    return CODES[draw.choice("ke.walk", tuple(walk.code for walk in WALKS[start]))]


def deal(slots: Sequence[SlotId], rules: Rules, setup: SetupCode, draw: Rng) -> State:
    """Shuffle the names over the cards; the game opens with Day 1 (KE-R23)."""
    order = draw.sample("ke.cards", slots, len(slots))
    names = dict(zip(order, setup.roles, strict=True))
    cards = {slot: rules.roles[names[slot]] for slot in slots}
    killer = next(slot for slot in slots if names[slot] == SERIAL_KILLER.name)
    return State(setup.code, rules, cards, Phase.DAY, 1, {killer: setup.shots})
