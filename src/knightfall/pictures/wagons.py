"""The wagons of a day: how they grew, as a picture with its page and scales, and as text.

`wagons_of` takes the sizes from a count; `wagons_scene` draws them along a `Scale` of posts or times, every
wagon in a lane and a style of its own; `wagons_text` shows them in letters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from knightfall.models import Slot
from knightfall.pictures.scene import (
    COLUMNS,
    FAINT,
    HAIR,
    HEAD,
    INK,
    MARGIN,
    SHORT,
    TEXT,
    Align,
    Box,
    Label,
    Line,
    Marker,
    Point,
    Scene,
    cells,
    centred,
    heading,
    room_for,
    shown,
)
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Tally, as_counted

Steps = tuple[tuple[int, int], ...]
"""(post, value from that post on), posts rising."""


@dataclass(frozen=True, slots=True)
class Wagon:
    """The size of one wagon over the day; `needed` is what it took at the end of the count."""

    target: str
    steps: Steps
    needed: int

    @property
    def final(self) -> int:
        """Its votes at the end of the count."""
        return self.steps[-1][1]

    @property
    def most(self) -> int:
        """The most votes it ever had."""
        return max(size for _, size in self.steps)

    def size_at(self, post: int) -> int:
        """Its votes as of a post."""
        return next((size for at, size in reversed(self.steps) if at <= post), 0)


@dataclass(frozen=True, slots=True)
class Full:
    """The hammer: which wagon was full at which post; `voter` None where a death lowered the threshold."""

    target: str
    voter: str | None
    post: int


@dataclass(frozen=True, slots=True)
class Wagons:
    """All wagons of a day from post `start` to post `end`, the biggest first. `threshold` is the majority as
    deaths change it; it is empty on days that a majority does not end, and where `known` is False: nobody
    can tell how many votes it takes."""

    day: int
    start: int
    end: int
    alive: int
    wagons: tuple[Wagon, ...]
    threshold: Steps
    hammer: Full | None = None
    known: bool = True


def wagons_of(tally: Tally, day: Day, rule: Rule, slots: Iterable[Slot], nobody: str) -> Wagons:
    """The wagons of a count. `slots`: every player, dead ones too; `nobody` names no elimination."""
    found: list[Wagon] = []
    for target in dict.fromkeys(move.vote.target for move in tally.history):
        ordinary = rule.majority(tally.alive)
        needed = (
            rule.needed(tally.alive, target, tally.at) if rule.show_weights or target is None else ordinary
        )

        # The size after each post that changed it.
        size, steps = 0, dict[int, int]()
        bonus = target.bonus if rule.show_weights and target else 0
        for move in tally.history:
            if move.vote.target == target:
                weight = move.vote.weight if rule.show_weights else 1
                size += weight if move.joined else -weight
                steps[move.post] = size + bonus if size else 0
        found.append(Wagon(target.name if target else nobody, tuple(steps.items()), needed))
    ordered = sorted((w for w in found if w.most), key=lambda w: (-w.final, -w.most, w.steps[0]))

    # The majority at the start of the day and wherever a death changes it.
    players, threshold = as_counted(slots, day, tally), list[tuple[int, int]]()
    turns = sorted({post for slot in players for post in slot.turns if day.start < post <= tally.at})
    for post in (day.start, *turns) if rule.hammers(day.number) else ():
        majority = rule.majority(sum(slot.alive_at(post) for slot in players))
        if not threshold or majority != threshold[-1][1]:
            threshold.append((post, majority))

    full, hammer = None, tally.hammer
    if hammer is not None:
        name = hammer.target.name if hammer.target else nobody
        full = Full(name, hammer.voter.name if hammer.voter else None, hammer.post)

    return Wagons(
        day=day.number,
        start=day.start,
        end=tally.at,
        alive=tally.alive,
        wagons=tuple(ordered),
        threshold=tuple(threshold),
        hammer=full,
        known=rule.threshold,
    )


# ---- The picture

_LEADER, _SWATCH, _GAP, _BELOW = 18.0, 30.0, 6.0, 34.0


@dataclass(frozen=True, slots=True)
class _End:
    """The label of a line, its swatch beginning at x. `rank` None is the threshold; `line_end` is the height
    of the line's end, None where the wagon has dissolved."""

    rank: int | None
    text: str
    line_end: float | None
    x: float = 0.0
    y: float = 0.0


