"""Sickness: what happens to the knight that spawns.

A healthy source becomes weakened, a weakened one vanishes (KF-31 to KF-34).
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.games.knight_fight.anomalies.anomaly import Anomaly, Deed
from knightfall.games.knight_fight.board import Side
from knightfall.games.knight_fight.state import Bout, Code, Move, give


def _unnamed(_bout: Bout, _side: Side, move: Move) -> bool:
    return not move.source


def _sicken(deed: Deed) -> Deed:
    """KF-31, KF-32; P16: a spawn lost to a trap leaves its source as it was, unless the option says not."""
    bout, source = deed.bout, deed.move.source
    if not bout.weak & source:
        return deed if deed.trapped else replace(deed, bout=replace(bout, weak=bout.weak | source))
    if deed.trapped and bout.rules["kf_32"] == "stays":
        return deed
    return replace(deed, bout=give(bout, deed.side, bout.knights[deed.side] & ~source), vanished=source)


SICKNESS = Anomaly(
    "S",
    "Sickness",
    checks=((Code.SOURCE_REQUIRED, _unnamed),),
    after=_sicken,
)
