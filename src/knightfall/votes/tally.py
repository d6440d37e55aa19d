"""The tally: ballots in order become wagons, a hammer, questions, and what does not count with its reason.

`tally` counts a day: `_Count` takes the posts one by one, decides of each ballot whether it counts and whom
it means, and keeps the votes that stand in a `Standing`. `day_outcome` tells from a tally whom the day
eliminates, `changes_since` what moved since an earlier post.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING

from knightfall.errors import InputError
from knightfall.models import BoundPost, Departure, DepartureKind, Roster, Slot
from knightfall.names import (
    NO_ELIMINATION_WORDS,
    Absent,
    Ambiguous,
    Matched,
    Names,
    NoElimination,
    Unknown,
    names_of,
)
from knightfall.votes.ballots import PROSE, Action, Ballot, PostBallots, Region
from knightfall.votes.nickname_book import Teaching
from knightfall.votes.rule import AtDeadline, Edited, NoElim, Rule, Tie

if TYPE_CHECKING:
    from knightfall.engine.rng import Rng

# The tiers by which a name somewhere in a sentence is found.
_BY_A_WORD = frozenset({"name_contained", "first_words", "shared_word"})
# “second vote: Ada”, “both votes on Ada”: the words of who has two, where one vote stands in a line.
_SECOND = re.compile(
    r"\b(?P<all>both|two|2)\s+(?:my\s+)?votes?\b|\b(?:second|2nd|other)\s+vote\b", re.IGNORECASE
)
# “x2” at the end of a name, by which a double voter spends both votes: “Ada x2”, “Ada (2x)”. Not “Ada2”.
_TIMES_TWO = re.compile(r"\s*[(\[]?\s*(?:x\s?2|2\s?x)\s*[)\]]?\s*$", re.IGNORECASE)


# “Vote: unvote”, “[/b]##unvote[/b]”: what cannot be somebody.
_UNVOTE = re.compile(r"\bun-?vot(?:e|ed|ing)\b", re.IGNORECASE)

SHOWN = "shown"
"""The rule by which a vote means whom the moderator's own votecount has it on."""

# ---- What a count is told


@dataclass(frozen=True, slots=True)
class Day:
    """Posts `start` ≤ n ≤ `end` count (None: no end yet), and up to `deadline` by the rule's boundary; the
    votes of the posts `late` do not, those of `unsure` may be too late. With each post of `resets` all votes
    before it are gone, and the day goes on."""

    number: int = 1
    start: int = 0
    end: int | None = None
    deadline: datetime | None = None
    resets: tuple[int, ...] = ()
    late: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Fix:
    """The moderator's decision about the votes of one post; exactly one of the first four is set.

    `to` names a player or is "" for no elimination; `count` lets the ballots count as they were read.
    `bound` is the post that was meant by the number (None: whichever has it). `shown` is the moderator's own
    votecount that has the vote so, where they have not decided on it themselves; `why` is then its line.
    """

    post: int
    to: str | None = None
    ignore: bool = False
    unvote: bool = False
    count: bool = False
    why: str = ""
    bound: BoundPost | None = None
    shown: int | None = None


@dataclass(frozen=True, slots=True)
class Moderation:
    """The moderators' part in a count: their accounts, their decisions by post, and what players may write
    for no elimination, squashed. `ahead` is the number of the post that is still to come, where deaths since
    the last one count already."""

    moderators: frozenset[str] = frozenset()
    fixes: Mapping[int, Fix] = field(default_factory=dict)
    nobody_words: frozenset[str] = NO_ELIMINATION_WORDS
    ahead: int | None = None


# ---- What a count tells


@dataclass(frozen=True, slots=True, repr=False)
class Vote:
    """A standing vote. `target` None is no elimination; `rule` is how the name was matched and `score` how
    surely (1.0: certain); `weight` is what the vote counts."""

    voter: Slot
    target: Slot | None
    post: int
    text: str
    rule: str
    weight: int = 1
    time: datetime | None = None
    url: str | None = None
    score: float = 1.0

    def __repr__(self) -> str:
        return f"Vote({self.voter.name} → {self.target.name if self.target else None}, #{self.post})"


