"""Which games are on board? One line a game."""

from __future__ import annotations

from typing import Any

from knightfall.core.game import Game
from knightfall.games.custom_mafia import CUSTOM_MAFIA
from knightfall.games.empowered import EMPOWERED
from knightfall.games.kings_court import KINGS_COURT
from knightfall.games.knight_errant import KNIGHT_ERRANT
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.games.knights_duty import KNIGHTS_DUTY

# Any: each game has a state of its own, and only the game itself looks into it.
GAMES: tuple[Game[Any], ...] = (
    KNIGHT_ERRANT,
    EMPOWERED,
    KINGS_COURT,
    KNIGHTS_DUTY,
    KNIGHT_FIGHT,
    CUSTOM_MAFIA,
)
