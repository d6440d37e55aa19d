"""What can be sent in King's Court: the lines of players and of the moderator, read, checked and applied.

Each command lists its refusal codes in the order of the rules: the first that applies is given, and a
refused line changes nothing that stood before. The moderator says `reminder` (how many votes are missing) ·
`public NAME: VOTE: Name` (a vote posted in public, KC-04) · `garnets NAME 5`, `garnets NAME +2` (KC-01:
balances come from the season) · `modkill NAME`, `revive NAME` (KC-39) · `dmo NAME` for a silent EC (KC-36) ·
`coin NAME` (KC-35, where the coin is thrown outside).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache, partial
from math import comb

from knightfall.engine import commands
from knightfall.engine.commands import Aliases, Command, NameMatch, Reading, parse_command
from knightfall.engine.game import Announced, Refusal, Step, Told, refuse, refuse_all
from knightfall.engine.lines import (
    NOTHING,
    Choices,
    Part,
    PartKind,
    Pick,
    a_slot,
    a_word,
    beside,
    either,
    last,
    optional,
    then,
)
from knightfall.engine.rng import Rng
from knightfall.engine.spans import time_in_utc
from knightfall.games.kings_court import views
from knightfall.games.kings_court.events import (
    BalanceChanged,
    PublicBallot,
    Receipt,
    Removed,
    Revived,
    SheetRow,
)
from knightfall.games.kings_court.options import FIGURES
from knightfall.games.kings_court.rules import (
    answer_waiting,
    buy,
    candidates,
    deal_again,
    deliver_check,
    elect,
    give,
    hand_out,
    look,
    opponents,
    oppose,
    settled,
    throw_coin,
)
from knightfall.games.kings_court.state import (
    FROZEN,
    OPEN,
    Move,
    Phase,
    Role,
    State,
    Verb,
    deadline,
    plain,
)
from knightfall.games.kings_court.views import sheet, standing
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId, joined, sentence

_ANY = 99


@dataclass(frozen=True, slots=True)
class Row:
    """How a command is written: for example, with from `least` to `most` names, of which the rules want
    `wanted`, and by which words beside its own."""

    example: str
    least: int = 1
    most: int = 1
    wanted: int = 1
    also: tuple[str, ...] = ()


COMMANDS: Mapping[Verb, Row] = {
    Verb.VOTE: Row("VOTE: Name"),
    Verb.UNVOTE: Row("UNVOTE", 0, 0, 0),
    Verb.TIEBREAK: Row("TIEBREAK: Name > Name > Name", 1, _ANY, also=("tie-break", "tie break")),
    Verb.LEARN: Row("LEARN: Name or LEARN: Name, Name", 1, 2),
    Verb.ANNOYED: Row("ANNOYED?", 0, 0, 0, also=("annoyed?",)),  # KC-40: the same
    Verb.PEEK: Row("PEEK: Name"),
    Verb.CHECK: Row("CHECK: Name, Name", 0, _ANY, 2),  # KC-13: a wrong number has its own code, NEED_TWO
    Verb.GIVE: Row("GIVE: 3 to Name"),
    Verb.TOL: Row("TOL: Name, Name", 2, 2, 2),
    Verb.EC: Row("EC: Name"),
    Verb.DMO: Row("DMO: Name"),
}
"""Every command of a player; what each may say now is what `fault` lets pass."""
WORDS: Mapping[str, str] = {
    word: verb for verb, row in COMMANDS.items() for word in (verb.lower(), *row.also)
}

_RANKED = re.compile(r"\s*[>,]\s*")
_COMMA = re.compile(r"\s*,\s*")
_LOOSE = re.compile(r"\s*(?:,\s*and\s+|[,&+]|\s+and\s+)\s*", re.I)
_GIFT = re.compile(r"(?P<amount>\S+?)(?:\s*,\s*|\s+)(?:garnets?\s+)?(?:to\s+)?(?P<name>\S.*)", re.I)
_NEGATIVE = re.compile(r"^\W*give\W*[-−]\d", re.I)
_LARGE = 9  # digits: nobody has more garnets than that


@dataclass(frozen=True, slots=True)
class Order:
    """A line understood. `names` as they were matched; `amount` only of a gift: None if no number."""

    verb: Verb
    names: tuple[NameMatch, ...]
    line: str
    amount: int | None = None
    complete: bool = True

    @property
    def slots(self) -> tuple[SlotId, ...]:
        """The names that are somebody's."""
        return tuple(name for name in self.names if isinstance(name, SlotId))

    @property
    def unknown(self) -> bool:
        """Whether a name is nobody's."""
        return any(isinstance(name, Unknown) for name in self.names)

    @property
    def doubtful(self) -> Ambiguous | None:
        """The first name that fits several."""
        return next((name for name in self.names if isinstance(name, Ambiguous)), None)

    @property
    def repeats(self) -> bool:
        """Whether a name stands there twice."""
        said = [n.written.casefold() if isinstance(n, Unknown) else n for n in self.names]
        return len({str(name) for name in said}) < len(said)