@dataclass(frozen=True, slots=True, repr=False)
class Wagon:
    """The votes on one target in order of voting.

    `count` is by weight, with the target's bonus votes. `since` is the post from which on the wagon has had
    at least its present size without a break, `first` the post at which it first had it, `held` the post
    from which on it has had as many voters as now. `needed` is what eliminates the target at once; None on a
    day that no majority ends.
    """

    target: Slot | None
    votes: tuple[Vote, ...]
    count: int
    needed: int | None
    since: int
    first: int
    held: int

    def __repr__(self) -> str:
        votes = f"{self.count} vote{'' if self.count == 1 else 's'}"
        needed = "" if self.needed is None else f", {self.needed} needed"
        return f"Wagon({self.target.name if self.target else None}, {votes}{needed})"

    @property
    def size(self) -> str:
        """“4/5”; “4” on a day that no majority ends."""
        return str(self.count) if self.needed is None else f"{self.count}/{self.needed}"

    @property
    def lacks(self) -> int | None:
        """Votes that miss to a hammer, none below 0; None on a day that no majority ends."""
        return None if self.needed is None else max(self.needed - self.count, 0)


@dataclass(frozen=True, slots=True)
class Move:
    """A vote that came to stand (`joined`), or ceased to: moved, taken back, or by a death.

    `post` is where that happened; for a vote that came it is the vote's own.
    """

    vote: Vote
    joined: bool
    post: int


@dataclass(frozen=True, slots=True)
class Hammer:
    """The vote that was enough; `voter` is None where a death lowered the threshold.

    `unless` are the posts of open questions to those in the wagon that were asked after their votes and
    before the hammer: where one of them turns out to be a move, the wagon was not full.
    """

    target: Slot | None
    voter: Slot | None
    post: int
    url: str | None = None
    unless: tuple[int, ...] = ()


class UncountedReason(Enum):
    """Why something that looks like a vote was not counted."""

    QUOTED = "quoted"
    SPOILERED = "spoilered"
    CODE = "code"
    STRUCK = "struck"
    SIGNATURE = "signature"
    NOT_BOLD = "not_bold"
    NO_FORM = "no_form"
    DEAD_VOTER = "dead_voter"
    REPLACED = "replaced"
    NOT_YET = "not_yet"
    DEAD_TARGET = "dead_target"
    NOT_A_PLAYER = "not_a_player"
    TARGET_NO_PLAYER = "target_no_player"
    UNKNOWN_NAME = "unknown_name"
    AFTER_HAMMER = "after_hammer"
    DAY_OVER = "day_over"
    LATE = "late"
    MODERATOR_POST = "moderator_post"
    TALLY_POST = "tally_post"
    EDITED = "edited"
    VOID = "void"
    ELSEWHERE = "elsewhere"


LATE_REASONS = frozenset({UncountedReason.LATE, UncountedReason.AFTER_HAMMER, UncountedReason.DAY_OVER})
"""Votes that came after the end: of the vote, or of the day."""


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A vote that did not count, and why."""

    post: int
    voter: str
    text: str
    why: UncountedReason
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A vote that only the moderator can read; until then it changes nothing. `why` tells what became of the
    post since they decided on it, where they had. `name` is the name as typed, where all that is unclear is
    whose it is; `count` is the post of the moderator's own votecount that shows the vote; `earlier`
    are candidates that an answer in an earlier game on the site called so. `unvote`: it seems to take a vote
    back, and names nobody."""

    post: int
    voter: str
    text: str
    candidates: tuple[str, ...]
    url: str | None = None
    why: str = ""
    name: str = ""
    count: int | None = None
    earlier: tuple[tuple[str, Teaching], ...] = ()
    unvote: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """A day's votes as of one post. Every living voter is in one wagon or in `not_voting`, never in both.

    `needed` is what eliminates an ordinary player at once; None on a day that no majority ends.
    `history` tells how it came to be: each vote that came to stand or ceased to, in order.
    """

    alive: int
    needed: int | None
    wagons: tuple[Wagon, ...]
    not_voting: tuple[Slot, ...]
    hammer: Hammer | None
    questions: tuple[Doubt, ...]
    not_counted: tuple[Uncounted, ...]
    at: int
    history: tuple[Move, ...] = ()
    fallen: tuple[Hammer, ...] = ()
    """The hammers before the last, on a day of several eliminations."""


# ---- The count


