"""What the public and each player may know, and what a player's own board says."""

from __future__ import annotations

from dataclasses import replace

from knightfall.engine.game import View
from knightfall.games.knight_fight import facts
from knightfall.games.knight_fight.anomalies.coloration import write_colours
from knightfall.games.knight_fight.anomalies.snapshot import rival_last
from knightfall.games.knight_fight.board import SIDES, Side, each, name_of
from knightfall.games.knight_fight.board import names as square_names
from knightfall.games.knight_fight.bout import Bout
from knightfall.games.knight_fight.drawn import drawn_board, everything, snapshot
from knightfall.games.knight_fight.events import FinishedBout, MatchView, OwnKnight, OwnSide, Playing, Shown
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.options import letters_of
from knightfall.games.knight_fight.state import Phase, State, seats, side_of
from knightfall.games.knight_fight.table import Table, Waiting, mover_of
from knightfall.sentence import SlotId


def view(state: State, slot: SlotId | None) -> View:
    """What that slot, or the public, may know."""
    return View(slot, seen_by(state, slot))


def seen_by(state: State, slot: SlotId | None) -> MatchView:
    """The table, and for a player their own side of it."""
    table, side = state.table, side_of(state, slot)
    public = MatchView(
        phase=str(state.phase),
        bout=state.number,
        anomalies=letters_of(state.rules.anomalies),
        finished=tuple(_finished(done.bout) for done in state.done),
    )
    if table is None:
        return public
    hidden = table.bout.has("N")
    if state.phase is Phase.PLAY:
        board = None if hidden else drawn_board(everything(table.bout))
        public = replace(public, board=board, playing=_playing(state, table))
    if side is None:
        return public
    # In Snapshot a player sees a board that nobody else sees (KF-37).
    board = drawn_board(snapshot(table.bout, side)) if hidden else public.board
    return replace(public, board=board, own=_own(state, table, side))


def _playing(state: State, table: Table) -> Playing:
    """What everyone sees of a bout: in Snapshot no knight at all (KF-37)."""
    bout, mover = table.bout, mover_of(table)
    hidden_points = bout.has("N") and bout.rules["kf_45"] == "hidden"
    x, o = (name_of(square) if square else None for square in bout.last)
    return Playing(
        turn=bout.turns,
        players=facts.seats_of(state),
        to_move=None if mover is None else mover.name,
        reserve=bout.reserve,
        chips=bout.chips if bout.has("B") else (),
        points=bout.points if bout.has("T") and not hidden_points else (),
        colours=tuple(write_colours(bout.rules.board, bout.colours)) if bout.colours else (),
        shown=None
        if bout.has("N")
        else Shown(
            manure=tuple(square_names(bout.manure)),
            manure_left=bout.manure_left,
            last=(x, o),
            trap_banned=tuple(side.name for side in SIDES if bout.banned[side]),
            moves=bout.moves,
        ),
    )


def _finished(bout: Bout) -> FinishedBout:
    winner = bout.ended.winner if bout.ended else None
    return FinishedBout(None if winner is None else winner.name, bout.moves)


def _own(state: State, table: Table, side: Side) -> OwnSide:
    """Own knights with their health, the rival's latest placement, and what one has on file."""
    bout = table.bout
    latest = rival_last(bout, side)
    return OwnSide(
        side=side.name,
        name=seats(state)[side],
        knights=knights_of(bout, side),
        rival_last="passed" if latest is None else name_of(latest) if latest else None,
        standing=standing(table, side),
        manure_left=bout.manure_left[side],
    )


def knights_of(bout: Bout, side: Side) -> tuple[OwnKnight, ...]:
    """The side's knights with their health, in the order of the squares."""
    return tuple(
        OwnKnight(name_of(square), "weakened" if bout.weak & square else "healthy")
        for square in each(bout.knights[side])
    )


def standing(table: Table, side: Side) -> tuple[str, ...]:
    """What the side has on file, as lines that could be sent again."""
    turn, lines = table.turn, list[str]()
    bid, trap = turn.bids[side], turn.traps[side]
    if turn.waiting and table.bout.to_move == side:
        lines.append(_move(turn.waiting))
    if bid:
        lines.append(f"BID {bid.chips}: {_move(bid.waiting)}")
    if trap is not None:
        lines.append(f"TRAP: {name_of(trap)}" if trap else "NO TRAP")
    return tuple(lines)


def _move(waiting: Waiting) -> str:
    return write_move(waiting.move) if waiting.move else "(no readable move)"
