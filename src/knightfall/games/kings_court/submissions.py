"""What a player's line changes, and what stands after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from knightfall.engine.game import Refusal, Step, Told
from knightfall.engine.rng import Rng
from knightfall.games.kings_court.aftermath import hand_out, oppose
from knightfall.games.kings_court.checks import deliver_check, look
from knightfall.games.kings_court.elections import elect, settled
from knightfall.games.kings_court.events import Receipt
from knightfall.games.kings_court.garnets import ANNOYED_PRICE, PEEK_PRICE, answer_waiting, buy, give
from knightfall.games.kings_court.legality import Code, fault
from knightfall.games.kings_court.notation import Aliases, Order, Verb, plain, read_order
from knightfall.games.kings_court.state import Move, Phase, State, deadline, then, time_said
from knightfall.names import Ambiguous
from knightfall.sentence import SlotId, joined, sentence

_EXAMPLES: Mapping[Verb, str] = {
    Verb.VOTE: "VOTE: Name",
    Verb.UNVOTE: "UNVOTE",
    Verb.LEARN: "LEARN: Name or LEARN: Name, Name",
    Verb.TIEBREAK: "TIEBREAK: Name > Name > Name",
    Verb.CHECK: "CHECK: Name, Name",
    Verb.PEEK: "PEEK: Name",
    Verb.ANNOYED: "ANNOYED?",
    Verb.GIVE: "GIVE: 3 to Name",
    Verb.TOL: "TOL: Name, Name",
    Verb.EC: "EC: Name",
    Verb.DMO: "DMO: Name",
}
_SENTENCES: Mapping[Code, str] = {
    Code.NOT_A_PLAYER: "only players of this match can send that",
    Code.WRONG_PHASE: "this cannot be sent now",
    Code.VOTER_IN_COURT: "members of the court do not vote",
    Code.UNKNOWN_TARGET: "nobody here has that name",
    Code.SELF_VOTE: "you cannot vote for yourself",
    Code.TARGET_IN_COURT: "that player is already in the court",
    Code.NOT_KING: "only the King can send that",
    Code.TOO_LATE: "looks end when the first member is elected",
    Code.SELF: "you cannot name yourself",
    Code.DUPLICATE: "you named that player twice",
    Code.LIMIT: "you have two looks in all, and that would be more",
    Code.NOT_TIED: "name a player who is tied",
    Code.NO_CHECK_RIGHT: "only the player who was elected last can check a pair, until the next deadline",
    Code.NEED_TWO: "name two players",
    Code.NOT_CHECKABLE: "this pair cannot be checked",
    Code.INSUFFICIENT_GARNETS: "you do not have that many garnets",
    Code.FROZEN: "nobody can give garnets until both players of the Deathmatch are named",
    Code.BAD_AMOUNT: "the amount must be a whole number, 1 or more",
    Code.BAD_PAIR: "name exactly one Duke and one Noble",
    Code.NOT_WINNER: "only the winners decide this",
    Code.NOT_EC: "only the elimination candidate picks the opponent",
    Code.HAS_TOL: "a player with a Token of Life cannot be picked",
    Code.PUBLIC_BALLOT: "votes in the thread do not count; they are sent by PM",
}


def refusal(state: State, slot: SlotId, code: Code, order: Order | None = None) -> Refusal:
    """The code and one sentence; what stood before still stands."""
    kept = _standing(state, slot, order)
    return Refusal(code, joined("", (_sentence(code, order), kept)))


def _sentence(code: Code, order: Order | None) -> str:
    if code is Code.UNKNOWN_COMMAND or order is None:
        return _SENTENCES.get(code, "I do not understand it; for example: VOTE: Name")
    if code is Code.BAD_ARGS:
        return f"write it like this: {_EXAMPLES[order.verb]}"
    if code is Code.AMBIGUOUS_NAME and isinstance(order.doubtful, Ambiguous):
        return order.doubtful.words
    if code is Code.INSUFFICIENT_GARNETS and order.verb is not Verb.GIVE:
        price = PEEK_PRICE if order.verb is Verb.PEEK else ANNOYED_PRICE
        return f"it costs {price} garnets, and you do not have that many"
    if code is Code.DUPLICATE and not order.repeats:
        return "you have already looked at that player"
    return _SENTENCES[code]


_STILL = ". Your earlier {earlier} still stands"


def _standing(state: State, slot: SlotId, order: Order | None) -> str:
    """“Your earlier vote for Kit still stands.”"""
    if order is None:
        return ""
    if order.verb in (Verb.VOTE, Verb.UNVOTE) and slot in state.ballots:
        return sentence(_STILL, earlier=sentence("vote for {target}", target=state.ballots[slot]))
    if order.verb is Verb.CHECK and slot == state.check_right and state.check_pair:
        return sentence(_STILL, earlier=plain(Verb.CHECK, *state.check_pair))
    if order.verb is Verb.TIEBREAK and slot == state.king and state.tiebreak:
        return sentence(_STILL, earlier=plain(Verb.TIEBREAK, *state.tiebreak))
    if order.verb is Verb.EC and state.end and slot in state.end.ballots:
        return sentence(_STILL, earlier=plain(Verb.EC, state.end.ballots[slot]))
    return ""


def take(state: State, slot: SlotId, line: str, aliases: Aliases, at: datetime, draw: Rng) -> Move:
    """Apply one line of a player; a refused one changes nothing."""
    order = read_order(line, state.slots, aliases)
    code = Code.UNKNOWN_COMMAND if order is None else fault(state, slot, order)
    if order is None or code is not None:
        return Step(state, (), ((line, refusal(state, slot, code or Code.UNKNOWN_COMMAND, order)),))
    return _apply(state, slot, order, at, draw)


def _apply(state: State, slot: SlotId, order: Order, at: datetime, draw: Rng) -> Move:
    """What a legal line does."""
    match order.verb:
        case Verb.VOTE:  # KC-05: the latest vote replaces; it stands last in order of arrival
            others = {voter: target for voter, target in state.ballots.items() if voter != slot}
            return Step(state._replace(ballots={**others, slot: order.slots[0]}))
        case Verb.UNVOTE:
            others = {voter: target for voter, target in state.ballots.items() if voter != slot}
            return Step(state._replace(ballots=others))
        case Verb.LEARN:
            return look(state, order.slots)
        case Verb.TIEBREAK:  # KC-08; KC-11: by option a choice in the tie window is final at once
            listed = state._replace(tiebreak=order.slots)
            choice = settled(listed) if state.phase is Phase.TIE else None
            if choice is None or state.rules["tie_publish"] == "fixed":
                return Step(listed)
            return then(answer_waiting(listed, draw), lambda s: elect(s, choice, at, draw, "KC-08"))
        case Verb.CHECK:  # KC-13; KC-14: by option answered when sent
            asked = state._replace(check_pair=order.slots)
            at_once = state.rules["check_delivery"] == "immediate"
            return deliver_check(asked, draw) if at_once else Step(asked)
        case Verb.PEEK | Verb.ANNOYED:
            return buy(state, slot, next(iter(order.slots), None), draw)
        case Verb.GIVE:
            return give(state, slot, order.slots[0], order.amount or 0)
        case Verb.TOL:  # KC-02: valid tokens are final at once
            return hand_out(state, order.slots, at, "KC-30")
        case Verb.EC:  # KC-34: a ballot may change until its deadline
            if state.end is None:
                return Step(state)
            end = replace(state.end, ballots={**state.end.ballots, slot: order.slots[0]})
            return Step(state._replace(end=end))
        case Verb.DMO:
            return oppose(state, order.slots[0], "KC-36")


def standing(state: State, slot: SlotId) -> tuple[str, ...]:
    """What of a slot's is on file and can still change or be answered."""
    found = [plain(Verb.VOTE, state.ballots[slot])] if slot in state.ballots else []
    if slot == state.king and state.tiebreak:
        found.append(plain(Verb.TIEBREAK, *state.tiebreak))
    if slot == state.check_right and state.check_pair:
        found.append(plain(Verb.CHECK, *state.check_pair))
    if state.end and slot in state.end.ballots and state.phase is Phase.EC:
        found.append(plain(Verb.EC, state.end.ballots[slot]))
    bought = (wanted.target for wanted in state.waiting if wanted.slot == slot)
    return (*found, *(plain(Verb.PEEK, target) if target else plain(Verb.ANNOYED) for target in bought))


_FINAL = frozenset({Verb.TOL, Verb.DMO})
"""KC-02: what moves the phase on at once."""


def final_lines(lines: Iterable[str], state: State, aliases: Aliases) -> tuple[str, ...]:
    """Of lines that were taken, those that cannot change any more."""
    orders = (read_order(line, state.slots, aliases) for line in lines)
    return tuple(plain(one.verb, *one.slots) for one in orders if one and one.verb in _FINAL)


def receipt(state: State, slot: SlotId, at: datetime, final: tuple[str, ...] = ()) -> Told:
    """When it came, what is final, what is on file, until when that may change."""
    voters = state.outside if state.phase is Phase.VOTE and len(state.outside) > 1 else ()
    facts = Receipt(
        slot,
        time_said(at),
        state.phase,
        state.round,
        standing(state, slot),
        cast=plain(Verb.VOTE, state.ballots[slot]) if slot in state.ballots else "",
        vote_due=slot in voters and slot not in state.ballots,
        deadline=deadline(state),
        final=final,
    )
    return Told((slot,), facts)
