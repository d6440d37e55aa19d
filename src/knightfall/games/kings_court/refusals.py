"""With which sentence is a line refused, and what of its sender's stands all the same?"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.core.commands import Ambiguous
from knightfall.core.game import Refusal, SlotId
from knightfall.games.kings_court.garnets import ANNOYED_PRICE, PEEK_PRICE
from knightfall.games.kings_court.legality import Code
from knightfall.games.kings_court.notation import Order, Verb, plain
from knightfall.games.kings_court.state import State

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
    Code.NOT_A_PLAYER: "only a player of this match can send that",
    Code.WRONG_PHASE: "this cannot be sent now",
    Code.VOTER_IN_COURT: "members of the court do not vote",
    Code.UNKNOWN_TARGET: "nobody here has that name",
    Code.SELF_VOTE: "you cannot vote for yourself",
    Code.TARGET_IN_COURT: "that player is already in the court",
    Code.NOT_KING: "only the King can send that",
    Code.TOO_LATE: "the looks ended when the first member was elected",
    Code.SELF: "you cannot name yourself",
    Code.DUPLICATE: "that name stands there twice, or you have looked at it already",
    Code.LIMIT: "you have two looks in all, and that would be more",
    Code.NOT_TIED: "name somebody who is tied",
    Code.NO_CHECK_RIGHT: "only the member elected last can check, until the next deadline",
    Code.NEED_TWO: "name two players",
    Code.NOT_CHECKABLE: "this pair cannot be checked",
    Code.INSUFFICIENT_GARNETS: "you do not have that many garnets",
    Code.FROZEN: "no gifts between the King joining the court and the naming of the DMO",
    Code.BAD_AMOUNT: "the amount must be a whole number, 1 or more",
    Code.BAD_PAIR: "name exactly one Duke and one Noble",
    Code.NOT_WINNER: "only the winners decide this",
    Code.NOT_EC: "only the elimination candidate picks the opponent",
    Code.HAS_TOL: "who holds a Token of Life cannot be picked",
    Code.PUBLIC_BALLOT: "votes are sent by PM; this one was posted in public and is not counted",
}


def refusal(state: State, slot: SlotId, code: Code, order: Order | None = None) -> Refusal:
    """The code and one sentence; what stood before still stands."""
    kept = _standing(state, slot, order)
    return Refusal(code, f"{_sentence(code, order)}{kept}")


def _sentence(code: Code, order: Order | None) -> str:
    if code is Code.UNKNOWN_COMMAND or order is None:
        return _SENTENCES.get(code, "this is no command; for instance: VOTE: Name")
    if code is Code.BAD_ARGS:
        return f"write {_EXAMPLES[order.verb]}"
    if code is Code.AMBIGUOUS_NAME and isinstance(order.doubtful, Ambiguous):
        return f"“{order.doubtful.written}” can be {' or '.join(order.doubtful.slots)}"
    if code is Code.INSUFFICIENT_GARNETS and order.verb is not Verb.GIVE:
        price = PEEK_PRICE if order.verb is Verb.PEEK else ANNOYED_PRICE
        return f"it costs {price} garnets, and you do not have them"
    return _SENTENCES[code]


def _standing(state: State, slot: SlotId, order: Order | None) -> str:
    """“Your earlier vote for Kit still stands.”"""
    if order is None:
        return ""
    if order.verb in (Verb.VOTE, Verb.UNVOTE) and slot in state.ballots:
        return f". Your earlier vote for {state.ballots[slot]} still stands"
    if order.verb is Verb.CHECK and slot == state.check_right and state.check_pair:
        return f". Your earlier {plain(Verb.CHECK, *state.check_pair)} still stands"
    if order.verb is Verb.TIEBREAK and slot == state.king and state.tiebreak:
        return f". Your earlier {plain(Verb.TIEBREAK, *state.tiebreak)} still stands"
    if order.verb is Verb.EC and state.end and slot in state.end.ballots:
        return f". Your earlier {plain(Verb.EC, state.end.ballots[slot])} still stands"
    return ""