def tally(
    posts: Iterable[PostBallots],
    roster: Roster,
    rule: Rule,
    day: Day,
    until: int,
    moderation: Moderation | None = None,
) -> Tally:
    """The count of `day` as of post `until` (that post included); `posts` in their order.

    Whom the day's own vote eliminated leaves after its count: the count is frozen with that post, so wagon
    and threshold stay, and later votes are too late. Who left in any other way is dead from that post on.
    """
    last = min(until, day.end) if day.end is not None else until
    posts, moderation = tuple(posts), moderation or Moderation()
    left_ever = (slot for slot in roster.slots if slot.departures)
    gone = {slot.name: left for slot in left_ever if (left := slot.voted_out(day.start, last))}
    early = sorted(gone, key=lambda name: gone[name].post)[: rule.eliminations - 1]
    if early:
        # Who fell first on a day of several eliminations: its own count finds them, or they are dead since.
        first = {name: gone.pop(name) for name in early}
        lifted = Roster(
            tuple(slot.without(first[slot.name]) if slot.name in first else slot for slot in roster.slots)
        )
        counted = _frozen(posts, lifted, rule, day, last, moderation, gone)
        fell = (hammer.target for hammer in (*counted.fallen, counted.hammer) if hammer is not None)
        if {target.name for target in fell if target}.issuperset(first):
            return counted
    return _frozen(posts, roster, rule, day, last, moderation, gone)


def _frozen(
    posts: tuple[PostBallots, ...],
    roster: Roster,
    rule: Rule,
    day: Day,
    last: int,
    moderation: Moderation,
    gone: dict[str, Departure],
) -> Tally:
    """The count in which those who are `gone` by the day's own vote are alive to its end."""
    while gone:
        slots = tuple(slot.without(gone[slot.name]) if slot.name in gone else slot for slot in roster.slots)
        over = max(left.post for left in gone.values())
        counted = _tally(posts, _Count(Roster(slots), rule, day, moderation, over), last)
        # For whom nobody ever voted that day was not eliminated by its vote.
        voted = {move.vote.target.name for move in counted.history if move.vote.target}
        if voted.issuperset(gone):
            return counted
        gone = {name: left for name, left in gone.items() if name in voted}
    return _tally(posts, _Count(roster, rule, day, moderation), last)


def as_counted(slots: Iterable[Slot], day: Day, tally: Tally) -> tuple[Slot, ...]:
    """The slots as the count of a day has them: whom the day's own vote eliminated is alive to its end."""
    votes = {wagon.target.name for wagon in tally.wagons if wagon.target}
    return tuple(
        slot.without(left) if slot.name in votes and (left := slot.voted_out(day.start, tally.at)) else slot
        for slot in slots
    )


def _tally(posts: Iterable[PostBallots], count: _Count, last: int) -> Tally:
    """The count of the posts up to `last`."""
    day, rule = count.day, count.rule
    for post in posts:
        if day.start <= post.number <= last:
            count.bury(post.number)
            count.add(post)
    count.bury(last if last + 1 != count.moderation.ahead else last + 1)

    alive, standing = len(count.alive), count.standing
    voting = frozenset(standing.voters())
    hammers = rule.hammers(day.number)
    wagons = (
        standing.wagon(target, rule.needed(alive, target, last) if hammers else None)
        for target in standing.targets()
    )
    return Tally(
        alive=alive,
        needed=rule.majority(alive) if hammers else None,
        wagons=by_size(wagons),
        not_voting=tuple(slot for slot in count.alive if slot.name not in voting),
        hammer=count.hammer,
        questions=tuple(count.questions),
        not_counted=tuple(count.not_counted),
        at=last,
        history=standing.moves(),
        fallen=tuple(count.fallen),
    )


