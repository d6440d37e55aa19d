"""Which game does a moderator mean? `knight-errant`, `Knight_Errant` and `knight errant` are one."""

from __future__ import annotations

from typing import Any

from knightfall.core.game import Game
from knightfall.errors import InputError
from knightfall.games import GAMES


def games_on_board() -> dict[str, Game[Any]]:
    """Every game by its id."""
    return {game.spec.id: game for game in GAMES}


def same_game(written: str, game: str) -> bool:
    """Whether a written name means the game of this id: hyphens, blanks and capitals do not matter."""
    return written.strip().casefold().replace("-", "_").replace(" ", "_") == game


def game_named(written: str) -> Game[Any]:
    """The game on board. Raises InputError with those there are."""
    games = games_on_board()
    for name, game in games.items():
        if same_game(written, name):
            return game
    raise InputError(f"No game “{written}” here; there are {', '.join(games)}.")
