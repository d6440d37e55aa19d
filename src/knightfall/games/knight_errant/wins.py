"""Has somebody won Knight-Errant?

The three conditions exclude each other (KE-R40); they are asked after all deaths of the moment.
"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.games.knight_errant.options import DEFAULT_RULES, Rules
from knightfall.games.knight_errant.roles import PROOF
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.wins import Count, Winner, at_parity, in_majority


def winner(count: Count, rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    if not count.alive:
        return Winner.DRAW  # KE-R39
    # KE-R38: literally the last alive; by option already against one rival, or against one of each side.
    when = rules["ke_r38"]
    rivals = count.town + count.mafia
    if count.sk != 1:
        serial_killer_wins = False
    elif when == "last_alive":
        serial_killer_wins = rivals == 0
    else:
        serial_killer_wins = rivals <= 1 or (when == "one_on_one_on_one" and count.town == count.mafia == 1)
    if serial_killer_wins:
        return Winner.SERIAL_KILLER
    if count.sk:
        return None  # a threat to both others
    if not count.mafia:
        return Winner.TOWN  # KE-R42
    wins = in_majority(count) if rules["ke_r37"] == "majority" else at_parity(count)
    return Winner.MAFIA if wins else None


def stalemate(living: Iterable[Role], strong_kills: int) -> bool:
    """KE-R39: a Serial Killer without a strong kill against one Town Bulletproof."""
    roles = sorted(living, key=lambda role: role.alignment)
    if len(roles) != 2 or strong_kills:
        return False
    killer, rival = roles
    sides = (killer.alignment, rival.alignment)
    return sides == (Alignment.SERIAL_KILLER, Alignment.TOWN) and PROOF in rival.traits
