"""What the lines of a player's message or of the moderator change, and which of them are not taken.

The moderator says `STOP CLOCK: why`, `START CLOCK`, `DRAWN` (after ten illegal passes in a row), `FORFEIT
NAME` or `MODKILL NAME` for who does not come back: the rival wins the match.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from knightfall.engine.commands import lines_of
from knightfall.engine.game import Announced, Event, Message, Refusal, Step
from knightfall.engine.rng import Rng
from knightfall.games.knight_fight import flow
from knightfall.games.knight_fight import flow as rounds
from knightfall.games.knight_fight.announce import events
from knightfall.games.knight_fight.anomalies.snapshot import CALLABLE
from knightfall.games.knight_fight.board import Side
from knightfall.games.knight_fight.bout import Ending, Reason
from knightfall.games.knight_fight.codes import Code, refusal
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
from knightfall.games.knight_fight.state import Phase, Player, State, begin, chooses, finish, side_of
from knightfall.games.knight_fight.table import Table, deadline
from knightfall.names import match_name
from knightfall.sentence import SlotId

Refused = tuple[tuple[str, Refusal], ...]


def take(state: State, message: Message, draw: Rng) -> tuple[State, Refused]:
    """Apply the lines in order, then what they settle; returns the state and what was refused."""
    refused: list[tuple[str, Refusal]] = []
    for line in lines_of(message.text):
        state, code = _take_line(state, message, line, draw)
        stand_in = isinstance(match_line(line), ProxyLine)
        refused += [(line, refusal(code, stand_in=stand_in))] if code else []
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


DRAWN = "DRAWN"
_STOP = re.compile(r"STOP\s+CLOCK\s*[:\s]\s*(?P<why>\S.*)", re.I)
_FORFEIT = re.compile(r"(?P<how>FORFEIT|MODKILL)\s*[:\s]\s*(?P<name>\S.*)", re.I)
_START = re.compile(r"START\s+CLOCK", re.I)


def moderate(state: State, message: Message) -> Step[State]:
    """Apply the moderator's lines in order."""
    told: tuple[Event, ...] = ()
    refused: list[tuple[str, Refusal]] = []
    for line in lines_of(message.text):
        after = _said(state, line, message)
        if isinstance(after, Refusal):
            refused.append((line, after))
            continue
        told += (*_removal(state, after, line), *_clock_events(state, after, line), *events(state, after))
        state = after
    return Step(state, told, tuple(refused))


def _said(state: State, line: str, message: Message) -> State | Refusal:
    table, at = state.table, message.at
    if forfeit := _FORFEIT.fullmatch(line):
        return _forfeited(state, forfeit["name"], message)
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
    return Refusal(
        "UNKNOWN_COMMAND",
        "send STOP CLOCK: why, START CLOCK, FORFEIT NAME, or, after ten illegal passes in a row, DRAWN",
    )


def _forfeited(state: State, written: str, message: Message) -> State | Refusal:
    """The match without one of the two; the bout at hand is their rival's."""
    name = match_name(written, state.slots, message.aliases)
    if not isinstance(name, str):
        return Refusal("UNKNOWN_TARGET", f"there is no player called “{written}”")
    if state.phase is Phase.OVER:
        return Refusal("BOUT_OVER", "the match is over")
    player = Player.DMO if name == state.slots[0] else Player.EC
    out = replace(state, forfeited=player)
    side = side_of(state, SlotId(name))
    if out.table is None or side is None:
        return replace(out, phase=Phase.OVER, since=message.at)
    bout = replace(out.table.bout, ended=Ending(side.rival, Reason.FORFEIT))
    return finish(_with(out, replace(out.table, bout=bout)), message.at)


def _removal(before: State, after: State, line: str) -> tuple[Event, ...]:
    """That somebody was taken out of the match, which is more than losing it."""
    said = _FORFEIT.fullmatch(line)
    if said is None or said["how"].casefold() != "modkill" or after.forfeited in (None, before.forfeited):
        return ()
    return (Announced(Removed(before.slots[0 if after.forfeited is Player.DMO else 1])),)


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
