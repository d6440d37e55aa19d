"""What one action changes, in one fixed order for any anomalies.

Legality → place → trap → sickness → manure → colour memory → points or line → the next player's ability to
move. Legality is asked before (`moves`), the clock is charged by `flow`.
"""

from __future__ import annotations

from dataclasses import replace

from knightfall.games.knight_fight.anomalies import hooks, tic_tac_toe
from knightfall.games.knight_fight.anomalies.anomaly import Deed
from knightfall.games.knight_fight.anomalies.bidding import favourite
from knightfall.games.knight_fight.anomalies.horse_trap import lift_ban
from knightfall.games.knight_fight.board import Side, Squares, has_four, put
from knightfall.games.knight_fight.bout import (
    Bout,
    Ending,
    How,
    Move,
    Passed,
    Played,
    Reason,
    Why,
    counts_turn,
    note,
)
from knightfall.games.knight_fight.moves import able, targets


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
