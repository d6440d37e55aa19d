"""Has somebody won Empowered Mafia? Asked after all deaths of the moment; the mafia first (EM-R24)."""

from __future__ import annotations

from knightfall.games.empowered.options import DEFAULT_RULES, Rules
from knightfall.games.empowered.state import State
from knightfall.mafia.wins import Count, Winner, count_sides

QUIET_LIMIT = 6
"""Three days and three nights in a row without a death end the game for everybody (house rule)."""


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


def won(state: State) -> Winner | None:
    """The same for a position, in which it also counts how long nobody has died."""
    found = winner(count_sides(state.living.values()), state.rules)
    return Winner.DRAW if found is None and state.quiet >= QUIET_LIMIT else found
