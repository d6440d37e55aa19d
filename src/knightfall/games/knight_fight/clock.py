"""How long has a player thought, what does it cost, and when is his time up?

A move has its move time, then the reserve of the bout; only what goes beyond the move time is charged
(KF-08). In Bidding the reserve is not used (KF-22). Instants are aware UTC, from the forum's own stamps.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from knightfall.games.knight_fight.board import Side, put
from knightfall.games.knight_fight.bout import Bout


def seconds_between(start: datetime, end: datetime) -> float:
    """From one instant to the other."""
    return (end - start).total_seconds()


def allowed(bout: Bout, side: Side) -> float:
    """KF-08: how many seconds the side has for this move; exactly so many are in time."""
    return bout.rules.move_time + (0 if bout.has("B") else bout.reserve[side])


def charged(bout: Bout, side: Side, seconds: float) -> Bout:
    """The bout with what this move cost of the reserve."""
    over = seconds - bout.rules.move_time
    if bout.has("B") or over <= 0:
        return bout
    return replace(bout, reserve=put(bout.reserve, side, max(0, bout.reserve[side] - over)))


def emptied(bout: Bout, side: Side) -> Bout:
    """KF-09: out of time: nothing of the reserve is left."""
    return bout if bout.has("B") else replace(bout, reserve=put(bout.reserve, side, 0))


def after(start: datetime, seconds: float) -> datetime:
    """The instant so many seconds later."""
    return start + timedelta(seconds=seconds)
