"""Which games are on board? One line a game; each is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # who plays one game need not wait for the others
    from knightfall.core.game import Game

    # Any: each game has a state of its own, and only the game itself looks into it.
    GAMES: tuple[Game[Any], ...]

PLACES: Mapping[str, str] = {
    "knight_errant": "KNIGHT_ERRANT",
    "empowered": "EMPOWERED",
    "kings_court": "KINGS_COURT",
    "knights_duty": "KNIGHTS_DUTY",
    "knight_fight": "KNIGHT_FIGHT",
    "custom_mafia": "CUSTOM_MAFIA",
}
"""The id of each game, which is the package that it lies in → what its module `game` calls it."""


def loaded(game: str) -> Game[Any]:
    """The game of an id of `PLACES`."""
    found: Game[Any] = getattr(import_module(f"{__name__}.{game}.game"), PLACES[game])
    return found


def __getattr__(name: str) -> object:
    """`GAMES`: all of them, in the order of `PLACES`."""
    if name == "GAMES":
        return tuple(map(loaded, PLACES))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
