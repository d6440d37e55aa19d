"""The lines that would be taken now, for random play, help and tests; in Snapshot as far as the player knows.

What a player could choose freely beside the square is offered in a few ways for each placement, not in every
combination: manure on a free square and where the rival may jump next; nothing, something and all as a bid.
"""

from __future__ import annotations

from collections.abc import Iterator

from knightfall.games.knight_fight.anomalies.horse_trap import trap_fault
from knightfall.games.knight_fight.anomalies.snapshot import known, plausible
from knightfall.games.knight_fight.board import SIDES, Side, each, name_of, spread
from knightfall.games.knight_fight.bout import Bout, Move
from knightfall.games.knight_fight.moves import placements, targets
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.state import Phase, State, chooses, side_of
from knightfall.games.knight_fight.submissions import DRAWN, callable_drawn
from knightfall.games.knight_fight.table import bidders, mover_of, trap_open
from knightfall.sentence import SlotId


def legal_lines(state: State, slot: SlotId | None) -> Iterator[str]:
    """Every line of a player, or the moderator's decision where one is due."""
    side = side_of(state, slot)
    if state.phase is Phase.SIDES and slot == chooses(state):
        yield from (f"SIDE: {s.name}" for s in SIDES)
    elif state.table is not None and state.table.turn.stopped is None:
        if side is not None:
            table = state.table
            mover = mover_of(table)
            if table.turn.stand_in:
                if mover is not None and side is mover.rival:
                    # KF-09: plain moves for the rival; one's own trap only where nothing else is legal.
                    own_trap = table.turn.traps[mover.rival] or 0
                    spare = targets(table.bout, mover) & ~own_trap
                    for move in placements(table.bout, mover):
                        if not spare or move.target & spare:
                            yield f"FOR {mover.name}: {write_move(move)}"
            elif side in bidders(table):
                # Each move with nothing, something and all the player has; with manure only with something.
                chips = table.bout.chips[side]
                for place, move in enumerate(_with_manure(table.bout, side)):
                    some, written = place % (chips + 1), write_move(move)
                    for bid in [some] if move.manure else sorted({0, some, chips}):
                        yield f"BID {bid}: {written}"
                yield from _traps(table.bout, side)
            elif mover is side:
                yield from map(write_move, _with_manure(table.bout, side))
            elif trap_open(table):
                yield from _traps(table.bout, side)
        elif slot is None and callable_drawn(state):
            yield DRAWN


def _candidates(bout: Bout, side: Side) -> list[Move]:
    """The legal moves; in Snapshot those that seem legal to the player (KF-38: the rest are passes)."""
    if not bout.has("N"):
        return placements(bout, side)
    seen = plausible(bout, side)
    if not bout.has("S"):
        return [Move(target) for target in each(seen)]
    own = list(each(bout.knights[side]))
    return [Move(target, source) for source in own for target in each(spread(source) & seen)]


def _with_manure(bout: Bout, side: Side) -> Iterator[Move]:
    """Each move, and up to twice more with manure, on other squares for each move."""
    moves = _candidates(bout, side)
    yield from moves
    if not bout.has("A") or bout.manure_left[side] < 1:
        return
    # The free squares, and those of them that a knight of the rival's that is seen can jump to, if any.
    rivals = known(bout, side) if bout.has("N") else bout.knights[side.rival]
    hidden = bout.knights[side] | rivals if bout.has("N") else bout.taken | bout.manure
    free = bout.rules.board.ground & ~hidden
    grounds = [list(each(squares)) for squares in (free, free & spread(rivals)) if squares]
    for place, move in enumerate(moves):
        some = {ground[(bout.turns * 17 + place * 5) % len(ground)] for ground in grounds}
        yield from (move._replace(manure=square) for square in sorted(some - {move.target}))


def _traps(bout: Bout, side: Side) -> Iterator[str]:
    """No trap, or one where the rival's knights that are seen can jump."""
    if trap_fault(bout, side) is not None:
        return
    yield "NO TRAP"
    knights = known(bout, side) if bout.has("N") else bout.knights[side.rival]
    yield from (f"TRAP: {name_of(square)}" for square in each(spread(knights) & bout.rules.board.ground))
