"""The tally: ballots in order become wagons, a hammer, questions, and what does not count with its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING

from knightfall.errors import InputError
from knightfall.models import Roster, Slot
from knightfall.votes.ballots import Action, Ballot, Cast, Region
from knightfall.votes.names import (
    NO_ELIMINATION_WORDS,
    Absent,
    Ambiguous,
    Matched,
    Names,
    NoElimination,
    Unknown,
    names_of,
)
from knightfall.votes.rule import Edited, NoElim, Rule, Tie

if TYPE_CHECKING:
    from knightfall.engine.rng import Rng


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Wagon:
    """The votes on one target in order of voting.

    `count` is by weight, with the target's bonus votes. `since` is the post from which on the wagon has had
    at least its present size without a break, `first` the post at which it first had it, `held` the post
    from which on it has had as many voters as now.
    """

    target: Slot | None
    votes: tuple[Vote, ...]
    count: int
    needed: int
    since: int
    first: int
    held: int


@dataclass(frozen=True, slots=True)
class Move:
    """A vote that came to stand (`joined`), or ceased to: moved, taken back, or by a death.

    `post` is where that happened; for a vote that came it is the vote's own.
    """

    vote: Vote
    joined: bool
    post: int


class Standing:
    """The votes that stand at one moment of a count; it is changed as the count goes on."""

    def __init__(self) -> None:
        self._votes: dict[str, list[Vote]] = {}
        self._moves: list[Move] = []
        self._sizes: dict[str | None, list[int]] = {}
        self._firsts: dict[str | None, list[int]] = {}
        self._heads: dict[str | None, list[int]] = {}

    def of(self, voter: Slot) -> tuple[Vote, ...]:
        """His standing votes, oldest first."""
        return tuple(self._votes.get(voter.name, ()))

    def voters(self) -> frozenset[str]:
        """The names of all who have a vote standing."""
        return frozenset(name for name, votes in self._votes.items() if votes)

    def size(self, target: Slot | None) -> int:
        """The weight of the wagon on a target, bonus votes included; 0 where nobody votes for it."""
        sizes = self._sizes.get(_key(target))
        return len(sizes) + (target.bonus if target else 0) if sizes else 0

    def place(self, vote: Vote, capacity: int) -> None:
        """Lets a vote stand. Where the voter has no room for it, his oldest votes make room."""
        mine = self._votes.setdefault(vote.voter.name, [])
        while mine and sum(max(v.weight, 1) for v in mine) + max(vote.weight, 1) > max(capacity, vote.weight):
            self._leave(mine.pop(0), vote.post)
        mine.append(vote)
        self._moves.append(Move(vote, True, vote.post))
        sizes = self._sizes.setdefault(_key(vote.target), [])
        firsts = self._firsts.setdefault(_key(vote.target), [])
        self._heads.setdefault(_key(vote.target), []).append(vote.post)
        sizes.extend([vote.post] * vote.weight)
        firsts.extend([vote.post] * (len(sizes) - len(firsts)))

    def withdraw(self, voter: str, post: int, target: Slot | None = None) -> None:
        """Takes his votes back at `post`: those on `target`, or all of them."""
        gone = [vote for vote in self._votes.get(voter, ()) if target is None or vote.target == target]
        for vote in gone:
            self._votes[voter].remove(vote)
            self._leave(vote, post)

    def drop_the_dead(self, post: int) -> None:
        """Votes by and for everybody who is dead at `post` go."""
        for voter, votes in self._votes.items():
            for vote in [v for v in votes if _touches_dead(v, post)]:
                self._votes[voter].remove(vote)
                self._leave(vote, post)

    def targets(self) -> tuple[Slot | None, ...]:
        """Everybody with a wagon, in the order of their oldest votes."""
        votes = sorted((vote for votes in self._votes.values() for vote in votes), key=lambda vote: vote.post)
        return tuple({_key(vote.target): vote.target for vote in votes}.values())

    def wagon(self, target: Slot | None, needed: int) -> Wagon:
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


def _touches_dead(vote: Vote, post: int) -> bool:
    return not vote.voter.alive_at(post) or (vote.target is not None and not vote.target.alive_at(post))


def by_size(wagons: Iterable[Wagon]) -> tuple[Wagon, ...]:
    """The biggest first; of one size, who has held it longest without a break."""
    return tuple(sorted(wagons, key=lambda wagon: (-wagon.count, wagon.since)))


_TIMES_TWO = re.compile(r"\s*[(\[]?\s*(?:x\s?2|2\s?x)\s*[)\]]?\s*$", re.IGNORECASE)
PROSE = 6
"""More words than this that name nobody are a sentence, not a misspelt name: listed, not asked."""


@dataclass(frozen=True, slots=True)
class Fix:
    """The moderator's decision about the votes of one post; exactly one of the first four is set.

    `to` names a player or is "" for no elimination; `author` limits it to one voter.
    """

    post: int
    to: str | None = None
    ignore: bool = False
    unvote: bool = False
    count: bool = False
    why: str = ""


class Why(Enum):
    """Why something that looks like a vote was not counted."""

    QUOTED = "quoted"
    SPOILERED = "spoilered"
    CODE = "code"
    STRUCK = "struck"
    SIGNATURE = "signature"
    NOT_BOLD = "not_bold"
    DEAD_VOTER = "dead_voter"
    DEAD_TARGET = "dead_target"
    NOT_A_PLAYER = "not_a_player"
    UNKNOWN_NAME = "unknown_name"
    AFTER_HAMMER = "after_hammer"
    LATE = "late"
    MODERATOR_POST = "moderator_post"
    TALLY_POST = "tally_post"
    EDITED = "edited"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A vote that did not count, and why."""

    post: int
    voter: str
    text: str
    why: Why
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A vote that only the moderator can read; the voter's earlier vote stands."""

    post: int
    voter: str
    text: str
    candidates: tuple[str, ...]
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Hammer:
    """The vote that was enough; `voter` is None where a death lowered the threshold."""

    target: Slot | None
    voter: Slot | None
    post: int
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """A day's votes as of one post. Every living voter is in one wagon or in `not_voting`, never in both.

    `history` tells how it came to be: each vote that came to stand or ceased to, in order.
    """

    alive: int
    needed: int
    wagons: tuple[Wagon, ...]
    not_voting: tuple[Slot, ...]
    hammer: Hammer | None
    questions: tuple[Doubt, ...]
    not_counted: tuple[Uncounted, ...]
    at: int
    history: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Day:
    """Posts `start` ≤ n ≤ `end` count (None: no end yet), and up to `deadline` by the rule's boundary."""

    number: int = 1
    start: int = 0
    end: int | None = None
    deadline: datetime | None = None


