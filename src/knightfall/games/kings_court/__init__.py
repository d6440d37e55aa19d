"""King's Court: eleven players, a King, five Dukes, five Nobles, and a court that fills vote by vote.

Each round the players outside vote in secret for one to join, and the King breaks ties in secret. When the
King joins, the team with more members in the court wins; the King wins where both have as many. An early King
pays, and all is dealt again, four times at most. The numbered rulings, and what a moderator may change, stand
in `options`.
"""

from knightfall.games.kings_court.game import KINGS_COURT, KingsCourt
from knightfall.games.kings_court.options import OPTIONS, RULINGS, parse_options
from knightfall.games.kings_court.state import Deal, End, Phase, Poll, Prizes, Role, Seats, State, seats_of

__all__ = [
    "KINGS_COURT",
    "OPTIONS",
    "RULINGS",
    "Deal",
    "End",
    "KingsCourt",
    "Phase",
    "Poll",
    "Prizes",
    "Role",
    "Seats",
    "State",
    "parse_options",
    "seats_of",
]
