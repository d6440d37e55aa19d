"""What the posts, PMs and sheets of King's Court say: a dataclass for each kind of event.

The write-up of a kind is `writeups/templates/kings_court/<kind>.j2`. `deadline` is everywhere the instant at
which what the text asks for ends; None: nobody said when it began. `rules` are the options that everybody may
know by name, with the value chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from knightfall.engine.game import Facts
from knightfall.games.kings_court.options import Figures
from knightfall.games.kings_court.state import Phase, Role, Seats
from knightfall.sentence import SlotId

# For everyone.


@dataclass(frozen=True, slots=True)
class SetupPost(Facts):
    """The rules of the match in full, before and while it is played."""

    kind: ClassVar[str] = "setup"
    rules: Mapping[str, str]
    figures: Figures


@dataclass(frozen=True, slots=True)
class Opening(Facts):
    """The first post: what to do, in brief, and the players."""

    kind: ClassVar[str] = "opening"
    players: tuple[SlotId, ...]
    rules: Mapping[str, str]
    figures: Figures
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Reminder(Facts):
    """How many votes are missing; `names` of whom, only where the moderator chose to say so."""

    kind: ClassVar[str] = "reminder"
    round: int
    missing: int
    names: tuple[SlotId, ...]
    court: tuple[SlotId, ...]
    voters: int
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class Count:
    """A player, and the votes that they received in a round."""

    name: SlotId
    votes: int


@dataclass(frozen=True, slots=True)
class PollRow:
    """One counted vote as everybody may know it (KC-07), most votes first.

    `elected` None: nobody joined. `king`: who joined is the King. `missed`: how many did not vote;
    `missed_names`: who, only where the moderator chose to say so. `fine`: the garnets that it costs.
    """

    attempt: int
    round: int
    counts: tuple[Count, ...]
    tied: tuple[SlotId, ...]
    elected: SlotId | None
    king: bool
    missed: int
    missed_names: tuple[SlotId, ...]
    fine: int


@dataclass(frozen=True, slots=True)
class RoundResult(Facts):
    """The post of a round: its vote, and the court as it now is.

    `hint`: which of the three names goes out now, 0: none. `next_round`: another vote is open; `repeated`: it
    is the same round again.
    """

    kind: ClassVar[str] = "round"
    poll: PollRow
    court: tuple[SlotId, ...]
    hint: int
    next_round: bool
    repeated: bool
    check_at_deadline: bool
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class KingAlone(Facts):
    """KC-20: the King is the last one outside and joins without a vote."""

    kind: ClassVar[str] = "alone"
    king: SlotId
    court: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class EarlyEnd(Facts):
    """KC-22: the King joined too early. `others` sat in the court; `fine`: garnets that it costs."""

    kind: ClassVar[str] = "early_end"
    king: SlotId
    attempt: int
    attempts: int
    others: int
    fine: int
    again: bool
    moe_counts: bool


@dataclass(frozen=True, slots=True)
class NewAttempt(Facts):
    """KC-23: all is dealt again. `past_kings` cannot be King any more."""

    kind: ClassVar[str] = "new_attempt"
    attempt: int
    attempts: int
    past_kings: tuple[SlotId, ...]
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class FourEarlyKings(Facts):
    """KC-23: the fourth early King ends the match."""

    kind: ClassVar[str] = "deathmatch"
    kings: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class RoleRow:
    """A player's role as it is told at the end (KC-24); `place` in the court, None: outside."""

    name: SlotId
    role: Role
    annoyed: bool
    place: int | None


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A Duke or Noble in the table of scores (KC-32); `won`: no elimination candidate."""

    name: SlotId
    role: Role
    votes: int
    bonus: int
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class Ending(Facts):
    """KC-24: the King has joined, not too early. Roles, court, payouts and scores, lowest first.

    `side` won: dukes, nobles or king. `dukes`, `nobles`: how many of them are in the court. `king_share`: the
    garnets of a winning King. `tied` for the lowest score; `ec`: the elimination candidate, once known.
    `over`: it is told again when all is over, so nobody is asked for anything any more.
    """

    kind: ClassVar[str] = "ending"
    side: str
    king: SlotId
    dukes: int
    nobles: int
    winners: tuple[SlotId, ...]
    court: tuple[SlotId, ...]
    roles: tuple[RoleRow, ...]
    scores: tuple[ScoreRow, ...]
    opals: tuple[SlotId, ...]
    figures: Figures
    king_share: int
    tied: tuple[SlotId, ...]
    ec: SlotId | None
    deadline: datetime | None
    seats: Seats
    over: bool = False


@dataclass(frozen=True, slots=True)
class TokensGiven(Facts):
    """KC-30: who got a token of the winning King; nobody: the two are lost; `drawn`: the King was silent.
    `tied` for the lowest score."""

    kind: ClassVar[str] = "tokens"
    king: SlotId
    gifted: tuple[SlotId, ...]
    tied: tuple[SlotId, ...]
    deadline: datetime | None
    drawn: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class CandidateNamed(Facts):
    """The elimination candidate, out of who was `tied` (nobody: by the lowest score alone). `how` was it
    decided: by score, by the vote of the `winners` (one: by the King alone), or without them by the rules.
    `choices`: whom they can pick as their opponent."""

    kind: ClassVar[str] = "candidate"
    ec: SlotId
    tied: tuple[SlotId, ...]
    choices: tuple[SlotId, ...]
    deadline: datetime | None
    how: str
    winners: tuple[SlotId, ...]
    over: bool = False


@dataclass(frozen=True, slots=True)
class OpponentNamed(Facts):
    """KC-36: who plays the Deathmatch."""

    kind: ClassVar[str] = "opponent"
    ec: SlotId
    dmo: SlotId


@dataclass(frozen=True, slots=True)
class PublicBallot(Facts):
    """KC-04: the reply to a vote that was posted in public."""

    kind: ClassVar[str] = "public_ballot"
    name: SlotId


@dataclass(frozen=True, slots=True)
class Removed(Facts):
    """KC-39: the moderator removed a player. `again`: the role is shown, and all is dealt again."""

    kind: ClassVar[str] = "removed"
    name: SlotId
    role: Role | None
    again: bool


@dataclass(frozen=True, slots=True)
class Revived(Facts):
    """A removed player is back."""

    kind: ClassVar[str] = "revived"
    name: SlotId


@dataclass(frozen=True, slots=True)
class DrawnByHand(Facts):
    """The moderator made a draw by hand: a part of the deal, or what decides the end."""

    kind: ClassVar[str] = "by_hand"
    part: Literal["deal", "end"]
    attempt: int


# For one player.


@dataclass(frozen=True, slots=True)
class RolePm(Facts):
    """KC-01: the role, to its player, with their balance and all that they can send."""

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: Role
    attempt: int
    garnets: int
    rules: Mapping[str, str]
    figures: Figures


@dataclass(frozen=True, slots=True)
class Receipt(Facts):
    """What stands of a player after their message: `standing`, a line each as it can be sent again.

    `cast` is the line of them that is the vote of the round, "" for none: in a tie it stands fast.
    `vote_due`: a vote of theirs is awaited, and none is in; `asked`: what is open waits for them, until the
    deadline. `final`: lines of the message that were final at
    once (KC-02).
    """

    kind: ClassVar[str] = "receipt"
    name: SlotId
    received: str
    phase: Phase
    round: int
    standing: tuple[str, ...]
    cast: str
    vote_due: bool
    asked: bool
    deadline: datetime | None
    final: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenRole:
    """A player, and the role that they are seen as."""

    name: SlotId
    role: Role


@dataclass(frozen=True, slots=True)
class LookAnswer(Facts):
    """KC-03: what the King sees, and how many looks are `left`."""

    kind: ClassVar[str] = "look"
    name: SlotId
    results: tuple[SeenRole, ...]
    left: int


@dataclass(frozen=True, slots=True)
class TieAsked(Facts):
    """KC-08: a tie, told to the King. `free`: who of the tied can join; `choice`: who joins by the list that
    is on file. `waits`: the result is posted at the deadline, whatever is sent; `silent`: what happens
    without a choice, as the option kc_10 says it."""

    kind: ClassVar[str] = "tie"
    name: SlotId
    tied: tuple[SlotId, ...]
    free: tuple[SlotId, ...]
    choice: SlotId | None
    deadline: datetime | None
    waits: bool
    silent: str


@dataclass(frozen=True, slots=True)
class PairAnswer(Facts):
    """KC-15: the answer to a pair check: same, different, or by option no result."""

    kind: ClassVar[str] = "pair_answer"
    name: SlotId
    first: SlotId
    second: SlotId
    answer: str


@dataclass(frozen=True, slots=True)
class HintSent(Facts):
    """KC-18: one name of the list, the first, second or third (`number`)."""

    kind: ClassVar[str] = "hint"
    name: SlotId
    hint: SlotId
    number: int


@dataclass(frozen=True, slots=True)
class PeekAnswer(Facts):
    """KC-26: the role that a target shows, what it cost, and what is left."""

    kind: ClassVar[str] = "peek"
    name: SlotId
    target: SlotId
    role: Role
    price: int
    balance: int


@dataclass(frozen=True, slots=True)
class AnnoyedAnswer(Facts):
    """KC-26: whether they are one of the two annoyed, what it cost, and what is left."""

    kind: ClassVar[str] = "annoyed"
    name: SlotId
    annoyed: bool
    price: int
    balance: int


@dataclass(frozen=True, slots=True)
class Gift(Facts):
    """KC-37: a gift, to each of its two sides; `name` is who reads it, `balance` what they have now."""

    kind: ClassVar[str] = "gift"
    name: SlotId
    balance: int
    giver: SlotId
    receiver: SlotId
    amount: int


@dataclass(frozen=True, slots=True)
class BalanceChanged(Facts):
    """KC-01: the moderator said what somebody has."""

    kind: ClassVar[str] = "balance"
    name: SlotId
    before: int
    balance: int


FineCause = Literal["vote", "early_king"]


@dataclass(frozen=True, slots=True)
class Fined(Facts):
    """KC-06, KC-22: a fine for a missing vote or an early King, what was paid of it, and what is left."""

    kind: ClassVar[str] = "fine"
    name: SlotId
    amount: int
    cause: FineCause
    balance: int
    paid: int


@dataclass(frozen=True, slots=True)
class TokensAsked(Facts):
    """KC-30: the winning King is asked for whom the `tokens` are; `lost`: what happens to them in silence."""

    kind: ClassVar[str] = "tokens_asked"
    name: SlotId
    deadline: datetime | None
    lost: bool
    tokens: int


@dataclass(frozen=True, slots=True)
class CandidateAsked(Facts):
    """KC-34: a winner is asked who of the tied is the elimination candidate."""

    kind: ClassVar[str] = "candidate_asked"
    name: SlotId
    tied: tuple[SlotId, ...]
    winners: tuple[SlotId, ...]
    rules: Mapping[str, str]
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class OpponentAsked(Facts):
    """KC-36: the elimination candidate is asked for their opponent."""

    kind: ClassVar[str] = "opponent_asked"
    name: SlotId
    choices: tuple[SlotId, ...]
    deadline: datetime | None


# For the moderator.


@dataclass(frozen=True, slots=True)
class DealRow:
    """A player in the sheet of a deal, with the names of their list."""

    name: SlotId
    role: Role
    annoyed: bool
    garnets: int
    hints: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class DealSheet(Facts):
    """KC-01: roles, the annoyed, the lists and the balances."""

    kind: ClassVar[str] = "moderator_deal"
    attempt: int
    king: SlotId
    rows: tuple[DealRow, ...]


@dataclass(frozen=True, slots=True)
class BallotRow:
    """A voter and their vote; None: they sent none."""

    voter: SlotId
    vote: SlotId | None


@dataclass(frozen=True, slots=True)
class BallotsSheet(Facts):
    """Who voted for whom in a round, and the King's list for a tie."""

    kind: ClassVar[str] = "moderator_ballots"
    attempt: int
    round: int
    rows: tuple[BallotRow, ...]
    tiebreak: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class PoolRow:
    """Who can be the elimination candidate: their score, and the garnets that break a tie."""

    name: SlotId
    garnets: int
    total: int