@dataclass(slots=True)
class _Count:
    """The count under way."""

    roster: Roster
    rule: Rule
    day: Day
    moderators: frozenset[str]
    nobody_words: frozenset[str]
    alive: tuple[Slot, ...] = ()
    names: Names = field(default_factory=lambda: Names(()))
    standing: Standing = field(default_factory=Standing)
    changes: Counter[str] = field(default_factory=Counter)
    hammer: Hammer | None = None
    questions: list[Doubt] = field(default_factory=list)
    not_counted: list[Uncounted] = field(default_factory=list)


def tally(
    casts: Iterable[Cast],
    roster: Roster,
    rule: Rule,
    day: Day,
    until: int,
    moderators: frozenset[str] = frozenset(),
    fixes: Mapping[int, Fix] | None = None,
    nobody_words: frozenset[str] = NO_ELIMINATION_WORDS,
) -> Tally:
    """The count of `day` as of post `until` (that post included). `casts` in post order; `nobody_words` is
    what players may write for no elimination, squashed."""
    folded = frozenset(name.casefold() for name in moderators)
    count = _Count(roster, rule, day, folded, nobody_words)
    _people(count, day.start)
    departures = sorted({post for slot in roster.slots for post in slot.turns})
    last = min(until, day.end) if day.end is not None else until
    for cast in casts:
        if day.start <= cast.number <= last:
            _deaths(count, departures, cast.number)
            _cast(count, cast, (fixes or {}).get(cast.number))
    _deaths(count, departures, last)
    alive = len(count.alive)
    voting = count.standing.voters()
    wagons = (
        count.standing.wagon(target, count.rule.needed(alive, target)) for target in count.standing.targets()
    )
    return Tally(
        alive=alive,
        needed=count.rule.majority(alive),
        wagons=by_size(wagons),
        not_voting=tuple(slot for slot in count.alive if slot.name not in voting),
        hammer=count.hammer,
        questions=tuple(count.questions),
        not_counted=tuple(count.not_counted),
        at=last,
        history=count.standing.moves(),
    )


