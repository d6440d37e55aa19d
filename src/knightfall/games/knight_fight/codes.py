"""Why a line is not taken: codes in the order of KF-05, and one sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from knightfall.engine.game import Refusal


class Code(StrEnum):
    """When several apply, the first listed is given (KF-05, KF-09, KF-30)."""

    BOUT_OVER = "BOUT_OVER"
    USE_BID = "USE_BID"
    NO_BIDDING = "NO_BIDDING"
    BAD_BID = "BAD_BID"
    NO_PROXY = "NO_PROXY"
    PROXY_NO_MANURE = "PROXY_NO_MANURE"
    NO_HORSE_TRAP = "NO_HORSE_TRAP"
    NOT_YOUR_TRAP = "NOT_YOUR_TRAP"
    TRAP_BANNED = "TRAP_BANNED"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    OFF_BOARD = "OFF_BOARD"
    SOURCE_REQUIRED = "SOURCE_REQUIRED"
    NO_AIRDROP = "NO_AIRDROP"
    NO_MANURE_LEFT = "NO_MANURE_LEFT"
    BAD_SOURCE = "BAD_SOURCE"
    OCCUPIED = "OCCUPIED"
    MANURED = "MANURED"
    NOT_REACHABLE = "NOT_REACHABLE"
    WRONG_COLOR = "WRONG_COLOR"
    BAD_MANURE = "BAD_MANURE"
    PROXY_TRAP = "PROXY_TRAP"
    LATE = "LATE"
    NOT_A_PLAYER = "NOT_A_PLAYER"
    NOT_YOUR_CHOICE = "NOT_YOUR_CHOICE"
    UNKNOWN_COMMAND = "UNKNOWN_COMMAND"
    CLOCK_STOPPED = "CLOCK_STOPPED"


ILLEGAL = frozenset(
    {Code.BAD_SOURCE, Code.OCCUPIED, Code.MANURED, Code.NOT_REACHABLE, Code.WRONG_COLOR, Code.BAD_MANURE}
)
"""KF-38: readable but illegal: in Snapshot a pass."""

_SENTENCES: Mapping[Code, str] = {
    Code.BOUT_OVER: "no bout is being played",
    Code.USE_BID: "in Bidding a move comes with a bid, for instance BID 3: E4",
    Code.NO_BIDDING: "there are no bids in this Death Match; send the move alone",
    Code.BAD_BID: "a bid is a whole number from 0 to your own chips",
    Code.NO_PROXY: "there is nobody for whom you could move now",
    Code.PROXY_NO_MANURE: "a move for your rival has no manure",
    Code.NO_HORSE_TRAP: "there are no traps in this Death Match",
    Code.NOT_YOUR_TRAP: "only the one who waits can set a trap",
    Code.TRAP_BANNED: "you were trapped, so you cannot set a trap on this turn",
    Code.NOT_YOUR_TURN: "it is not your turn",
    Code.OFF_BOARD: "a square you name is not on the board",
    Code.SOURCE_REQUIRED: "with Sickness you name the knight it comes from, for instance F6>E4",
    Code.NO_AIRDROP: "there is no manure in this Death Match",
    Code.NO_MANURE_LEFT: "you have no manure left in this bout",
    Code.BAD_SOURCE: "the knight you name as source is not yours",
    Code.OCCUPIED: "there is a knight on the square",
    Code.MANURED: "there is manure on the square",
    Code.NOT_REACHABLE: "no knight of yours can jump there, or not the one you name",
    Code.WRONG_COLOR: "the square has the colour of your rival's latest placement",
    Code.BAD_MANURE: "manure falls on a free square without manure, and not where you play",
    Code.PROXY_TRAP: "you trapped that square yourself; choose another",
    Code.LATE: "your time was up",
    Code.NOT_A_PLAYER: "only the two players can move",
    Code.NOT_YOUR_CHOICE: "it is not you who chooses a side now",
    Code.UNKNOWN_COMMAND: "this is no command; say E4, F6>E4, TRAP: E4, BID 3: E4, FOR X: D7 or RESIGN",
    Code.CLOCK_STOPPED: "the moderator stopped the clock; send it again when it runs",
}


def refusal(code: Code) -> Refusal:
    """The code with its sentence."""
    return Refusal(code, _SENTENCES[code])
