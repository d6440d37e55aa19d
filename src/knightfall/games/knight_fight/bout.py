"""The position of a bout: knights, what each owns, what is remembered, what has happened so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from knightfall.games.knight_fight.board import Pair, Side, Squares, put
from knightfall.games.knight_fight.options import Rules

CHIPS = 20
MANURE = 2
COLOURS = "RBY"


class Move(NamedTuple):
    """A placement: each a square, 0 where none is named."""

    target: Squares
    source: Squares = 0
    manure: Squares = 0


class How(StrEnum):
    """Who chose a move: its player, the rival in their place, chance (KF-09)."""

    OWN = "own"
    STAND_IN = "stand_in"
    RANDOM = "random"


class Why(StrEnum):
    """Why a turn passed: an illegal move in Snapshot (KF-38), or no legal square (KF-43)."""

    ILLEGAL = "illegal"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class Played:
    """A knight was placed. `trap` is the trap of that turn where it is told (KF-27); `seconds` how long the
    player took."""

    side: Side
    move: Move
    how: How = How.OWN
    trapped: bool = False
    vanished: Squares = 0
    trap: Squares = 0
    seconds: float = 0


@dataclass(frozen=True, slots=True)
class Passed:
    """A turn without a placement; `move` is what was tried, None where nothing was on file."""

    side: Side
    why: Why
    move: Move | None = None
    seconds: float = 0


@dataclass(frozen=True, slots=True)
class Bidden:
    """A round of bids: what each bid (None: nothing), who plays, what they pay."""

    bids: Pair[int | None]
    winner: Side
    paid: int


@dataclass(frozen=True, slots=True)
class Repainted:
    """KF-25: a painting was rejected."""


Entry: TypeAlias = Played | Passed | Bidden | Repainted


class Reason(StrEnum):
    """What ended a bout."""

    LINE = "line"
    POINTS = "points"
    NO_MOVES = "no_moves"
    STUCK = "stuck"
    CALLED = "called"
    RESIGNED = "resigned"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Ending:
    """Who won the bout (None: drawn), and by what."""

    winner: Side | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Bout:
    """A position. `last` are the latest real placements (KF-39), `binding` those whose colour binds (KF-26),
    `last_manure` what fell with the latest ones; `moves` counts placements (KF-13), `turns` whatever was
    played or passed, `illegal` the illegal passes in a row; `passed`: the latest turn was a pass."""

    rules: Rules
    knights: Pair[Squares]
    weak: Squares = 0
    manure: Squares = 0
    manure_left: Pair[int] = (MANURE, MANURE)
    chips: Pair[int] = (CHIPS, CHIPS)
    bid_loser: Side | None = None
    colours: tuple[Squares, ...] = ()
    last: Pair[Squares] = (0, 0)
    binding: Pair[Squares] = (0, 0)
    last_manure: Pair[Squares] = (0, 0)
    banned: Pair[bool] = (False, False)
    points: Pair[int] = (0, 0)
    moves: int = 0
    turns: int = 0
    illegal: int = 0
    passed: Pair[bool] = (False, False)
    reserve: Pair[float] = (0, 0)
    to_move: Side = Side.X
    record: tuple[Entry, ...] = ()
    ended: Ending | None = None

    def has(self, letter: str) -> bool:
        """Whether this anomaly is in force."""
        return letter in self.rules.anomalies

    @property
    def taken(self) -> Squares:
        """Where knights stand."""
        return self.knights[0] | self.knights[1]


def note(bout: Bout, *entries: Entry) -> Bout:
    """The bout with more in its record."""
    return replace(bout, record=bout.record + entries)


def give(bout: Bout, side: Side, knights: Squares) -> Bout:
    """The bout with other knights for one side; nobody weak stands where no knight is."""
    after = replace(bout, knights=put(bout.knights, side, knights))
    return replace(after, weak=after.weak & after.taken)


def counts_turn(bout: Bout) -> int:
    """KF-13: what a pass adds to the count of moves."""
    return int(bout.rules["kf_13"] == "turns")