def read_order(line: str, slots: Sequence[SlotId], aliases: Aliases) -> Order | None:
    """What the line asks for; None: no command of the game."""
    command = parse_command(line, WORDS)
    if command is None:
        return None
    orders = (_order(command, reading, slots) for reading in command.readings(slots, aliases))
    first = next(orders)
    return first if first.complete and len(first.slots) == len(first.names) else next(orders, first)


def _order(command: Command, reading: Reading, slots: Sequence[SlotId]) -> Order:
    """What a command asks for, read in one way."""
    verb, said = Verb(command.verb), reading.text.strip(" ?!.")
    if verb is Verb.GIVE:
        # `3 to Kit`; a sign before the number is no separator.
        found = _GIFT.fullmatch(said)
        if found is None:
            return Order(Verb.GIVE, (), command.line, complete=False)
        amount = None if _NEGATIVE.match(command.line) else _number(reading.plain(found["amount"]))
        return Order(Verb.GIVE, (match_name(found["name"], slots, reading.names),), command.line, amount)
    return Order(verb, _names(verb, said, slots, reading.names), command.line)


def _number(text: str) -> int | None:
    """KC-37: whole numbers only."""
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text[: _LARGE + 1]) if len(text) > _LARGE else int(text)


def _names(verb: Verb, said: str, slots: Sequence[SlotId], aliases: Aliases) -> tuple[NameMatch, ...]:
    """The names in it; one may itself hold a comma or an `and`."""
    first: tuple[NameMatch, ...] | None = None
    for parts in _splittings(verb, said):
        found = tuple(match_name(part, slots, aliases) for part in parts)
        if all(isinstance(name, str) for name in found):
            return found
        first = found if first is None or len(first) == 1 else first
    return first or ()


def _splittings(verb: Verb, said: str) -> Iterator[list[str]]:
    """Whole, then at commas (`>` in a ranking), then at every separator."""
    if said:
        yield [said]
        for pattern in (_RANKED,) if verb is Verb.TIEBREAK else (_COMMA, _LOOSE):
            yield [part for part in pattern.split(said) if part]


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
    row = COMMANDS[order.verb]
    if not order.complete or not row.least <= len(order.names) <= row.most:
        return Code.BAD_ARGS
    if order.doubtful:
        return Code.AMBIGUOUS_NAME
    return next((code for code, wrong in _faults(state, slot, order) if wrong), None)


def _faults(state: State, slot: SlotId, order: Order) -> Iterator[tuple[Code, bool]]:
    """The refusal codes of a command in the order of the rules, and whether each applies; the first one hangs
    on nobody who is named."""
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
            yield Code.LIMIT, len(state.learned) + len(order.names) > FIGURES.looks
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
            yield Code.INSUFFICIENT_GARNETS, state.garnets[slot] < FIGURES.peek
        case Verb.ANNOYED:
            yield Code.WRONG_PHASE, state.phase not in OPEN
            yield Code.INSUFFICIENT_GARNETS, state.garnets[slot] < FIGURES.annoyed
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
    tied = _tied(state, order) if code is Code.NOT_TIED else ""
    return Refusal(code, joined("", (_sentence(code, order), tied, kept)))


