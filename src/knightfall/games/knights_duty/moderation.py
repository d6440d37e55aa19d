"""What the moderator may change in the middle of a game: take a player out or back, and set a last turn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from knightfall.engine.game import Announced, Event, Refusal, SlotId, Step
from knightfall.games.knights_duty import views
from knightfall.games.knights_duty.endings import settled
from knightfall.games.knights_duty.events import Limit, Modkill, Revive
from knightfall.games.knights_duty.movement import shares
from knightfall.games.knights_duty.state import Phase, State
from knightfall.names import Ambiguous, Unknown, match_name

MODKILLED = "modkilled"
_LAST_TURN = re.compile(r"(?:last turn|max[ _]turns)[\s:=]+(\d{1,3}|none)", re.I)
_NAMED = re.compile(r"(modkill|revive)[\s:]+(.+)", re.I)

Taken = tuple[State, tuple[Event, ...]]


def moderate(state: State, lines: tuple[str, ...], aliases: Mapping[str, SlotId]) -> Step[State]:
    """`modkill NAME`, `revive NAME`, `last turn 60`, `last turn none`."""
    events: list[Event] = []
    refused = []
    for line in lines:
        done = _one(state, line, aliases)
        if isinstance(done, Refusal):
            refused.append((line, done))
        else:
            state, told = done
            events += told
    return Step(state, tuple(events), tuple(refused))


def _one(state: State, line: str, aliases: Mapping[str, SlotId]) -> Taken | Refusal:
    if limit := _LAST_TURN.fullmatch(line.strip()):
        return _limited(state, None if limit[1].lower() == "none" else int(limit[1]))
    named = _NAMED.fullmatch(line.strip())
    if named is None:
        return Refusal("UNKNOWN_COMMAND", "say modkill NAME, revive NAME or last turn NUMBER")
    match = match_name(named[2], tuple(state.knights), aliases)
    if isinstance(match, Ambiguous):
        return Refusal("AMBIGUOUS_NAME", f"“{match.written}” can be {' or '.join(match.slots)}")
    if isinstance(match, Unknown):
        return Refusal("UNKNOWN_TARGET", f"nobody here is called “{match.written}”")
    if named[1].lower() == "modkill":
        knight = state.knights[match]
        if knight.left:
            return Refusal("UNKNOWN_TARGET", f"{match} is out of the game already")
        gone = replace(knight, left=MODKILLED, fell=(state.turn, len(state.rounds)))
        left = {name: plan for name, plan in state.plans.items() if name != match}
        after = settled(
            replace(state, knights={**state.knights, match: gone}, plans=left, out=(*state.out, match))
        )
        told: tuple[Event, ...] = (Announced(Modkill(match, state.turn)),)
        return after, (*told, views.ending(after)) if after.phase is Phase.OVER else told
    # Back where they stood and as they were, if the space is free.
    knight = state.knights[match]
    if knight.left != MODKILLED:
        return Refusal("UNKNOWN_TARGET", f"{match} was not taken out by the moderator")
    held = {other.pos for other in state.living.values() if other.pos}
    if knight.pos in held and not shares(state.rules):
        return Refusal("OCCUPIED", f"another knight stands on {knight.pos} now")
    back = replace(state.knights[match], left="", fell=(0, 0))
    out = tuple(name for name in state.out if name != match)
    after = replace(state, knights={**state.knights, match: back}, out=out)
    return after, (Announced(Revive(match, knight.pos or None)),)


def _limited(state: State, limit: int | None) -> Taken | Refusal:
    """KD-32: a last turn, not earlier than the one being played."""
    if limit is not None and limit < max(state.turn, 1):
        return Refusal("TOO_LATE", f"turn {state.turn} is already being played")
    return replace(state, limit=limit), (Announced(Limit(limit)),)