def _people(count: _Count, post: int) -> None:
    """Who is alive and who can be meant from `post` on."""
    count.alive = count.roster.alive_at(post)
    gone = tuple(slot for slot in count.roster.slots if not slot.alive_at(post))
    count.names = names_of(count.alive, gone, count.moderators, count.nobody_words)


def _deaths(count: _Count, departures: list[int], post: int) -> None:
    """Deaths and returns up to `post`: the dead neither vote nor are voted for; the threshold may fall under
    a wagon."""
    while departures and departures[0] <= post:
        died = departures.pop(0)
        if died > count.day.start:
            _people(count, died)
            count.standing.drop_the_dead(died)
            for target in count.standing.targets():
                _check(count, target, None, died, None)


def _cast(count: _Count, cast: Cast, fix: Fix | None) -> None:
    voter = count.roster.slot_of(cast.author)
    if fix is not None and voter is not None and not fix.count:
        # The moderator's decision takes the place of what was read in the post.
        if fix.unvote:
            count.standing.withdraw(voter.name, cast.number)
        elif fix.to is not None:
            # Whom the moderator names; a name that is nobody's must not become a vote for nobody.
            target = count.roster.slot_of(fix.to) if fix.to else None
            if fix.to and target is None:
                raise InputError(
                    f"The decision on post {fix.post} names “{fix.to}”, who is no player: correct it."
                )
            weight = count.rule.weight(voter, spends_all=False)
            _stand(count, Vote(voter, target, cast.number, fix.why, "moderator", weight, cast.time, cast.url))

        return
    for ballot in cast.ballots:
        why = None if fix else _barred(count, cast, ballot, voter)
        if why is not None:
            count.not_counted.append(_uncounted(cast, ballot, why))
        elif voter is not None:
            _apply(count, cast, ballot, voter, forced=fix is not None)


def _barred(count: _Count, cast: Cast, ballot: Ballot, voter: Slot | None) -> Why | None:
    """What keeps a ballot from counting whoever it names; the first reason that holds."""
    if ballot.region is not Region.LIVE:
        return Why(ballot.region.value)
    if cast.author.casefold() in count.moderators:
        return Why.MODERATOR_POST
    if voter is None:
        return Why.NOT_A_PLAYER
    if not voter.alive_at(cast.number):
        return Why.DEAD_VOTER
    if count.hammer is not None:
        return Why.AFTER_HAMMER
    if not count.rule.in_time(cast.time, count.day.deadline):
        return Why.LATE
    return Why.EDITED if cast.edited and count.rule.edited is Edited.VOID else None


def _uncounted(cast: Cast, ballot: Ballot, why: Why) -> Uncounted:
    return Uncounted(cast.number, cast.author, ballot.line, why, cast.url)


