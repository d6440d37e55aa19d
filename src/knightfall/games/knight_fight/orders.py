"""What can be sent in Knight Fight: what the lines of a message change, and which can be sent now.

The moderator says `STOP CLOCK: why`, `START CLOCK`, `DRAWN` (after ten illegal passes in a row), `FORFEIT
NAME` or `MODKILL NAME` for who does not come back: the rival wins the match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache

from knightfall.engine.commands import MODKILL, Order, lines_of, parse_command
from knightfall.engine.game import Announced, Event, Message, Refusal, Refused, Step, refuse_all
from knightfall.engine.lines import (
    END,
    NOTHING,
    Choices,
    Part,
    PartKind,
    Pick,
    a_slot,
    a_word,
    beside,
    either,
    last,
    optional,
    then,
)
from knightfall.engine.rng import Rng
from knightfall.games.knight_fight import rules
from knightfall.games.knight_fight.anomalies.horse_trap import trap_fault
from knightfall.games.knight_fight.anomalies.snapshot import CALLABLE, known, plausible
from knightfall.games.knight_fight.board import SIDES, Side, Squares, each, name_of, spread
from knightfall.games.knight_fight.events import Clock, Removed
from knightfall.games.knight_fight.notation import (
    BidLine,
    Line,
    ProxyLine,
    ResignLine,
    SideLine,
    TrapLine,
    Written,
    match_line,
)
from knightfall.games.knight_fight.rules import begin, bidders, finish, targets
from knightfall.games.knight_fight.state import (
    Bout,
    Code,
    Ending,
    Phase,
    Player,
    Reason,
    State,
    Table,
    chooses,
    deadline,
    mover_of,
    refusal,
    side_of,
    trap_open,
)
from knightfall.games.knight_fight.views import events
from knightfall.sentence import SlotId


def take(state: State, message: Message, draw: Rng) -> tuple[State, Refused]:
    """Apply the lines in order, then what they settle; returns the state and what was refused."""
    refused: list[tuple[str, Refusal]] = []
    for line in lines_of(message.text, message.aliases):
        state, code = _take_line(state, message, line, draw)
        stand_in = isinstance(match_line(line), ProxyLine)
        refused += [(line, refusal(code, stand_in=stand_in))] if code else []
    return settle(state, message.at), tuple(refused)


def settle(state: State, at: datetime) -> State:
    """What is complete is played: a round of bids, a move that no trap is awaited for."""
    table = state.table
    if table is None:
        return state
    settled = rules.resolve(table, at) if rules.complete(table) else rules.settle(table, at)
    return finish(state if settled is table else replace(state, table=settled), at)


def _take_line(state: State, message: Message, text: str, draw: Rng) -> tuple[State, Code | None]:
    line, side = match_line(text), side_of(state, message.slot)
    if side is None:
        return state, Code.NOT_A_PLAYER
    if line is None:
        return state, Code.UNKNOWN_COMMAND
    if isinstance(line, SideLine):
        # KF-03.
        if state.phase is not Phase.SIDES or message.slot != chooses(state):
            return state, Code.NOT_YOUR_CHOICE
        return begin(state, line.side, message.at, draw), None
    if state.table is None:
        return state, Code.BOUT_OVER
    if isinstance(line, ResignLine):
        # Nothing in the rules keeps a player in a bout that they give up; it counts as won with its moves.
        ended = Ending(side.rival, Reason.RESIGNED)
        bout = replace(state.table.bout, ended=ended)
        return finish(replace(state, table=replace(state.table, bout=bout)), message.at), None
    if state.table.turn.stopped:
        return state, Code.CLOCK_STOPPED
    table, code = _at_table(state.table, side, line, message.at, draw.at("bout", state.number))
    return finish(replace(state, table=table), message.at), code


def _at_table(table: Table, side: Side, line: Line, at: datetime, draw: Rng) -> tuple[Table, Code | None]:
    match line:
        case Written():
            # KF-04: a move that waits for nothing is final at once, so a second one comes too late.
            taken, code = rules.take_move(table, side, line, at)
            if code or table.bout.has("H"):
                return taken, code
            return rules.settle(taken, at), None
        case BidLine():
            return rules.take_bid(table, side, line, at)
        case TrapLine():
            return rules.take_trap(table, side, line, at)
        case ProxyLine():
            return rules.take_proxy(table, side, line, at, draw)
        case SideLine() | ResignLine():
            return table, Code.NOT_YOUR_CHOICE


DRAWN = "DRAWN"
_STOP = re.compile(r"STOP\s+CLOCK\s*[:\s]\s*(?P<why>\S.*)", re.I)
_START = re.compile(r"START\s+CLOCK", re.I)
FORFEIT = "forfeit"
_REMOVALS = {MODKILL: MODKILL, FORFEIT: FORFEIT}
_NO_SUCH_WORD = Refusal(
    "UNKNOWN_COMMAND",
    "send STOP CLOCK: why, START CLOCK, FORFEIT NAME, or, after ten illegal passes in a row, DRAWN",
)


def moderate(state: State, line: str, message: Message) -> Step[State]:
    """Apply a line of the moderator."""
    if (command := parse_command(line, _REMOVALS)) and command.rest.strip():
        slot = command.whom(state.slots, message.aliases)
        if not isinstance(slot, SlotId):
            unknown = Refusal("UNKNOWN_TARGET", f"there is no player called “{command.argument}”")
            return refuse_all(state, (line,), unknown)
        return decide(state, Order(command.verb, (slot,)), message.at)
    after = _said(state, line, message.at)
    if isinstance(after, Refusal):
        return refuse_all(state, (line,), after)
    return Step(after, (*_clock_events(state, after, line), *events(state, after)))


def decide(state: State, order: Order, at: datetime) -> Step[State]:
    """The match without one of the two, who was taken out of it or has lost it."""
    slot = order.slot
    if order.verb not in _REMOVALS or slot is None or slot not in state.slots:
        return refuse_all(state, (order.line,), _NO_SUCH_WORD)
    if state.phase is Phase.OVER:
        return refuse_all(state, (order.line,), Refusal("BOUT_OVER", "the match is over"))
    after = _forfeited(state, slot, at)
    # To be taken out of the match is more than to lose it.
    removed = (Announced(Removed(slot)),) if order.verb == MODKILL else ()
    return Step(after, (*removed, *events(state, after)))


def _said(state: State, line: str, at: datetime) -> State | Refusal:
    table = state.table
    if table is None:
        return Refusal("BOUT_OVER", "no bout is being played now")
    if _STOP.fullmatch(line) and table.turn.stopped is None:
        return _with(state, replace(table, turn=replace(table.turn, stopped=at)))
    if _START.fullmatch(line) and table.turn.stopped:
        # The time for which the clock stood still is nobody's.
        turn = table.turn
        pause = at - (turn.stopped or at)
        return _with(state, replace(table, turn=replace(turn, since=turn.since + pause, stopped=None)))
    if line.upper() == DRAWN and callable_drawn(state):
        called = replace(table.bout, ended=Ending(None, Reason.CALLED))
        return finish(_with(state, replace(table, bout=called)), at)
    return _NO_SUCH_WORD


def _forfeited(state: State, slot: SlotId, at: datetime) -> State:
    """The match without one of the two; the bout at hand is their rival's."""
    out = replace(state, forfeited=Player.DMO if slot == state.slots[0] else Player.EC)
    side = side_of(state, slot)
    if out.table is None or side is None:
        return replace(out, phase=Phase.OVER, since=at)
    bout = replace(out.table.bout, ended=Ending(side.rival, Reason.FORFEIT))
    return finish(_with(out, replace(out.table, bout=bout)), at)


