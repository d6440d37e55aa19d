"""A count as a value: what was counted, all that its post says beside it, and who may see what of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from knightfall.audience import View
from knightfall.models import UNKNOWN_ZONE, Post, Slot
from knightfall.names import NO_ELIMINATION_WORDS, squash
from knightfall.votes.known import HouseQuestion, How, Knowledge
from knightfall.votes.questions import unreplaced
from knightfall.votes.remarks import Remarks
from knightfall.votes.rule import Boundary, Rule
from knightfall.votes.second_count import SecondCount
from knightfall.votes.tally import (
    Day,
    Doubt,
    Fix,
    Move,
    Outcome,
    Tally,
    Uncounted,
    UncountedReason,
    Vote,
    VoteChange,
    Wagon,
    by_size,
)

ZONES_APART = timedelta(days=1)
"""Farther than this no clock of a board is from another."""
MOST_IN_BRIEF = 5
"""Wagons of a count that is told in a line."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of the house: what the town does, how closeness is written and from which distance on (0:
    never), the name of no elimination."""

    eliminate: str = "eliminate"
    closeness: str = "E"
    closeness_from: int = 3
    no_elimination: str = "No Elimination"

    def closeness_mark(self, missing: int | None) -> str:
        """“E-2” for two votes missing; "" where that is too far, nothing is missing, no majority decides."""
        return f"{self.closeness}-{missing}" if missing and missing <= self.closeness_from else ""

    @property
    def nobody_words(self) -> frozenset[str]:
        """What players may write for no elimination in this house, squashed."""
        house = "".join(letter for letter in self.no_elimination.casefold() if letter.isalnum())
        return NO_ELIMINATION_WORDS | {house}


@dataclass(frozen=True, slots=True)
class FixEffect:
    """What a decision on a post does in a count: `votes` of the post that stand with it, `gone` votes that
    ceased there or that it cast and that ceased later, `missed` what of it does not count, with why. `post`
    None: it was not read; `before` and `behind` the posts of the day that are counted."""

    fix: Fix
    post: Post | None
    before: bool
    behind: bool
    votes: tuple[Vote, ...]
    gone: tuple[Move, ...]
    missed: tuple[Uncounted, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Votecount:
    """A count and all that its post says beside it. `posts` gives ids and times of the posts by number;
    `at` is the last post counted; `outcome` None while the day runs."""

    title: str
    day: Day
    tally: Tally
    rule: Rule
    posts: Mapping[int, Post]
    terms: Terms = Terms()
    zone: ZoneInfo | None = None
    known: Knowledge = field(default_factory=Knowledge)
    """How day, living, threshold and rule are known."""
    house: tuple[HouseQuestion, ...] = ()
    """What can be answered about the house, where no game file says it."""
    remarks: Remarks = field(default_factory=Remarks)
    """What stands beside the tally: questions, what does not count, sentences."""
    complete: bool = True
    outcome: Outcome | None = None
    said: frozenset[str] = frozenset()
    """The lines of all live votes, squashed: a quote of one of them is no news."""
    number: int | None = None
    """The how-many-th count of the day this is, where counts that were posted are kept."""
    changes: tuple[VoteChange, ...] = ()
    """What moved since the last count that was posted."""
    due: tuple[str, ...] = ()
    """Who is due a prod, by the name of the holder."""
    final: bool = False
    """The day ended with it."""
    second: SecondCount | None = None
    """The same count on another way, where the moderator posted one to compare with."""
    fixes: tuple[Fix, ...] = ()
    """The moderator's decisions on posts that hold, by the present numbers of the posts."""

    def __repr__(self) -> str:
        return f"Votecount({self.in_brief})"

    @property
    def in_brief(self) -> str:
        """“day 1 as of #84: Bo 3/5, Ada 1/5” in a line; what is too much of it is left out."""
        nobody = self.terms.no_elimination
        sizes = [f"{one.target.name if one.target else nobody} {one.size}" for one in self.tally.wagons]
        more = len(sizes) - MOST_IN_BRIEF
        shown = [*sizes[:MOST_IN_BRIEF], *([f"{more} more"] if more > 0 else [])]
        return f"day {self.day.number} as of #{self.tally.at}: {', '.join(shown) or 'no votes'}"

    @property
    def questions(self) -> tuple[Doubt, ...]:
        """The votes that wait for the moderator; until then they change nothing."""
        return self.remarks.questions

    @property
    def may_change_it(self) -> tuple[Doubt, ...]:
        """The questions whose answers may change the count."""
        return unreplaced(self.questions, self.tally, self.rule)

    @property
    def not_counted(self) -> tuple[Uncounted, ...]:
        """All that looks like a vote and does not count, near misses too."""
        return self.remarks.not_counted

    @property
    def assumed(self) -> tuple[str, ...]:
        """What neither the game file nor a post says, a sentence each."""
        return self.remarks.assumed

    @property
    def notes(self) -> tuple[str, ...]:
        """What everybody may know of the day, a sentence each."""
        return self.remarks.notes

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each decision that has lost its post: the moderator has to say how to go on."""
        return self.remarks.lost

    @property
    def not_voting(self) -> tuple[Slot, ...] | None:
        """Who lives and does not vote; None where it is not sure who lives: the dead would be among them."""
        return None if self.known.living.how is How.OPEN else self.tally.not_voting

    def telling(self, assumed: Iterable[str] = (), notes: Iterable[str] = ()) -> Votecount:
        """The count with further sentences beside it."""
        said = (*self.assumed, *assumed), (*self.notes, *notes)
        return replace(self, remarks=replace(self.remarks, assumed=said[0], notes=said[1]))

    def asking_nothing(self) -> Votecount:
        """The count of a day that is over: no question changes it any more, and no decision is missing."""
        return replace(self, remarks=replace(self.remarks, questions=(), lost=()))

    def repeats(self, missed: Uncounted) -> bool:
        """Whether what did not count is a quote of a vote that was read where it stands."""
        return missed.why is UncountedReason.QUOTED and squash(missed.text) in self.said

    def fix_effect(self, fix: Fix) -> FixEffect:
        """What a decision on a post does in this count."""
        post, tally = fix.post, self.tally
        return FixEffect(
            fix,
            self.posts.get(post),
            post < self.day.start,
            post > tally.at,
            tuple(vote for wagon in tally.wagons for vote in wagon.votes if vote.post == post),
            tuple(move for move in tally.history if not move.joined and post in (move.post, move.vote.post)),
            tuple(missed for missed in self.not_counted if missed.post == post),
        )

    @property
    def least(self) -> int | None:
        """Votes with which the leader falls at the deadline; None on a day that a majority ends."""
        day, tally = self.day.number, self.tally
        if self.rule.by_majority(day):
            return None
        return self.rule.needed_at_deadline(tally.alive, sum(one.count for one in tally.wagons), day)

    @property
    def agreed(self) -> Wagon | None:
        """The wagon with the votes of all the living, where that may end the day before its time (EM-R27)."""
        tally = self.tally
        if not self.rule.unanimous or tally.not_voting or self.questions or len(tally.wagons) != 1:
            return None
        return tally.wagons[0]

    @property
    def heading(self) -> str:
        """“Votecount 1.3”: the day and the number of the count; “Final votecount 1”."""
        if self.final:
            return f"Final votecount {self.day.number}"
        return f"Votecount {self.day.number}" + (f".{self.number}" if self.number else "")


@dataclass(frozen=True, slots=True)
class ClockDoubt:
    """A post whose time was written in a zone that nobody knows, so near to `moment` (the deadline, or the
    time that was asked for) that it may have been in time or late; `vote`: there is a vote in it."""

    post: Post
    moment: datetime
    vote: bool


def clock_doubt(count: Votecount, now: datetime, asked: datetime | None = None) -> ClockDoubt | None:
    """The post nearest to the deadline, or to the time that was asked for, of which nobody knows whether it
    was before that; votes go first. Till the deadline has come all are in time, but for what reads later."""
    tally, deadline = count.tally, count.day.deadline
    votes = {move.post for move in tally.history if move.joined}
    votes |= {missed.post for missed in count.not_counted if missed.why is UncountedReason.LATE}
    last = tally.hammer.post if tally.hammer else tally.at
    moments = [asked] if asked else []
    if deadline is not None and count.rule.boundary is not Boundary.UNTIL_LOCK:
        moments.append(count.rule.closes(deadline))
    found: list[tuple[bool, timedelta, ClockDoubt]] = []
    for moment in moments:
        for number in votes | {last}:
            post = count.posts.get(number)
            if post is None or post.time is None or post.zone != UNKNOWN_ZONE:
                continue
            apart, vote = abs(post.time - moment), number in votes
            if apart <= ZONES_APART and (now >= moment or post.time >= moment):
                found.append((not vote, apart, ClockDoubt(post, moment, vote)))
    return min(found, key=lambda one: one[:2])[2] if found else None


def seen_by(view: View, count: Votecount) -> Votecount:
    """The count as that view may see it: hidden weights, bonus votes and shifted thresholds are true only for
    the moderator. Where the rule shows weights there is one view for all."""
    if view is View.MOD or count.rule.show_weights:
        return count
    # One vote each, and the thresholds of an ordinary player.
    tally, rule = count.tally, count.rule
    wagons: list[Wagon] = []
    for wagon in tally.wagons:
        needed = None
        if wagon.needed is not None:
            needed = rule.majority(tally.alive) if wagon.target else rule.needed(tally.alive, None)
        votes = tuple(replace(vote, weight=1) for vote in wagon.votes)
        wagons.append(replace(wagon, votes=votes, count=len(votes), needed=needed, since=wagon.held))
    history = tuple(replace(move, vote=replace(move.vote, weight=1)) for move in tally.history)
    return replace(count, tally=replace(tally, wagons=by_size(wagons), history=history))