def _apply(count: _Count, cast: Cast, ballot: Ballot, voter: Slot, forced: bool) -> None:
    """Counts a ballot, lists it, or asks; `forced` where the moderator said that it counts."""
    if ballot.action is Action.UNVOTE:
        # Takes the votes back; of several votes only the one that is named.
        standing = count.standing.of(voter)
        if standing and not forced and _held(count, voter):
            count.not_counted.append(_uncounted(cast, ballot, Why.VOID))
        else:
            named = count.names.meant(ballot.text, voter) if len(standing) > 1 and ballot.text else None
            count.changes[voter.name] += bool(standing)
            count.standing.withdraw(
                voter.name, cast.number, named.slot if isinstance(named, Matched) else None
            )

        return
    # A double voter's “x2” is no part of the name.
    without_times = _TIMES_TWO.sub("", ballot.text) if voter.weight > 1 else ballot.text
    match count.names.meant(without_times, voter):
        case Matched(slot, rule, score):
            made = replace(_made(count, cast, ballot, voter, slot, rule), score=score)
            _vote(count, cast, ballot, made, forced)
        case NoElimination():
            _vote(count, cast, ballot, _made(count, cast, ballot, voter, None, "no_elimination"), forced)
        case Absent(_, why):
            count.not_counted.append(_uncounted(cast, ballot, Why(why.value)))
        case Unknown() if len(ballot.text.split()) > PROSE:
            count.not_counted.append(_uncounted(cast, ballot, Why.UNKNOWN_NAME))
        case Ambiguous(near) | Unknown(near):
            names = tuple(slot.name for slot in near)
            count.questions.append(Doubt(cast.number, cast.author, ballot.line, names, cast.url))


def _made(count: _Count, cast: Cast, ballot: Ballot, voter: Slot, target: Slot | None, rule: str) -> Vote:
    spends_all = voter.weight > 1 and bool(_TIMES_TWO.search(ballot.text))
    weight = count.rule.weight(voter, spends_all)
    return Vote(voter, target, cast.number, ballot.line, rule, weight, cast.time, cast.url)


def _vote(count: _Count, cast: Cast, ballot: Ballot, vote: Vote, forced: bool) -> None:
    """A vote whose target is known: the rule may still void it."""
    if any(
        mine.target == vote.target and mine.weight == vote.weight for mine in count.standing.of(vote.voter)
    ):
        return  # a repeated vote keeps its place in the wagon
    if not forced and _void(count, vote):
        count.not_counted.append(_uncounted(cast, ballot, Why.VOID))
    else:
        _stand(count, vote)


def _void(count: _Count, vote: Vote) -> bool:
    rule, mine = count.rule, count.standing.of(vote.voter)
    full = sum(max(one.weight, 1) for one in mine) >= rule.capacity(vote.voter)
    return (
        (vote.target == vote.voter and not rule.self_vote)
        or (vote.target is None and rule.no_elimination is NoElim.NO)
        or (full and rule.unvote_first)
        or (full and _held(count, vote.voter))
    )


def _held(count: _Count, voter: Slot) -> bool:
    """True where a standing vote of his may not be moved: locked, or all his changes are used."""
    rule = count.rule
    used = rule.max_changes is not None and count.changes[voter.name] >= rule.max_changes
    return used or count.day.number in rule.locked_at


def _stand(count: _Count, vote: Vote) -> None:
    before = count.standing.of(vote.voter)
    count.standing.place(vote, count.rule.capacity(vote.voter))
    count.changes[vote.voter.name] += len(count.standing.of(vote.voter)) <= len(before)
    _check(count, vote.target, vote.voter, vote.post, vote.url)


def _check(count: _Count, target: Slot | None, voter: Slot | None, post: int, url: str | None) -> None:
    if count.hammer is None and count.rule.hammers(count.day.number):
        size = count.standing.size(target)
        if size and size >= count.rule.needed(len(count.alive), target):
            count.hammer = Hammer(target, voter, post, url)


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
    if tally.hammer is not None:
        return _of(tally.hammer.target, "hammer")
    if not over:
        return None
    needed = rule.needed_at_deadline(tally.alive, sum(wagon.count for wagon in tally.wagons), day)
    if needed is None:
        return UNDECIDED
    leading = [wagon for wagon in tally.wagons if wagon.count == tally.wagons[0].count >= needed]
    if not leading:
        return NOBODY
    if len(leading) == 1:
        return _of(leading[0].target, "plurality")
    return _TIES[rule.tie](leading, _Chance(draw, classes))


