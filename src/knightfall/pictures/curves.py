"""How is one wagon's line drawn, so that it differs from all others without colour, and how the threshold?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from knightfall.pictures.facts import Steps, Wagon
from knightfall.pictures.page import Plot
from knightfall.pictures.scene import INK, Line, Marker, Point

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
