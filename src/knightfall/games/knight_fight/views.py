"""What the public and each player may know, and what a player's own board says."""

from __future__ import annotations

from collections.abc import Sequence

from knightfall.engine.game import SlotId, View
from knightfall.games.knight_fight import facts
from knightfall.games.knight_fight.anomalies.coloration import write_colours
from knightfall.games.knight_fight.anomalies.snapshot import rival_last
from knightfall.games.knight_fight.board import SIDES, Side, each, name_of
from knightfall.games.knight_fight.board import names as square_names
from knightfall.games.knight_fight.bout import Bout, Entry, Why
from knightfall.games.knight_fight.drawn import everything, snapshot, text_board
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.options import letters_of
from knightfall.games.knight_fight.state import Phase, State, seats, side_of
from knightfall.games.knight_fight.table import Table, Waiting, mover_of


def view(state: State, slot: SlotId | None) -> View:
    """The table, and for a player their own side of it."""
    side = side_of(state, slot)
    public = _public(state)
    if state.table is None or side is None:
        return View(slot, public)
    return View(slot, public | _own(state.table, side))


def _public(state: State) -> dict[str, object]:
    shared: dict[str, object] = {
        "phase": str(state.phase),
        "bout": state.number,
        "anomalies": letters_of(state.rules.anomalies),
        "finished": [_finished(done.bout) for done in state.done],
    }
    if state.table is None or state.phase is not Phase.PLAY:
        return shared
    # What everyone sees of a bout: in Snapshot no knight at all (KF-37).
    bout, mover = state.table.bout, mover_of(state.table)
    hidden_points = bout.has("N") and bout.rules["kf_45"] == "hidden"
    seen: dict[str, object] = {
        "turn": bout.turns,
        "to_move": None if mover is None else mover.name,
        "reserve": list(bout.reserve),
        "chips": list(bout.chips) if bout.has("B") else [],
        "points": list(bout.points) if bout.has("T") and not hidden_points else [],
        "colours": write_colours(bout.rules.board, bout.colours) if bout.colours else [],
    }
    return (
        shared
        | {"players": facts.names(state)}
        | (
            seen
            if bout.has("N")
            else seen
            | (
                {
                    "board": text_board(everything(bout)),
                    "manure": square_names(bout.manure),
                    "manure_left": list(bout.manure_left),
                    "last": [name_of(square) if square else None for square in bout.last],
                    "trap_banned": [side.name for side in SIDES if bout.banned[side]],
                    "moves": bout.moves,
                }
            )
        )
    )


def _finished(bout: Bout) -> dict[str, object]:
    winner = bout.ended.winner if bout.ended else None
    return {"winner": None if winner is None else winner.name, "moves": bout.moves}


def _own(table: Table, side: Side) -> dict[str, object]:
    """Own knights with their health, the rival's latest placement, and what one has on file."""
    bout = table.bout
    latest = rival_last(bout, side)
    own: dict[str, object] = {
        "side": side.name,
        "own": knights_of(bout, side),
        "rival_last": "passed" if latest is None else name_of(latest) if latest else None,
        "standing": standing(table, side),
    }
    if not bout.has("N"):
        return own
    return own | {"board": text_board(snapshot(bout, side)), "manure_left": bout.manure_left[side]}


def knights_of(bout: Bout, side: Side) -> dict[str, str]:
    """The side's knights by square, each healthy or weakened."""
    return {
        name_of(square): "weakened" if bout.weak & square else "healthy"
        for square in each(bout.knights[side])
    }


def standing(table: Table, side: Side) -> list[str]:
    """What the side has on file, as lines that could be sent again."""
    turn, lines = table.turn, []
    bid, trap = turn.bids[side], turn.traps[side]
    if turn.waiting and table.bout.to_move == side:
        lines.append(_move(turn.waiting))
    if bid:
        lines.append(f"BID {bid.chips}: {_move(bid.waiting)}")
    if trap is not None:
        lines.append(f"TRAP: {name_of(trap)}" if trap else "NO TRAP")
    return lines


def _move(waiting: Waiting) -> str:
    return write_move(waiting.move) if waiting.move else "(no readable move)"


def own_board(state: State, table: Table, side: Side, played: Sequence[Entry]) -> dict[str, object]:
    """KF-37, KF-38: a player's PM in Snapshot: their board and what they may know of the latest turns."""
    bout = table.bout
    own = seats(state)[side]
    return {
        "name": own,
        "side": side.name,
        "rival": side.rival.name,
        "bout": state.number,
        "news": [_news(item, side) for item in facts.happened(bout, played)],
        "closed": facts.closed_colour(bout, side),
        "manure_left": bout.manure_left[side] if bout.has("A") else None,
        **facts.board(snapshot(bout, side)),
        "next": "" if (mover := mover_of(table)) is None else mover.name,
    }


def _news(item: dict[str, object], side: Side) -> dict[str, object]:
    """P19: of the rival's move only the square and its manure, of an illegal one only that it was a pass."""
    if item["side"] == side.name:
        return item | {"own": True}
    if item["kind"] == Why.ILLEGAL:
        return {"kind": "passed", "number": item["number"], "own": False}
    kept = ("kind", "number", "target", "manure", "trapped")
    return {key: value for key, value in item.items() if key in kept} | {"own": False}