@dataclass(frozen=True, slots=True)
class _Chance:
    """What a tie may need to know beside the votes."""

    draw: Rng | None
    classes: Mapping[str, TownClass] | None


def _of(target: Slot | None, how: str) -> Outcome:
    return Outcome((target,), how) if target else NOBODY


def _nobody(_leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    return NOBODY


def _ask(_leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    return UNDECIDED


def _all(leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    return Outcome(tuple(wagon.target for wagon in leading if wagon.target), "plurality")


def _first_to_reach(leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    """Who first had as many votes as now, whether or not he had fewer in between."""
    return _of(min(leading, key=lambda wagon: wagon.first).target, "plurality")


def _longest_held(leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    """Who has had as many votes as now for the longest time without a break."""
    return _of(min(leading, key=lambda wagon: wagon.since).target, "plurality")


def _random(leading: Sequence[Wagon], chance: _Chance) -> Outcome:
    if chance.draw is None:
        return UNDECIDED
    return _of(_drawn(leading, chance.draw), "plurality")


def _anti_town(leading: Sequence[Wagon], chance: _Chance) -> Outcome:
    """EM-R26: a tied no elimination wins; else power roles of the town, then vanilla, then the others."""
    if any(wagon.target is None for wagon in leading):
        return NOBODY
    if chance.draw is None or chance.classes is None:
        return UNDECIDED
    ranks = {wagon: chance.classes[wagon.target.name].value for wagon in leading if wagon.target}
    worst = min(ranks.values())
    return _of(_drawn([wagon for wagon in leading if ranks[wagon] == worst], chance.draw), "plurality")


def _drawn(leading: Sequence[Wagon], draw: Rng) -> Slot | None:
    """One of them by the seed; the order of the wagons plays no part."""
    names = sorted(wagon.target.name if wagon.target else "" for wagon in leading)
    chosen = draw.choice("vote.tie", names)
    return next(wagon.target for wagon in leading if (wagon.target.name if wagon.target else "") == chosen)


_TIES: Mapping[Tie, Callable[[Sequence[Wagon], _Chance], Outcome]] = {
    Tie.NO_ELIMINATION: _nobody,
    Tie.RANDOM: _random,
    Tie.FIRST_TO_REACH: _first_to_reach,
    Tie.LONGEST_HELD: _longest_held,
    Tie.ANTI_TOWN: _anti_town,
    Tie.ALL: _all,
    Tie.ASK: _ask,
}


@dataclass(frozen=True, slots=True)
class Change:
    """A voter's votes then and now; `post` is where the last of it happened. Empty: he did not vote."""

    voter: Slot
    before: tuple[Slot | None, ...]
    now: tuple[Slot | None, ...]
    post: int


def changes_since(history: Iterable[Move], post: int) -> tuple[Change, ...]:
    """Whose votes stand otherwise than at `post`, in the order of their last moves.

    Who went to and fro and votes as before has not changed.
    """
    then, now, last = _empty(), _empty(), dict[str, int]()
    for move in history:
        _apply_move(now, move)
        if move.post <= post:
            _apply_move(then, move)
        else:
            last.pop(move.vote.voter.name, None)
            last[move.vote.voter.name] = move.post
    voters = {vote.voter.name: vote.voter for votes in (then, now) for vote in votes.values()}
    pairs = ((voters.get(name), _targets(then, name), _targets(now, name), at) for name, at in last.items())
    return tuple(
        Change(voter, before, after, at)
        for voter, before, after, at in pairs
        if voter is not None and before != after
    )


def _empty() -> dict[tuple[str, str | None], Vote]:
    return {}


def _apply_move(votes: dict[tuple[str, str | None], Vote], move: Move) -> None:
    key = (move.vote.voter.name, move.vote.target.name if move.vote.target else None)
    if move.joined:
        votes[key] = move.vote
    else:
        votes.pop(key, None)


def _targets(votes: dict[tuple[str, str | None], Vote], voter: str) -> tuple[Slot | None, ...]:
    return tuple(vote.target for (name, _), vote in votes.items() if name == voter)
