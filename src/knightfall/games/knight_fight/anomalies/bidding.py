"""Bidding: who wins a round, what the winner pays, and who would win a tie.

Both send a bid with a move; the higher bid pays its amount to the rival and plays (KF-18 to KF-23, KF-35).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from knightfall.games.knight_fight.anomalies.anomaly import Anomaly
from knightfall.games.knight_fight.board import Pair, Side, put
from knightfall.games.knight_fight.state import Bidden, Bout, note


def favourite(bout: Bout) -> Side:
    """KF-20: who lost the latest bid; before any bid, X."""
    return Side.X if bout.bid_loser is None else bout.bid_loser


def award(bout: Bout, bids: Pair[int | None], able: Collection[Side]) -> Bidden:
    """Who wins the round, and what they pay; no bid is a bid of 0 (KF-22)."""
    if len(able) == 1:  # P11: they play for free
        return Bidden(bids, next(iter(able)), 0)
    x, o = (bid or 0 for bid in bids)
    if bout.bid_loser is None and bout.rules["first_bid"] == "x_wins_auto":
        return Bidden(bids, Side.X, _price(bout, x, o) if x >= o else 0)
    winner = favourite(bout) if x == o else Side(o > x)
    return Bidden(bids, winner, _price(bout, x, o))


def _price(bout: Bout, x: int, o: int) -> int:
    """KF-19, KF-21: the winner's own bid, by option nothing in a tie."""
    return 0 if x == o and bout.rules["tie_pays"] == "no" else max(x, o)


def settle(bout: Bout, round_: Bidden, able: Collection[Side]) -> Bout:
    """KF-19: chips move, the loser is remembered; after a free round nobody is (P11)."""
    paid = _move_chips(note(bout, round_), round_.winner, round_.paid)
    return paid if len(able) == 1 else replace(paid, bid_loser=round_.winner.rival)


def refunded(before: Bout, bout: Bout) -> Bout:
    """P10, by option: an illegal winner gets the chips back, and tie priority is as before."""
    if bout.rules["kf_p10"] != "refund":
        return bout
    return replace(bout, chips=before.chips, bid_loser=before.bid_loser)


def _move_chips(bout: Bout, payer: Side, amount: int) -> Bout:
    chips = put(bout.chips, payer, bout.chips[payer] - amount)
    return replace(bout, chips=put(chips, payer.rival, bout.chips[payer.rival] + amount))


BIDDING = Anomaly(
    "B",
    "Bidding",
)