def callable_drawn(state: State) -> bool:
    """Whether the moderator may call the bout drawn."""
    return state.table is not None and state.table.bout.illegal >= CALLABLE


def _with(state: State, table: Table) -> State:
    return replace(state, table=table)


def _clock_events(before: State, after: State, line: str) -> tuple[Event, ...]:
    if before.table is None or after.table is None:
        return ()
    stopped = after.table.turn.stopped
    if stopped == before.table.turn.stopped:
        return ()
    said = _STOP.fullmatch(line)
    why = said["why"] if said else ""
    return (Announced(Clock(stopped is not None, why, deadline(after.table))),)


_SIDES = last(a_word(f"SIDE: {side.name}", f"play {side.name}") for side in SIDES)
_RESIGN = last([a_word("RESIGN", "resign the bout")])
_NO_TRAP = last([a_word("NO TRAP", "no trap")])
_BIDS = 3
"""How often random play bids, for each move: as if with nothing, some and all of the chips."""


def line_tree(state: State, slot: SlotId | None) -> Choices:
    """Everything that this slot (None: the moderator) can send."""
    if slot is None:
        return _moderator(state)
    if state.phase is Phase.SIDES and slot == chooses(state):
        return _SIDES
    side, table = side_of(state, slot), state.table
    if table is None or side is None:
        return NOTHING
    return beside(NOTHING if table.turn.stopped else _turn(table, side), lambda: _RESIGN)


def _turn(table: Table, side: Side) -> Choices:
    """What a side can say in the turn, or round of bids, that is open."""
    bout, mover = table.bout, mover_of(table)
    if table.turn.stand_in:
        return _stand_in(table, mover) if mover is side.rival else NOTHING
    if bout.has("B"):
        bids = _bids(bout, side) if side in bidders(table) else NOTHING
        return bids if trap_fault(bout, side) else either(bids, _traps(bout, side))
    if mover is side:
        return _moves(bout, side, _seen(bout, side))
    return _traps(bout, side) if trap_open(table) and trap_fault(bout, side) is None else NOTHING


def _seen(bout: Bout, side: Side) -> Squares:
    """Where a side may place a knight now, as far as it knows."""
    return plausible(bout, side) if bout.has("N") else targets(bout, side)


