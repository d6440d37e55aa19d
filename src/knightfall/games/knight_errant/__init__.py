"""Knight-Errant: 18 players, a 4×4 table of power roles, a chess knight that picks four of them.

Town against mafia against a Serial Killer, who gets a limited use of each ability on the knight's way. The
game opens with a day. At night commutes come first, then jails, then roleblocks, and what came first is not
touched by what comes later. The numbered rulings stand in `rulings`, what a moderator may change in
`options`.
"""

from knightfall.games.knight_errant.abilities import ROLES, Ability
from knightfall.games.knight_errant.game import KNIGHT_ERRANT
from knightfall.games.knight_errant.options import CODES, OPTIONS, RULINGS, Rules, parse_code, parse_options
from knightfall.games.knight_errant.rules import resolve, winner
from knightfall.games.knight_errant.state import KnightErrantPosition, State
from knightfall.mafia.state import Phase
from knightfall.mafia.wins import Winner

__all__ = [
    "CODES",
    "KNIGHT_ERRANT",
    "OPTIONS",
    "ROLES",
    "RULINGS",
    "Ability",
    "KnightErrantPosition",
    "Phase",
    "Rules",
    "State",
    "Winner",
    "parse_code",
    "parse_options",
    "resolve",
    "winner",
]
