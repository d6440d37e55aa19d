"""What a message changes: before the first turn the wishes, then the plan (KD-25); and what the moderator may
change in the middle of a game: take a player out or back, and set a last turn.

The last valid plan of a slot stands; a refused one changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from knightfall.engine.game import Announced, Event, Refusal, Step
from knightfall.games.knights_duty import views
from knightfall.games.knights_duty.check import TOO_MANY, Entries, Fault, Wanted, check_plan
from knightfall.games.knights_duty.endings import settled
from knightfall.games.knights_duty.events import Limit, Modkill, Revive
from knightfall.games.knights_duty.plan import WEAPONS, Token
from knightfall.games.knights_duty.reading import Aliases, read_message
from knightfall.games.knights_duty.rounds import shares
from knightfall.games.knights_duty.state import Choice, Phase, State
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId, sentence

Refused = tuple[tuple[str, Refusal], ...]

NOT_A_PLAYER = Refusal("NOT_A_PLAYER", "only a knight still in the game can act")
_STILL = "Your earlier plan still stands."
_SHUFFLE = re.compile(r"shuffle[\s:=]+([1-5](?:[\s,]*[1-5]){4})", re.I)
_START = re.compile(r"(?:start|space|spot|clan|colour|color)s?[\s:=@]+(.+)", re.I)
_WEAPON = re.compile(r"(?:weapon|equipment)?[\s:=@]*(sword|spear|bow)", re.I)


def lay(state: State, slot: SlotId, wanted: Entries) -> tuple[State, Refused]:
    """Put a plan on file, as a program would: the whole plan, or why not; by option what of it is legal."""
    knight = state.knights.get(slot)
    if knight is None or knight.left:
        return state, (("", NOT_A_PLAYER),)
    plan = check_plan(state, knight, wanted)
    if not isinstance(plan, Fault):
        return replace(state, plans={**state.plans, slot: plan}), ()
    if state.rules["kd_04"] == "refused_whole":
        return state, (_refusal(state, slot, plan),)

    # Line by line: each fault takes its own line out, which is a pass then; the last one where there are too
    # many, or where a line stands there twice.
    left, refused = list(wanted), list[tuple[str, Refusal]]()
    while isinstance(plan, Fault):
        if plan.refusal.code == TOO_MANY:
            left.pop()
        else:
            lines = [one.line or one.token.upper() for one in left]
            left[len(lines) - 1 - lines[::-1].index(plan.line)] = Wanted(Token.PASS)
        refused.append((plan.line, plan.refusal))
        plan = check_plan(state, knight, left)
    if all(one.token == Token.PASS for one in left):
        return state, tuple(refused)  # nothing of it can be played: what stood before stands
    return replace(state, plans={**state.plans, slot: plan}), tuple(refused)


def take_plan(state: State, slot: SlotId, lines: tuple[str, ...], aliases: Aliases) -> tuple[State, Refused]:
    """The message of a living knight during a turn."""
    if state.rules["cards"] == "picked":
        # `SHUFFLE 3 1 4 2 5`: how this knight lays out the piles of attacks on it, where attackers pick.
        found = [said for line in dict.fromkeys(lines) if (said := _SHUFFLE.fullmatch(line))]
        for said in found:
            order = tuple(int(digit) for digit in re.findall(r"\d", said[1]))
            if len(set(order)) == len(order):
                state = replace(state, shuffles={**state.shuffles, slot: order})
                lines = tuple(line for line in lines if line != said.string)
    read = read_message(state, lines, aliases)
    if read.fault:
        return state, (_refusal(state, slot, read.fault),)
    if read.plan is None:
        return state, read.chatter
    state, refused = lay(state, slot, read.plan)
    return state, read.chatter + refused


def _refusal(state: State, slot: SlotId, fault: Fault) -> tuple[str, Refusal]:
    """The line with the code and one sentence; another where an earlier plan still stands."""
    said = fault.refusal
    return fault.line, replace(said, text=f"{said.text}. {_STILL}") if slot in state.plans else said


def take_choice(state: State, slot: SlotId, lines: tuple[str, ...]) -> tuple[State, Refused]:
    """The message of a player before the first turn: `START C7, A3` or `CLAN red`, and `WEAPON bow`."""
    choice, refused = state.choices.get(slot, Choice()), []
    for line in lines:
        after = _chosen(state, choice, line)
        if isinstance(after, Refusal):
            refused.append((line, after))
        else:
            choice = after
    return replace(state, choices={**state.choices, slot: choice}), tuple(refused)


def _chosen(state: State, choice: Choice, line: str) -> Choice | Refusal:
    if weapon := _WEAPON.fullmatch(line.strip()):
        if state.rules["kd_27"] != "chosen":
            return Refusal("NO_CHOICE", "in this game nobody chooses a start weapon")
        return replace(choice, weapon=next(one for one in WEAPONS if one == weapon[1].lower()))
    said = _START.fullmatch(line.strip())
    if said is None:
        weapon_too = ", or WEAPON bow" if state.rules["kd_27"] == "chosen" else ""
        return Refusal("UNKNOWN_COMMAND", f"say for example START {state.board.starts[0]}{weapon_too}")
    # A start space by its name or its colour.
    board = state.board
    named = {board.clan(space): space for space in board.starts} | {space: space for space in board.starts}
    words = re.split(r"[\s,>]+", said[1].strip())
    spaces = [named.get(word.upper()) or named.get(word.casefold()) for word in words]
    if not all(spaces):
        starts = ", ".join(f"{space} ({state.board.clan(space)})" for space in state.board.starts)
        return Refusal("UNKNOWN_START", f"the starts are {starts}")
    return replace(choice, starts=tuple(space for space in dict.fromkeys(spaces) if space))


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
        return Refusal("AMBIGUOUS_NAME", match.words)
    if isinstance(match, Unknown):
        return Refusal("UNKNOWN_TARGET", f"nobody here is called “{match.written}”")
    if named[1].lower() == "modkill":
        knight = state.knights[match]
        if knight.left:
            return Refusal("UNKNOWN_TARGET", sentence("{slot} is out of the game already", slot=match))
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
        return Refusal("UNKNOWN_TARGET", sentence("{slot} was not taken out by the moderator", slot=match))
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
