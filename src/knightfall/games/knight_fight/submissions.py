"""What the lines of a player's message change, and which of them are not taken."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from knightfall.engine.commands import lines_of
from knightfall.engine.game import Message, Refusal
from knightfall.engine.rng import Rng
from knightfall.games.knight_fight import flow, rounds
from knightfall.games.knight_fight.board import Side
from knightfall.games.knight_fight.bout import Ending, Reason
from knightfall.games.knight_fight.codes import Code, refusal
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
from knightfall.games.knight_fight.state import Phase, State, begin, chooses, finish, side_of
from knightfall.games.knight_fight.table import Table

Refused = tuple[tuple[str, Refusal], ...]


def take(state: State, message: Message, draw: Rng) -> tuple[State, Refused]:
    """Apply the lines in order, then what they settle; returns the state and what was refused."""
    refused: list[tuple[str, Refusal]] = []
    for line in lines_of(message.text):
        state, code = _take_line(state, message, line, draw)
        refused += [(line, refusal(code))] if code else []
    return settle(state, message.at), tuple(refused)


def settle(state: State, at: datetime) -> State:
    """What is complete is played: a round of bids, a move that no trap is awaited for."""
    table = state.table
    if table is None:
        return state
    settled = rounds.resolve(table, at) if rounds.complete(table) else flow.settle(table, at)
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
            taken, code = flow.take_move(table, side, line, at)
            if code or table.bout.has("H"):
                return taken, code
            return flow.settle(taken, at), None
        case BidLine():
            return rounds.take_bid(table, side, line, at)
        case TrapLine():
            return flow.take_trap(table, side, line, at)
        case ProxyLine():
            return flow.take_proxy(table, side, line, at, draw)
        case SideLine() | ResignLine():
            return table, Code.NOT_YOUR_CHOICE
