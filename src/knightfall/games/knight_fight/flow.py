"""How a bout goes on: a line arrived, a time is up, or what was awaited is in; with Bidding a round of bids,
from the first bid to the winner's move (KF-18 to KF-23).

Each function gives the table as it then stands, `take_…` also the code of what was not taken.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from knightfall.engine.rng import Rng
from knightfall.games.knight_fight.action import act, let_pass, next_turn, passed_turn
from knightfall.games.knight_fight.anomalies.bidding import award, refunded
from knightfall.games.knight_fight.anomalies.bidding import settle as settle_bids
from knightfall.games.knight_fight.anomalies.horse_trap import lift_ban, trap_fault
from knightfall.games.knight_fight.anomalies.snapshot import fizzles, passes
from knightfall.games.knight_fight.board import Side, put
from knightfall.games.knight_fight.bout import Bidden, Bout, How, Move
from knightfall.games.knight_fight.codes import Code
from knightfall.games.knight_fight.moves import fault, placements, targets
from knightfall.games.knight_fight.notation import BidLine, ProxyLine, TrapLine, Written, placed, write_move
from knightfall.games.knight_fight.table import (
    Bid,
    Table,
    Waiting,
    allowed,
    bidders,
    charged,
    minute_over,
    mover_of,
    next_table,
    seconds_between,
    stand_in,
    trap_awaited,
    trap_open,
    with_trap,
)

Taken: TypeAlias = tuple[Table, Code | None]

RNG_MOVE = "kf.rng_move"


def judged(bout: Bout, side: Side, written: Written) -> tuple[Move | None, Code | None]:
    """The move as it would be played, and what is wrong with it (KF-05)."""
    move = placed(bout.rules.board, written)
    if move is None:
        return None, Code.OFF_BOARD
    code = fault(bout, side, move)
    if code and fizzles(bout, code):
        return move._replace(manure=0), None
    return move, code


def take_move(table: Table, side: Side, written: Written, at: datetime) -> Taken:
    """A move of one's own; it is on file until no trap is awaited (KF-27)."""
    bout = table.bout
    if code := _not_now(table, side):
        return table, code
    move, code = judged(bout, side, written)
    if code and not passes(bout, code):
        return table, code
    if table.turn.stand_in:
        return table, Code.LATE
    if seconds_between(table.turn.since, at) > allowed(bout, side) + table.turn.extra:
        return stand_in(table, side, at), Code.LATE  # KF-09
    return replace(table, turn=replace(table.turn, waiting=Waiting(move, at, code is None))), None


def _not_now(table: Table, side: Side) -> Code | None:
    if table.bout.ended:
        return Code.BOUT_OVER
    if table.bout.has("B"):
        return Code.USE_BID
    return None if table.bout.to_move == side else Code.NOT_YOUR_TURN


def take_trap(table: Table, side: Side, line: TrapLine, at: datetime) -> Taken:
    """KF-27, KF-29: a trap of the one who waits, in the first minute."""
    if code := trap_fault(table.bout, side):
        return table, code
    square = table.bout.rules.board.square(line.square) if line.square else 0
    if square is None:
        return table, Code.OFF_BOARD
    over = minute_over(table)
    open_ = trap_open(table) or (table.bout.has("B") and not table.turn.stand_in)
    if not (open_ and over is not None and at <= over):
        return table, Code.LATE
    return with_trap(table, side, square), None


def settle(table: Table, at: datetime) -> Table:
    """Play the move on file unless it waits for a trap (KF-27)."""
    waiting = table.turn.waiting
    if table.bout.ended or waiting is None or trap_awaited(table):
        return table
    side, spent = table.bout.to_move, seconds_between(table.turn.since, waiting.at)
    seconds = max(0.0, spent - max(0.0, table.turn.extra))
    bout = charged(table.bout, side, seconds)
    if not waiting.legal or waiting.move is None:
        return next_table(table, passed_turn(bout, side, waiting.move, seconds), at)
    trap = table.turn.traps[side.rival] or 0
    return next_table(table, act(bout, side, waiting.move, trap, seconds=seconds), at)


def end_trap(table: Table, at: datetime) -> Table:
    """The first minute is over: no trap counts as declined."""
    return settle(replace(table, turn=replace(table.turn, trap_over=True)), at)


def end_move(table: Table, at: datetime) -> Table:
    """KF-09: the mover's time is up."""
    return stand_in(table, table.bout.to_move, at)


def take_proxy(table: Table, side: Side, line: ProxyLine, at: datetime, draw: Rng) -> Taken:
    """KF-09: the rival moves for who is out of time."""
    if table.bout.ended:
        return table, Code.BOUT_OVER
    mover = mover_of(table)
    if not table.turn.stand_in or mover is None or line.side != mover or side == mover:
        return table, Code.NO_PROXY
    if line.move.manure:
        return table, Code.PROXY_NO_MANURE
    move, code = judged(table.bout, mover, line.move)
    if move is None or code:
        pass_ = code is not None and passes(table.bout, code)
        return (_random(table, mover, at, draw), None) if pass_ else (table, code)
    # KF-09: whoever set the trap may not choose its square unless nothing else is legal.
    trap = table.turn.traps[side]
    if move.target == trap and bool(targets(table.bout, mover) & ~trap):
        return table, Code.PROXY_TRAP
    over = minute_over(table)
    return (table, Code.LATE) if over and at > over else (_for(table, mover, move, How.STAND_IN, at), None)


def end_stand_in(table: Table, at: datetime, draw: Rng) -> Table:
    """KF-09: nobody moved for them: chance does."""
    mover = mover_of(table)
    return table if mover is None else _random(table, mover, at, draw)


def _random(table: Table, mover: Side, at: datetime, draw: Rng) -> Table:
    """A uniform legal square, with Sickness a uniform pair; it can be the trapped one."""
    options = {write_move(move): move for move in placements(table.bout, mover)}
    chosen = draw.at("turn", table.bout.turns).choice(RNG_MOVE, sorted(options))
    return _for(table, mover, options[chosen], How.RANDOM, at)


def _for(table: Table, mover: Side, move: Move, how: How, at: datetime) -> Table:
    """A move made for somebody: plain, against a trap that is on file."""
    trap = table.turn.traps[mover.rival] or 0
    return next_table(table, act(table.bout, mover, move, trap, how), at)


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
    paid = settle_bids(table.bout, round_, able)
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
