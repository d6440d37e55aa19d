"""What a player may send now.

Each command lists its refusal codes in the order of the rules: the first that applies is given, and a
refused line changes nothing that stood before.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from knightfall.games.kings_court.aftermath import opponents
from knightfall.games.kings_court.checks import LOOKS
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.elections import candidates
from knightfall.games.kings_court.garnets import ANNOYED_PRICE, PEEK_PRICE
from knightfall.games.kings_court.notation import ARITY, Order, Verb
from knightfall.games.kings_court.state import FROZEN, OPEN, Phase, State
from knightfall.sentence import SlotId


class Code(StrEnum):
    """Why a line is not taken."""

    NOT_A_PLAYER = "NOT_A_PLAYER"
    BAD_ARGS = "BAD_ARGS"
    AMBIGUOUS_NAME = "AMBIGUOUS_NAME"
    WRONG_PHASE = "WRONG_PHASE"
    VOTER_IN_COURT = "VOTER_IN_COURT"
    UNKNOWN_TARGET = "UNKNOWN_TARGET"
    SELF_VOTE = "SELF_VOTE"
    TARGET_IN_COURT = "TARGET_IN_COURT"
    NOT_KING = "NOT_KING"
    TOO_LATE = "TOO_LATE"
    SELF = "SELF"
    DUPLICATE = "DUPLICATE"
    LIMIT = "LIMIT"
    NOT_TIED = "NOT_TIED"
    NO_CHECK_RIGHT = "NO_CHECK_RIGHT"
    NEED_TWO = "NEED_TWO"
    NOT_CHECKABLE = "NOT_CHECKABLE"
    INSUFFICIENT_GARNETS = "INSUFFICIENT_GARNETS"
    FROZEN = "FROZEN"
    BAD_AMOUNT = "BAD_AMOUNT"
    BAD_PAIR = "BAD_PAIR"
    NOT_WINNER = "NOT_WINNER"
    NOT_EC = "NOT_EC"
    HAS_TOL = "HAS_TOL"
    UNKNOWN_COMMAND = "UNKNOWN_COMMAND"
    PUBLIC_BALLOT = "PUBLIC_BALLOT"
    UNDECIDED = "UNDECIDED"


def fault(state: State, slot: SlotId, order: Order) -> Code | None:
    """Why the line is refused; None: it is taken."""
    least, most = ARITY[order.verb]
    if not order.complete or not least <= len(order.names) <= most:
        return Code.BAD_ARGS
    if order.doubtful:
        return Code.AMBIGUOUS_NAME
    return next((code for code, wrong in _faults(state, slot, order) if wrong), None)


def _faults(state: State, slot: SlotId, order: Order) -> Iterator[tuple[Code, bool]]:
    """The refusal codes of a command in the order of the rules, and whether each applies."""
    match order.verb:
        case Verb.VOTE:  # KC-04: nobody in the court votes or is voted for; no self-vote
            yield Code.WRONG_PHASE, state.phase is not Phase.VOTE
            yield Code.VOTER_IN_COURT, slot in state.court
            yield Code.UNKNOWN_TARGET, order.unknown
            yield Code.SELF_VOTE, order.slots == (slot,)
            yield Code.TARGET_IN_COURT, any(name in state.court for name in order.slots)
        case Verb.UNVOTE:
            yield Code.WRONG_PHASE, state.phase is not Phase.VOTE
            yield Code.VOTER_IN_COURT, slot in state.court
        case Verb.LEARN:  # KC-03: at most two in all, until the first member of the attempt is elected
            yield Code.NOT_KING, slot != state.king
            yield Code.TOO_LATE, bool(state.court) or state.phase not in OPEN
            yield Code.SELF, slot in order.slots
            yield Code.DUPLICATE, order.repeats or any(name in state.learned for name in order.slots)
            yield Code.UNKNOWN_TARGET, order.unknown
            yield Code.LIMIT, len(state.learned) + len(order.names) > LOOKS
        case Verb.TIEBREAK:  # KC-08: in the tie window a list without a tied name is no list
            yield Code.NOT_KING, slot != state.king
            yield Code.WRONG_PHASE, state.phase not in OPEN
            yield Code.SELF, slot in order.slots
            yield Code.UNKNOWN_TARGET, order.unknown
            yield Code.NOT_TIED, state.phase is Phase.TIE and not set(order.slots) & set(candidates(state))
        case Verb.CHECK:  # KC-13: two different others; court members and people checked before are allowed
            yield Code.NO_CHECK_RIGHT, state.check_right != slot or state.phase not in OPEN
            yield Code.NEED_TWO, len(order.names) != 2
            yield Code.DUPLICATE, order.repeats
            yield Code.SELF, slot in order.slots
            yield Code.UNKNOWN_TARGET, order.unknown
            # KC-17: by option no pair with the King.
            yield Code.NOT_CHECKABLE, state.rules["king_in_pair"] == "refuse" and state.king in order.slots
        case Verb.PEEK:  # KC-26: until the King joins; court members may buy
            yield Code.WRONG_PHASE, state.phase not in OPEN
            yield Code.SELF, slot in order.slots
            yield Code.UNKNOWN_TARGET, order.unknown
            yield Code.INSUFFICIENT_GARNETS, state.garnets[slot] < PEEK_PRICE
        case Verb.ANNOYED:
            yield Code.WRONG_PHASE, state.phase not in OPEN
            yield Code.INSUFFICIENT_GARNETS, state.garnets[slot] < ANNOYED_PRICE
        case (
            Verb.GIVE
        ):  # KC-37: whole, at least 1, covered; frozen from the King joining until the DMO is named
            yield Code.FROZEN, state.phase in FROZEN
            yield Code.BAD_AMOUNT, not order.amount
            yield Code.SELF, slot in order.slots
            yield Code.UNKNOWN_TARGET, order.unknown
            yield Code.INSUFFICIENT_GARNETS, state.garnets[slot] < (order.amount or 0)
        case Verb.TOL:  # KC-30: exactly one Duke and one Noble
            yield Code.WRONG_PHASE, state.phase is not Phase.TOL
            yield Code.NOT_KING, slot != state.king
            roles = {state.deal.roles[name] for name in order.slots}
            yield Code.BAD_PAIR, order.unknown or roles != {Role.DUKE, Role.NOBLE}
        case Verb.EC:  # KC-34: a winner, for one of the tied
            end = state.end
            yield Code.WRONG_PHASE, state.phase is not Phase.EC or end is None
            yield Code.NOT_WINNER, end is None or slot not in end.winners
            yield Code.NOT_TIED, end is None or order.unknown or not set(order.slots) <= set(end.tied)
        case Verb.DMO:  # KC-36: not the EC, nobody with a token
            yield Code.WRONG_PHASE, state.phase is not Phase.DMO or state.end is None
            yield Code.NOT_EC, state.end is None or slot != state.end.ec
            yield Code.SELF, slot in order.slots
            yield Code.UNKNOWN_TARGET, order.unknown
            yield Code.HAS_TOL, not set(order.slots) <= set(opponents(state))
