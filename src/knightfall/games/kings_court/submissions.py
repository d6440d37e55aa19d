"""What does a player's line change, and what stands of his after it?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from knightfall.core.game import SlotId, Step, Told
from knightfall.core.rng import Rng
from knightfall.games.kings_court.aftermath import hand_out, oppose
from knightfall.games.kings_court.checks import deliver_check, look
from knightfall.games.kings_court.clock import deadline_said, time_said
from knightfall.games.kings_court.elections import elect, settled
from knightfall.games.kings_court.garnets import answer_waiting, buy, give
from knightfall.games.kings_court.legality import Code, fault
from knightfall.games.kings_court.notation import Aliases, Order, Verb, plain, read_order
from knightfall.games.kings_court.refusals import refusal
from knightfall.games.kings_court.state import Move, Phase, State, then

Apply: TypeAlias = Callable[[State, SlotId, Order, datetime, Rng], Move]


def take(state: State, slot: SlotId, line: str, aliases: Aliases, at: datetime, draw: Rng) -> Move:
    """Apply one line of a player; a refused one changes nothing."""
    order = read_order(line, state.slots, aliases)
    code = Code.UNKNOWN_COMMAND if order is None else fault(state, slot, order)
    if order is None or code is not None:
        return Step(state, (), ((line, refusal(state, slot, code or Code.UNKNOWN_COMMAND, order)),))
    return _APPLY[order.verb](state, slot, order, at, draw)


def _vote(state: State, slot: SlotId, order: Order, _at: datetime, _draw: Rng) -> Move:
    """KC-05: the latest vote replaces; it stands last in order of arrival."""
    others = {voter: target for voter, target in state.ballots.items() if voter != slot}
    return Step(state._replace(ballots={**others, slot: order.slots[0]}))


def _unvote(state: State, slot: SlotId, _order: Order, _at: datetime, _draw: Rng) -> Move:
    return Step(state._replace(ballots={voter: t for voter, t in state.ballots.items() if voter != slot}))


def _learn(state: State, _slot: SlotId, order: Order, _at: datetime, _draw: Rng) -> Move:
    return look(state, order.slots)


def _tiebreak(state: State, _slot: SlotId, order: Order, at: datetime, draw: Rng) -> Move:
    """KC-08; KC-11: by option a choice in the tie window is final at once."""
    listed = state._replace(tiebreak=order.slots)
    choice = settled(listed) if state.phase is Phase.TIE else None
    if choice is None or state.rules["tie_publish"] == "fixed":
        return Step(listed)
    return then(answer_waiting(listed, draw), lambda s: elect(s, choice, at, draw, "KC-08"))


def _check(state: State, _slot: SlotId, order: Order, _at: datetime, draw: Rng) -> Move:
    """KC-13; KC-14: by option answered when sent."""
    asked = state._replace(check_pair=order.slots)
    return deliver_check(asked, draw) if state.rules["check_delivery"] == "immediate" else Step(asked)


def _buy(state: State, slot: SlotId, order: Order, _at: datetime, draw: Rng) -> Move:
    return buy(state, slot, next(iter(order.slots), None), draw)


def _give(state: State, slot: SlotId, order: Order, _at: datetime, _draw: Rng) -> Move:
    return give(state, slot, order.slots[0], order.amount or 0)


def _tol(state: State, _slot: SlotId, order: Order, at: datetime, _draw: Rng) -> Move:
    """KC-02: valid tokens are final at once."""
    return hand_out(state, order.slots, at, "KC-30")


def _ec(state: State, slot: SlotId, order: Order, _at: datetime, _draw: Rng) -> Move:
    """KC-34: a ballot may change until its deadline."""
    if state.end is None:
        return Step(state)
    end = replace(state.end, ballots={**state.end.ballots, slot: order.slots[0]})
    return Step(state._replace(end=end))


def _dmo(state: State, _slot: SlotId, order: Order, _at: datetime, _draw: Rng) -> Move:
    return oppose(state, order.slots[0], "KC-36")


_APPLY: Mapping[Verb, Apply] = {
    Verb.VOTE: _vote,
    Verb.UNVOTE: _unvote,
    Verb.LEARN: _learn,
    Verb.TIEBREAK: _tiebreak,
    Verb.CHECK: _check,
    Verb.PEEK: _buy,
    Verb.ANNOYED: _buy,
    Verb.GIVE: _give,
    Verb.TOL: _tol,
    Verb.EC: _ec,
    Verb.DMO: _dmo,
}


def standing(state: State, slot: SlotId) -> list[str]:
    """What of a slot's is on file and can still change or be answered."""
    found = [plain(Verb.VOTE, state.ballots[slot])] if slot in state.ballots else []
    if slot == state.king and state.tiebreak:
        found.append(plain(Verb.TIEBREAK, *state.tiebreak))
    if slot == state.check_right and state.check_pair:
        found.append(plain(Verb.CHECK, *state.check_pair))
    if state.end and slot in state.end.ballots and state.phase is Phase.EC:
        found.append(plain(Verb.EC, state.end.ballots[slot]))
    bought = (wanted.target for wanted in state.waiting if wanted.slot == slot)
    return found + [plain(Verb.PEEK, target) if target else plain(Verb.ANNOYED) for target in bought]


def receipt(state: State, slot: SlotId, at: datetime) -> Told:
    """When it came, what is on file, until when it may change."""
    facts = {
        "name": slot,
        "received": time_said(at),
        "phase": str(state.phase),
        "round": state.round,
        "standing": standing(state, slot),
        "deadline": deadline_said(state),
    }
    return Told((slot,), "receipt", facts)
