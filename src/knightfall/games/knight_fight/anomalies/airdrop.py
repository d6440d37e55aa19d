"""Airdrop: where manure may fall, and what it closes.

Each player drops manure twice a bout, with a placement; nobody may place a knight there again (KF-14 to
KF-17).
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.games.knight_fight.anomalies.anomaly import Anomaly, Deed
from knightfall.games.knight_fight.board import Side, put
from knightfall.games.knight_fight.state import Bout, Code, Move


def _none_left(bout: Bout, side: Side, move: Move) -> bool:
    return bool(move.manure) and bout.manure_left[side] < 1


def _manured(bout: Bout, _side: Side, move: Move) -> bool:
    return bool(move.target & bout.manure)


def _misplaced(bout: Bout, _side: Side, move: Move) -> bool:
    """KF-15, P04: free before the action, so a source about to vanish is in the way too."""
    return bool(move.manure & (bout.taken | bout.manure | move.target))


def _drop(deed: Deed) -> Deed:
    """KF-17, P03: also with a knight lost to a trap."""
    bout, side, manure = deed.bout, deed.side, deed.move.manure
    memory = put(bout.last_manure, side, manure)
    if not manure and memory == bout.last_manure:
        return deed
    if not manure:
        return replace(deed, bout=replace(bout, last_manure=memory))
    dropped = replace(bout, manure=bout.manure | manure, manure_left=_spent(bout, side), last_manure=memory)
    return replace(deed, bout=dropped)


def _spent(bout: Bout, side: Side) -> tuple[int, int]:
    x, o = bout.manure_left
    if bout.rules["kf_14"] == "together":
        return x - 1, o - 1
    return put(bout.manure_left, side, bout.manure_left[side] - 1)


AIRDROP = Anomaly(
    "A",
    "Airdrop",
    checks=((Code.NO_MANURE_LEFT, _none_left), (Code.MANURED, _manured), (Code.BAD_MANURE, _misplaced)),
    closed=lambda bout, _side: bout.manure,
    after=_drop,
)