def _tied(state: State, order: Order | None) -> str:
    """Who can be named: “: Kit or Gus”; the King never names themselves."""
    tied = state.end.tied if order and order.verb is Verb.EC and state.end else candidates(state)
    return joined("", (": ", joined(" or ", tied)))


def _sentence(code: Code, order: Order | None) -> str:
    if code is Code.UNKNOWN_COMMAND or order is None:
        return _SENTENCES.get(code, "I do not understand it; for example: VOTE: Name")
    if code is Code.BAD_ARGS:
        return f"write it like this: {COMMANDS[order.verb].example}"
    if code is Code.AMBIGUOUS_NAME and isinstance(order.doubtful, Ambiguous):
        return order.doubtful.words
    if code is Code.INSUFFICIENT_GARNETS and order.verb is not Verb.GIVE:
        price = FIGURES.peek if order.verb is Verb.PEEK else FIGURES.annoyed
        return f"it costs {price} garnets, and you do not have that many"
    if code is Code.DUPLICATE and not order.repeats:
        return "you have already looked at that player"
    return _SENTENCES[code]


_STILL = ". Your earlier {earlier} still stands"
_VOID = ". Your earlier {earlier} names none of them, so it counts as no list"


def _standing(state: State, slot: SlotId, order: Order | None) -> str:
    """“Your earlier vote for Kit still stands.”"""
    if order is None:
        return ""
    if order.verb in (Verb.VOTE, Verb.UNVOTE) and slot in state.ballots:
        return sentence(_STILL, earlier=sentence("vote for {target}", target=state.ballots[slot]))
    if order.verb is Verb.CHECK and slot == state.check_right and state.check_pair:
        return sentence(_STILL, earlier=plain(Verb.CHECK, *state.check_pair))
    if order.verb is Verb.TIEBREAK and slot == state.king and state.tiebreak:
        # KC-08: in the tie a list that names none of the tied counts as none.
        if state.phase is Phase.TIE and not set(state.tiebreak) & set(candidates(state)):
            return sentence(_VOID, earlier=plain(Verb.TIEBREAK, *state.tiebreak))
        return sentence(_STILL, earlier=plain(Verb.TIEBREAK, *state.tiebreak))
    if order.verb is Verb.EC and state.end and slot in state.end.ballots:
        return sentence(_STILL, earlier=plain(Verb.EC, state.end.ballots[slot]))
    return ""


def take(state: State, slot: SlotId, line: str, aliases: Aliases, at: datetime, draw: Rng) -> Move:
    """Apply one line of a player; a refused one changes nothing."""
    order = read_order(line, state.slots, aliases)
    code = Code.UNKNOWN_COMMAND if order is None else fault(state, slot, order)
    if order is None or code is not None:
        return refuse_all(state, (line,), refusal(state, slot, code or Code.UNKNOWN_COMMAND, order))
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
            return answer_waiting(listed, draw).then(lambda s: elect(s, choice, at, draw, "KC-08"))
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


_FINAL = frozenset({Verb.TOL, Verb.DMO})
"""KC-02: what moves the phase on at once."""


def final_lines(lines: Iterable[str], state: State, aliases: Aliases) -> tuple[str, ...]:
    """Of lines that were taken, those that cannot change any more."""
    orders = (read_order(line, state.slots, aliases) for line in lines)
    return tuple(plain(one.verb, *one.slots) for one in orders if one and one.verb in _FINAL)


def awaited(state: State) -> tuple[SlotId, ...]:
    """Whom the phase waits for."""
    present, end = state.present, state.end
    match state.phase:
        case Phase.VOTE:
            return tuple(slot for slot in state.outside if slot in present)
        case Phase.TOL:
            return (state.king,)
        case Phase.EC:
            return end.winners if end else ()
        case Phase.DMO:
            return (end.ec,) if end and end.ec else ()
        case Phase.COIN:
            return ()
        case _:
            return present


