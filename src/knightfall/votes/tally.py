"""What do the ballots of a day add up to, and why?

Ballots + roster + rule → Tally. Ballots are applied in document order; each ends as the voter's standing
vote, as a question to the moderator, or as not counted with its reason. Post numbers are the clock.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum

from knightfall.core.roster import Roster, Slot
from knightfall.errors import InputError
from knightfall.votes.ballots import Action, Ballot, Cast
from knightfall.votes.election import Edited, NoElim, Rule
from knightfall.votes.lines import Region
from knightfall.votes.meanings import Absent, Ambiguous, Matched, NoElimination, Unknown
from knightfall.votes.names import NO_ELIMINATION_WORDS, Names, names_of
from knightfall.votes.standing import Move, Standing, Vote, Wagon, by_size

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
