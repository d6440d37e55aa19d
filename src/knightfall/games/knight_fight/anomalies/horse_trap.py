"""Horse Trap: who may trap, and what a trap does.

The one who waits may trap a square in secret; a knight placed there is lost (KF-27 to KF-30).
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.games.knight_fight.anomalies.anomaly import Anomaly, Deed
from knightfall.games.knight_fight.board import Side, put
from knightfall.games.knight_fight.state import Bout, Code, give


def trap_fault(bout: Bout, side: Side) -> Code | None:
    """Why this side cannot set or decline a trap now; which square it is comes later (KF-30)."""
    if bout.ended:
        return Code.BOUT_OVER
    if not bout.has("H"):
        return Code.NO_HORSE_TRAP
    if not bout.has("B") and side == bout.to_move:
        return Code.NOT_YOUR_TRAP
    return Code.TRAP_BANNED if bout.banned[side] else None


def lift_ban(bout: Bout, side: Side) -> Bout:
    """KF-30, P08: this side placed a knight or passed its turn, so its rival may trap again."""
    return replace(bout, banned=put(bout.banned, side.rival, False)) if bout.banned[side.rival] else bout


def _spring(deed: Deed) -> Deed:
    """KF-28, KF-30: the knight is removed, and its player may not trap on the rival's next turn."""
    bout, side = lift_ban(deed.bout, deed.side), deed.side
    if deed.trap != deed.move.target:
        return replace(deed, bout=bout)
    lost = give(bout, side, bout.knights[side] & ~deed.trap)
    return replace(deed, bout=replace(lost, banned=put(lost.banned, side, True)), trapped=True)


HORSE_TRAP = Anomaly(
    "H",
    "Horse Trap",
    after=_spring,
)