def receipt(state: State, slot: SlotId, at: datetime, final: tuple[str, ...] = ()) -> Told:
    """When it came, what is final, what is on file, until when that may change."""
    voters = state.outside if state.phase is Phase.VOTE and len(state.outside) > 1 else ()
    facts = Receipt(
        slot,
        time_in_utc(at),
        state.phase,
        state.round,
        standing(state, slot),
        cast=plain(Verb.VOTE, state.ballots[slot]) if slot in state.ballots else "",
        vote_due=slot in voters and slot not in state.ballots,
        asked=state.phase in OPEN or slot in awaited(state),
        deadline=deadline(state),
        final=final,
    )
    return Told((slot,), facts)


DMO, COIN = "dmo", "coin"
_WORDS: Mapping[str, str] = {
    word: word for word in ("reminder", "public", "garnets", "modkill", "revive", DMO, COIN)
}
_BALANCE = re.compile(r"(?P<name>.+?)[\s:=]+(?P<sign>[+−-]?)\s*(?P<amount>\d{1,6})")


_NOBODY = "nobody has that name, or more than one player could be meant"


def moderate(state: State, line: str, aliases: Aliases, at: datetime, draw: Rng) -> Move:
    """Apply one line of the moderator."""
    command = parse_command(line, _WORDS)
    if command is None:
        return refuse(
            state,
            line,
            Code.UNKNOWN_COMMAND,
            "I do not understand it; for example: reminder, garnets NAME +2, modkill NAME",
        )
    if command.verb == "reminder":
        if state.phase is not Phase.VOTE:
            return refuse(state, line, Code.WRONG_PHASE, "no vote is open")
        return Step(state, (views.reminder(state),))
    if command.verb == "public":
        # KC-04: not counted and a neutral reply, or by option counted like any other.
        voter, vote = _said_by(state, command, aliases)
        if voter is None:
            return refuse(state, line, Code.UNKNOWN_TARGET, "write it like this: public NAME: VOTE: Name")
        if state.rules["public_ballots"] == "accept":
            return take(state, voter, vote, aliases, at, draw)
        reply = Announced(PublicBallot(voter))
        return Step(state, (reply,), ((line, refusal(state, voter, Code.PUBLIC_BALLOT)),))
    if command.verb == "garnets":
        return _balance(state, command, aliases)
    slot = command.whom(state.slots, aliases)
    if not isinstance(slot, SlotId):
        return refuse(state, line, Code.UNKNOWN_TARGET, _NOBODY)
    return _NAMED[command.verb](state, line, slot, at, draw)


def decide(state: State, order: commands.Order, at: datetime, draw: Rng) -> Move:
    """Do what the moderator decided about a player."""
    slot, act = order.slot, _NAMED.get(order.verb)
    if act is None or slot is None or slot not in state.slots:
        return refuse(state, order.line, Code.UNKNOWN_COMMAND, "King's Court has no such decision")
    return act(state, order.line, slot, at, draw)


def _said_by(state: State, command: Command, aliases: Aliases) -> tuple[SlotId | None, str]:
    """Who said it, and what: `Ada: VOTE: Boro`."""
    for reading in command.readings(state.slots, aliases):
        written, _, vote = reading.text.partition(":")
        voter = match_name(written, state.slots, reading.names)
        if isinstance(voter, SlotId):
            return voter, reading.plain(vote).strip()
    return None, ""


def _balance(state: State, command: Command, aliases: Aliases) -> Move:
    """KC-01: what somebody brings from the season, or more or less of it; its owner alone is told."""
    line = command.line
    slot: NameMatch | None = None
    for reading in command.readings(state.slots, aliases):
        if found := _BALANCE.fullmatch(reading.text.strip()):
            slot = match_name(found["name"], state.slots, reading.names)
            if isinstance(slot, SlotId):
                break
    if slot is None:
        return refuse(state, line, Code.BAD_ARGS, "write garnets NAME 5, or garnets NAME +2")
    if found is None or not isinstance(slot, SlotId):
        return refuse(state, line, Code.UNKNOWN_TARGET, _NOBODY)
    amount = int(found["amount"])
    before = state.garnets[slot]
    after = {"": amount, "+": before + amount}.get(found["sign"], before - amount)
    if after < 0 and state.rules["garnet_floor"] != "none":  # KC-06
        low = sentence("{slot} has {before}, and a balance never drops below 0", slot=slot, before=before)
        return refuse(state, line, Code.BAD_AMOUNT, low)
    told = Told((slot,), BalanceChanged(slot, before, after))
    because = sheet(state, SheetRow("balance", "KC-01", slot, amount=after))
    return Step(state._replace(garnets={**state.garnets, slot: after}), (told, because))


