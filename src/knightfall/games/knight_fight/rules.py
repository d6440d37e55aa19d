"""The rules of Knight Fight: which moves there are, what one does, how a bout goes on, and how it begins.

A line arrived, a time is up, or what was awaited is in; with Bidding a round of bids, from the first bid to
the winner's move (KF-18 to KF-23). `take_…` gives the table as it then stands, and the code of what was not
taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import TypeAlias

from knightfall.engine.rng import Rng
from knightfall.games.knight_fight.anomalies import hooks, tic_tac_toe
from knightfall.games.knight_fight.anomalies.anomaly import Check, Deed
from knightfall.games.knight_fight.anomalies.bidding import award, favourite, refunded
from knightfall.games.knight_fight.anomalies.bidding import settle as settle_bids
from knightfall.games.knight_fight.anomalies.coloration import paint
from knightfall.games.knight_fight.anomalies.horse_trap import lift_ban, trap_fault
from knightfall.games.knight_fight.anomalies.snapshot import fizzles, passes
from knightfall.games.knight_fight.board import SIDES, Side, Squares, each, has_four, put, spread
from knightfall.games.knight_fight.notation import BidLine, ProxyLine, TrapLine, Written, placed, write_move
from knightfall.games.knight_fight.state import (
    BOUTS,
    CHIPS,
    Bid,
    Bidden,
    Bout,
    Code,
    Ending,
    Finished,
    How,
    Move,
    Passed,
    Phase,
    Played,
    Reason,
    Repainted,
    State,
    Table,
    Turn,
    Waiting,
    Why,
    allowed,
    charged,
    counts_turn,
    minute_over,
    mover_of,
    next_table,
    note,
    players_of,
    seconds_between,
    stand_in,
    trap_awaited,
    trap_open,
    verdict_of,
    with_trap,
)

_ORDER = tuple(Code)


def targets(bout: Bout, side: Side, source: Squares = 0) -> Squares:
    """KF-04: every square where the side may place a knight now, from one source or from any."""
    return spread(source or bout.knights[side]) & _open(bout, side)


def _open(bout: Bout, side: Side) -> Squares:
    """The squares that are neither taken nor closed to the side."""
    free = bout.rules.board.ground & ~bout.taken
    for closed in hooks(bout.rules.anomalies).closed:
        free &= ~closed(bout, side)
    return free


def pairs(bout: Bout, side: Side, among: Squares = -1) -> Iterator[Move]:
    """Every plain move to these squares with its source named, as Sickness wants it."""
    free = _open(bout, side) & among
    for source in each(bout.knights[side]):
        for target in each(spread(source) & free):
            yield Move(target, source)


def placements(bout: Bout, side: Side, among: Squares = -1) -> list[Move]:
    """Every legal move without manure to one of these squares, as the anomalies want it written."""
    if bout.has("S"):
        return list(pairs(bout, side, among))
    return [Move(target) for target in each(targets(bout, side) & among)]


def able(bout: Bout) -> list[Side]:
    """KF-07: who has a legal square, on the true board."""
    return [side for side in SIDES if targets(bout, side)]


def fault(bout: Bout, side: Side, move: Move) -> Code | None:
    """What is wrong with the move, the first in the order of KF-05; None: it is legal."""
    return next((code for code, check in _checks(bout.rules.anomalies) if check(bout, side, move)), None)


def _bad_source(bout: Bout, side: Side, move: Move) -> bool:
    return bool(move.source & ~bout.knights[side])


def _occupied(bout: Bout, _side: Side, move: Move) -> bool:
    return bool(move.target & bout.taken)


def _not_reachable(bout: Bout, side: Side, move: Move) -> bool:
    return not spread(move.source or bout.knights[side]) & move.target


def _no_airdrop(bout: Bout, _side: Side, move: Move) -> bool:
    return bool(move.manure) and not bout.has("A")


_ALWAYS: tuple[tuple[Code, Check], ...] = (
    (Code.NO_AIRDROP, _no_airdrop),
    (Code.BAD_SOURCE, _bad_source),
    (Code.OCCUPIED, _occupied),
    (Code.NOT_REACHABLE, _not_reachable),
)


@cache
def _checks(letters: frozenset[str]) -> tuple[tuple[Code, Check], ...]:
    """All checks in the order of KF-05."""
    return tuple(sorted((*_ALWAYS, *hooks(letters).checks), key=lambda check: _ORDER.index(check[0])))


def act(
    bout: Bout, side: Side, move: Move, trap: Squares = 0, how: How = How.OWN, seconds: float = 0
) -> Bout:
    """The bout after a legal move and all that follows from it; `trap` is the square trapped against it."""
    placed = replace(
        bout,
        knights=put(bout.knights, side, bout.knights[side] | move.target),
        last=put(bout.last, side, move.target),
        moves=bout.moves + 1,
        turns=bout.turns + 1,
        illegal=0,
        passed=put(bout.passed, side, False),
    )
    deed = Deed(placed, side, move, trap)
    for after in hooks(bout.rules.anomalies).after:
        deed = after(deed)
    shown = trap if deed.trapped or bout.rules["kf_27"] == "yes" else 0
    entry = Played(side, move, how, deed.trapped, deed.vanished, shown, seconds)
    done = note(deed.bout, entry)
    # KF-06: four in a row; in Tic-Tac-Toe points alone (KF-41).
    ending: Ending | None
    if done.has("T"):
        ending = tic_tac_toe.won(done, side)
    else:
        ending = Ending(side, Reason.LINE) if has_four(done.knights[side]) else None
    return replace(done, ended=ending) if ending else next_turn(done, side)


def let_pass(bout: Bout, side: Side, move: Move | None, seconds: float = 0) -> Bout:
    """KF-38: an illegal move in Snapshot; the turn is over, nothing else happens (P17, P21)."""
    return replace(
        note(bout, Passed(side, Why.ILLEGAL, move, seconds)),
        passed=put(bout.passed, side, True),
        turns=bout.turns + 1,
        moves=bout.moves + counts_turn(bout),
        illegal=bout.illegal + 1,
    )


def passed_turn(bout: Bout, side: Side, move: Move | None, seconds: float) -> Bout:
    """An illegal move of the one whose turn it is: the rival may trap again (KF-30), and goes on."""
    after = lift_ban(let_pass(bout, side, move, seconds), side)
    if bout.has("T"):
        after = tic_tac_toe.recounted(after, side)
    return next_turn(after, side)


def next_turn(bout: Bout, side: Side) -> Bout:
    """After a turn of this side: whose turn it is, and whether they can move."""
    return ready(bout if bout.has("B") else replace(bout, to_move=side.rival))


def ready(bout: Bout) -> Bout:
    """KF-07: judged when a turn, or a round of bids, begins."""
    if bout.has("B"):
        # KF-07, KF-35, P11: both are judged when a round of bids begins.
        free = able(bout)
        if len(free) == 2:
            return bout
        if bout.has("T"):
            after = bout
            for side in Side:
                after = after if side in free else _cannot(after, side)
            return after if free else replace(after, ended=tic_tac_toe.stuck(after))
        winner = free[0] if free else favourite(bout).rival  # KF-35: who would win a tie loses
        return replace(bout, ended=Ending(winner, Reason.NO_MOVES))
    if targets(bout, bout.to_move):
        return bout
    if not bout.has("T"):
        return replace(bout, ended=Ending(bout.to_move.rival, Reason.NO_MOVES))
    # KF-43: who cannot move passes; KF-44: neither can.
    waiting = bout.to_move.rival
    after = _cannot(bout, bout.to_move)
    if targets(bout, waiting):
        return replace(after, to_move=waiting)
    after = _cannot(after, waiting)
    return replace(after, ended=tic_tac_toe.stuck(after))


def _cannot(bout: Bout, side: Side) -> Bout:
    after = note(bout, Passed(side, Why.STUCK))
    return replace(after, turns=after.turns + 1, moves=after.moves + counts_turn(after))


def bidders(table: Table) -> tuple[Side, ...]:
    """P11: who can move bids; nobody while a stand-in is due."""
    open_ = table.bout.has("B") and not table.turn.stand_in
    return tuple(able(table.bout)) if open_ else ()


def begin(state: State, chosen: Side, at: datetime, draw: Rng) -> State:
    """KF-03: the chooser takes this side, and the bout begins."""
    seated = replace(state, phase=Phase.PLAY, chosen=chosen)
    first = _opening(seated, draw.at("bout", state.number))
    return replace(seated, table=Table(first, ready(first), Turn(max(at, state.since or at))))


def _opening(state: State, draw: Rng) -> Bout:
    """KF-02: the opening position, with what the options carry over from the bout before."""
    rules = state.rules
    bout = Bout(rules, rules.start, reserve=(rules.reserve, rules.reserve), **_carried(state))  # type: ignore[arg-type]  # by their names
    if not bout.has("C"):
        return bout
    colours, rejected = paint(rules, draw)
    return replace(note(bout, *[Repainted()] * rejected), colours=colours)


def _carried(state: State) -> dict[str, tuple[int, int] | Squares]:
    """KF-16, KF-18, by option: manure and chips of the bout before; an extra bout (KF-12) begins without
    manure, which else would pile up until every bout is drawn."""
    if not state.done:
        return {}
    before, rules = state.done[-1], state.rules
    kept: dict[str, tuple[int, int] | Squares] = {}
    if rules["kf_16"] == "both_bouts" and state.number <= BOUTS:
        kept["manure"] = before.bout.manure & ~(rules.start[0] | rules.start[1])
    if rules["kf_18"] == "once":
        # Chips belong to the player, whatever side they take.
        owned = dict(zip(players_of(state.number - 1, before.chosen), before.bout.chips, strict=True))
        x, o = players_of(state.number, state.chosen)
        kept["chips"] = owned.get(x, CHIPS), owned.get(o, CHIPS)
    return kept


def finish(state: State, at: datetime) -> State:
    """KF-10: a bout that has ended is put away; another follows, or the match is over."""
    if state.table is None or state.table.bout.ended is None:
        return state
    done = (*state.done, Finished(state.chosen, state.table.first, state.table.bout))
    over = replace(state, done=done, table=None, since=max(at, state.table.turn.since))
    if verdict_of(over):
        return replace(over, phase=Phase.OVER)
    return replace(over, phase=Phase.SIDES, number=state.number + 1)


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