def wagons_scene(day: Wagons, scale: Scale) -> Scene:
    """The picture of a day's wagons; `scale` says what lies along it: posts or times."""
    plot = plot_of(day, scale)
    title, gone = wagons_title(day), tuple(_dissolved(plot))

    # The labels in the right margin, apart from each other, near the ends of their lines: “7 needed”, and
    # “Kestrel 5”, with what it takes where that is not what it takes for the others.
    drafts: list[tuple[int | None, str, float]] = []
    majority = day.threshold[-1][1] if day.threshold else None
    if majority is not None:
        drafts.append((None, f"{majority} needed", plot.y(majority - 0.5)))
    for rank, wagon in enumerate(day.wagons):
        if wagon.final:
            own = f" of {wagon.needed}" if majority not in (None, wagon.needed) else ""
            words = f"{shown(wagon.target)} {wagon.final}{own}"
            drafts.append((rank, words, plot.y(wagon.final, rank)))
    heights = spread([height for _, _, height in drafts], LABEL_GAP, plot.base)
    x = plot.right + _LEADER
    standing = tuple(_End(*draft, x, y) for draft, y in zip(drafts, heights, strict=True))

    ends = (*standing, *gone)
    # The page is at least as wide as the day with a short name at its end.
    dissolved_head: list[Label] = []
    if gone:
        dissolved_head.append(Label(plot.left, plot.base + _BELOW + 4, "Dissolved:", colour=FAINT))
    labels: list[Label] = []
    for end in ends:
        colour = FAINT if end.line_end is None else INK
        labels.append(Label(end.x + _SWATCH + _GAP, centred(end.y), end.text, colour=colour))
    hammer_label: list[Label] = []
    at = plot.hammer()
    if at:
        right = at[0] > (plot.left + plot.right) / 2
        align, aside = (Align.END, 4.0) if right else (Align.START, -4.0)
        hammer_label.append(
            Label(at[0] + aside, plot.top - 6, hammer_words(plot.day), align=align, bold=True)
        )

    return Scene(
        title,
        width=max(
            end.x + _SWATCH + _GAP + room_for(end.text)
            for end in (*ends, _End(None, "Kestrel 5", None, plot.right + _LEADER))
        )
        + MARGIN,
        height=max((end.y + LABEL_GAP for end in gone), default=plot.base + _BELOW) + MARGIN,
        boxes=tuple(bands(plot)),
        lines=(
            *axis_lines(plot),
            *threshold_line(plot),
            *curves(plot),
            *hammer_line(plot),
            *_swatches(plot, ends),
        ),
        labels=(
            *heading(title, wagons_subtitle(day)),
            *axis_labels(plot),
            *hammer_label,
            *dissolved_head,
            *labels,
        ),
    )


def wagons_title(day: Wagons) -> str:
    """“Wagons of day 1”."""
    return f"Wagons of day {day.day}"


def wagons_subtitle(day: Wagons) -> str:
    """“posts #1 to #58, 13 alive, 7 votes needed”."""
    needed = f"{day.threshold[-1][1]} votes needed" if day.threshold else "the most votes decide"
    needed = needed if day.known else "votes needed: not known"
    none = "" if day.wagons else ", no votes"
    return f"posts #{day.start} to #{day.end}, {day.alive} alive, {needed}{none}"


def hammer_words(day: Wagons) -> str:
    """“hammer #57 on Kestrel by Hollis”; empty where there was none."""
    hammer = day.hammer
    if hammer is None:
        return ""
    by = f" by {shown(hammer.voter)}" if hammer.voter else ""
    return f"hammer #{hammer.post} on {shown(hammer.target)}{by}"


