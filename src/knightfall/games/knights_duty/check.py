"""The check of a plan before it is laid, by the codes of KD-04 in their order: of several the first is given.

A plan stands or falls whole, unless an option refuses it line by line (`submissions.lay`). It comes here as
it was asked for, words not yet understood included: from the lines of a message (`reading`), or from a
program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from knightfall.engine.game import Refusal
from knightfall.games.knights_duty.board import STAY, STEPS
from knightfall.games.knights_duty.plan import (
    LIMITS,
    REACH,
    ROUNDS,
    WOUNDED_ROUNDS,
    Entry,
    Extra,
    Plan,
    Token,
)
from knightfall.games.knights_duty.state import Knight, State
from knightfall.sentence import SlotId, sentence

TOO_MANY = "TOO_MANY_ACTIONS"
_WORDS = ("no", "one", "two", "three", "four", "five", "six")
_TOKENS = frozenset(Token)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One entry as asked for. `line` is where it stands; `dir` None where a move names no direction."""

    token: str
    direction: str | None = None
    targets: tuple[str, ...] = ()
    only: bool = False
    extras: frozenset[Extra] = frozenset()
    pick: int = 0
    line: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a plan was not taken, and the first entry that shows it."""

    line: str
    refusal: Refusal


Entries: TypeAlias = Sequence[Wanted]


def check_plan(state: State, knight: Knight, wanted: Entries) -> Plan | Fault:
    """The plan, or the first fault in the order of KD-04. `knight` is a living one."""
    fault = next(_faults(state, knight, wanted), None)
    if fault is not None:
        return fault
    plan = []
    for one in wanted:
        token = Token(one.token)
        if token in REACH:
            targets = tuple(SlotId(name) for name in one.targets)
            plan.append(Entry(token, None, targets, one.only, one.extras, one.pick))
        else:
            plan.append(Entry(token, one.direction if token is Token.MOVE else None, extras=one.extras))
    return tuple(plan)


def _faults(state: State, knight: Knight, wanted: Entries) -> Iterator[Fault]:
    """Everything that is wrong, code by code in the order of KD-04."""
    # KD-04, KD-06: three entries, two with the Heart down, passes included; the last is one too many.
    spread = state.rules["kd_06"] == "any_two" and not knight.heart
    most = ROUNDS if knight.heart or spread else WOUNDED_ROUNDS
    acting = [one for one in wanted if one.token != Token.PASS]
    if len(wanted) > most or (spread and len(acting) > WOUNDED_ROUNDS):
        heart = "up" if knight.heart else "down"
        allowed = _WORDS[ROUNDS if knight.heart else WOUNDED_ROUNDS]
        has = f"with your Heart {heart} you have {allowed} actions"
        yield _fault(wanted[-1], TOO_MANY, f"{has}, and {len(wanted)} are in this plan")
    # KD-22: inspiration is a marker, unless the option makes it an action.
    for one in wanted:
        if one.token == Token.INSPIRATION and state.rules["inspiration"] != "action":
            yield _fault(one, "NOT_AN_ACTION", "inspiration is a marker, not an action")
    for one in wanted:
        if one.token not in _TOKENS:
            text = "there is no such token; there are sword, spear, bow, shield, parry, move and pass"
            yield _fault(one, "UNKNOWN_TOKEN", text)
    # KD-03: tokens of each kind.
    tokens = [one.token for one in wanted]
    for place, one in enumerate(wanted):
        limit = LIMITS.get(one.token, len(wanted))
        if tokens[: place + 1].count(one.token) > limit:
            count = _WORDS[tokens.count(one.token)]
            has = f"you have {_WORDS[limit]} {one.token} token{'' if limit == 1 else 's'} a turn"
            yield _fault(one, "TOKEN_LIMIT", f"{has} and {count} are in this plan")
    # KD-07: one of the directions of the board, or STAY; in a staged game it may be said later.
    known = (*STEPS[state.board.grid], STAY)
    for one in wanted:
        later = one.direction is None and state.rules["mode"] == "staged"
        if one.token == Token.MOVE and one.direction not in known and not later:
            yield _fault(one, "BAD_DIRECTION", f"a move goes {', '.join(known[:-1])} or {STAY}")
    attacks = [one for one in wanted if one.token in REACH]
    for one in attacks:
        if knight.slot in one.targets:
            yield _fault(one, "SELF_TARGET", "you cannot attack yourself")
    # KD-04: nobody of that name, or fallen before the plan was sent.
    for one in attacks:
        for name in one.targets:
            target = state.knights.get(SlotId(name))
            if target is None:
                yield _fault(one, "UNKNOWN_TARGET", f"nobody here is called “{name}”")
            elif target.left:
                yield _fault(one, "UNKNOWN_TARGET", sentence("{slot} is out of the game", slot=SlotId(name)))


def _fault(one: Wanted, code: str, text: str) -> Fault:
    return Fault(one.line or one.token.upper(), Refusal(code, text))
