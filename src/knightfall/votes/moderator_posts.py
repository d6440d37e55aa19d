"""What the moderator's own posts tell: which day runs, when it began and ended, how many live, who died.

`told_by` reads one post. `days_told` walks through what all of them tell and finds the days of the thread; a
day that nobody opens by name is found by what has changed: fewer live, fewer votes are needed, the votecounts
have a new number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import Link, Nodes
from knightfall.models import Post, Slot
from knightfall.names import Names, fold
from knightfall.reading.clauses import clauses_of
from knightfall.reading.house_rules import Subject
from knightfall.reading.rows import living_listed
from knightfall.reading.statements import (
    Alive,
    Cause,
    Dead,
    Decided,
    GoesOn,
    Needed,
    Phase,
    Replaced,
    Revived,
    Spared,
    Statement,
    When,
    statements,
)
from knightfall.votes.ballots import Region
from knightfall.votes.house import Saying, sayings
from knightfall.votes.lines import lines_of, without_raw_tags
from knightfall.votes.posted_votecounts import PostedVotecount, PostedWagon, posted_votecount

# ---- One post


@dataclass(frozen=True)
class Told:
    """What one post of a moderator tells: its statements in their order, the votecount that it holds, and its
    words.

    `roll` are all who live, where it lists them, `rulings` the sentences by which
    votes do not count, `lines` all that its author says in their own words, `address` its first link.
    """

    post: int
    statements: tuple[Statement, ...] = ()
    roll: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    count: PostedVotecount | None = None
    lines: tuple[str, ...] = ()
    subjects: frozenset[str] = frozenset()
    """Whose names begin its sentences."""
    named: frozenset[str] = frozenset()
    """Who is named in its sentences."""
    address: str = ""
    silent: bool = field(default=False, compare=False)
    """What it states of the day that it ends is over: a count of an earlier day, or the opening of the
    next."""

    def sayings(self, names: Names) -> tuple[Saying, ...]:
        """What it states of the rules of the house; that votes are made elsewhere with its first link."""
        return tuple(
            replace(one, value=self.address) if one.subject is Subject.ELSEWHERE else one
            for one in sayings(self.lines, names)
        )

    @cached_property
    def alive(self) -> int | None:
        """How many live, as it says."""
        return (
            None
            if self.silent
            else next((one.number for one in self.statements if isinstance(one, Alive)), None)
        )

    @cached_property
    def needed(self) -> int | None:
        """How many votes eliminate, as it says; not more than live."""
        if self.silent:
            return None
        found = (one.number for one in self.statements if isinstance(one, Needed) and not one.for_nobody)
        needed = next(found, None)
        return None if needed is not None and self.alive is not None and needed > self.alive else needed

    @cached_property
    def fewer_for_nobody(self) -> bool:
        """Whether it tells that no elimination takes fewer votes."""
        nobody = (one.number for one in self.statements if isinstance(one, Needed) and one.for_nobody)
        return min(nobody, default=99) < (self.needed or 0) or any(map(_HALF_FOR_NOBODY.search, self.lines))

    @cached_property
    def deaths(self) -> tuple[Dead, ...]:
        """All that it tells of who died."""
        return tuple(one for one in self.statements if isinstance(one, Dead))

    @cached_property
    def revived(self) -> frozenset[str]:
        """Who lives again by it."""
        return frozenset(name for one in self.statements if isinstance(one, Revived) for name in one.who)

    @cached_property
    def replaced(self) -> tuple[Replaced, ...]:
        """Who replaced whom by it."""
        return tuple(one for one in self.statements if isinstance(one, Replaced))

    @cached_property
    def closes(self) -> bool:
        """Whether it tells the end of a day."""
        goes_on = any(isinstance(one, GoesOn) for one in self.statements)
        return not self.silent and not goes_on and any(map(_closes, self.statements))

    @property
    def calls_time(self) -> bool:
        """Whether it tells that the time for votes is up."""
        return any(isinstance(one, Decided) and one.timed for one in self.statements)

    @cached_property
    def wakes(self) -> bool:
        """Whether it tells what a night has brought."""
        return any(
            (isinstance(one, Dead | Spared) and one.cause is Cause.KILLED)
            or (isinstance(one, When) and one.night and one.phase is Phase.ENDED)
            for one in self.statements
        )

    @property
    def begins_night(self) -> bool:
        """Whether a night begins by it."""
        nights = (one for one in self.statements if isinstance(one, When) and one.night)
        return any(one.phase in _OPENS for one in nights)

    def opens(self, after: int) -> int | None:
        """The first day later than `after` that it opens by name; the deadline of a day opens it, but in a
        votecount."""
        days = (one for one in self.statements if isinstance(one, When) and not one.night)
        begun = (
            one.number
            for one in days
            if one.phase in _OPENS or (one.phase is Phase.RUNS and not self.has_votes)
        )
        return next((one for one in begun if one is not None and after < one <= after + MOST_SKIPPED), None)

    @property
    def turns(self) -> bool:
        """Whether it ends or opens a day, tells of a death, or of how many are left beside a votecount."""
        left = self.alive is not None and not self.has_votes
        return self.opens(0) is not None or self.closes or self.wakes or bool(self.deaths) or left

    def dead(self, sure: bool = False) -> frozenset[str]:
        """Of whom it tells that they died; `sure`: by a sentence of their own with their whole names."""
        return frozenset(name for one in self.deaths if one.sure or not sure for name in one.who)

    def spared(self, cause: Cause | None = None) -> bool:
        """Whether it tells that nobody died, or was eliminated."""
        found = (one for one in self.statements if isinstance(one, Spared))
        return any(cause is None or one.cause is cause for one in found)

    @property
    def living(self) -> int | None:
        """How many live by this post: as it says, else as many as its votecount lists."""
        if self.alive is not None or self.count is None or not self.lists_all:
            return self.alive
        return self.count.people

    @property
    def lists_all(self) -> bool:
        """Whether its votecount lists everybody who lives, by all the numbers that it states."""
        count = self.count
        if count is None:
            return False
        if self.alive is None and self.needed is not None and count.people // 2 + 1 != self.needed:
            return False
        return count.whole

    @property
    def has_votes(self) -> bool:
        """Whether its votecount lists votes."""
        return self.count is not None and any(row.voters and not row.idle for row in self.count.rows)

    def eliminated(self, day: int) -> frozenset[str]:
        """Whom it tells eliminated, on that day where it tells a day."""
        voted = (one for one in self.deaths if one.cause is Cause.VOTE and one.day in (None, day))
        return frozenset(name for one in voted for name in one.who)

    def hammered(self, needed: int | None) -> bool:
        """Whether its votecount has a wagon of as many votes as it takes."""
        return bool(self.full_wagons(needed))

    def full_wagons(self, needed: int | None) -> tuple[PostedWagon, ...]:
        """The wagons of its votecount with as many votes as it takes."""
        if self.count is None:
            return ()
        enough = self.count.people // 2 + 1 if self.lists_all else self.needed if needed is None else needed
        if enough is None:
            return ()  # nothing tells how many it takes
        wagons = (row for row in self.count.rows if not row.idle)
        return tuple(row for row in wagons if row.size >= enough > 1)

    def said_before(self) -> Told:
        """The same without what it states of the day that is over."""
        return replace(self, count=None, silent=True)


MOST_SKIPPED = 4
"""A day so many numbers later than the last is none of this game."""
_OPENS = frozenset((Phase.TITLE, Phase.BEGINS))


def _closes(one: Statement) -> bool:
    match one:
        case Decided():
            return True
        case Dead(cause=Cause.VOTE) | Spared(cause=Cause.VOTE):
            return True
        case When(night=True, phase=Phase.TITLE | Phase.BEGINS | Phase.RUNS):
            return True
        case When(night=False, phase=Phase.ENDED):
            return True
    return False


def newcomer(pair: Replaced) -> str:
    """The new name of a replacement, if it is one, of somebody who has not posted yet; "" for other words."""
    name = pair.new.strip(" *@")
    return name if _NAME.fullmatch(name) and fold(name.split()[0]) not in _NO_NEWCOMER else ""


# “Hilde”, “new_one7”; not “somebody new”, “the next in line”.
_NAME = re.compile(r"[^\W_a-z][\w'’.&-]*(?:\s[^\W_a-z][\w'’.&-]*)?|\w*[\d_]\w*")
_NO_NEWCOMER = frozenset(
    {"somebody", "someone", "a", "an", "the", "whoever", "who", "this", "he", "she", "they", "we", "i"}
)
# “Ada's vote in post 12 did not count”, “all votes are reset”, “I do not count that vote of Ada's”.
_RULING = re.compile(
    r"\bvot(?:e|es|ing)\b[^.]{0,60}?(?:(?:\bnot\b|n['’]t\b)[^.]{0,20}\bcount"
    r"|\b(?:void|invalid|discounted|disregarded|discarded|reset|cleared|ignored|nullified|removed|struck|stricken|voided|annulled|erased)\b)"
    r"|(?:(?:\bnot\b|n['’]t\b)\scount(?:ing|ed)?|\b(?:discount|void|ignor|reset|clear|remov)(?:e|es|ed|ing|ting)?)\b"
    r"[^.]{0,40}\bvotes?\b",
    re.IGNORECASE,
)
_NO_ELIMINATION = r"no[\s-]?(?:lynch|elim\w*|execut\w*|hammer)"
_HALF = (
    r"(?<!more\sthan\s)(?<!fewer\sthan\s)(?<!less\sthan\s)(?<!over\s)(?<!under\s)(?<!below\s)"
    r"(?:\bhalf\b|\b50\s?%(?!\s?\+)|\bone\s(?:vote\s)?(?:fewer|less)\b|\b1\s(?:vote\s)?(?:fewer|less)\b)"
)
_NOT = r"(?:(?!\bnot?\b|n['’]t\b|\bwithout\b|\bplus\b|\+|\bdeadline\b|[.;])[^.;])"
# “Half of the players vote for a no lynch”, “one vote fewer for no elimination”; “a no lynch needs 50 %”. Not
# “more than half”, “if half of you have not voted, there is no lynch”.
_HALF_FOR_NOBODY = re.compile(
    rf"{_HALF}{_NOT}{{0,60}}?(?:\bvot\w*|\bfor\b|\bto\b)(?:(?!,){_NOT}){{0,30}}?\b{_NO_ELIMINATION}"
    rf"|\b{_NO_ELIMINATION}{_NOT}{{0,30}}?\b(?:needs?|requires?|takes?|only|with|if|when){_NOT}{{0,40}}?{_HALF}",
    re.IGNORECASE,
)


def told_by(post: Post, html_style: HtmlStyle, names: Names) -> Told:
    """What a moderator's post tells; `names` are those of all who may be listed in a votecount."""
    nodes = parse_html(post.body, html_style)
    lines = without_raw_tags(own_words(nodes))
    read = clauses_of(lines, names)
    stated, roll = statements(read), living_listed(read)
    alive = next((one.number for one in stated if isinstance(one, Alive)), len(roll))
    return Told(
        post.number,
        stated,
        roll if alive == len(roll) else (),
        tuple(said for line in read for clause in line if _RULING.search(said := clause.text)),
        posted_votecount(post.number, post.author, nodes, names, post.url),
        tuple(lines),
        frozenset(name for line in read for clause in line for name in clause.subject),
        frozenset(name for line in read for clause in line for name in clause.people()),
        next(_addresses(nodes), ""),
    )


