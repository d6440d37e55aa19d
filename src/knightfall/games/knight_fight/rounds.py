"""A round of bids, from the first bid to the winner's move (KF-18 to KF-23)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from knightfall.games.knight_fight.action import act, let_pass, next_turn
from knightfall.games.knight_fight.anomalies.bidding import award, refunded, settle
from knightfall.games.knight_fight.anomalies.horse_trap import lift_ban
from knightfall.games.knight_fight.anomalies.snapshot import passes
from knightfall.games.knight_fight.board import Side, put
from knightfall.games.knight_fight.bout import Bidden, Bout, Move
from knightfall.games.knight_fight.codes import Code
from knightfall.games.knight_fight.flow import Taken, judged
from knightfall.games.knight_fight.notation import BidLine
from knightfall.games.knight_fight.table import (
    Bid,
    Table,
    Waiting,
    bidders,
    minute_over,
    next_table,
    stand_in,
)


def take_bid(table: Table, side: Side, line: BidLine, at: datetime) -> Taken:
    """A bid with its move; until the round resolves a later one replaces it."""
    bout = table.bout
    if code := _bid_fault(table, side, line):
        return table, code
    move, code = judged(bout, side, line.move)
    if code and not passes(bout, code):
        return table, code
    over = minute_over(table)
    if not bidders(table) or (over and at > over):
        return table, Code.LATE  # KF-22
    bid = Bid(int(line.chips), Waiting(move, at, code is None))
    return replace(table, turn=replace(table.turn, bids=put(table.turn.bids, side, bid))), None


def _bid_fault(table: Table, side: Side, line: BidLine) -> Code | None:
    bout = table.bout
    if bout.ended:
        return Code.BOUT_OVER
    if not bout.has("B"):
        return Code.NO_BIDDING
    if not (line.chips.isascii() and line.chips.isdigit()) or int(line.chips) > bout.chips[side]:
        return Code.BAD_BID
    stuck = bool(bidders(table)) and side not in bidders(table)
    return Code.NOT_YOUR_TURN if bout.has("N") and stuck else None  # P11: who cannot move does not bid


def complete(table: Table) -> bool:
    """Whether everyone who can move has bid."""
    waited = bidders(table)
    return not table.bout.ended and bool(waited) and all(table.turn.bids[side] for side in waited)


def resolve(table: Table, at: datetime) -> Table:
    """The round is over: chips move, then the winner's move is played."""
    able = bidders(table)
    x, o = table.turn.bids
    round_ = award(table.bout, (x.chips if x else None, o.chips if o else None), able)
    paid = settle(table.bout, round_, able)
    if table.bout.has("N"):
        return next_table(table, _in_the_dark(table, paid, round_, able), at)
    move = _on_file(table, round_.winner)
    if move is None:
        return stand_in(replace(table, bout=paid), round_.winner, at)  # KF-22, KF-09
    return next_table(table, _played(table, paid, round_.winner, move), at)


def _on_file(table: Table, side: Side) -> Move | None:
    """The legal move that came with the bid; None where there is none."""
    bid = table.turn.bids[side]
    return bid.waiting.move if bid and bid.waiting.legal else None


def _tried(table: Table, side: Side) -> Move | None:
    bid = table.turn.bids[side]
    return bid.waiting.move if bid else None


def _played(table: Table, bout: Bout, side: Side, move: Move) -> Bout:
    """P08: only the trap of the one who does not play counts."""
    return act(bout, side, move, table.turn.traps[side.rival] or 0)


def _in_the_dark(table: Table, paid: Bout, round_: Bidden, able: tuple[Side, ...]) -> Bout:
    """P10: an illegal winner passes and still pays; then the loser's move is played, if it is legal."""
    winner, loser = round_.winner, round_.winner.rival
    first = _on_file(table, winner)
    if first is not None:
        return _played(table, paid, winner, first)
    passed = lift_ban(let_pass(paid, winner, _tried(table, winner)), winner)  # P08: a turn won was passed
    passed = refunded(table.bout, passed)
    second = _on_file(table, loser) if loser in able else None
    if second is not None:
        return _played(table, passed, loser, second)
    both = let_pass(passed, loser, _tried(table, loser)) if loser in able else passed
    return next_turn(both, winner)
