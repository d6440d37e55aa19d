"""The anomalies, one line each, and what those in force add to an action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from knightfall.games.knight_fight.anomalies.airdrop import AIRDROP
from knightfall.games.knight_fight.anomalies.anomaly import Anomaly, Check, Deed
from knightfall.games.knight_fight.anomalies.bidding import BIDDING
from knightfall.games.knight_fight.anomalies.coloration import COLORATION
from knightfall.games.knight_fight.anomalies.horse_trap import HORSE_TRAP
from knightfall.games.knight_fight.anomalies.sickness import SICKNESS
from knightfall.games.knight_fight.anomalies.snapshot import SNAPSHOT
from knightfall.games.knight_fight.anomalies.tic_tac_toe import TIC_TAC_TOE
from knightfall.games.knight_fight.board import Side, Squares
from knightfall.games.knight_fight.state import Bout, Code

ANOMALIES: tuple[Anomaly, ...] = (
    AIRDROP,
    BIDDING,
    COLORATION,
    HORSE_TRAP,
    SICKNESS,
    SNAPSHOT,
    TIC_TAC_TOE,
)

ACTION_ORDER = (HORSE_TRAP, SICKNESS, AIRDROP, COLORATION, TIC_TAC_TOE)
"""Trap → sickness → manure → colour memory → points: the order inside one action, for any subset."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the anomalies in force add: faults by code, closed squares, and what follows, in order."""

    checks: tuple[tuple[Code, Check], ...]
    closed: tuple[Callable[[Bout, Side], Squares], ...]
    after: tuple[Callable[[Deed], Deed], ...]


def in_force(letters: frozenset[str]) -> tuple[Anomaly, ...]:
    """The anomalies of these letters, in the order of the rulings."""
    return tuple(anomaly for anomaly in ANOMALIES if anomaly.letter in letters)


@cache
def hooks(letters: frozenset[str]) -> Hooks:
    """The hooks of these anomalies together."""
    chosen = in_force(letters)
    return Hooks(
        tuple(check for anomaly in chosen for check in anomaly.checks),
        tuple(anomaly.closed for anomaly in chosen if anomaly.closed),
        tuple(anomaly.after for anomaly in ACTION_ORDER if anomaly in chosen and anomaly.after),
    )
