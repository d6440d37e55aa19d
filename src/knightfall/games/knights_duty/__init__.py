"""Knight's Duty: two to six knights on a board of hexes; the last one standing wins.

Each turn everybody lays a secret plan of three tokens. Round by round they are revealed at once: moves, then
changes of weapon, then attacks, each decided by one card of a small pile. The first hit takes a knight's
Heart down, the second takes him out when the round ends. The numbered rulings, and what a
moderator may change, stand in `options`.
"""

from knightfall.games.knights_duty.board import (
    PRINTED_BOARDS,
    Board,
    Grid,
    draw_board,
    parse_board,
    printed_board,
)
from knightfall.games.knights_duty.game import KNIGHTS_DUTY
from knightfall.games.knights_duty.options import EDITIONS, OPTIONS, RULINGS, parse_options
from knightfall.games.knights_duty.orders import lay
from knightfall.games.knights_duty.rules import Wanted, play_turn
from knightfall.games.knights_duty.state import (
    WEAPONS,
    Attack,
    Card,
    Defence,
    Knight,
    Phase,
    Pile,
    Round,
    State,
    Token,
    Wound,
    chance,
    choose_board,
    disarms,
    first_weapon,
    make_pile,
)

__all__ = [
    "EDITIONS",
    "KNIGHTS_DUTY",
    "OPTIONS",
    "PRINTED_BOARDS",
    "RULINGS",
    "WEAPONS",
    "Attack",
    "Board",
    "Card",
    "Defence",
    "Grid",
    "Knight",
    "Phase",
    "Pile",
    "Round",
    "State",
    "Token",
    "Wanted",
    "Wound",
    "chance",
    "choose_board",
    "disarms",
    "draw_board",
    "first_weapon",
    "lay",
    "make_pile",
    "parse_board",
    "parse_options",
    "play_turn",
    "printed_board",
]
