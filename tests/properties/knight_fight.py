"""What holds in every position and every match, whatever anomalies are in force and however it is played?

For the tests and for long random play: what does not hold is told in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from knightfall.engine.entries import Submitted
from knightfall.engine.playout import Playout
from knightfall.games.knight_fight.anomalies.snapshot import known
from knightfall.games.knight_fight.anomalies.tic_tac_toe import GOAL, fresh
from knightfall.games.knight_fight.board import SIDES, Side, has_four, put
from knightfall.games.knight_fight.record import positions, read, record_of, write
from knightfall.games.knight_fight.rules import targets
from knightfall.games.knight_fight.state import CHIPS, MANURE, Bout, Finished, Reason, State, Table, seats
from knightfall.games.knight_fight.views import seen_by

_EVERY = 5  # states of a match in Snapshot of which one is looked at with other knights in the dark


def broken_laws(playout: Playout[State]) -> Iterator[str]:
    """Every law that this match broke: of positions, of finished bouts and their records, of views."""
    for number, state in enumerate(playout.states):
        if state.table:
            yield from (f"{law}, after record {number + 1}" for law in broken_by(state.table.bout))
    for done in playout.state.done:
        yield from broken_by(done.bout)
        yield from _broken_records(done)
    yield from _told_secrets(playout)
    yield from _seen_in_the_dark(playout.states[::_EVERY])


def broken_by(bout: Bout) -> Iterator[str]:
    """The laws that a position breaks."""
    return (law for law, kept in _LAWS if not kept(bout))


def _manure_is_accounted_for(bout: Bout) -> bool:
    """KF-14; by options each drop counts for both, or manure of the bout before still lies."""
    x, o = bout.manure_left
    together = bout.rules["kf_14"] == "together"
    spent = MANURE - x if together else 2 * MANURE - x - o
    fallen = bout.manure.bit_count()
    if bout.rules["kf_16"] == "both_bouts":
        return min(x, o) >= 0 and fallen >= spent
    return min(x, o) >= 0 and fallen == spent and (x == o or not together)


def _points_are_fresh(bout: Bout) -> bool:
    by_round = bout.has("S") and bout.rules["recount"] == "round"
    return by_round or not bout.has("T") or bout.points == fresh(bout)


def _four_end(bout: Bout) -> bool:
    return bool(bout.has("T") or bout.ended) or not any(map(has_four, bout.knights))


def _winner_has_won(bout: Bout) -> bool:
    if bout.ended is None or bout.ended.winner is None:
        return True
    winner = bout.ended.winner
    match bout.ended.reason:
        case Reason.LINE:
            return has_four(bout.knights[winner])
        case Reason.POINTS:
            return bout.points[winner] >= GOAL
        case Reason.STUCK:
            return not any(targets(bout, side) for side in SIDES)
        case _:
            return bool(bout.has("B")) or not targets(bout, winner.rival)


def _someone_can_move(bout: Bout) -> bool:
    return bool(bout.ended or bout.has("B") or targets(bout, bout.to_move))


_LAWS: Sequence[tuple[str, Callable[[Bout], bool]]] = (
    ("two knights stand on one square", lambda bout: not bout.knights[0] & bout.knights[1]),
    ("a knight stands off the board", lambda bout: not bout.taken & ~bout.rules.board.ground),
    ("KF-06: the bout goes on with four in a row", _four_end),
    ("KF-06, KF-07, KF-42: the winner has not won", _winner_has_won),
    ("KF-07: whose turn it is cannot move", _someone_can_move),
    ("KF-08: a reserve is overdrawn", lambda bout: min(bout.reserve) >= 0),
    ("KF-13: there are more moves than turns", lambda bout: bout.moves <= bout.turns),
    ("KF-14: manure is not accounted for", _manure_is_accounted_for),
    ("KF-15: a knight stands on manure", lambda bout: not bout.manure & bout.taken),
    ("KF-19: chips were lost or made", lambda bout: sum(bout.chips) == 2 * CHIPS and min(bout.chips) >= 0),
    ("KF-31: somebody is weak where no knight is", lambda bout: not bout.weak & ~bout.taken),
    ("KF-41: points are not those of a fresh count", _points_are_fresh),
)
"""What is said of a position that breaks a law, and whether it keeps it."""


def _broken_records(done: Finished) -> Iterator[str]:
    """Reading a record gives what was written, and playing it again gives the same bout."""
    record = record_of(done.first, done.bout)
    if read(write(record)) != record:
        yield "a record reads back as another one"
    *_, last = positions(record)
    called = done.bout.ended is None or done.bout.ended.reason is Reason.CALLED
    if not called and replace(done.bout, record=last.record) != last:
        yield "a record plays to another bout"


def _told_secrets(playout: Playout[State]) -> Iterator[str]:
    """What one sends in secret changes nobody else's view while the same windows stay open."""
    steps = zip(pairwise(playout.states), playout.journal[1:], strict=True)
    for (before, after), record in steps:
        if isinstance(record.entry, Submitted) and _still_secret(before.table, after.table):
            others = {None, *before.slots} - {record.entry.slot}
            if any(seen_by(before, slot) != seen_by(after, slot) for slot in others):
                yield f"a view of somebody else tells record {record.number}: {record.entry.text}"


def _still_secret(before: Table | None, after: Table | None) -> bool:
    return before is not None and after is not None and len(before.bout.record) == len(after.bout.record)


def _seen_in_the_dark(states: Sequence[State]) -> Iterator[str]:
    """KF-37: in Snapshot the rival's knights but the latest, his manure and what he sent may be anything."""
    for state in states:
        if state.table and state.table.bout.has("N"):
            for side, slot in seats(state).items():
                hidden = replace(state, table=_in_the_dark(state.table, side))
                if any(seen_by(hidden, one) != seen_by(state, one) for one in (slot, None)):
                    yield f"KF-37: {slot} sees more of the rival in turn {state.table.bout.turns + 1}"


def _in_the_dark(table: Table, side: Side) -> Table:
    bout, turn, rival = table.bout, table.turn, side.rival
    knights = put(bout.knights, rival, known(bout, side) & bout.knights[rival])
    dark = replace(bout, knights=knights, weak=bout.weak & bout.knights[side], manure=0)
    waiting = None if bout.to_move is rival else turn.waiting
    traps, bids = put(turn.traps, rival, None), put(turn.bids, rival, None)
    return replace(table, bout=dark, turn=replace(turn, waiting=waiting, traps=traps, bids=bids))
