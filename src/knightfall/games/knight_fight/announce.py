"""What is told after a step, and to whom: the difference between two states, as events.

Public are the turns (in Snapshot only that they passed), bids, bouts and the match. By PM go receipts and, in
Snapshot, each player's own board. The moderator gets the true board with warnings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TypeAlias

from knightfall.engine.game import Announced, Event, Noted, Refusal, Told
from knightfall.games.knight_fight import facts
from knightfall.games.knight_fight.board import SIDES
from knightfall.games.knight_fight.bout import Bidden, Bout, Entry, Passed, Played
from knightfall.games.knight_fight.events import NotTaken, Offer, Receipt
from knightfall.games.knight_fight.moves import placements
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.state import Phase, State, chooses, seats, side_of
from knightfall.games.knight_fight.table import Table, bidders, mover_of, trap_open
from knightfall.games.knight_fight.views import standing
from knightfall.sentence import SlotId

Refused: TypeAlias = tuple[tuple[str, Refusal], ...]


def events(before: State, after: State) -> Iterator[Event]:
    """Everything that a step is to be told by."""
    ended = len(after.done) > len(before.done)
    if ended:
        done = after.done[-1]
        known = before.table.bout if before.table else done.first
        fresh = done.bout.record[len(known.record) :]
        yield from _bids(before, done.bout, fresh)
        yield Announced(facts.bout_end(before, done, _turns(fresh)))
    elif before.table is not None and after.table is not None:
        yield from _went_on(before.table, after, after.table)
    if before.table is None and after.table is not None:
        yield from bout_begins(after, after.table)
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        yield Announced(facts.match_end(after))
    elif ended and after.phase is Phase.SIDES:
        yield Announced(facts.sides(after))


def bout_begins(state: State, table: Table) -> Iterator[Event]:
    """The first post of a bout; in Snapshot both opening knights are public (KF-37)."""
    yield Announced(facts.bout_start(state, table))
    yield from _boards(state, table, ())


def _went_on(old: Table, state: State, table: Table) -> Iterator[Event]:
    fresh = table.bout.record[len(old.bout.record) :]
    yield from _bids(state, table.bout, fresh)
    played = _turns(fresh)
    if played:
        true = facts.truth(state, table, played)
        yield Announced(facts.turn(state, table.bout, true))
        yield from _boards(state, table, played)
        yield Noted(facts.moderator_turn(state, table.bout, true))
    if table.turn.stand_in and not old.turn.stand_in:
        yield Announced(facts.time_up(state, table))


def _turns(fresh: Sequence[Entry]) -> tuple[facts.Turned, ...]:
    return tuple(entry for entry in fresh if isinstance(entry, Played | Passed))


def _bids(state: State, bout: Bout, fresh: Sequence[Entry]) -> Iterator[Event]:
    for entry in fresh:
        if isinstance(entry, Bidden):
            yield Announced(facts.bids(state, bout, entry))


def _boards(state: State, table: Table, played: Sequence[facts.Turned]) -> Iterator[Event]:
    """KF-37: to each player their own board."""
    if table.bout.has("N"):
        for side in SIDES:
            yield Told((seats(state)[side],), facts.snapshot_pm(state, table, side, played))


def receipt(state: State, slot: SlotId, at: datetime, refused: Refused) -> Iterator[Event]:
    """To who sent something: what was refused and what can be sent, and what is on file and waits."""
    side, table = side_of(state, slot), state.table
    # A trap of before the time was up stands, but it cannot be changed any more.
    lines = standing(table, side) if table and side is not None and not table.turn.stand_in else ()
    if lines or refused:
        number = table.bout.turns + 1 if table is not None else 0
        not_taken = tuple(NotTaken(line, why.text) for line, why in refused)
        when = facts.received(at)
        yield Told((slot,), Receipt(slot, when, number, not_taken, lines, offer_to(state, slot)))


_MOST = 40
"""Of more moves than this an example is told."""


def offer_to(state: State, slot: SlotId) -> Offer:
    """What a player can send now. In Snapshot no squares are named: they are to be remembered (KF-40)."""
    side, table = side_of(state, slot), state.table
    if state.phase is Phase.SIDES and slot == chooses(state):
        return Offer("side")
    if table is None or side is None or table.turn.stopped:
        return Offer("wait")
    bout, mover = table.bout, mover_of(table)
    hidden = bout.has("N")

    def example(moves: tuple[str, ...]) -> str:
        usual = "F6>E4" if bout.has("S") else "E4"
        return usual if hidden or not moves else moves[0]

    if side in bidders(table):
        moves = () if hidden else tuple(map(write_move, placements(bout, side)))
        return Offer("bid", example=example(moves), chips=bout.chips[side])
    if mover is None or (mover is not side and not table.turn.stand_in):
        return Offer("trap" if trap_open(table) else "wait")
    if table.turn.stand_in and mover is side:
        return Offer("wait")
    legal = placements(bout, mover)
    if table.turn.stand_in:  # KF-09: not onto their own trap, unless nothing else is legal
        trap = table.turn.traps[side] or 0
        legal = [move for move in legal if move.target != trap] or legal
    moves = () if hidden else tuple(map(write_move, legal))
    kind = "stand_in" if table.turn.stand_in else "move"
    return Offer(kind, mover.name, moves if len(moves) <= _MOST else (), example(moves))