class _Count:
    """A count under way: who is alive and who can be meant, the votes that stand, and all else it finds."""

    def __init__(
        self, roster: Roster, rule: Rule, day: Day, moderation: Moderation, over: int | None = None
    ) -> None:
        self.roster = roster
        self.over = over
        """The post with which the day's vote eliminated somebody; None where it did not."""
        self.rule = rule
        self.day = day
        self.moderation = moderation
        self.moderators = frozenset(name.casefold() for name in moderation.moderators)
        begun = {holder.from_post for slot in roster.slots for holder in slot.holders[1:]}
        left = {one.post for slot in roster.slots for one in slot.departures}
        marked = {mark.post for slot in roster.slots for mark in slot.marks}
        turns = begun | left | marked | {post for slot in roster.slots for post in slot.back}
        self.turns = sorted(post for post in turns if over is None or post <= over)
        """The posts at which somebody dies, comes back, takes over a slot or is marked, those to come."""
        self.standing = Standing()
        self.changes: Counter[str] = Counter()
        """How often each voter has moved or taken back a standing vote."""
        self.hammer: Hammer | None = None
        self.fallen: list[Hammer] = []
        """The hammers before the last, where a day has several eliminations."""
        self.resets = sorted(post for post in day.resets if post > day.start)
        """The posts with which all votes go, those to come."""
        self.questions: list[Doubt] = []
        self.open: dict[str, list[int]] = {}
        """The posts of each voter's questions since their last clear vote."""
        self.not_counted: list[Uncounted] = []
        self._meet(day.start)

    def _meet(self, post: int) -> None:
        """Who is alive and who can be meant from `post` on."""
        self.alive = self.roster.alive_at(post)
        gone = tuple(slot for slot in self.roster.slots if not slot.alive_at(post))
        words = self.moderation.nobody_words
        self.names: Names = names_of(self.alive, gone, self.moderators, words, post)

    def bury(self, post: int) -> None:
        """Deaths and returns up to `post`: the dead neither vote nor are voted for; the threshold may fall
        under a wagon. What was reset up to then goes first."""
        while self.resets and self.resets[0] <= post:
            self._reset(self.resets.pop(0))
        while self.turns and self.turns[0] <= post:
            turn = self.turns.pop(0)
            if turn > self.day.start:
                self._meet(turn)
                self.standing.drop_the_dead(turn, self.roster)
                for target in self.standing.targets():
                    self._look_for_hammer(target, turn)

    def _reset(self, post: int) -> None:
        """All votes go, and with them a hammer, what came after it and what was asked; the day goes on."""
        for voter in self.standing.voters():
            self.standing.withdraw(voter, post)
        self.changes.clear()
        self.open.clear()
        self.questions.clear()
        self.hammer = None
        late = UncountedReason.AFTER_HAMMER
        self.not_counted = [missed for missed in self.not_counted if missed.why is not late]

    def add(self, post: PostBallots) -> None:
        """Count the ballots of a post, or what the moderator decided about them."""
        voter = self.roster.slot_of(post.author)
        fix = self.moderation.fixes.get(post.number)
        if fix is not None and voter is not None and not fix.count:
            self._decide(post, voter, fix)
            return
        if fix is not None and voter is None and not fix.ignore:
            moderates = post.author.casefold() in self.moderators
            stranger = UncountedReason.MODERATOR_POST if moderates else UncountedReason.NOT_A_PLAYER
            self._not_counted(post, fix.why, stranger)
            return
        # The dead have no vote, whatever was decided on their posts.
        decided = fix is not None and voter is not None and voter.alive_at(post.number)
        for ballot in post.ballots:
            reason = None if decided else self._barred(post, ballot, voter)
            if reason is not None:
                self._not_counted(post, ballot.line, reason)
            elif voter is not None and ballot.unclear and fix is None:
                self._ask_whether(post, ballot, voter)
            elif voter is not None and ballot.action is Action.UNVOTE:
                self._unvote(post, ballot, voter, forced=fix is not None)
            elif voter is not None:
                self._vote(post, ballot, voter, forced=fix is not None)

    def _decide(self, post: PostBallots, voter: Slot, fix: Fix) -> None:
        """The moderator's decision takes the place of what was read in the post."""
        if not fix.ignore and not voter.alive_at(post.number):
            self._not_counted(post, fix.why, UncountedReason.DEAD_VOTER)
        elif fix.unvote:
            self.open.pop(voter.name, None)
            self.standing.withdraw(voter.name, post.number)
        elif fix.to is not None:
            # A name that is nobody's must not become a vote for nobody.
            target = self.roster.slot_of(fix.to) if fix.to else None
            if fix.to and target is None:
                raise InputError(
                    f"The decision on post {fix.post} names “{fix.to}”, who is not a player. Correct it."
                )
            if target is not None and not target.alive_at(post.number):
                self._not_counted(post, fix.why, UncountedReason.DEAD_TARGET)
            else:
                weight = self.rule.weight(voter, False, post.number)
                by = "moderator" if fix.shown is None else SHOWN
                vote = Vote(voter, target, post.number, fix.why, by, weight, post.time, post.url)
                self._stand(vote)

    def _barred(self, post: PostBallots, ballot: Ballot, voter: Slot | None) -> UncountedReason | None:
        """What keeps a ballot from counting whoever it names; the first reason that holds."""
        if ballot.region is not Region.LIVE:
            return UncountedReason(ballot.region.value)
        if post.author.casefold() in self.moderators:
            return UncountedReason.MODERATOR_POST
        if voter is None:
            return UncountedReason.NOT_A_PLAYER
        if not voter.alive_at(post.number):
            return UncountedReason.DEAD_VOTER
        if voter.replaced_at(post.author, post.number):
            return UncountedReason.REPLACED
        if voter.joins_after(post.author, post.number):
            return UncountedReason.NOT_YET
        if self.hammer is not None:
            return UncountedReason.AFTER_HAMMER
        if self.over is not None and post.number > self.over:
            return UncountedReason.DAY_OVER
        if post.number in self.day.late or not self.rule.in_time(post.time, self.day.deadline):
            return UncountedReason.LATE
        return UncountedReason.EDITED if post.edited and self.rule.edited is Edited.VOID else None

    def _not_counted(self, post: PostBallots, said: str, reason: UncountedReason) -> None:
        self.not_counted.append(Uncounted(post.number, post.author, said, reason, post.url))

    def _ask_whether(self, post: PostBallots, ballot: Ballot, voter: Slot) -> None:
        """Ask about a ballot that may count or not; of an unvote only where there is a vote to take back."""
        if ballot.action is Action.UNVOTE:
            if self.standing.of(voter):
                self._ask(post, ballot, voter, ())
            return
        match self.names.match(ballot.text, voter):
            case Matched(slot):
                # A vote that stands already changes nothing.
                if all(one.target != slot for one in self.standing.of(voter)):
                    self._ask(post, ballot, voter, (slot.name,))
            case Ambiguous(_, near) | Unknown(_, near):
                self._ask(post, ballot, voter, near)
            case _:
                self._ask(post, ballot, voter, ())

    def _ask(
        self, post: PostBallots, ballot: Ballot, voter: Slot, candidates: tuple[str, ...], name: str = ""
    ) -> None:
        self.open.setdefault(voter.name, []).append(post.number)
        takes_back = ballot.action is Action.UNVOTE or bool(_UNVOTE.search(ballot.text or ballot.line))
        unvote = takes_back and not candidates
        doubt = Doubt(
            post.number,
            post.author,
            ballot.line,
            candidates,
            post.url,
            name="" if unvote else name,
            unvote=unvote,
        )
        self.questions.append(doubt)

    def _unvote(self, post: PostBallots, ballot: Ballot, voter: Slot, forced: bool) -> None:
        """Take the votes back; of several votes only the one that is named."""
        standing = self.standing.of(voter)
        if standing and not forced and self._held(voter):
            self._not_counted(post, ballot.line, UncountedReason.VOID)
            return
        named = self.names.match(ballot.text, voter) if len(standing) > 1 and ballot.text else None
        self.open.pop(voter.name, None)
        self.changes[voter.name] += bool(standing)
        target = named.slot if isinstance(named, Matched) else None
        self.standing.withdraw(voter.name, post.number, target)

    def _vote(self, post: PostBallots, ballot: Ballot, voter: Slot, forced: bool) -> None:
        """Count a vote, list it, or ask; `forced` where the moderator said that it counts."""
        # Whom it names. A double voter's “x2” is no part of the name.
        two = voter.mark_at(post.number).weight > 1
        times_two = two and bool(_TIMES_TWO.search(ballot.text))
        target, rule, score = None, "no_elimination", 1.0
        match self.names.match(_TIMES_TWO.sub("", ballot.text) if times_two else ballot.text, voter):
            case Matched(slot, fitted) if ballot.prose and not forced and fitted in _BY_A_WORD:
                self._ask(post, ballot, voter, (slot.name,))
                return
            case Matched(slot, fitted, sureness):
                target, rule, score = slot, fitted, sureness
            case NoElimination():
                pass
            case Absent(_, why):
                self._not_counted(post, ballot.line, UncountedReason(why.value))
                return
            # A sentence that names nobody is no misspelt name: listed, not asked.
            case Unknown() if len(ballot.text.split()) > PROSE:
                self._not_counted(post, ballot.line, UncountedReason.UNKNOWN_NAME)
                return
            case Ambiguous(_, near, "joined"):
                self._ask(post, ballot, voter, near)
                return
            case Ambiguous(_, near) | Unknown(_, near):
                self._ask(post, ballot, voter, near, ballot.text)
                return
        mine = self.standing.of(voter)
        spends_all = times_two or (two and self._again(post, ballot, target, mine))
        weight = self.rule.weight(voter, spends_all, post.number)

        # A repeated vote keeps its place in the wagon.
        same = [one for one in mine if _key(one.target) == _key(target)]
        if same:
            self.open.pop(voter.name, None)
        if any(one.weight == weight for one in same):
            return

        # The rule may still void it.
        kept = self.rule.unvote_first or self._held(voter)
        void = (
            (not self.rule.self_vote and target == voter)
            or (target is None and self.rule.no_elimination is NoElim.NO)
            or (kept and sum(max(one.weight, 1) for one in mine) >= self.rule.capacity(voter, post.number))
        )
        if void and not forced:
            self._not_counted(post, ballot.line, UncountedReason.VOID)
            return
        self._stand(Vote(voter, target, post.number, ballot.line, rule, weight, post.time, post.url, score))

    def _again(self, post: PostBallots, ballot: Ballot, target: Slot | None, mine: tuple[Vote, ...]) -> bool:
        """Whether somebody with two votes puts both on one target: by those words, or by naming twice in a
        post whom they vote for; and whether they have done so before."""
        here = [one for one in mine if one.target == target]
        if any(one.weight > 1 or one.post == post.number for one in here):
            return True
        alone = sum(other.line == ballot.line for other in post.ballots) == 1
        said = _SECOND.search(ballot.line) if alone else None
        return bool(said and (said["all"] or here))

    def _held(self, voter: Slot) -> bool:
        """True where a standing vote of theirs may not be moved: locked, or all their changes are used."""
        most = self.rule.max_changes
        used = most is not None and self.changes[voter.name] >= most
        return used or self.day.number in self.rule.locked_at

    def _stand(self, vote: Vote) -> None:
        """Let a vote stand; where it took the room of an older one, the voter has changed their vote."""
        made_room = self.standing.place(vote, self.rule.capacity(vote.voter, vote.post))
        self.open.pop(vote.voter.name, None)
        if made_room:
            self.changes[vote.voter.name] += 1
        self._look_for_hammer(vote.target, vote.post, vote)

    def _look_for_hammer(self, target: Slot | None, post: int, vote: Vote | None = None) -> None:
        """The vote or, without one, the death in post `post` is the hammer if the wagon is full, and there
        was none before."""
        if self.hammer is None and self.rule.hammers(self.day.number):
            size = self.standing.size(target)
            if size and size >= self.rule.needed(len(self.alive), target, post):
                asked = (self.open.get(name, ()) for name in self.standing.voters_for(target))
                unless = tuple(sorted({number for numbers in asked for number in numbers}))
                voter, url = (vote.voter, vote.url) if vote else (None, None)
                found = Hammer(target, voter, post, url, unless)
                if target is None or len(self.fallen) + 1 >= self.rule.eliminations:
                    self.hammer = found
                else:
                    self._fell(target, found)

    def _fell(self, target: Slot, hammer: Hammer) -> None:
        """The day goes on without whom it has eliminated: they are dead from the next post on."""
        self.fallen.append(hammer)
        slots = tuple(
            slot.leaving(Departure(DepartureKind.ELIMINATED, hammer.post + 1))
            if slot.name == target.name
            else slot
            for slot in self.roster.slots
        )
        self.roster = Roster(slots)
        self.turns = sorted({*self.turns, hammer.post + 1})


