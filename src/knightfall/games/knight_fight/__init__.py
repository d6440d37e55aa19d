"""Knight Fight: two players spawn chess knights on a board of 12 × 11 until one has four in a row.

Two bouts; the shorter won bout breaks a tie. Seven anomalies can be in force in any subset, one file each in
`anomalies`; the order inside one action is fixed (`action`). The numbered rulings, and
what a moderator may change, stand in `options`.
"""

from knightfall.games.knight_fight.game import KNIGHT_FIGHT
from knightfall.games.knight_fight.options import OPTIONS, RULINGS, Rules, parse_options
from knightfall.games.knight_fight.state import State

__all__ = ["KNIGHT_FIGHT", "OPTIONS", "RULINGS", "Rules", "State", "parse_options"]
