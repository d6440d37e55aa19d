"""Who posts how much, who is silent since when, and who is due a prod?

A slot counts as one whoever holds it; the clock of a newcomer runs from the post that he came with, that of
everybody else at the earliest from the post that opens the game's first day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from knightfall.app.count.moments import parse_at
from knightfall.app.count.vc import Wanted, thread_asked
from knightfall.app.ports import Ports, Progress
from knightfall.app.reading.habits import habits_of
from knightfall.app.reading.read import Link, Source
from knightfall.core.roster import Holder, Slot
from knightfall.core.silence import Pauses, Prod, ProdRule, Standing, State, standing
from knightfall.errors import InputError, TimeError
from knightfall.posts import Post, Thread
from knightfall.setups.setup import Setup
from knightfall.votes.config import Ask
from knightfall.votes.count import standing_on
from knightfall.votes.tally import Day


@dataclass(frozen=True, slots=True)
class Row:
    """A living slot by the name of its holder: posts per day as in `Activity.days`, his last post (None where
    the present holder has none) and how he stands; `approximate` where a time behind it is."""

    name: str
    posts: tuple[int, ...]
    last: Post | None
    standing: Standing
    approximate: bool

    @property
    def total(self) -> int:
        """The posts of all days."""
        return sum(self.posts)


@dataclass(frozen=True, slots=True)
class Activity:
    """The living slots in list order as of `now` (None: post `at` has no time)."""

    title: str
    at: Post
    now: datetime | None
    zone: ZoneInfo
    rule: ProdRule
    days: tuple[int, ...]
    rows: tuple[Row, ...]
    told: tuple[str, ...] = ()
    """What was assumed, one sentence each."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was posted up to the moment that is asked for, and what the game says about it."""

    posts: tuple[Post, ...]
    authors: Mapping[str, Sequence[Post]]
    days: tuple[Day, ...]
    moderators: frozenset[str]
    now: datetime | None
    approximate: bool
    setup: Setup
    zone: ZoneInfo

    @property
    def until(self) -> int:
        return self.posts[-1].number

    @property
    def start(self) -> int:
        return min(day.start for day in self.days)

    def by(self, slot: Slot) -> list[Post]:
        """What was posted from the first day on under any name of the slot."""
        names, start = {name.casefold() for name in slot.names}, self.start
        own = (post for name in names for post in self.authors.get(name, ()) if post.number >= start)
        return sorted(own, key=lambda post: post.number)

    def pauses(self, slot: Slot) -> Pauses:
        absences = [one for name, announced in self.setup.v_la if name in slot.names for one in announced]
        return Pauses(self.zone, self.setup.prods.skip_weekends, tuple(absences))

    def first_from(self, number: int) -> Post | None:
        return next((post for post in self.posts if post.number >= number), None)


def activity(
    wanted: Wanted, ports: Ports, progress: Progress | None = None, prods: tuple[Prod, ...] = ()
) -> Activity:
    """The activity that is asked for. Raises what counting raises, and TimeError where the game's rule speaks
    of days and the file names no zone."""
    filed, source, thread = thread_asked(wanted, ports, progress)
    setup = filed or Setup("no game file")
    ask = parse_at(wanted.at, setup.zone)
    found = measured(thread, setup, ask, ports.clock.now(), prods)
    return replace(found, told=(*found.told, *_stale(source, ask, found, thread)))


def due_names(found: Activity) -> tuple[str, ...]:
    """Who is due a prod, in list order."""
    return tuple(row.name for row in found.rows if row.standing.state is State.DUE)


def measured(
    thread: Thread, setup: Setup, ask: Ask, clock: datetime, prods: tuple[Prod, ...] = ()
) -> Activity:
    """The activity in a thread that was read; `clock` is now. Raises as `activity` does."""
    _refuse_apart(setup)
    zone = _zone(setup)
    days, basis = standing_on(thread, habits_of(thread), setup, ask)
    posts = _posted(thread.posts, ask)
    now, approximate = _moment(posts[-1], ask, clock)
    seen = _Seen(posts, _by_author(posts), days, basis.moderators, now, approximate, setup, zone)
    living = basis.roster.alive_at(seen.until)
    return Activity(
        title=setup.title or thread.title,
        at=seen.posts[-1],
        now=seen.now,
        zone=zone,
        rule=setup.prods,
        days=tuple(day.number for day in seen.days),
        rows=tuple(
            _row(slot, seen, tuple(dict.fromkeys((*setup.prodded, *prods))))
            for slot in living
            if not _moderates(slot, seen)
        ),
        told=basis.assumed,
    )