def own_words(nodes: Nodes) -> list[str]:
    """What the author says in their own words, spoilers included, line by line."""
    asides = (Region.QUOTED, Region.STRUCK, Region.SIGNATURE)
    lines = lines_of(nodes, asides=True, rows=True)
    return [line.text.strip() for line in lines if line.region not in asides]


def _addresses(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Link):
            yield node.url
        yield from _addresses(getattr(node, "children", ()))


def denies(post: Post, html_style: HtmlStyle, day: int, target: Slot) -> bool:
    """Whether a moderator's post says that day `day` has eliminated nobody, and does not tell that `target`
    died all the same."""
    names = Names([target])
    lines = own_words(parse_html(post.body, html_style))
    told = statements(clauses_of(lines, names))
    if any(isinstance(one, Dead) for one in told):
        return False
    spared = (one for one in told if isinstance(one, Spared) and one.cause is Cause.VOTE)
    return any(one.day in (None, day) and not _OF_BEFORE.search(one.words) for one in spared)


_OF_BEFORE = re.compile(r"\b(?:yesterday|gestern|ayer|hier|wczoraj|ontem)\b", re.IGNORECASE)


# ---- The days


@dataclass(frozen=True, slots=True)
class DayTold:
    """A day of the thread: it is counted from post `start`; `told` is what the moderator's posts in it tell,
    up to the one that ends it, `ended`. `doubt` says why the start is not sure; "" where it is."""

    number: int
    start: int
    told: tuple[Told, ...] = ()
    ended: int | None = None
    doubt: str = ""

    @property
    def opened(self) -> int:
        """The post that opens it, by what it tells; the start where none does."""
        told = (one.post for one in self.told if one.opens(0) == self.number or one.wakes or one.deaths)
        return next(told, self.start)

    def ends_behind(self, post: int) -> bool:
        """Whether it ended behind a post, or told something there."""
        return (self.ended or self.start) > post or any(one.post > post for one in self.told)

    def running(self, until: int) -> tuple[Told, ...]:
        """What was told while the day ran, as far as post `until`."""
        return tuple(one for one in self.told if one.post <= until and one.post != self.ended)

    def stated(self, until: int) -> Told | None:
        """The last post by then that states how many live."""
        return next((one for one in reversed(self.running(until)) if one.alive is not None), None)

    def thresholds(self, until: int) -> tuple[int, ...]:
        """The numbers of votes needed that were stated by then, in order."""
        return tuple(one.needed for one in self.running(until) if one.needed is not None)

    def threshold(self, until: int) -> Told | None:
        """The last post by then that states how many votes are needed."""
        return next((one for one in reversed(self.running(until)) if one.needed is not None), None)

    def counts_taking(self, needed: int, until: int) -> int:
        """How many votecounts by then state that it takes so many votes."""
        return sum(one.count is not None and one.needed == needed for one in self.running(until))

    def stated_at_end(self, until: int) -> int | None:
        """How many lived by the post that ended the day, where its full wagon is as large as it says it
        takes: it speaks of this day and not of the next."""
        last = next((one for one in self.told if one.post == self.ended and one.post <= until), None)
        if last is None or last.alive is None or last.needed is None or last.needed != last.alive // 2 + 1:
            return None
        sizes = {row.size for row in last.full_wagons(last.needed)}
        return last.alive if sizes == {last.needed} else None

    def hammered(self, since: int) -> tuple[str, ...]:
        """Whom the votecount that ended the day, in a post behind `since`, shows eliminated."""
        last = next((one for one in self.told if one.post == self.ended and one.post > since), None)
        if last is None:
            return ()
        needed = self.thresholds(last.post)[-1:]
        wagons = last.full_wagons(needed[0] if needed else None)
        return tuple(row.target.name for row in wagons if row.target is not None)


