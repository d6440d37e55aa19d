"""Activity: who posted how much, by day or by hours, as a picture and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo

from tabulate import tabulate

from knightfall.models import Post, Roster, Slot
from knightfall.pictures.scene import (
    COLUMNS,
    FAINT,
    HEAD,
    INK,
    MARGIN,
    TEXT,
    TITLE,
    Align,
    Box,
    Label,
    Line,
    Scene,
    cells,
    centred,
    heading,
    room_for,
    shown_alive,
)

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
    """The posts of one player in each bin; `gone` tells in which bins they were dead all the time."""

    player: str
    alive: bool
    posts: tuple[int, ...]
    gone: tuple[bool, ...]

    @property
    def total(self) -> int:
        """Their posts in all bins."""
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
    # What the clock on the wall showed: bins begin at its hours, whatever summer time does.
    times = {post.number: post.time for post in posts if post.time is not None}
    walls = {number: time.astimezone(zone).replace(tzinfo=None) for number, time in times.items()}
    first, last = min(walls.values()), max(walls.values())
    origin = first.replace(hour=0, minute=0)
    fitting = (h for h in _HOURS if int((last - first) / timedelta(hours=h)) + 2 <= MOST_BINS)
    hours = next(fitting, _HOURS[-1])

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
        # First and last post of the bin; of an empty one, the place between its neighbours.
        earlier = max((number for number, wall in walls.items() if wall < begins), default=0)
        ends = (min(inside), max(inside)) if inside else (earlier + 1, earlier)
        clock_bins.append(Bin(begins.strftime(named), *ends, head if head != before else ""))
        before = head

    bins = tuple(clock_bins)
    unit = f"{hours} hours, {first.replace(tzinfo=zone):%Z}"
    return Activity(f"Posts of day {day}", unit, bins, _rows(posts, slots, bins, posts[-1].number))


def _rows(posts: Iterable[Post], slots: Sequence[Slot], bins: Sequence[Bin], end: int) -> tuple[Row, ...]:
    roster = Roster(tuple(slots))
    made: dict[str, Counter[int]] = {slot.name: Counter() for slot in slots}
    for post in posts:
        slot = roster.slot_of(post.author)
        if slot is not None and not post.hidden:
            made[slot.name][post.number] += 1
    rows: list[Row] = []
    for slot in slots:
        numbers = made[slot.name].items()
        counts = tuple(sum(n for at, n in numbers if one.start <= at <= one.end) for one in bins)
        gone = tuple(not slot.alive_at(one.start) for one in bins)
        rows.append(Row(slot.name, slot.alive_at(end), counts, gone))
    return tuple(sorted(rows, key=lambda row: not row.alive))


_CELL, _ROW, _HEADS, _SUM_PLACE = 30.0, 17.0, 30.0, 1.2
_LIGHT, _DARK = (247, 251, 255), (8, 69, 130)
_GONE = "#ffffff"
_WHITE = "#ffffff"
_DARK_TONE = 0.7
"""From here on white letters are read more easily than black ones."""
_HATCHED = "hatched"
_TOTAL = "all"
_SUMS = 6
"""The column of sums takes so much: two blanks and up to four digits."""


def activity_scene(activity: Activity) -> Scene:
    """The picture: a row a player, a column a bin; the darker, the more posts."""
    names = [shown_alive(row.player, row.alive) for row in activity.rows]
    left = MARGIN + max((room_for(name, TEXT * 1.05) for name in names), default=0) + 8
    top = HEAD + _HEADS
    bottom = top + len(names) * _ROW
    # The page is at least as wide as its title and its legend.
    least = MARGIN + max(
        room_for(activity.title, TITLE * 1.05), room_for(_legend(activity, _HATCHED), TEXT - 1)
    )
    boxes: list[Box] = []
    most = _most(activity)
    for line, row in enumerate(activity.rows):
        for place, (posts, gone) in enumerate(zip(row.posts, row.gone, strict=True)):
            hatched = gone and not posts
            # From light to dark blue, the grey of which darkens evenly.
            tone = _tone(posts, most)
            mixed = (round(a + (b - a) * tone) for a, b in zip(_LIGHT, _DARK, strict=True))
            colour = _GONE if hatched else "#" + "".join(f"{channel:02x}" for channel in mixed)
            boxes.append(Box(left + place * _CELL, top + line * _ROW, _CELL - 1, _ROW - 1, colour, hatched))

    # A line where a date begins, and one between the living and the dead.
    rules: list[Line] = []
    for place, one in enumerate(activity.bins):
        if one.head and place:
            x = left + place * _CELL - 0.5
            rules.append(Line(((x, top - 26), (x, bottom)), FAINT, 0.8))
    living = sum(row.alive for row in activity.rows)
    if living < len(activity.rows):
        y = top + living * _ROW - 0.5
        rules.append(Line(((MARGIN, y), (left + len(activity.bins) * _CELL, y)), INK, 1.0))

    heads: list[Label] = []
    for place, one in enumerate(activity.bins):
        x = left + place * _CELL
        if one.head:
            # The head of a date, cut to its day where the next date begins one column on.
            head = activity.bins[place].head
            narrow = place + 1 < len(activity.bins) and bool(activity.bins[place + 1].head)
            heads.append(Label(x + 3, top - 18, head.split()[0] if narrow else head))
        heads.append(Label(x + _CELL / 2, top - 5, one.name, align=Align.MIDDLE))
    x = left + (len(activity.bins) + _SUM_PLACE) * _CELL
    heads.append(Label(x, top - 5, _TOTAL, align=Align.END, bold=True))

    return Scene(
        activity.title,
        width=max(least, left + (len(activity.bins) + _SUM_PLACE) * _CELL) + MARGIN,
        height=bottom + 20 + MARGIN,
        boxes=tuple(boxes),
        lines=tuple(rules),
        labels=(
            *heading(activity.title, _subtitle(activity)),
            *heads,
            *_row_labels(activity, names, left, top),
            Label(MARGIN, bottom + 18, _legend(activity, _HATCHED), TEXT - 1, FAINT),
        ),
    )


def activity_text(activity: Activity) -> str:
    """The table for a post or a terminal, at most 80 columns wide: where the bins need more, in parts."""
    names = [shown_alive(row.player, row.alive) for row in activity.rows]
    room = COLUMNS - max(map(cells, names), default=0)
    parts = [_table(activity, names, part) for part in _parts(activity, room)]
    head = f"{activity.title}, {_subtitle(activity)}"
    return "\n".join(filter(None, ("\n\n".join([head, *parts]), _legend(activity, "·"))))


def _subtitle(activity: Activity) -> str:
    return f"per {activity.unit}"


def _legend(activity: Activity, sign: str) -> str:
    dead = any(not row.alive for row in activity.rows)
    return f"† dead; {sign}: dead all the time" if dead else ""


def _tone(posts: int, most: int) -> float:
    """How dark a cell is, 0 to 1; few posts stand out from none."""
    return (posts / most) ** 0.7 if most else 0.0


def _most(activity: Activity) -> int:
    return max((posts for row in activity.rows for posts in row.posts), default=0)


def _row_labels(activity: Activity, names: Sequence[str], left: float, top: float) -> Iterator[Label]:
    """The names of all rows, then their numbers and sums."""
    for line, (row, name) in enumerate(zip(activity.rows, names, strict=True)):
        y = centred(top + (line + 0.5) * _ROW)
        yield Label(left - 8, y, name, colour=INK if row.alive else FAINT, align=Align.END)
    most = _most(activity)
    for line, row in enumerate(activity.rows):
        y = centred(top + (line + 0.5) * _ROW)
        for place, (posts, gone) in enumerate(zip(row.posts, row.gone, strict=True)):
            if posts or not gone:
                colour = _WHITE if _tone(posts, most) > _DARK_TONE else INK
                yield Label(left + (place + 0.5) * _CELL, y, str(posts), colour=colour, align=Align.MIDDLE)
        x = left + (len(row.posts) + _SUM_PLACE) * _CELL
        yield Label(x, y, str(row.total), align=Align.END, bold=True)


def _parts(activity: Activity, room: int) -> Iterator[range]:
    """Which columns stand in which part of the table; the last part has the sums, too."""
    first, used = 0, 0
    for place in range(len(activity.bins)):
        wide = _wide(activity, place, place == first)
        if used + wide + _SUMS > room and place > first:
            yield range(first, place)
            first, used, wide = place, 0, _wide(activity, place, True)
        used += wide
    yield range(first, len(activity.bins))


def _wide(activity: Activity, place: int, first: bool) -> int:
    """How much a column takes with the two blanks before it."""
    numbers = (_number(row, place) for row in activity.rows)
    return 2 + max(map(len, (*_head(activity, place, first), *numbers)))


def _table(activity: Activity, names: Sequence[str], part: range) -> str:
    sums = part.stop == len(activity.bins)
    heads = [_head(activity, place, place == part.start) for place in part]
    rows = [["", *line] for line in zip(*heads, strict=True) if any(line)]
    rows[-1] += [_TOTAL] * sums
    for name, row in zip(names, activity.rows, strict=True):
        rows.append([name, *(_number(row, place) for place in part), *[str(row.total)] * sums])
    align = ["left", *(["right"] * (len(rows[-1]) - 1))]
    return tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=align)


def _head(activity: Activity, place: int, first: bool) -> tuple[str, str]:
    """What stands over a column, in two lines; the first column of a part says all of it."""
    heads = [one.head for one in activity.bins[: place + 1]]
    latest = next(filter(None, reversed(heads)), "")
    return latest if first else heads[-1], activity.bins[place].name


def _number(row: Row, place: int) -> str:
    return "·" if row.gone[place] and not row.posts[place] else str(row.posts[place])
