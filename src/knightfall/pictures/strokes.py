"""Which points and lines make a polygon, an arrow, a cross, a weapon?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from knightfall.pictures.scene import INK, Line, Point

_SHAFT, _HEAD_LONG, _HEAD_WIDE = 2.4, 9.0, 6.5


def polygon(middle: Point, radius: float, corners: int, first: float) -> tuple[Point, ...]:
    """The corners, the first at this angle."""
    angles = (first + math.tau * corner / corners for corner in range(corners))
    return tuple((middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a)) for a in angles)


def between(start: Point, end: Point, part: float) -> Point:
    """The point so far along the way: 0 is the start, 1 the end."""
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def arrow(
    start: Point, end: Point, colour: str, width: float, dash: tuple[float, ...] = ()
) -> Iterator[Line]:
    """A thin one: a line, perhaps dashed, and two wings."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    wings = [
        (end[0] - 7 * math.cos(angle + turn), end[1] - 7 * math.sin(angle + turn)) for turn in (0.5, -0.5)
    ]
    yield Line((start, end), colour, width, dash)
    yield Line((wings[0], end, wings[1]), colour, width)


def block_arrow(start: Point, end: Point) -> tuple[Point, ...]:
    """The corners of a thick one; start and end are apart."""
    long = math.dist(start, end)
    along = ((end[0] - start[0]) / long, (end[1] - start[1]) / long)
    corners = (
        (0.0, _SHAFT),
        (long - _HEAD_LONG, _SHAFT),
        (long - _HEAD_LONG, _HEAD_WIDE),
        (long, 0.0),
        (long - _HEAD_LONG, -_HEAD_WIDE),
        (long - _HEAD_LONG, -_SHAFT),
        (0.0, -_SHAFT),
    )
    return tuple(
        (start[0] + along[0] * far - along[1] * side, start[1] + along[1] * far + along[0] * side)
        for far, side in corners
    )


def cross(x: float, y: float, near: float, far: float) -> Iterator[Line]:
    """Four strokes, from `near` to `far` of the middle along each axis, so that letters there can be read."""
    for right, down in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        yield Line(((x + near * right, y + near * down), (x + far * right, y + far * down)), INK, 2.4)


def weapon(name: str | None, x: float, y: float) -> Iterator[Line]:
    """A sword, a spear, a bow, lying; nothing for empty hands."""
    strokes: Sequence[tuple[Point, ...]] = ()
    if name == "sword":
        strokes = (((x - 8, y), (x + 8, y)), ((x - 4, y - 3), (x - 4, y + 3)))
    elif name == "spear":
        strokes = (((x - 10, y), (x + 10, y)), ((x + 6, y - 2.5), (x + 10, y), (x + 6, y + 2.5)))
    elif name == "bow":
        turns = [math.pi * part / 10 for part in range(11)]
        arc = tuple((x + 9 * math.cos(turn), y - 2 + 5 * math.sin(turn)) for turn in turns)
        strokes = (arc, (arc[0], arc[-1]))
    for stroke in strokes:
        yield Line(stroke, INK, 1.6)