class Standing:
    """The votes that stand at one moment of a count; it is changed as the count goes on.

    By target (None: no elimination) it keeps, beside the votes, what a tie may be settled by: a wagon of n
    has n entries in `_sizes`, of which the last is the post that made it n; `_firsts` is never shortened, so
    that its n-th entry is the post that first made it n; `_heads` counts voters instead of weight.
    """

    def __init__(self) -> None:
        self._votes: dict[str, list[Vote]] = {}
        self._moves: list[Move] = []
        self._sizes: dict[str | None, list[int]] = {}
        self._firsts: dict[str | None, list[int]] = {}
        self._heads: dict[str | None, list[int]] = {}

    def of(self, voter: Slot) -> tuple[Vote, ...]:
        """Their standing votes, oldest first."""
        return tuple(self._votes.get(voter.name, ()))

    def voters(self) -> tuple[str, ...]:
        """The names of all who have a vote standing, in the order of their first votes."""
        return tuple(name for name, votes in self._votes.items() if votes)

    def voters_for(self, target: Slot | None) -> frozenset[str]:
        """The names of all who have a vote on it."""
        return frozenset(
            name
            for name, votes in self._votes.items()
            if any(_key(vote.target) == _key(target) for vote in votes)
        )

    def size(self, target: Slot | None) -> int:
        """The weight of the wagon on a target, bonus votes included; 0 where nobody votes for it."""
        sizes = self._sizes.get(_key(target))
        return len(sizes) + (target.bonus if target else 0) if sizes else 0

    def place(self, vote: Vote, capacity: int) -> bool:
        """Let a vote stand. Where the voter has no room for it, their oldest votes make room; returns whether
        any did."""
        mine = self._votes.setdefault(vote.voter.name, [])
        before = len(mine)
        while mine and sum(max(v.weight, 1) for v in mine) + max(vote.weight, 1) > max(capacity, vote.weight):
            self._leave(mine.pop(0), vote.post)
        made_room = len(mine) < before
        mine.append(vote)
        self._moves.append(Move(vote, True, vote.post))
        key = _key(vote.target)
        sizes = self._sizes.setdefault(key, [])
        firsts = self._firsts.setdefault(key, [])
        self._heads.setdefault(key, []).append(vote.post)
        sizes.extend([vote.post] * vote.weight)
        firsts.extend([vote.post] * (len(sizes) - len(firsts)))
        return made_room

    def withdraw(self, voter: str, post: int, target: Slot | None = None) -> None:
        """Take their votes back at `post`: those on `target`, or all of them."""
        votes = self._votes.get(voter, [])
        gone = [vote for vote in votes if target is None or _key(vote.target) == _key(target)]
        for vote in gone:
            votes.remove(vote)
            self._leave(vote, post)

    def drop_the_dead(self, post: int, roster: Roster) -> None:
        """Votes by and for everybody who is dead at `post` by that roster go."""
        living = {slot.name for slot in roster.alive_at(post)}
        for voter, votes in self._votes.items():
            for vote in tuple(votes):
                target_lives = vote.target is None or vote.target.name in living
                if not (vote.voter.name in living and target_lives):
                    self._votes[voter].remove(vote)
                    self._leave(vote, post)

    def targets(self) -> tuple[Slot | None, ...]:
        """Everybody with a wagon, in the order of their oldest votes."""
        votes = sorted((vote for votes in self._votes.values() for vote in votes), key=lambda vote: vote.post)
        return tuple({_key(vote.target): vote.target for vote in votes}.values())

    def wagon(self, target: Slot | None, needed: int | None) -> Wagon:
        """The wagon on a target that somebody votes for."""
        votes = [v for votes in self._votes.values() for v in votes if _key(v.target) == _key(target)]
        ordered = tuple(sorted(votes, key=lambda vote: vote.post))
        sizes = self._sizes.get(_key(target)) or [ordered[0].post]  # voteless votes alone weigh nothing
        first = (self._firsts.get(_key(target)) or sizes)[len(sizes) - 1]
        held = self._heads[_key(target)][-1]
        return Wagon(target, ordered, self.size(target), needed, sizes[-1], first, held)

    def moves(self) -> tuple[Move, ...]:
        """Every vote that came to stand or ceased to, in order."""
        return tuple(self._moves)

    def _leave(self, vote: Vote, post: int) -> None:
        self._moves.append(Move(vote, False, post))
        self._heads[_key(vote.target)].pop()
        if vote.weight:
            del self._sizes[_key(vote.target)][-vote.weight :]


