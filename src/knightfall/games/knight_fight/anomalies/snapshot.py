"""Snapshot: what each player sees, and which moves are passes.

Each sees his own knights and the rival's latest placement; an illegal move is a pass (KF-37 to KF-40).
"""

from __future__ import annotations

from knightfall.games.knight_fight.anomalies.anomaly import Anomaly
from knightfall.games.knight_fight.anomalies.coloration import banned
from knightfall.games.knight_fight.board import Side, Squares, spread
from knightfall.games.knight_fight.state import ILLEGAL, Bout, Code

_UNREADABLE = frozenset({Code.OFF_BOARD, Code.SOURCE_REQUIRED, Code.NO_AIRDROP, Code.NO_MANURE_LEFT})
CALLABLE = 10
"""After so many illegal passes in a row the moderator may call the bout drawn."""


def passes(bout: Bout, code: Code) -> bool:
    """KF-38: whether a move with this fault is a pass, and not sent back."""
    if not bout.has("N"):
        return False
    return code in ILLEGAL or (code in _UNREADABLE and bout.rules["kf_38"] == "pass")


def fizzles(bout: Bout, code: Code) -> bool:
    """P05, by option: a legal placement stands without its illegal manure. BAD_MANURE is the last fault."""
    return bout.has("N") and code is Code.BAD_MANURE and bout.rules["kf_p05"] == "fizzles"


def rival_last(bout: Bout, side: Side) -> Squares | None:
    """KF-39: the rival's latest real placement, 0 before it; None where a pass is shown in its place."""
    passed = bout.rules["kf_39"] == "passed" and bout.passed[side.rival]
    return None if passed else bout.last[side.rival]


def known(bout: Bout, side: Side) -> Squares:
    """KF-37: the rival's squares that a side sees: before the first placement the opening knight."""
    return bout.last[side.rival] or bout.rules.start[side.rival]


def plausible(bout: Bout, side: Side) -> Squares:
    """Where a knight may be placed as far as the side knows: what is there may be something else."""
    seen = bout.knights[side] | bout.last[side.rival] | banned(bout, side)
    manure = bout.last_manure[0] | bout.last_manure[1]
    return spread(bout.knights[side]) & bout.rules.board.ground & ~(seen | manure)


SNAPSHOT = Anomaly(
    "N",
    "Snapshot",
)
