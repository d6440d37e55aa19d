"""What the moderator can say to a bout: stop and start the clock, call an endless bout drawn, end the match.

`STOP CLOCK: why`, `START CLOCK`, `DRAWN` (after ten illegal passes in a row), `FORFEIT NAME` or `MODKILL
NAME` for who does not come back: the rival wins the match.
"""

from __future__ import annotations

import re
from dataclasses import replace

from knightfall.engine.commands import lines_of
from knightfall.engine.game import Announced, Event, Message, Refusal, SlotId, Step
from knightfall.games.knight_fight.announce import events
from knightfall.games.knight_fight.anomalies.snapshot import CALLABLE
from knightfall.games.knight_fight.bout import Ending, Reason
from knightfall.games.knight_fight.events import Clock
from knightfall.games.knight_fight.facts import until
from knightfall.games.knight_fight.state import Phase, Player, State, finish, side_of
from knightfall.games.knight_fight.table import Table, deadline
from knightfall.names import match_name

DRAWN = "DRAWN"
_STOP = re.compile(r"STOP\s+CLOCK\s*[:\s]\s*(?P<why>\S.*)", re.I)
_FORFEIT = re.compile(r"(?:FORFEIT|MODKILL)\s*[:\s]\s*(?P<name>\S.*)", re.I)
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
        told += (*_clock_events(state, after, line), *events(state, after))
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
    return (Announced(Clock(stopped is not None, why, until(deadline(after.table)))),)
