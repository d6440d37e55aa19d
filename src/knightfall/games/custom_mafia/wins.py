"""Has somebody won a custom game?

Asked after all deaths of the moment (CM-R42). Jesters and survivors count for no side; they win along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from knightfall.games.custom_mafia.options import DEFAULT_RULES, Rules
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.wins import Winner

QUIET = 5
"""After so many days and nights without a death the moderator is asked to have a look."""


def winner(living: Iterable[Role], rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    count = Counter(role.alignment for role in living)
    if _killer_wins(count, rules["killer_wins"]):
        return Winner.SERIAL_KILLER
    if count[Alignment.SERIAL_KILLER]:
        return None  # a threat to everybody else
    if not count[Alignment.MAFIA]:
        return Winner.TOWN if count[Alignment.TOWN] else Winner.DRAW  # CM-R36, CM-R41
    return Winner.MAFIA if _mafia_wins(count, rules["mafia_wins"]) else None


def _killer_wins(count: Counter[Alignment], when: str) -> bool:
    """CM-R38: survivors left aside, nobody else lives; by option, or one other."""
    if count[Alignment.SERIAL_KILLER] != 1:
        return False
    rivals = count.total() - count[Alignment.SURVIVOR] - 1
    return rivals <= (when == "one_on_one")


def _mafia_wins(count: Counter[Alignment], when: str) -> bool:
    """CM-R37: half of the living; by option more than half, or no townsman lives."""
    mafia = count[Alignment.MAFIA]
    if when == "last_side":
        return not count[Alignment.TOWN]
    return 2 * mafia > count.total() - (when == "parity")