def days_told(
    told: Iterable[Told],
    others: Sequence[int],
    voters: Mapping[int, str],
    opening: Told,
    buried: Mapping[str, int] = MappingProxyType({}),
) -> tuple[DayTold, ...]:
    """The days of a thread by its `opening` post and what is `told` behind it. `others` are the numbers of
    all posts that no moderator wrote, in order; `voters` tells who wrote each of them that holds a vote: a
    day begins only after somebody played in the one before. `buried` are those whom the list of players has
    as dead, each with their last day."""
    later = [*told]
    # A thread may begin in the middle of its game; but an opening post may also have been edited since.
    begun = opening.opens(1) if opening.living is not None or opening.roll or buried else None
    if begun is not None:
        dead = {name for name, day in buried.items() if day < begun}
        dead.update(
            name for one in later for death in one.deaths if (death.day or 99) < begun for name in death.who
        )
        earlier = any((number := one.opens(0)) is not None and number <= begun for one in later)
        if earlier or not dead.isdisjoint(voters.values()):
            begun = None  # who died before that day voted in this thread
    walk = _Walk(others, voters, opening, begun or 1)
    for one in later:
        walk.take(one)
    return walk.found()


class _Walk:
    """The walk through the moderator's posts: the day that runs, and the post that seems to end it."""

    def __init__(self, others: Sequence[int], voters: Mapping[int, str], opening: Told, first: int) -> None:
        self.others = others
        self.votes = sorted(voters.items())
        self.days = [DayTold(first, opening.post)]
        self._begin()

    def _begin(self) -> None:
        self.told: list[Told] = []
        self.ended: Told | None = None
        self.sure = False
        """The post that seems to end the day has a full wagon."""
        self.living: int | None = None
        self.needed: int | None = None

    def found(self) -> tuple[DayTold, ...]:
        """The days so far."""
        self._file()
        return tuple(self.days)

    def _file(self) -> None:
        ended = self.ended.post if self.ended else None
        self.days[-1] = replace(self.days[-1], told=tuple(self.told), ended=ended)

    def take(self, one: Told) -> None:
        """The next post of a moderator."""
        number = self.days[-1].number
        if one.count and one.count.day and one.count.day < number and one.opens(number) is None:
            one = one.said_before()  # a count of an earlier day, posted again
        begun = self._begun_by(one)
        if begun is not None:
            self._file()
            self.days.append(begun)
            self._begin()
        elif self._opens_first(one):
            number = one.opens(0) or 1
            self.days[-1] = replace(self.days[-1], number=number, start=one.post)
        elif self.ended and not self.sure and one.count and one.living == self.living and self._resumed(one):
            self.ended = None  # the same players vote on: the day had not ended

        if begun is not None and begun.start > one.post:
            # The post belongs to the day that it ends; what it states holds from now on.
            self.days[-2] = replace(self.days[-2], told=(*self.days[-2].told, one), ended=one.post)
            one = replace(one, count=None)
        full = one.hammered(self.needed)
        ends = (one.closes and begun is None) or full
        if self.ended is None and ends and self._voted(self.days[-1].start - 1, one.post) > 1:
            self.ended = one
        self.sure = self.sure or (self.ended is not None and full)
        self.told.append(one)
        self.living = self.living if one.living is None else one.living
        self.needed = self.needed if one.needed is None else one.needed

    def _opens_first(self, one: Told) -> bool:
        """Whether the first day opens with this post, and is no votecount of it: nobody plays it yet."""
        early = len(self.days) == 1 and not any(before.count for before in self.told)
        played = self._voted(self.days[0].start - 1, one.post) > 1
        day = one.opens(0)
        return day in (1, self.days[0].number) and early and not played and not one.has_votes

    def _begun_by(self, one: Told) -> DayTold | None:
        """The day that has begun by this post; None where the same one runs."""
        day, ended = self.days[-1], self.ended
        following = day.number + 1
        if bisect_left(self.others, one.post) == bisect_left(self.others, day.start) and ended is None:
            return None  # nobody has posted since it began
        titled = one.count.day if one.count else None
        full = one.hammered(self.needed)

        # It says so. Where it tells the end of the day before as well, the new one begins behind it.
        opens = one.opens(day.number)
        if opens is not None:
            ends_too = (ended is None or self._resumed(one)) and (full or one.closes)
            bare = one.living is None and one.needed is None and not one.roll
            skipped = opens > following and ended is None and bare
            doubt = f"Post #{one.post} seems to open day {opens}, behind day {day.number}." if skipped else ""
            return DayTold(opens, one.post + ends_too, doubt=doubt)

        # Its votecount has the number of a later day.
        if self._voted(day.start - 1, one.post) < 2:
            return None
        if titled is not None and (titled == following or (titled > day.number and ended)):
            if not one.has_votes:
                return DayTold(titled, one.post)
            if ended:
                return DayTold(titled, ended.post + 1)
            since = max((before.post for before in self.told), default=day.start)
            doubt = f"The votecount in post #{one.post} is of day {titled}, and no post opens that day."
            return DayTold(titled, since + 1, doubt=doubt)

        # After the end of the day: fewer live or are needed, the morning is told, or another count is posted.
        shrank = one.living is not None and self.living is not None and one.living < self.living
        fewer = one.needed is not None and self.needed is not None and one.needed < self.needed
        if ended is not None and titled != day.number:
            resumed = self._resumed(one)
            morning = one.wakes and not resumed and not one.closes
            if shrank or fewer or morning or (self.sure and resumed and one.count is not None):
                return DayTold(following, ended.post + 1 if one.has_votes or resumed else one.post)

        # The post that ends the day states what the next one takes: there is no night between.
        return DayTold(following, one.post + 1) if full and fewer else None

    def _voted(self, after: int, before: int) -> int:
        """How many people voted between two posts."""
        return len({who for post, who in self.votes if after < post < before})

    def _resumed(self, one: Told) -> bool:
        """Whether several have voted since the day seemed to end."""
        return self.ended is not None and self._voted(self.ended.post, one.post) > 2