def _key(target: Slot | None) -> str | None:
    return target.name if target else None


def by_size(wagons: Iterable[Wagon]) -> tuple[Wagon, ...]:
    """The biggest first; of one size, who has held it longest without a break."""
    return tuple(sorted(wagons, key=lambda wagon: (-wagon.count, wagon.since)))


# ---- How a day ends


class TownClass(Enum):
    """In which order an anti-town tie falls (EM-R26)."""

    POWER = 1
    VANILLA = 2
    ANTI_TOWN = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """`how` is hammer, plurality, no_elimination or undecided; `eliminated` is empty where nobody is, and
    holds more than one only where all who are tied fall."""

    eliminated: tuple[Slot, ...]
    how: str


NOBODY = Outcome((), "no_elimination")
UNDECIDED = Outcome((), "undecided")


def day_outcome(
    tally: Tally,
    rule: Rule,
    day: int,
    over: bool,
    draw: Rng | None = None,
    classes: Mapping[str, TownClass] | None = None,
) -> Outcome | None:
    """How day `day` ended; None while it runs.

    The leader without a majority is named only where the rule says so. `draw` settles ties that chance
    decides and `classes` tell an anti-town tie who is what, by name; without them such a tie is undecided.
    """
    before = tuple(hammer.target for hammer in tally.fallen if hammer.target)
    if tally.hammer is not None:
        last = _eliminated(tally.hammer.target, "hammer")
        return Outcome((*before, *last.eliminated), "hammer") if before else last
    if not over:
        return None
    if rule.eliminations > 1:
        return _several(tally, rule, day, before, draw, classes)
    return _at_deadline(tally, rule, day, draw, classes)