def _stand_in(table: Table, mover: Side) -> Choices:
    """KF-09: a plain move for the rival, onto one's own trap only where nothing else is legal; in Snapshot
    any square, for what is not legal is drawn."""
    bout, trap = table.bout, table.turn.traps[mover.rival] or 0
    legal = targets(bout, mover)
    barred = legal & trap if legal & ~trap else 0
    return _moves(bout, mover, legal & ~barred, f"FOR {mover.name}: ", barred=barred)


def _bids(bout: Bout, side: Side) -> Choices:
    """KF-18: any number of one's chips, with a move."""
    seen = _seen(bout, side)
    weight = _BIDS * max(1, seen.bit_count())
    bid = Part("BID ", PartKind.NUMBER, "Bid", most=bout.chips[side], weight=weight)
    return then([bid], lambda _: _moves(bout, side, seen, ": "))


def _traps(bout: Bout, side: Side) -> Choices:
    """KF-29: any square, or none; most likely one to which a knight of the rival's that is seen can jump."""
    ground = bout.rules.board.ground
    likely = ground & spread(known(bout, side) if bout.has("N") else bout.knights[side.rival])
    traps = either(_NO_TRAP, last(_squares("TRAP: ", likely, "trap on")))
    return beside(traps, lambda: last(_squares("TRAP: ", ground & ~likely, "trap on")))


def _moves(bout: Bout, side: Side, seen: Squares, before: str = "", barred: Squares = 0) -> Choices:
    """Placements with what stands before them; with Sickness from a knight that is named (KF-31), else one
    may be named. `seen` are the squares that are legal as far as the side knows."""
    own, dark = bout.knights[side], bout.has("N")
    open_ = bout.rules.board.ground & ~barred if dark else seen

    def onto(pick: Pick) -> Choices:
        # KF-09: no manure with a move for the rival.
        manured = bout.has("A") and bout.manure_left[side] and not before.startswith("FOR")
        return _manure(bout, side, bout.rules.board.square(pick.part.space) or 0) if manured else END

    def onto_any(squares: Squares, usual: Squares, sign: str) -> Choices:
        moves = then(_squares(sign, squares & usual), onto)
        return beside(moves, lambda: then(_squares(sign, squares & ~usual), onto)) if dark else moves

    def from_there(pick: Pick) -> Choices:
        reach = spread(bout.rules.board.square(pick.part.space) or 0)
        return onto_any(open_ if dark else open_ & reach, seen & reach, "")

    def from_knights() -> Choices:
        counts = ((square, (spread(square) & seen).bit_count()) for square in each(own))
        return then((_source(before, square, count) for square, count in counts if count), from_there)

    def from_others() -> Choices:
        """KF-38: in Snapshot a knight from which nothing seems legal, or that is not one's own."""
        squares = (one for one in each(bout.rules.board.ground) if not (one & own and spread(one) & seen))
        return then((_source(before, square, 1) for square in squares), from_there)

    if bout.has("S"):
        return beside(from_knights(), from_others) if dark else from_knights()
    return beside(
        onto_any(open_, seen, before),
        lambda: either(from_knights(), from_others()) if dark else from_knights(),
    )


def _manure(bout: Bout, side: Side, target: Squares) -> Choices:
    """KF-15: with a placement, on a free square; in Snapshot on any, and it passes where that is not free."""
    dark, ground, own = bout.has("N"), bout.rules.board.ground, bout.knights[side]
    theirs, manure = bout.knights[side.rival], bout.manure
    if dark:
        theirs, manure = known(bout, side), bout.last_manure[0] | bout.last_manure[1]
    free = ground & ~(own | theirs | manure | target)

    def squares(_pick: Pick) -> Choices:
        usual = last(_squares(" ", free, "manure on"))
        return beside(usual, lambda: last(_squares(" ", ground & ~free, "manure on"))) if dark else usual

    return optional(then([a_word(" MANURE", "with manure")], squares))


def _squares(before: str, squares: Squares, label: str = "") -> Iterator[Part]:
    return (_square(before, square, label) for square in each(squares))


@cache
def _square(before: str, square: Squares, label: str) -> Part:
    name = name_of(square)
    return Part(f"{before}{name}", PartKind.SPACE, f"{label} {name}" if label else name, name)


@cache
def _source(before: str, square: Squares, weight: int) -> Part:
    name = name_of(square)
    return Part(f"{before}{name}>", PartKind.SPACE, f"from {name}", name, weight=max(weight, 1))


def _moderator(state: State) -> Choices:
    """The clock, who does not come back, and a bout that leads nowhere."""
    if state.phase is Phase.OVER:
        return NOTHING
    drawn = last([a_word(DRAWN, "call the bout drawn")]) if callable_drawn(state) else NOTHING
    return beside(drawn, lambda: _interruptions(state))


def _interruptions(state: State) -> Choices:
    forfeit = then([a_word("FORFEIT")], lambda _: last(map(a_slot, state.slots)))
    if state.table is None:
        return forfeit
    if state.table.turn.stopped:
        return either(last([a_word("START CLOCK")]), forfeit)
    return either(last([Part("STOP CLOCK: ", PartKind.TEXT, "stop the clock, because")]), forfeit)
