"""Tic-Tac-Toe: how many points each has, and who wins by them.

A run of n knights scores n - 2; six points at the end of one's move win, and nobody loses for want of a move
(KF-41 to KF-45).
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.games.knight_fight.anomalies.anomaly import Anomaly, Deed
from knightfall.games.knight_fight.board import SIDES, Side, runs_of_three
from knightfall.games.knight_fight.state import Bout, Ending, Played, Reason

GOAL = 6


def fresh(bout: Bout) -> tuple[int, int]:
    """KF-41: points of the knights standing now."""
    return runs_of_three(bout.knights[0]), runs_of_three(bout.knights[1])


def recounted(bout: Bout, side: Side) -> Bout:
    """P20: points after a turn of this side; by option only when a round is complete."""
    by_round = bout.has("S") and bout.rules["recount"] == "round"
    if by_round and not bout.has("B") and side is Side.X:
        return bout
    return replace(bout, points=fresh(bout))


def _count(deed: Deed) -> Deed:
    return replace(deed, bout=recounted(deed.bout, deed.side))


def won(bout: Bout, side: Side) -> Ending | None:
    """KF-42: six at the end of one's own move; where rounds are counted, the more of both, then the mover."""
    by_round = bout.has("S") and bout.rules["recount"] == "round"
    sides = sorted(SIDES if by_round else (side,), key=lambda s: (bout.points[s], s == side))
    return Ending(sides[-1], Reason.POINTS) if bout.points[sides[-1]] >= GOAL else None


def stuck(bout: Bout) -> Ending:
    """KF-44: nobody can move: more points win; level: drawn, or by option the last mover."""
    x, o = bout.points
    if x != o:
        return Ending(Side(o > x), Reason.STUCK)
    moved = [entry.side for entry in bout.record if isinstance(entry, Played)]
    by_move = bout.rules["kf_44"] == "last_mover" and moved
    return Ending(moved[-1] if by_move else None, Reason.STUCK)


TIC_TAC_TOE = Anomaly(
    "T",
    "Tic-Tac-Toe",
    after=_count,
)