def _several(
    tally: Tally,
    rule: Rule,
    day: int,
    before: tuple[Slot, ...],
    draw: Rng | None,
    classes: Mapping[str, TownClass] | None,
) -> Outcome:
    """How a day of several eliminations ends at its deadline: the leader falls, then the next one, until all
    its places are taken or nobody has votes enough."""
    fallen = list(before)
    how = "hammer" if before else NOBODY.how
    left = tally
    while len(fallen) < rule.eliminations:
        found = _at_deadline(left, rule, day, draw, classes)
        if found is UNDECIDED and not fallen:
            return UNDECIDED
        if not found.eliminated:
            break
        fallen += found.eliminated
        how = found.how
        names = {slot.name for slot in found.eliminated}
        rest = (wagon for wagon in left.wagons if wagon.target is None or wagon.target.name not in names)
        left = replace(left, wagons=tuple(rest))
    return Outcome(tuple(fallen), how)


def _at_deadline(
    tally: Tally,
    rule: Rule,
    day: int,
    draw: Rng | None,
    classes: Mapping[str, TownClass] | None,
) -> Outcome:
    """Whom the deadline eliminates, where there was no hammer."""
    needed = rule.needed_at_deadline(tally.alive, sum(wagon.count for wagon in tally.wagons), day)
    enough = [] if needed is None else [one for one in tally.wagons if one.count >= needed]
    leading = [wagon for wagon in enough if wagon.count == tally.wagons[0].count]
    if not leading:
        return UNDECIDED if rule.unreached(day) is AtDeadline.ASK else NOBODY
    if len(leading) == 1:
        return _eliminated(leading[0].target, "plurality")

    # A tie, by the rule's answer to it.
    match rule.tie:
        case Tie.NO_ELIMINATION:
            return NOBODY
        case Tie.FIRST_TO_REACH:
            # Who first had as many votes as now, whether or not they had fewer in between.
            return _eliminated(min(leading, key=lambda wagon: wagon.first).target, "plurality")
        case Tie.LONGEST_HELD:
            # Who has had as many votes as now for the longest time without a break.
            return _eliminated(min(leading, key=lambda wagon: wagon.since).target, "plurality")
        case Tie.ALL:
            return Outcome(tuple(wagon.target for wagon in leading if wagon.target), "plurality")
        case Tie.RANDOM if draw is not None:
            return _drawn(leading, draw)
        case Tie.ANTI_TOWN if any(wagon.target is None for wagon in leading):
            return NOBODY  # EM-R26: a tied no elimination wins
        case Tie.ANTI_TOWN if draw is not None and classes is not None:
            # EM-R26: else power roles of the town, then vanilla, then the others; chance among equals.
            ranks = {wagon: classes[wagon.target.name].value for wagon in leading if wagon.target}
            worst = min(ranks.values())
            return _drawn([wagon for wagon in leading if ranks[wagon] == worst], draw)
    return UNDECIDED