def _refuse_apart(setup: Setup) -> None:
    """Who only votes in the thread of the votes is not silent."""
    if setup.votes_apart:
        raise InputError(
            f"{setup.source}: votes are counted in a thread of their own, and its posts tell nothing of who "
            "talks in the game thread. Silence cannot be told for this game; look there by eye."
        )


def _zone(setup: Setup) -> ZoneInfo:
    """The game's zone; UTC will do where no day matters."""
    if setup.zone is None and (setup.prods.skip_weekends or setup.v_la):
        raise TimeError(
            f"{setup.source}: weekends and v_la are days, and the game has no zone. Set timezone in [game], "
            "for example “America/New_York”."
        )
    return setup.zone or ZoneInfo("UTC")


def _stale(source: Source, ask: Ask, found: Activity, thread: Thread) -> tuple[str, ...]:
    """A warning where silence is told up to a moment after the last post that was read."""
    last = thread.posts[-1].number
    if isinstance(source, Link) or ask.at_post is not None or found.at.number < last:
        return ()
    return (
        f"The forum was not asked: what came after post {last} is not seen here, and counts as silence. "
        f"--at {last} tells it as of that post.",
    )


def _moment(last: Post, ask: Ask, clock: datetime) -> tuple[datetime | None, bool]:
    """Up to when silence is told, and whether that is only about so: as of a post, when it was made."""
    return (last.time, last.approximate) if ask.at_post is not None else (ask.at_time or clock, False)


def _by_author(posts: Iterable[Post]) -> dict[str, list[Post]]:
    """Name in lower case → its posts, in order."""
    found: dict[str, list[Post]] = {}
    for post in posts:
        found.setdefault(post.author.casefold(), []).append(post)
    return found


def _posted(posts: tuple[Post, ...], ask: Ask) -> tuple[Post, ...]:
    """The posts up to what is asked; as of a time also those without one that may have been in time."""
    if ask.at_post is not None:
        return tuple(post for post in posts if post.number <= ask.at_post)
    if ask.at_time is None:
        return posts
    timed = [(post.number, post.time) for post in posts if post.time is not None]
    last = max(number for number, time in timed if time <= ask.at_time)
    later = min((number for number, _ in timed if number > last), default=posts[-1].number + 1)
    return tuple(post for post in posts if post.number < later)


def _moderates(slot: Slot, seen: _Seen) -> bool:
    return _holder(slot, seen.until).name.casefold() in seen.moderators


def _row(slot: Slot, seen: _Seen, prods: tuple[Prod, ...]) -> Row:
    holder = _holder(slot, seen.until)
    own = [post for post in seen.by(slot) if _is_of(post, slot)]
    last = next((post for post in reversed(own) if post.number >= holder.from_post), None)
    clock = last or seen.first_from(max(holder.from_post, seen.start))
    since = clock.time if clock else None
    sent = tuple(prod.at for prod in prods if prod.player == holder.name)
    return Row(
        name=holder.name,
        posts=tuple(_per_day(own, seen.days)),
        last=last,
        standing=standing(since, seen.now, seen.setup.prods, seen.pauses(slot), sent),
        approximate=clock is not None and (clock.approximate or seen.approximate),
    )


def _holder(slot: Slot, until: int) -> Holder:
    """Who holds the slot as of that post, and since when."""
    return next((one for one in reversed(slot.holders) if one.from_post <= until), slot.holders[0])


def _is_of(post: Post, slot: Slot) -> bool:
    """Whether it was written by who held the slot then; a handover whose post is not known limits nobody."""
    ends = [later.from_post or None for later in slot.holders[1:]] + [None]
    return not post.hidden and any(
        holder.name.casefold() == post.author.casefold()
        and holder.from_post <= post.number
        and (end is None or post.number < end)
        for holder, end in zip(slot.holders, ends, strict=True)
    )


def _per_day(posts: Sequence[Post], days: Sequence[Day]) -> Iterator[int]:
    """How many of the posts stand in each day; the night belongs to the day before it."""
    for day in days:
        later = min((other.start for other in days if other.start > day.start), default=None)
        yield sum(day.start <= post.number and (later is None or post.number < later) for post in posts)
