"""What happens to a player who sends nothing, by which ruling? For the moderator and for reminders.

The same for every player of a window, so that no reminder tells what somebody can do.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

IDLE = "no action"
_IDLE_NIGHT = {"night": IDLE}
_BY_GAME: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "knight_errant": _IDLE_NIGHT,
        "empowered": {"choosing": "none: the moderator asks again (EM-R29)", **_IDLE_NIGHT},
        "custom_mafia": _IDLE_NIGHT,
        "kings_court": {
            "vote": "no vote, and a garnet less (KC-06)",
            "tie": "one of the tied is drawn (KC-10)",
            "shop": "nothing is bought",
        },
        "knights_duty": {
            "setup": "a sword, on the first free start (KD-27, KD-28)",
            "turn": "three passes (KD-25)",
        },
        "knight_fight": {
            "side": "X (KF-03)",
            "bids": "a bid of 0 without a move (KF-22)",
            "turn": "the rival moves instead, or a move is drawn (KF-09)",
            "stand_in": "a legal move is drawn (KF-09)",
            "trap": "no trap (KF-27)",
        },
    }
)


def default_of(game: str, window: str) -> str:
    """In a few words; "" where the rules leave it to the moderator."""
    return _BY_GAME.get(game, {}).get(window, "")