def _eliminated(target: Slot | None, how: str) -> Outcome:
    return Outcome((target,), how) if target else NOBODY


def _drawn(leading: Sequence[Wagon], draw: Rng) -> Outcome:
    """One of them by the seed; the order of the wagons plays no part."""
    by_name = {_key(wagon.target) or "": wagon.target for wagon in leading}
    return _eliminated(by_name[draw.choice("vote.tie", sorted(by_name))], "plurality")


# ---- What moved since


@dataclass(frozen=True, slots=True)
class VoteChange:
    """A voter's votes then and now; `post` is where the last of it happened. Empty: they did not vote."""

    voter: Slot
    before: tuple[Slot | None, ...]
    now: tuple[Slot | None, ...]
    post: int


def changes_since(history: Iterable[Move], post: int) -> tuple[VoteChange, ...]:
    """Whose votes stand otherwise than at `post`, in the order of their last moves.

    Who went to and fro and votes as before has not changed.
    """
    # Voter → their standing votes' targets by name: at that post, and at the end of the history.
    then: dict[str, dict[str | None, Slot | None]] = {}
    now: dict[str, dict[str | None, Slot | None]] = {}
    last: dict[str, tuple[Slot, int]] = {}
    for move in history:
        voter, target = move.vote.voter, move.vote.target
        for votes in (now, then) if move.post <= post else (now,):
            if move.joined:
                votes.setdefault(voter.name, {})[_key(target)] = target
            else:
                votes.get(voter.name, {}).pop(_key(target), None)
        if move.post > post:
            last.pop(voter.name, None)
            last[voter.name] = (voter, move.post)

    changes = (
        VoteChange(voter, tuple(then.get(name, {}).values()), tuple(now.get(name, {}).values()), at)
        for name, (voter, at) in last.items()
    )
    return tuple(change for change in changes if change.before != change.now)
