"""Who posted how much when: the posts of each player in each day, or in each six hours of one day?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from knightfall.core.roster import Roster, Slot
from knightfall.posts import Post

MOST_BINS = 28
"""A week of six hours; a longer day gets longer bins."""
_HOURS = (6, 12, 24, 72, 168)


@dataclass(frozen=True, slots=True)
class Bin:
    """A stretch of the game from post `start` to post `end`; no post is in it where the end comes first.
    `head` stands over `name` where it changes: a date over hours."""

    name: str
    start: int
    end: int
    head: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The posts of one player in each bin; `gone` tells in which bins he was dead all the time."""

    player: str
    alive: bool
    posts: tuple[int, ...]
    gone: tuple[bool, ...]

    @property
    def total(self) -> int:
        """His posts in all bins."""
        return sum(self.posts)


@dataclass(frozen=True, slots=True)
class Activity:
    """Posts by player and bin, the living first; `title` and `unit` say what the bins are."""

    title: str
    unit: str
    bins: tuple[Bin, ...]
    rows: tuple[Row, ...]


def by_day(posts: Sequence[Post], slots: Sequence[Slot], starts: Mapping[int, int], end: int) -> Activity:
    """The posts up to post `end` by day; `starts`: number of a day → the post that opens it."""
    opened = sorted(starts.items())
    ends = [start - 1 for _, start in opened[1:]] + [end]
    bins = tuple(Bin(str(day), start, to) for (day, start), to in zip(opened, ends, strict=True))
    span = f"days {opened[0][0]} to {opened[-1][0]}" if len(opened) > 1 else f"day {opened[0][0]}"
    return Activity(f"Posts of {span}", "day of the game", bins, _rows(posts, slots, bins, end))


def by_hours(posts: Sequence[Post], slots: Sequence[Slot], day: int, zone: tzinfo) -> Activity:
    """The posts of one day (at least one, each with its time) by hours of the clock of `zone`."""
    walls = {post.number: _wall(post, zone) for post in posts}
    origin = min(walls.values()).replace(hour=0, minute=0)
    hours = next((h for h in _HOURS if _count(walls.values(), h) <= MOST_BINS), _HOURS[-1])

    # From the bin of the first post to that of the last. Hours under dates, days under months.
    length = timedelta(hours=hours)
    clock_bins: list[Bin] = []
    places = {number: (wall - origin) // length for number, wall in walls.items()}
    named, headed = ("%H", "%d %b") if length < timedelta(days=1) else ("%d", "%b")
    before = ""
    for place in range(min(places.values()), max(places.values()) + 1):
        begins = origin + place * length
        head = begins.strftime(headed)
        inside = [number for number, other in places.items() if other == place]
        ends = _ends(inside, walls, begins)
        clock_bins.append(Bin(begins.strftime(named), *ends, head if head != before else ""))
        before = head

    bins = tuple(clock_bins)
    unit = f"{hours} hours, {min(walls.values()).replace(tzinfo=zone):%Z}"
    return Activity(f"Posts of day {day}", unit, bins, _rows(posts, slots, bins, posts[-1].number))


def _wall(post: Post, zone: tzinfo) -> datetime:
    """What the clock on the wall showed: bins begin at its hours, whatever summer time does."""
    assert post.time is not None
    return post.time.astimezone(zone).replace(tzinfo=None)


def _count(walls: Iterable[datetime], hours: int) -> int:
    known = sorted(walls)
    return int((known[-1] - known[0]) / timedelta(hours=hours)) + 2


def _ends(inside: Sequence[int], walls: Mapping[int, datetime], begins: datetime) -> tuple[int, int]:
    """First and last post of a bin; of an empty one, the place between its neighbours."""
    if inside:
        return min(inside), max(inside)
    before = max((number for number, wall in walls.items() if wall < begins), default=0)
    return before + 1, before


def _rows(posts: Iterable[Post], slots: Sequence[Slot], bins: Sequence[Bin], end: int) -> tuple[Row, ...]:
    roster = Roster(tuple(slots))
    made: dict[str, Counter[int]] = {slot.name: Counter() for slot in slots}
    for post in posts:
        slot = roster.slot_of(post.author)
        if slot is not None and not post.hidden:
            made[slot.name][post.number] += 1
    rows = (_row(slot, made[slot.name], bins, end) for slot in slots)
    return tuple(sorted(rows, key=lambda row: not row.alive))


def _row(slot: Slot, made: Counter[int], bins: Sequence[Bin], end: int) -> Row:
    posts = tuple(sum(n for at, n in made.items() if one.start <= at <= one.end) for one in bins)
    gone = tuple(not slot.alive_at(one.start) for one in bins)
    return Row(slot.name, slot.alive_at(end), posts, gone)