def _dissolved(plot: Plot) -> Iterator[_End]:
    """The labels of wagons that nobody is on any more, in columns under the day."""
    gone = [(rank, wagon) for rank, wagon in enumerate(plot.day.wagons) if not wagon.final]
    texts = [f"{shown(wagon.target)} (had {wagon.most}, to #{wagon.steps[-1][0]})" for _, wagon in gone]
    wide = _SWATCH + _GAP + max(map(room_for, texts), default=0) + _GAP
    columns = max(int((PLOT_WIDTH + _LEADER + _SWATCH) // wide), 1)
    for place, ((rank, _), text) in enumerate(zip(gone, texts, strict=True)):
        row, column = divmod(place, columns)
        y = plot.base + _BELOW + LABEL_GAP * (row + 1.5)
        yield _End(rank, text, None, plot.left + column * wide, y)


def _swatches(plot: Plot, ends: tuple[_End, ...]) -> Iterator[Line]:
    """Before each label a piece of its line, and a hair from where the line ends."""
    for end in ends:
        if end.line_end is not None:
            yield Line(((plot.right + 2, end.line_end), (end.x - 2, end.y)), HAIR, 0.8)
        points = tuple((end.x + part * _SWATCH, end.y) for part in (0, 0.5, 1))
        if end.rank is None:
            swatch = Line(points, INK, 1.6, THRESHOLD)
        else:
            style = style_of(end.rank)
            swatch = Line(points, style.colour, 1.4, style.dash, style.marker, (1,))

        yield swatch


# ---- The text

_DIGITS = ".123456789abcdefghijklmnopqrstuvwxyz"


def wagons_text(day: Wagons) -> str:
    """The wagons in letters of one width, at most 80 columns: each digit is the size at the end of a stretch
    of posts, all stretches equally long."""
    names = [shown(wagon.target, SHORT) for wagon in day.wagons]
    margin = max(map(cells, names), default=0) + 2

    # The last post of each stretch.
    posts = day.end - day.start + 1
    stretches = min(posts, COLUMNS - margin - 4)
    marks = [day.start + posts * (n + 1) // stretches - 1 for n in range(stretches)]
    lines = [f"{wagons_title(day)}: {wagons_subtitle(day)}"]
    if day.wagons:
        lines.append(" " * margin + _ruler(marks))
    for name, wagon in zip(names, day.wagons, strict=True):
        strip = "".join(_DIGITS[min(wagon.size_at(post), len(_DIGITS) - 1)] for post in marks)
        lines.append(f"{name}{' ' * (margin - cells(name))}{strip}  {wagon.final}")
    notes: list[str] = []
    if any(wagon.most > 9 for wagon in day.wagons):
        notes.append("a stands for 10, b for 11, and so on")
    if len(day.threshold) > 1:
        notes.append("needed: " + ", ".join(f"{needed} from #{post}" for post, needed in day.threshold))
    if day.hammer:
        notes.append(hammer_words(day))

    return "\n".join([*lines, *notes])


def _ruler(marks: list[int]) -> str:
    """Post numbers over the stretches that end with them: at both ends, and between where there is room."""
    ruler = [" "] * len(marks)
    last = f"#{marks[-1]}"
    for place in range(0, len(marks) - len(last), 15):
        words = f"#{marks[place]}"
        if place + len(words) < len(marks) - len(last):
            ruler[place : place + len(words)] = words
    ruler[max(len(marks) - len(last), 0) :] = last
    return "".join(ruler)


# ---- What lies along the day: posts or times

TICKS = 9
"""At most so many marks along the day."""
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)
_HOURS = (1, 3, 6, 12, 24, 48, 96, 168)


@dataclass(frozen=True, slots=True)
class Scale:
    """`places` are posts and their places, both rising; `ticks` are (place, words) within low to high."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str
    places: tuple[tuple[int, float], ...] = ()

    def share(self, post: int) -> float:
        """How far along the day a post stands, 0 to 1; one between two known posts with the earlier."""
        place: float
        if not self.places:
            place = post
        else:
            index = bisect_right(self.places, post, key=lambda known: known[0])
            place = self.places[max(index - 1, 0)][1]

        return self.share_of(place)

    def share_of(self, place: float) -> float:
        """How far along the day a place stands, 0 to 1."""
        return min(max((place - self.low) / (self.high - self.low), 0.0), 1.0)


def by_post(start: int, end: int) -> Scale:
    """A scale of post numbers."""
    end = max(end, start + 1)
    step = next((s for s in _STEPS if (end - start) / s < TICKS), -(-(end - start) // TICKS))

    # The first and the last post, and round numbers that stand clear of both.
    round_numbers = range(-(-start // step) * step, end + 1, step)
    inner = (n for n in round_numbers if n - start > step / 2 and end - n > step / 2)
    return Scale(start, end, tuple((n, f"#{n}") for n in (start, *inner, end)), "post")


def by_time(times: Mapping[int, datetime], zone: tzinfo) -> Scale:
    """A scale of the times of posts (aware instants), with clock times of `zone`. `times` is not empty."""
    posts = sorted(times)
    low, high = min(times.values()), max(times.values())
    high = max(high, low + timedelta(hours=1))
    places, latest = list[tuple[int, float]](), low
    for post in posts:
        latest = max(latest, times[post])  # the order of the thread is the order of the votes
        places.append((post, latest.timestamp()))

    # Round hours of the local clock between the first and the last instant.
    hours = next((h for h in _HOURS if (high - low) / timedelta(hours=h) < TICKS - 2), _HOURS[-1])
    at = low.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    ticks: list[tuple[float, str]] = []
    while at <= high:
        if at >= low:
            ticks.append((at.timestamp(), at.strftime("%d %b %H:%M")))
        at += timedelta(hours=hours)
    title = f"time, {low.astimezone(zone):%Z}"
    return Scale(low.timestamp(), high.timestamp(), tuple(ticks), title, tuple(places))


# ---- The page

PLOT_WIDTH = 520.0
LABEL_GAP = 13.5
"""From one label at a line's end to the next."""
_LEAST_HEIGHT, _LEAST_UNIT, _LANE_GAP, _FILLED = 190.0, 24.0, 3.0, 0.8
_AXIS, _HAMMER_ROW = 26.0, 20.0
_GROUND = "#f3f3f3"


@dataclass(frozen=True, slots=True)
class Plot:
    """The page in numbers: `unit` points a vote, `base` the height of no votes, `lanes` by rank."""

    day: Wagons
    scale: Scale
    lanes: tuple[int, ...]
    left: float
    top: float
    unit: float
    highest: int

    @property
    def right(self) -> float:
        """Where the day ends."""
        return self.left + PLOT_WIDTH

    @property
    def base(self) -> float:
        """Where no votes are."""
        return self.top + (self.highest + 0.5) * self.unit

    def x(self, post: int) -> float:
        """Where a post stands."""
        return self.left + self.scale.share(post) * PLOT_WIDTH

    def y(self, votes: float, rank: int | None = None) -> float:
        """The height of so many votes, for the wagon of that rank within its lane."""
        middle = max(self.lanes, default=0) / 2
        aside = 0.0 if rank is None else (self.lanes[rank] - middle) * _LANE_GAP
        return self.base - votes * self.unit + aside

    def hammer(self) -> Point | None:
        """Where the hammer fell; None where it did not."""
        hammer = self.day.hammer
        for rank, wagon in enumerate(self.day.wagons):
            if hammer and wagon.target == hammer.target:
                return self.x(hammer.post), self.y(wagon.size_at(hammer.post), rank)
        return None


def plot_of(day: Wagons, scale: Scale) -> Plot:
    """The page of a day: as high as its votes, its lanes and its labels need."""
    lanes = lanes_of(day.wagons, day.end)
    sizes = [1, *(wagon.most for wagon in day.wagons), *(needed for _, needed in day.threshold)]
    labels_room = max(_LEAST_HEIGHT, (sum(wagon.final > 0 for wagon in day.wagons) + 2) * LABEL_GAP)
    lanes_room = (max(lanes, default=0) + 1) * _LANE_GAP / _FILLED
    unit = max(_LEAST_UNIT, lanes_room, labels_room / (max(sizes) + 0.5))
    return Plot(day, scale, lanes, MARGIN + _AXIS, HEAD + _HAMMER_ROW, unit, max(sizes))


def bands(plot: Plot) -> Iterator[Box]:
    """Every other number of votes on a grey ground: lines of one size lie in one band."""
    for votes in range(1, plot.highest + 1, 2):
        yield Box(plot.left, plot.y(votes + 0.5), PLOT_WIDTH, plot.unit, _GROUND)


def axis_lines(plot: Plot) -> Iterator[Line]:
    """The base line with its ticks."""
    yield Line(((plot.left, plot.base), (plot.right, plot.base)), INK, 0.8)
    for place, _ in plot.scale.ticks:
        x = plot.left + plot.scale.share_of(place) * PLOT_WIDTH
        yield Line(((x, plot.base), (x, plot.base + 4)), INK, 0.8)


def axis_labels(plot: Plot) -> Iterator[Label]:
    """Numbers of votes on the left, posts or times below."""
    yield Label(MARGIN, plot.top - 4, "votes", TEXT - 1, FAINT)
    for votes in range(1, plot.highest + 1):
        yield Label(plot.left - 6, centred(plot.y(votes)), str(votes), align=Align.END)
    for place, words in plot.scale.ticks:
        x = plot.left + plot.scale.share_of(place) * PLOT_WIDTH
        yield Label(x, plot.base + 15, words, align=Align.MIDDLE)
    yield Label(plot.right, plot.base + 30, plot.scale.title, TEXT - 1, FAINT, Align.END)


# ---- The lines of the wagons

THRESHOLD = (7.0, 3.0)
_COLOURS = ("#0072b2", "#b34700", "#00795a", "#8b3f72", "#4d4d4d", "#7a5c00", "#1f3b99")
_DASHES = ((), (5.0, 1.8), (1.2, 1.5), (6.0, 1.6, 1.2, 1.6), (9.0, 1.6, 3.0, 1.6))
_MARKERS = (
    *(Marker(symbol) for symbol in "os^DvX"),
    *(Marker(symbol, filled=False) for symbol in "os^Dv"),
)
_STAR = Marker("*")
_DROP = 7.0


@dataclass(frozen=True, slots=True)
class Style:
    """How a wagon's line differs from all others; dash and marker do without the colour."""

    dash: tuple[float, ...]
    marker: Marker
    colour: str


def style_of(rank: int) -> Style:
    """The style of the wagon of that rank, 0 the biggest. 55 ranks have a dash and marker of their own."""
    dash, marker = _DASHES[rank % len(_DASHES)], _MARKERS[rank % len(_MARKERS)]
    return Style(dash, marker, _COLOURS[rank % len(_COLOURS)])


def curves(plot: Plot) -> Iterator[Line]:
    """The lines of all wagons. The biggest is drawn last, over the others."""
    for rank in reversed(range(len(plot.day.wagons))):
        style = style_of(rank)
        for run in _runs(plot.day.wagons[rank], plot.day.end):
            points, marked = _corners(plot, rank, run)
            yield Line(points, style.colour, 1.4, style.dash, style.marker, marked)


def threshold_line(plot: Plot) -> Iterator[Line]:
    """A dashed line between the last size that is too small and the first that is enough."""
    points: list[Point] = []
    for post, needed in plot.day.threshold:
        x = plot.x(post)
        points += [(x, y) for _, y in points[-1:]]
        points.append((x, plot.y(needed - 0.5)))
    if points:
        yield Line((*points, (plot.right, points[-1][1])), INK, 1.6, THRESHOLD)


def hammer_line(plot: Plot) -> Iterator[Line]:
    """A star on the wagon and a line up to the words, above all other lines."""
    at = plot.hammer()
    if at:
        yield Line(((at[0], plot.top - 2), at), INK, 0.8, marker=_STAR, marked=(1,), marker_size=12)


def _runs(wagon: Wagon, end: int) -> Iterator[Steps]:
    """The times without a break at which somebody votes there; each ends with its last post."""
    run: list[tuple[int, int]] = []
    for post, size in wagon.steps:
        run.append((post, size))
        if not size:
            yield tuple(run)
            run = []
    if run:
        yield (*run, (end, run[-1][1]))


def _corners(plot: Plot, rank: int, run: Steps) -> tuple[tuple[Point, ...], tuple[int, ...]]:
    """The corners of a step line, and which of them are changes of size; it ends in a short drop where the
    wagon dissolves (drops to the base line would hide the small wagons behind bars)."""
    points, marked = list[Point](), list[int]()
    for post, size in run:
        x, before = plot.x(post), points[-1:]
        points += [(x, y) for _, y in before]
        level = plot.y(size, rank) if size else points[-1][1] + _DROP
        if not before or level != before[0][1]:
            points.append((x, level))
            marked += [len(points) - 1] * bool(size)
    return tuple(points), tuple(marked)


# ---- Lanes and heights that do not overlap

Stay = tuple[int, int, int]
"""(size, from post, to post): as long as a wagon keeps one size."""


def lanes_of(wagons: Sequence[Wagon], end: int) -> tuple[int, ...]:
    """A lane for each wagon, 0 up: two in one lane never have one size at one time."""
    lanes: list[list[Stay]] = []
    found = []
    for wagon in wagons:
        stays = list(stays_of(wagon, end))
        lane = 0
        while lane < len(lanes) and any(
            size == other and since <= their_end and their_since <= until
            for size, since, until in stays
            for other, their_since, their_end in lanes[lane]
        ):
            lane += 1
        if lane == len(lanes):
            lanes.append([])
        lanes[lane] += stays
        found.append(lane)
    return tuple(found)


def stays_of(wagon: Wagon, end: int) -> Iterator[Stay]:
    """How long the wagon has which size, where it has one."""
    posts = [post for post, _ in wagon.steps[1:]]
    for (post, size), until in zip(wagon.steps, [*posts, end], strict=True):
        if size:
            yield size, post, until


def spread(wanted: Sequence[float], gap: float, lowest: float) -> tuple[float, ...]:
    """Heights (rising downwards) as near to the wanted ones as `gap` between any two allows, none below
    `lowest`; in the order of `wanted`."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    above = float("-inf")
    for index in order:
        above = placed[index] = max(wanted[index], above + gap)
    below = lowest + gap
    for index in reversed(order):
        below = placed[index] = min(placed[index], below - gap)
    return tuple(placed)
