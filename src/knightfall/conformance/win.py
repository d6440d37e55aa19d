"""A `win` case put to a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from knightfall.conformance import custom_mafia
from knightfall.conformance.cases import Case, CaseResult, compare, failure
from knightfall.games import empowered
from knightfall.games.knight_errant import winner
from knightfall.mafia.wins import Count


def check(case: Case) -> CaseResult:
    """Ask the game who has won with the living of the case."""
    game = case.get("game")
    ask = _JUDGES.get(game) if isinstance(game, str) else None
    if ask is None:
        return failure(f"game {game!r} has no win cases yet; known: {', '.join(_JUDGES)}")
    return compare(case["expected"], ask(case))


def _count(case: Mapping[str, Any]) -> Count:
    return Count(*(int(case.get(side) or 0) for side in Count._fields))


_JUDGES: Mapping[str, Callable[[Mapping[str, Any]], str | None]] = {
    "knight_errant": lambda case: winner(_count(case)),
    "empowered": lambda case: empowered.winner(_count(case)),
    "custom_mafia": custom_mafia.won,
}
