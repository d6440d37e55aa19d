"""Until when a day goes where no game file says it: by the moderators' own posts, each from its post on.

`stated` are the ends of a day that its thread tells, `ending_of` sorts the votes of a day by them: those that
are late, and those of which nobody can tell it. What a day's end was told to be and no vote came near is
nobody's question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from knightfall.models import UNKNOWN_ZONE, Post
from knightfall.reading.deadlines import NEVER, Until, Zones, moved_by, untils
from knightfall.sentence import Sentence, Way, sentence
from knightfall.votes.config import DEADLINE, NOT, DaySetup
from knightfall.votes.moderator_posts import Told
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Tally
from knightfall.votes.thread_read import PLAYING, ThreadRead

_FARTHEST = timedelta(hours=14)
"""So far a clock of a board whose zone nobody knows is from UTC."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The end of a day as it stands from post `post` on, by its `words`: from `earliest` to `latest` (None:
    nobody tells). `spanned`: it is counted from the time of the post, by whatever clock."""

    post: int
    words: str
    earliest: datetime
    latest: datetime | None
    spanned: bool = False

    @property
    def sure(self) -> bool:
        """Whether it is an instant."""
        return self.earliest == self.latest


@dataclass(frozen=True, slots=True)
class Ending:
    """How a day ends by its thread: with the post that `called` time. The votes of the posts `late` do not
    count, of those of `unsure` nobody can tell whether they do."""

    called: int | None = None
    late: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()
    said: tuple[Sentence | str, ...] = ()


@lru_cache(maxsize=2048)
def _untils(lines: tuple[str, ...], at: datetime, usual: Zones, clock: Zones) -> tuple[Until, ...]:
    return tuple(untils(lines, at, usual, clock))


def stated(
    thread: ThreadRead,
    posts: Mapping[int, Post],
    number: int,
    zone: tzinfo | None,
    night: bool = False,
    now: datetime | None = None,
) -> tuple[Stated, ...]:
    """The ends of a day, or of the `night` behind it, by the moderators' posts, in their order, as each
    stands from its post on. `zone` is that of a time that names none (None: that which was named last);
    `now` is when a post was written that shows no time (None: it tells nothing)."""
    found: list[Stated] = []
    usual: Zones = None if zone is None else (zone,)
    for one, here in _told_of(thread, number, night):
        post = posts.get(one.post)
        at = None if post is None else post.time or now
        if post is None or at is None:
            continue
        clock = _clock_of(post)
        read = _untils(one.lines, at, usual, clock)
        usual = usual if zone is not None else next((each.zones for each in read if each.zones), usual)
        said = _of_phase(read, number, night, here)
        edited = post.edited if any(each.spanned for each in said) else None
        if edited is not None:
            # Counted from the edit, or from the time of the post.
            again = _of_phase(_untils(one.lines, edited, usual, clock), number, night, here)
            said += [each for each in again if each.spanned]
        found += _standing(one.post, said, found, apart=edited is not None)
    return tuple(found)


def _clock_of(post: Post) -> Zones:
    """The zone in which a board shows its times where a post is; None where the page does not tell it."""
    if post.zone is None:
        return None
    return (UTC,) if post.zone == UNKNOWN_ZONE else (zone,) if (zone := _zone_named(post.zone)) else None


def _zone_named(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None


def _told_of(thread: ThreadRead, number: int, night: bool) -> Iterator[tuple[Told, bool]]:
    """The posts of the moderators, each with whether what names no day is said of this one there."""
    day = thread.day(number)
    first = number == thread.days[0].number and not night
    seen: set[int] = set()
    for one in thread.told:
        if one.post not in seen:
            seen.add(one.post)
            own = day is not None and one in day.told
            behind = day is not None and day.ended is not None and one.post >= day.ended
            yield one, (own and behind is night) or (first and one.post == thread.opening.post)


def _of_phase(said: Iterable[Until], number: int, night: bool, here: bool) -> list[Until]:
    """What is said of a day, or of a night; where no number is named, in a post of it."""
    return [
        one
        for one in said
        if one.night in (None, night) and (one.day == number or (one.day is None and here))
    ]


def _standing(
    post: int, said: Sequence[Until], before: Sequence[Stated], apart: bool = False
) -> Iterator[Stated]:
    """What stands by a post behind what stood; `apart`: what it says is two readings of one sentence."""
    if not said:
        return
    last = before[-1] if before else None
    instants = [
        Stated(post, one.words, one.earliest, one.latest, one.spanned)
        for one in said
        if one.earliest is not None
    ]
    if not instants:
        if last is None or (last.earliest == NEVER and not said[0].stands_still):
            return  # what is moved is not known
        known = (last.earliest, last.latest)
        again = any(one.words == said[0].words for one in before)
        for one in said[:1]:
            earliest, latest = moved_by(one, known)
            # Said again it is the same extension, or another one.
            begin = min(known[0], earliest) if again else earliest
            yield Stated(post, one.words, begin, latest, last.spanned)
        return
    here: Stated | None = None
    for new in instants:
        here = new if here is None else _both(here, new, join=apart)
    moved = any(one.moves for one in said)
    if here is not None:
        yield here if last is None or moved or _later(here, last) else _both(here, last)


def _later(one: Stated, other: Stated) -> bool:
    """Whether it ends later in every reading, or the other never."""
    return other.earliest == NEVER or (other.latest is not None and one.earliest > other.latest)


def _both(one: Stated, other: Stated, join: bool = False) -> Stated:
    """What two statements leave possible: when both can be, else from the earlier to the later."""
    open_ = [each.latest for each in (one, other) if each.latest is not None]
    begin, end = max(one.earliest, other.earliest), min(open_, default=None)
    if not join and (end is None or begin <= end):
        return replace(one, earliest=begin, latest=end)
    last = None if len(open_) < 2 else max(open_)
    return replace(one, earliest=min(one.earliest, other.earliest), latest=last)


def ending_of(
    thread: ThreadRead,
    posts: Sequence[Post],
    day: tuple[int, int, int | None],
    rule: Rule,
    zone: tzinfo | None,
    answers: Sequence[str] = (),
) -> Ending:
    """How a day (number, first post, first post of the next one) ends by its thread. `answers` are those
    about the house: whether votes behind what the moderators told are late. Without `posts` only a post that
    calls time ends it."""
    number, start, after = day
    called = thread.time_called(number)
    said: list[Sentence | str] = [] if called is None else [*thread.said_of_late(called, after)]
    if not posts or f"{NOT}{DEADLINE}" in answers:
        return Ending(called, said=tuple(said))
    by_number = {post.number: post for post in posts}
    begun = by_number[start].time if start in by_number else None
    told = [
        one
        for one in stated(thread, by_number, number, zone)
        if begun is None or one.latest is None or one.latest > begun
    ]
    last = min(one for one in (after, (called or posts[-1].number) + 1, posts[-1].number + 1) if one)
    late: dict[Stated, list[int]] = {}
    unsure: dict[Stated, list[int]] = {}
    for post in (by_number[place] for place in sorted(thread.voters) if start <= place < last):
        stands = next((one for one in reversed(told) if one.post < post.number), None)
        if stands is None or post.time is None:
            continue
        slack = _FARTHEST if post.zone == UNKNOWN_ZONE and not stands.spanned else timedelta()
        if stands.earliest == NEVER:
            continue
        if stands.latest is not None and post.time - slack >= rule.closes(stands.latest):
            resumed = _went_on(thread, by_number, stands, post.number)
            (unsure if resumed else late).setdefault(stands, []).append(post.number)
        elif post.time + slack >= rule.closes(stands.earliest):
            unsure.setdefault(stands, []).append(post.number)
    for stands, places in [*late.items()]:
        if len({thread.voters[place] for place in places}) >= PLAYING:
            unsure[stands] = sorted([*unsure.get(stands, ()), *late.pop(stands)])
    if DEADLINE in answers:
        for stands, places in unsure.items():
            late[stands] = sorted([*late.get(stands, ()), *places])
        unsure = {}
    said += [_late_sentence(stands, places, thread) for stands, places in late.items()]
    said += [_unsure_sentence(stands, places, thread) for stands, places in unsure.items()]
    return Ending(
        called,
        frozenset(place for places in late.values() for place in places),
        frozenset(place for places in unsure.values() for place in places),
        tuple(said),
    )


def _went_on(thread: ThreadRead, posts: Mapping[int, Post], stands: Stated, until: int) -> bool:
    """Whether a moderator wrote behind an end of the day, and did not end it."""
    closing = {day.ended for day in thread.days}
    for one in thread.told_since:
        post = posts.get(one.post)
        if post is None or post.time is None or stands.latest is None or one.post in closing:
            continue
        if stands.post < one.post < until and post.time >= stands.latest:
            return True
    return False


_SHOWN = 160


def _quoted(one: Stated) -> str:
    return one.words if len(one.words) <= _SHOWN else f"{one.words[:_SHOWN].rstrip()}…"


def _people(places: Sequence[int], thread: ThreadRead) -> str:
    return ", ".join(f"{thread.voters[place]} #{place}" for place in places)


def _late_sentence(one: Stated, places: Sequence[int], thread: ThreadRead) -> Sentence:
    return sentence(
        "Post #{post} says: “{said}” Votes behind that do not count: {people}. If they do: {answer}",
        post=one.post,
        said=_quoted(one),
        people=_people(places, thread),
        answer=Way("say_house", word=f"{NOT}{DEADLINE}"),
    )


def _unsure_sentence(one: Stated, places: Sequence[int], thread: ThreadRead) -> Sentence:
    return sentence(
        "Post #{post} says: “{said}” It is not sure when that is, or whether it held, so these votes count "
        "and may be too late: {people}. If they are: {late}. If none is: {counts}",
        post=one.post,
        said=_quoted(one),
        people=_people(places, thread),
        late=Way("say_house", word=DEADLINE),
        counts=Way("say_house", word=f"{NOT}{DEADLINE}"),
    )


def late_hammer(counted: Tally, day: Day, thread: ThreadRead) -> Iterator[str]:
    """Why a hammer is not claimed that may have come too late; where a moderator's post behind it tells that
    it eliminated whom it was for, it came in time."""
    hammer, told = counted.hammer, thread.day(day.number)
    if hammer is None or hammer.post not in day.unsure:
        return
    names = set(hammer.target.names) if hammer.target is not None else set[str]()
    later = (one for one in (told.told if told else ()) if one.post > hammer.post)
    if all(names.isdisjoint(one.eliminated(day.number)) for one in later):
        yield f"Whether post #{hammer.post} is the hammer depends on whether it came in time."


def left_behind(
    given: DaySetup | None, after: int | None, posts: Sequence[Post], moderators: Sequence[str]
) -> Iterator[str]:
    """The sentence where players wrote behind the last post of a day that is not closed."""
    if given is None or given.closed or given.end is None or after is not None:
        return
    own = {name.casefold() for name in moderators}
    later = [post for post in posts if post.number > given.end and post.author.casefold() not in own]
    if later:
        said = "1 later post does" if len(later) == 1 else f"{len(later)} later posts do"
        yield f"Day {given.number} was locked after post #{given.end}: {said} not count."
