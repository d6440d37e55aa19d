"""Empowered Mafia: most powers work only in a night in which an Empowerer gives power.

About a fifth of the players are mafiosi, who choose their own roles; as many are Empowerers; the others hold
eight roles in equal numbers. An incarceration can undo, after the fact, the very power that it needs: what
then happens is decided in `paradox`. The numbered rulings, and what a moderator may change, stand in
`options`.
"""

from knightfall.games.empowered.abilities import ROLES, Ability
from knightfall.games.empowered.game import EMPOWERED
from knightfall.games.empowered.options import OPTIONS, RULINGS, Rules, parse_options
from knightfall.games.empowered.rules import EmpoweredNight, cause_of, resolve, winner
from knightfall.games.empowered.state import EmpoweredPosition, State
from knightfall.mafia.state import Phase
from knightfall.mafia.wins import Winner

__all__ = [
    "EMPOWERED",
    "OPTIONS",
    "ROLES",
    "RULINGS",
    "Ability",
    "EmpoweredNight",
    "EmpoweredPosition",
    "Phase",
    "Rules",
    "State",
    "Winner",
    "cause_of",
    "parse_options",
    "resolve",
    "winner",
]
