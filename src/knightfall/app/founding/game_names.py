"""Which game does a moderator mean? `knight-errant`, `Knight_Errant` and `knight errant` are one."""

from __future__ import annotations

from typing import Any

from knightfall.core.game import Game
from knightfall.errors import InputError
from knightfall.games import OUTSIDE, PLACES, game_ids, loaded


def games_on_board() -> dict[str, Game[Any]]:
    """Every game by its id: ours, then those of other packages that can be loaded."""
    ours = {name: loaded(name) for name in PLACES}
    return ours | {game.spec.id: game for game in OUTSIDE.working()}


def same_game(written: str, game: str) -> bool:
    """Whether a written name means the game of this id: hyphens, blanks and capitals do not matter."""
    return written.strip().casefold().replace("-", "_").replace(" ", "_") == game


def game_named(written: str) -> Game[Any]:
    """The game on board. Raises InputError with those there are, BrokenPlugin where one cannot be loaded."""
    for name in PLACES:
        if same_game(written, name):
            return loaded(name)
    for name in OUTSIDE.names():
        if same_game(written, name):
            return loaded(name)
    raise InputError(f"No game “{written}” here; there are {', '.join(game_ids())}.")
