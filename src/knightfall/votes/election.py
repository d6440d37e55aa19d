"""By which rule is a day decided? The rule object: thresholds, what a vote may do, where the day ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from knightfall.core.roster import Slot
from knightfall.votes.ballots import Form, Forms


class Death(Enum):
    """What eliminates: a majority at once, the most votes at the deadline, or either."""

    MAJORITY = "majority"
    PLURALITY = "plurality"
    BOTH = "both"


class Tie(Enum):
    """What becomes of a tie at the deadline."""

    NO_ELIMINATION = "no_elimination"
    RANDOM = "random"
    FIRST_TO_REACH = "first_to_reach"
    LONGEST_HELD = "longest_held"
    ANTI_TOWN = "anti_town"  # EM-R26
    ALL = "all"
    ASK = "ask"


class AtDeadline(Enum):
    """With how many votes the leader falls at the deadline, where no majority was reached before."""

    NOBODY = "nobody"  # the majority rule alone
    HALF_ROUNDED_UP = "half_rounded_up"  # half of the majority, rounded up
    OF_VOTES_CAST = "of_votes_cast"  # more than half of the votes that stand


class DoubleVoter(Enum):
    """What a weight of two means: every vote counts twice, two votes on two targets, or “x2” spends both."""

    WEIGHT = "weight"
    TWO_TARGETS = "two_targets"
    X2 = "x2"


class NoElim(Enum):
    """Whether no elimination can be voted, and for how many votes."""

    VOTABLE = "votable"
    ONE_FEWER = "one_fewer"
    NO = "no"


class Boundary(Enum):
    """Which is the last instant that counts, for a deadline of 20:00:00."""

    BEFORE = "before"  # 19:59:59
    SECOND = "second"  # 20:00:00
    MINUTE = "minute"  # 20:00:59
    UNTIL_LOCK = "until_lock"  # whatever stands before the moderator locks


class Edited(Enum):
    """What becomes of a vote in an edited post."""

    FLAG = "flag"
    VOID = "void"
    ACCEPT = "accept"


DEFAULT_FORMS = Forms(frozenset({Form.TAG, Form.BOLD_COLON, Form.BOLD}))


@dataclass(frozen=True, slots=True)
class Rule:
    """The voting rule of a game; every field has the default of game-file.md.

    `fixed_needed` takes the place of the majority; `minimum_votes` is what a leader needs at the deadline
    whatever else holds; `max_changes` limits how often a voter may move a standing vote in a day; on the days
    `locked_at` a vote once given stays.
    """

    death: Death = Death.MAJORITY
    majority_from_day: int = 1
    at_deadline: AtDeadline = AtDeadline.NOBODY
    minimum_votes: int = 1
    no_elimination: NoElim = NoElim.VOTABLE
    tie: Tie = Tie.NO_ELIMINATION
    boundary: Boundary = Boundary.BEFORE
    unvote_first: bool = False
    self_vote: bool = True
    votes_per_player: int = 1
    double_voter: DoubleVoter = DoubleVoter.WEIGHT
    max_changes: int | None = None
    locked_at: frozenset[int] = frozenset()
    edited: Edited = Edited.FLAG
    show_weights: bool = False
    fixed_needed: int | None = None
    forms: Forms = field(default=DEFAULT_FORMS)

    def majority(self, alive: int) -> int:
        """Votes that eliminate an ordinary player with so many alive."""
        return self.fixed_needed or alive // 2 + 1

    def needed(self, alive: int, target: Slot | None) -> int:
        """Votes that eliminate `target` (None: no elimination) with so many alive."""
        if target is not None:
            return self.majority(alive) + target.needed_delta
        return (alive + 1) // 2 if self.no_elimination is NoElim.ONE_FEWER else self.majority(alive)

    def hammers(self, day: int) -> bool:
        """True on days that end at once when a wagon is full."""
        return self.death is not Death.PLURALITY and day >= self.majority_from_day

    def needed_at_deadline(self, alive: int, cast: int, day: int) -> int | None:
        """Votes with which the leader falls at the deadline of a day; None: nobody falls.

        `cast` counts the votes that stand. Days before `majority_from_day` are decided by plurality.
        """
        if self.at_deadline is AtDeadline.HALF_ROUNDED_UP:
            return max(self.minimum_votes, -(-self.majority(alive) // 2))
        if self.at_deadline is AtDeadline.OF_VOTES_CAST:
            return max(self.minimum_votes, cast // 2 + 1)
        return self.minimum_votes if self.death is not Death.MAJORITY or not self.hammers(day) else None

    def capacity(self, voter: Slot) -> int:
        """How many votes of his may stand at once."""
        both = self.double_voter is not DoubleVoter.WEIGHT
        return self.votes_per_player * (max(voter.weight, 1) if both else 1)

    def weight(self, voter: Slot, spends_all: bool) -> int:
        """What one vote of his counts; `spends_all` where he wrote “x2”."""
        if self.double_voter is DoubleVoter.WEIGHT:
            return voter.weight
        return voter.weight if spends_all and self.double_voter is DoubleVoter.X2 else min(voter.weight, 1)

    def in_time(self, posted: datetime | None, deadline: datetime | None) -> bool:
        """Whether a post of that instant still counts; one without a time is in time."""
        if posted is None or deadline is None or self.boundary is Boundary.UNTIL_LOCK:
            return True
        return posted < self.closes(deadline)

    def closes(self, deadline: datetime) -> datetime:
        """The first instant that is too late; the deadline itself where only a lock ends the day."""
        grace = {Boundary.SECOND: timedelta(seconds=1), Boundary.MINUTE: timedelta(minutes=1)}
        return deadline + grace.get(self.boundary, timedelta(0))
