"""A `match` case put to a game: each game has an adapter of its own, one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knightfall.conformance import kings_court, knight_fight, knights_duty
from knightfall.conformance.cases import Case, CaseResult, failure


def check(case: Case) -> CaseResult:
    """Play the match of a case and compare."""
    game = case.get("game")
    play = _PLAYERS.get(game) if isinstance(game, str) else None
    if play is None:
        return failure(f"game {game!r} has no match cases yet; known: {', '.join(_PLAYERS) or 'none'}")
    return play(case)


_PLAYERS: Mapping[str, Callable[[Case], CaseResult]] = {
    "knights_duty": knights_duty.check,
    "kings_court": kings_court.check,
    "knight_fight": knight_fight.check,
}