@dataclass(frozen=True, slots=True)
class ScoresSheet(Facts):
    """KC-32, KC-35: the losing Dukes and Nobles; `gifted` have a token from the King."""

    kind: ClassVar[str] = "moderator_scores"
    rows: tuple[PoolRow, ...]
    gifted: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One thing that a step did (`what`), and the ruling behind it; the template makes the sentence.

    `slot` did it or had it done to them; `target` (a pair: and `second`) is whom it is about, `slots` where
    these are several. `answer` is what was told or chosen, `yes` whether it is so (annoyed, the King).
    """

    what: str
    ruling: str
    slot: SlotId | None = None
    target: SlotId | None = None
    second: SlotId | None = None
    slots: tuple[SlotId, ...] = ()
    answer: str | None = None
    yes: bool = False
    amount: int = 0
    balance: int = 0
    cause: FineCause | None = None
    how: str | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """A player and their garnets."""

    name: SlotId
    garnets: int


@dataclass(frozen=True, slots=True)
class StepSheet(Facts):
    """The whole truth of a step, and the balances that it led to; () until the step is whole."""

    kind: ClassVar[str] = "moderator_sheet"
    attempt: int
    round: int
    rows: tuple[SheetRow, ...]
    balances: tuple[Balance, ...] = ()
