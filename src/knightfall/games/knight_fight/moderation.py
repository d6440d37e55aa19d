"""What the moderator can say to a bout: stop and start the clock, and call an endless bout drawn.

`STOP CLOCK: why`, `START CLOCK`, `DRAWN` (after ten illegal passes in a row).
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from knightfall.engine.commands import lines_of
from knightfall.engine.game import Announced, Event, Message, Refusal, Step
from knightfall.games.knight_fight.announce import events
from knightfall.games.knight_fight.anomalies.snapshot import CALLABLE
from knightfall.games.knight_fight.bout import Ending, Reason
from knightfall.games.knight_fight.facts import until
from knightfall.games.knight_fight.state import State, finish
from knightfall.games.knight_fight.table import Table, deadline

DRAWN = "DRAWN"
_STOP = re.compile(r"STOP\s+CLOCK\s*[:\s]\s*(?P<why>\S.*)", re.I)
_START = re.compile(r"START\s+CLOCK", re.I)


def moderate(state: State, message: Message) -> Step[State]:
    """Apply the moderator's lines in order."""
    told: tuple[Event, ...] = ()
    refused: list[tuple[str, Refusal]] = []
    for line in lines_of(message.text):
        after = _said(state, line, message.at)
        if isinstance(after, Refusal):
            refused.append((line, after))
            continue
        told += (*_clock_events(state, after, line), *events(state, after))
        state = after
    return Step(state, told, tuple(refused))


def _said(state: State, line: str, at: datetime) -> State | Refusal:
    table = state.table
    if table is None:
        return Refusal("BOUT_OVER", "no bout is being played")
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
        "UNKNOWN_COMMAND", "say STOP CLOCK: why, START CLOCK, or DRAWN after ten illegal passes in a row"
    )


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
    return (
        Announced(
            "clock", {"stopped": stopped is not None, "why": why, "until": until(deadline(after.table))}
        ),
    )
