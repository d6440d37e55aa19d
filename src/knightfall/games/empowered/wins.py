"""Has somebody won Empowered Mafia? Asked after all deaths of the moment; the mafia first (EM-R24)."""

from __future__ import annotations

from enum import StrEnum

from knightfall.games.empowered.options import DEFAULT_RULES, Rules
from knightfall.mafia.wins import Count

QUIET_LIMIT = 3
"""So many days and nights in a row without a death end the game for everybody."""


class Winner(StrEnum):
    """How the game can end."""

    TOWN = "town"
    MAFIA = "mafia"
    DRAW = "draw"


def winner(count: Count, rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    if not count.alive and rules["em_r24"] == "draw":
        return Winner.DRAW
    if count.mafia >= count.town:
        return Winner.MAFIA  # EM-R24: nobody against nobody, too
    if count.mafia > 1:
        return None
    alone = count.town < 2 and rules["em_r25"] == "nobody"  # EM-R25: the card wants two survivors
    return Winner.DRAW if alone else Winner.TOWN
