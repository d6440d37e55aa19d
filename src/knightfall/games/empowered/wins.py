"""Who has won Empowered Mafia, asked after all deaths of the moment; the mafia first (EM-R24)."""

from __future__ import annotations

from knightfall.engine.game import Noted
from knightfall.games.empowered.options import DEFAULT_RULES, Rules
from knightfall.games.empowered.state import State
from knightfall.mafia import views
from knightfall.mafia.events import CautionNote, Ending
from knightfall.mafia.game import Verdict
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
    """Who has won in a position, in which it also counts how long nobody has died."""
    found = winner(count_sides(state.living.values()), state.rules)
    return Winner.DRAW if found is None and state.quiet >= QUIET_LIMIT else found


def judge(state: State) -> Verdict:
    """EM-R24: a win of the mafia over an empty table is worth a second look."""
    found = won(state)
    if found is Winner.MAFIA and not state.living:
        text = "nobody is left: nobody against nobody is a win of the mafia"
        return Verdict(found, (caution(text, "EM-R24"),))
    return Verdict(found)


def caution(text: str, ruling: str) -> Noted:
    """Something legal that the moderator may want to look at."""
    return Noted(CautionNote(text, ruling))


def ending(state: State) -> Ending:
    """Who won and why, in a word that the template knows; and every role."""
    count = count_sides(state.living.values())
    if not count.alive:
        reason = "nobody_left"
    elif state.winner is Winner.MAFIA:
        reason = "parity"
    elif state.winner is Winner.TOWN:
        reason = "one_mafioso" if count.mafia else "no_mafioso"
    elif not count.mafia:
        reason = "one_townsman"
    else:
        reason = "quiet" if state.quiet >= QUIET_LIMIT else "declared"
    return views.ending(state, reason)
