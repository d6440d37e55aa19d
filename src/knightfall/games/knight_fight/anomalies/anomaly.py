"""What an anomaly can change about one action. Pure hooks; each anomaly fills in those that it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from knightfall.games.knight_fight.board import Side, Squares
from knightfall.games.knight_fight.state import Bout, Code, Move

Check: TypeAlias = Callable[[Bout, Side, Move], bool]
"""Whether the move has the fault of a code."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An action on its way: `bout` as it stands after what has been settled; `trap` the square trapped for
    this turn; a trapped knight is gone again, `vanished` is the source that is."""

    bout: Bout
    side: Side
    move: Move
    trap: Squares = 0
    trapped: bool = False
    vanished: Squares = 0


@dataclass(frozen=True, slots=True)
class Anomaly:
    """`checks` are faults of a move by code, `closed` the squares where the side may not place a knight,
    `after` what follows a placement. What players read of it stands in the template `knight_fight/rules`."""

    letter: str
    name: str
    checks: tuple[tuple[Code, Check], ...] = ()
    closed: Callable[[Bout, Side], Squares] | None = None
    after: Callable[[Deed], Deed] | None = None
