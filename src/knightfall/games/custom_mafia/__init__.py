"""Custom Mafia: a moderator's own setup of common roles, in words: "Town 2-Shot Cop", "Mafia Ninja Goon".

A setup is a table of cards, fixed or drawn. Days and nights alternate; a night is resolved by what changes
what, and a ring of actions that change each other is put to the moderator. The numbered rulings stand in
`rulings`, what a moderator may change in `options`, the roles in `roles`.
"""

from knightfall.games.custom_mafia.dusk import Dusk
from knightfall.games.custom_mafia.found import Found, Knot
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import OPTIONS, Rules, parse_options
from knightfall.games.custom_mafia.roles import CATALOG, parse_role
from knightfall.games.custom_mafia.rules import resolve
from knightfall.games.custom_mafia.rulings import RULINGS
from knightfall.games.custom_mafia.setup import Setup, parse_setup
from knightfall.games.custom_mafia.state import State, Terms
from knightfall.games.custom_mafia.verbs import Ability, Passive
from knightfall.games.custom_mafia.wins import winner
from knightfall.mafia.state import Phase
from knightfall.mafia.wins import Winner

__all__ = [
    "CATALOG",
    "CUSTOM_MAFIA",
    "OPTIONS",
    "RULINGS",
    "Ability",
    "Dusk",
    "Found",
    "Knot",
    "Passive",
    "Phase",
    "Rules",
    "Setup",
    "State",
    "Terms",
    "Winner",
    "parse_options",
    "parse_role",
    "parse_setup",
    "resolve",
    "winner",
]
