"""What is open in a bout just now: since when, what is on file, what waits for what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from knightfall.games.knight_fight.board import Pair, Side, Squares, put
from knightfall.games.knight_fight.bout import Bout, Move
from knightfall.games.knight_fight.moves import able


def seconds_between(start: datetime, end: datetime) -> float:
    """From one instant to the other."""
    return (end - start).total_seconds()


def allowed(bout: Bout, side: Side) -> float:
    """KF-08: how many seconds the side has for this move; exactly so many are in time."""
    return bout.rules.move_time + (0 if bout.has("B") else bout.reserve[side])


def charged(bout: Bout, side: Side, seconds: float) -> Bout:
    """The bout with what this move cost of the reserve."""
    over = seconds - bout.rules.move_time
    if bout.has("B") or over <= 0:
        return bout
    return replace(bout, reserve=put(bout.reserve, side, max(0, bout.reserve[side] - over)))


def emptied(bout: Bout, side: Side) -> Bout:
    """KF-09: out of time: nothing of the reserve is left."""
    return bout if bout.has("B") else replace(bout, reserve=put(bout.reserve, side, 0))


def after(start: datetime, seconds: float) -> datetime:
    """The instant so many seconds later."""
    return start + timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A move on file: when it came; `legal` is false only in Snapshot, where it will be a pass (KF-38)."""

    move: Move | None
    at: datetime
    legal: bool = True


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid on file; its move is judged anew when the round resolves."""

    chips: int
    waiting: Waiting


@dataclass(frozen=True, slots=True)
class Turn:
    """What is open since when. `traps`: None not said, 0 declined; `trap_over`: the first minute is over.

    `stand_in`: the rival may move for the mover (KF-09); `winner`: who plays after a round of bids; `extra`:
    the seconds that the moderator gave beyond the clocks, which cost nobody anything.
    """

    since: datetime
    waiting: Waiting | None = None
    traps: Pair[Squares | None] = (None, None)
    trap_over: bool = False
    bids: Pair[Bid | None] = (None, None)
    stand_in: bool = False
    winner: Side | None = None
    stopped: datetime | None = None
    extra: float = 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """A bout being played: how it began, how it stands, what is open."""

    first: Bout
    bout: Bout
    turn: Turn


def mover_of(table: Table) -> Side | None:
    """Whose move it is; None while both bid."""
    return table.turn.winner if table.bout.has("B") else table.bout.to_move


def bidders(table: Table) -> tuple[Side, ...]:
    """P11: who can move bids; nobody while a stand-in is due."""
    open_ = table.bout.has("B") and not table.turn.stand_in
    return tuple(able(table.bout)) if open_ else ()


def trap_open(table: Table) -> bool:
    """KF-27: whether a move still waits for the trap of the one who waits (rounds of bids never do)."""
    bout, turn = table.bout, table.turn
    if not bout.has("H") or bout.has("B") or turn.stand_in or turn.trap_over:
        return False
    return not bout.banned[bout.to_move.rival]


def trap_awaited(table: Table) -> bool:
    """Whether the trap is neither in nor declined while it may still come."""
    return trap_open(table) and table.turn.traps[table.bout.to_move.rival] is None


def deadline(table: Table) -> datetime | None:
    """Until when what is open can be answered; None while the clock stands still."""
    turn = table.turn
    if turn.stopped:
        return None
    return after(turn.since, _span(table) + turn.extra)


def _span(table: Table) -> float:
    """For how many seconds what is open can be answered by the clocks."""
    if table.turn.stand_in or table.bout.has("B"):
        return table.bout.rules.move_time
    return allowed(table.bout, table.bout.to_move)


def moved(table: Table, *, trap: bool, until: datetime | None, at: datetime) -> Table:
    """What is open with another deadline, or the first minute of a trap (KF-27) with one; None stops the
    clock at that instant."""
    turn = table.turn
    if until is None:
        return replace(table, turn=replace(turn, stopped=turn.stopped or at))
    span = table.bout.rules.move_time if trap else _span(table)
    extra = seconds_between(turn.since, until) - span
    return replace(table, turn=replace(turn, extra=extra, stopped=None))


def minute_over(table: Table) -> datetime | None:
    """Until when a trap can be set."""
    turn = table.turn
    return None if turn.stopped else after(turn.since, table.bout.rules.move_time + turn.extra)


def next_table(table: Table, bout: Bout, at: datetime) -> Table:
    """The bout with its next turn open."""
    return replace(table, bout=bout, turn=Turn(_not_before(table, at)))


def _not_before(table: Table, at: datetime) -> datetime:
    """The latest instant of the turn, `at` included: a message with a wrong time, or one that was sent before
    what it settles, takes no time from the next turn."""
    turn = table.turn
    moves = (turn.waiting, *(bid.waiting for bid in turn.bids if bid))
    return max(at, turn.since, *(one.at for one in moves if one))


def stand_in(table: Table, side: Side, at: datetime) -> Table:
    """KF-09: the side is out of time, and its rival may move for it; a trap on file stays."""
    turn = Turn(_not_before(table, at), traps=table.turn.traps, stand_in=True, winner=side)
    return replace(table, bout=emptied(table.bout, side), turn=turn)


def with_trap(table: Table, side: Side, square: Squares) -> Table:
    """The last choice counts (KF-29); 0 declines."""
    return replace(table, turn=replace(table.turn, traps=put(table.turn.traps, side, square)))
