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
    Code.BOUT_OVER: "no bout is being played now",
    Code.USE_BID: "in Bidding a move comes with a bid, for example BID 3: E4",
    Code.NO_BIDDING: "there is no bidding in this game, so send the move alone",
    Code.BAD_BID: "a bid is a whole number, from 0 to the chips you have",
    Code.NO_PROXY: "there is nobody for you to move for now",
    Code.PROXY_NO_MANURE: "a move for your rival can't drop manure",
    Code.NO_HORSE_TRAP: "there are no traps in this game",
    Code.NOT_YOUR_TRAP: "it is your own move, so only your rival can set a trap",
    Code.TRAP_BANNED: "your knight was trapped, so you can't set a trap this turn",
    Code.NOT_YOUR_TURN: "it is not your turn",
    Code.OFF_BOARD: "that square is not on the board",
    Code.SOURCE_REQUIRED: "name the knight that the new one comes from, for example F6>E4",
    Code.NO_AIRDROP: "there is no manure in this game",
    Code.NO_MANURE_LEFT: "you have no manure left in this bout",
    Code.BAD_SOURCE: "you have no knight on the square that you start from",
    Code.OCCUPIED: "there is a knight on that square already",
    Code.MANURED: "there is manure on that square",
    Code.NOT_REACHABLE: "that is not a knight's move from a knight of yours, or not from the one you named",
    Code.WRONG_COLOR: "that square has the colour of your rival's latest placement",
    Code.BAD_MANURE: "manure needs a free square without manure, and not the one you place your knight on",
    Code.PROXY_TRAP: "you trapped that square yourself, so choose another one",
    Code.LATE: "your time was up",
    Code.NOT_A_PLAYER: "only the two players can move",
    Code.NOT_YOUR_CHOICE: "it is not you who chooses a side now",
    Code.UNKNOWN_COMMAND: "I don't understand that",
    Code.CLOCK_STOPPED: "the clock is stopped; send it again when it runs",
}


_OF_A_STAND_IN: Mapping[Code, str] = {
    Code.BAD_SOURCE: "your rival has no knight on the square that you start from",
    Code.NOT_REACHABLE: (
        "that is not a knight's move from a knight of your rival's, or not from the one you named"
    ),
    Code.WRONG_COLOR: "that square has the colour of your own latest placement",
}


def refusal(code: Code, *, stand_in: bool = False) -> Refusal:
    """The code with its sentence; `stand_in`: for a move that was made for the rival."""
    return Refusal(code, (_OF_A_STAND_IN if stand_in else {}).get(code, _SENTENCES[code]))
