"""Where do things stand on the picture of a day's wagons: its axes, its bands, the height of a vote?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from knightfall.pictures.facts import Wagons
from knightfall.pictures.lanes import lanes_of
from knightfall.pictures.scales import Scale
from knightfall.pictures.scene import (
    FAINT,
    HEAD,
    INK,
    MARGIN,
    TEXT,
    Align,
    Box,
    Label,
    Line,
    Point,
    centred,
)

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