def _modkill(state: State, line: str, slot: SlotId, at: datetime, draw: Rng) -> Move:
    """KC-39: the role stays in the game, fined and electable; by option shown, and all is dealt again."""
    if slot in state.removed or state.phase is Phase.DONE:
        return refuse(
            state,
            line,
            Code.WRONG_PHASE,
            sentence("{slot} is not in the match any more, or the match is over", slot=slot),
        )
    gone = state._replace(removed=state.removed | {slot})
    again = state.rules["kc_39"] == "role_revealed" and state.phase in OPEN
    told = Announced(Removed(slot, state.deal.roles[slot] if again else None, again))
    step = Step(gone, (told, sheet(state, SheetRow("removed", "KC-39", slot))))
    return step.then(lambda s: deal_again(s, at, draw)) if again else step


def _revive(state: State, line: str, slot: SlotId, _at: datetime, _draw: Rng) -> Move:
    if slot not in state.removed:
        return refuse(state, line, Code.WRONG_PHASE, sentence("{slot} was not removed", slot=slot))
    return Step(state._replace(removed=state.removed - {slot}), (Announced(Revived(slot)),))


def _dmo(state: State, line: str, slot: SlotId, _at: datetime, _draw: Rng) -> Move:
    """KC-36 says nothing of a silent EC: the moderator decides."""
    if state.phase is not Phase.DMO or slot not in opponents(state):
        return refuse(
            state, line, Code.WRONG_PHASE, "no opponent is to be picked now, or this player cannot be picked"
        )
    return oppose(state, slot, "KC-36")


def _coin(state: State, line: str, slot: SlotId, at: datetime, _draw: Rng) -> Move:
    if state.end is None or slot not in state.end.coin:
        return refuse(state, line, Code.WRONG_PHASE, "no coin is to be thrown now, or not for this player")
    return throw_coin(state, slot, at)


_NAMED: Mapping[str, Callable[[State, str, SlotId, datetime, Rng], Move]] = {
    commands.MODKILL: _modkill,
    commands.REVIVE: _revive,
    DMO: _dmo,
    COIN: _coin,
}


_MOST_GARNETS = 999_999


def line_tree(state: State, slot: SlotId | None) -> Choices:
    """Everything that this slot (None: the moderator) can send."""
    if slot is None:
        return beside(_decisions(state), lambda: _interruptions(state))
    if slot in state.removed:
        return NOTHING
    return either(*(_offers(state, slot, verb) for verb in COMMANDS))


def _offers(state: State, slot: SlotId, verb: Verb) -> Choices:
    """What the judge lets pass of a command: all its lines, part by part."""
    if next(_faults(state, slot, Order(verb, (), "")))[1]:
        return NOTHING
    others, end, deal = [name for name in state.slots if name != slot], state.end, state.deal
    match verb:
        case Verb.UNVOTE | Verb.ANNOYED:
            said = _word(COMMANDS[verb].example)
            return last([said] if _passes(state, slot, verb) else ())
        case Verb.TIEBREAK:
            return _ranking(state, slot, others)
        case Verb.GIVE:  # KC-37: any amount that is covered
            covered, weight = state.garnets[slot], len(others)
            amount = Part(f"{verb}: ", PartKind.NUMBER, "Give", least=1, most=covered, weight=weight)
            return then([amount] if covered > 0 else (), lambda _: _named_slots(others, " to "))
        case Verb.TOL:
            return _naming(state, slot, verb, (*deal.team(Role.DUKE), *deal.team(Role.NOBLE)))
        case Verb.EC:
            return _naming(state, slot, verb, end.tied if end else ())
        case Verb.DMO:
            return _naming(state, slot, verb, opponents(state))
    return _naming(state, slot, verb, others)


def _passes(state: State, slot: SlotId, verb: Verb, *names: SlotId) -> bool:
    return fault(state, slot, Order(verb, names, "")) is None


