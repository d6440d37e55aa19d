"""Which games are on board? One line a game."""

from __future__ import annotations

from typing import Any

from knightfall.core.game import Game
from knightfall.games.empowered import EMPOWERED
from knightfall.games.knight_errant import KNIGHT_ERRANT

# Any: each game has a state of its own, and only the game itself looks into it.
GAMES: tuple[Game[Any], ...] = (KNIGHT_ERRANT, EMPOWERED)
