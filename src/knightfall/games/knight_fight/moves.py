"""The legal placements, and what is wrong with one that is not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from knightfall.games.knight_fight.anomalies import hooks
from knightfall.games.knight_fight.anomalies.anomaly import Check
from knightfall.games.knight_fight.board import SIDES, Side, Squares, each, spread
from knightfall.games.knight_fight.bout import Bout, Move
from knightfall.games.knight_fight.codes import Code

_ORDER = tuple(Code)


def targets(bout: Bout, side: Side, source: Squares = 0) -> Squares:
    """KF-04: every square where the side may place a knight now, from one source or from any."""
    return spread(source or bout.knights[side]) & _open(bout, side)


def _open(bout: Bout, side: Side) -> Squares:
    """The squares that are neither taken nor closed to the side."""
    free = bout.rules.board.ground & ~bout.taken
    for closed in hooks(bout.rules.anomalies).closed:
        free &= ~closed(bout, side)
    return free


def pairs(bout: Bout, side: Side, among: Squares = -1) -> Iterator[Move]:
    """Every plain move to these squares with its source named, as Sickness wants it."""
    free = _open(bout, side) & among
    for source in each(bout.knights[side]):
        for target in each(spread(source) & free):
            yield Move(target, source)


def placements(bout: Bout, side: Side, among: Squares = -1) -> list[Move]:
    """Every legal move without manure to one of these squares, as the anomalies want it written."""
    if bout.has("S"):
        return list(pairs(bout, side, among))
    return [Move(target) for target in each(targets(bout, side) & among)]


def able(bout: Bout) -> list[Side]:
    """KF-07: who has a legal square, on the true board."""
    return [side for side in SIDES if targets(bout, side)]


def fault(bout: Bout, side: Side, move: Move) -> Code | None:
    """What is wrong with the move, the first in the order of KF-05; None: it is legal."""
    return next((code for code, check in _checks(bout.rules.anomalies) if check(bout, side, move)), None)


def _bad_source(bout: Bout, side: Side, move: Move) -> bool:
    return bool(move.source & ~bout.knights[side])


def _occupied(bout: Bout, _side: Side, move: Move) -> bool:
    return bool(move.target & bout.taken)


def _not_reachable(bout: Bout, side: Side, move: Move) -> bool:
    return not spread(move.source or bout.knights[side]) & move.target


def _no_airdrop(bout: Bout, _side: Side, move: Move) -> bool:
    return bool(move.manure) and not bout.has("A")


_ALWAYS: tuple[tuple[Code, Check], ...] = (
    (Code.NO_AIRDROP, _no_airdrop),
    (Code.BAD_SOURCE, _bad_source),
    (Code.OCCUPIED, _occupied),
    (Code.NOT_REACHABLE, _not_reachable),
)


@cache
def _checks(letters: frozenset[str]) -> tuple[tuple[Code, Check], ...]:
    """All checks in the order of KF-05."""
    return tuple(sorted((*_ALWAYS, *hooks(letters).checks), key=lambda check: _ORDER.index(check[0])))