def _naming(state: State, slot: SlotId, verb: Verb, among: Sequence[SlotId]) -> Choices:
    """One or two names, in any order."""
    wanted, passes = COMMANDS[verb].wanted, partial(_passes, state, slot, verb)

    def beside_it(name: SlotId) -> list[SlotId]:
        return [other for other in among if other != name and passes(name, other)]

    first = [name for name in among if (passes(name) if wanted == 1 else beside_it(name))]

    def second(pick: Pick) -> Choices:
        assert pick.part.slot is not None
        more = _named_slots(beside_it(pick.part.slot), ", ")
        return optional(more) if wanted == 1 else more

    return _verb(verb, comb(len(first), wanted), lambda _: then(map(a_slot, first), second))


def _named_slots(slots: Iterable[SlotId], before: str = " ") -> Choices:
    return last(a_slot(slot, before) for slot in slots)


def _verb(verb: Verb, weight: int, names: Callable[[Pick], Choices]) -> Choices:
    """`VOTE:` and the names that follow it; nothing where there are none."""
    return then([_word(f"{verb}:", weight)] if weight > 0 else (), names)


@cache
def _word(text: str, weight: int = 1) -> Part:
    return a_word(text, weight=weight)


def _ranking(state: State, slot: SlotId, others: Sequence[SlotId]) -> Choices:
    """KC-08: who joins in a tie, best first; those of the court, who cannot, are seldom named."""
    likely = (
        candidates(state)
        if state.phase is Phase.TIE
        else [name for name in others if name not in state.court]
    )
    usual = [name for name in likely if _passes(state, slot, Verb.TIEBREAK, name)]

    def ranked(named: tuple[SlotId, ...], pick: Pick) -> Choices:
        named = (*named, pick.part.slot) if pick.part.slot else named
        before = " > " if named else " "
        likely, rest = (
            [a_slot(name, before) for name in others if name not in named and (name in usual) is wanted]
            for wanted in (True, False)
        )
        more = beside(then(likely, partial(ranked, named)), lambda: then(rest, partial(ranked, named)))
        return optional(more) if _passes(state, slot, Verb.TIEBREAK, *named) else more

    return _verb(Verb.TIEBREAK, len(usual), partial(ranked, ()))


def _decisions(state: State) -> Choices:
    """What only the moderator can decide now."""
    if state.phase is Phase.COIN and state.end:
        return then([a_word(COIN)], lambda _: _named_slots(state.end.coin if state.end else ()))
    if state.phase is Phase.DMO:
        return then([a_word(DMO)], lambda _: _named_slots(opponents(state)))
    return NOTHING


def _interruptions(state: State) -> Choices:
    """Players out and back, balances, the reminder; by option a vote from the thread (KC-04)."""
    playing = [] if state.phase is Phase.DONE else [s for s in state.slots if s not in state.removed]
    gone = [slot for slot in state.slots if slot in state.removed]

    def balance(pick: Pick) -> Choices:
        assert pick.part.slot is not None
        held = state.garnets[pick.part.slot]
        least = _MOST_GARNETS if state.rules["garnet_floor"] == "none" else max(held, 0)
        return last(
            (
                Part(" ", PartKind.NUMBER, "has", most=_MOST_GARNETS),
                Part(" +", PartKind.NUMBER, "more", most=_MOST_GARNETS),
                Part(" -", PartKind.NUMBER, "fewer", most=least),
            )
        )

    def says(pick: Pick) -> Choices:
        return then([a_word(": ", "says")], lambda _: line_tree(state, pick.part.slot))

    accepts = state.rules["public_ballots"] == "accept"
    voters = [slot for slot in playing if accepts and line_tree(state, slot).parts]
    return either(
        last([a_word("reminder")] if state.phase is Phase.VOTE else ()),
        then([a_word("garnets")], lambda _: then(map(a_slot, state.slots), balance)),
        then([a_word("modkill")] if playing else (), lambda _: _named_slots(playing)),
        then([a_word("revive")] if gone else (), lambda _: _named_slots(gone)),
        then([a_word("public")] if voters else (), lambda _: then(map(a_slot, voters), says)),
    )
