"""A picture as values: shapes, strokes and labels on a page, drawn by whoever writes them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from unicodedata import bidirectional, category

from wcwidth import wcswidth

LONGEST = 24
"""Cells of a terminal; a longer name is cut."""
COLUMNS, SHORT = 80, 20
"""Cells of a text, and of a name in one."""
_LEFT_TO_RIGHT = "\u200e"
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def shown(name: str, longest: int = LONGEST) -> str:
    """The name in one line of at most `longest` cells; letters that cannot be seen are told by number."""
    text = "".join(map(_seen, name)).strip() or "(blank)"
    if cells(text) <= longest:
        seen = text
    else:
        while text and cells(text) >= longest:
            text = text[:-1]
        seen = f"{text}…"

    turned = any(bidirectional(letter) in ("R", "AL") for letter in seen)
    return seen + _LEFT_TO_RIGHT if turned else seen


def shown_alive(name: str, alive: bool) -> str:
    """A player's name, cut for a table; the dead have a sign."""
    return shown(name, SHORT) + ("" if alive else " †")


def cells(text: str) -> int:
    """How many columns of a terminal a text takes; letters of some scripts take two."""
    return max(wcswidth(text), 0)


def _seen(letter: str) -> str:
    if letter.isspace():
        return " "
    noncharacter = ord(letter) & 0xFFFE == 0xFFFE
    return f"‹{ord(letter):04X}›" if noncharacter or category(letter) in _UNSEEN else letter


Point = tuple[float, float]

INK = "#1a1a1a"
FAINT = "#767676"
HAIR = "#d9d9d9"
TEXT = 9.0
"""The size of ordinary letters."""
TITLE = 12.0
MARGIN = 14.0
_WIDTH_OF_CELL = 0.62
"""The room for a letter, as a share of its size: a little more than DejaVu Sans takes on average."""


class Align(Enum):
    """Which point of a label stands at its x."""

    START = "left"
    MIDDLE = "center"
    END = "right"


@dataclass(frozen=True, slots=True)
class Marker:
    """A sign on a line: a matplotlib symbol, filled or hollow."""

    symbol: str
    filled: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points; `dash` is on-off lengths in line widths (empty: solid); `marked` are the indices
    of the points that bear the marker."""

    points: tuple[Point, ...]
    colour: str = INK
    width: float = 1.2
    dash: tuple[float, ...] = ()
    marker: Marker | None = None
    marked: tuple[int, ...] = ()
    marker_size: float = 5.0


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle, its upper left corner at (x, y); `hatched` marks it for eyes without colour."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled polygon with an outline."""

    points: tuple[Point, ...]
    colour: str
    edge: str = HAIR
    width: float = 0.8


@dataclass(frozen=True, slots=True)
class Label:
    """A text; (x, y) is on its base line. `plate`: on a white ground of its own."""

    x: float
    y: float
    text: str
    size: float = TEXT
    colour: str = INK
    align: Align = Align.START
    bold: bool = False
    plate: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A page. Boxes lie under shapes, shapes under lines, lines under labels."""

    title: str
    width: float
    height: float
    boxes: tuple[Box, ...] = ()
    lines: tuple[Line, ...] = ()
    labels: tuple[Label, ...] = ()
    shapes: tuple[Shape, ...] = ()


def room_for(text: str, size: float = TEXT) -> float:
    """About how wide a text is drawn, in points."""
    return cells(text) * size * _WIDTH_OF_CELL


def wrapped(text: str, room: float, size: float = TEXT) -> tuple[str, ...]:
    """The text in lines that fit into so many points; a word that is longer has a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and room_for(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return tuple(lines)


def centred(y: float, size: float = TEXT) -> float:
    """The base line of letters whose middle is at y."""
    return y + 0.36 * size


def heading(title: str, subtitle: str) -> tuple[Label, ...]:
    """The two lines at the top of every picture; they end HEAD below the upper edge."""
    return (
        Label(MARGIN, MARGIN + TITLE, title, TITLE, bold=True),
        Label(MARGIN, MARGIN + TITLE + 15, subtitle, TEXT, FAINT),
    )


HEAD = MARGIN + TITLE + 15 + 10


_SHAFT, _HEAD_LONG, _HEAD_WIDE = 2.4, 9.0, 6.5


def polygon(middle: Point, radius: float, corners: int, first: float) -> tuple[Point, ...]:
    """The corners, the first at this angle."""
    x, y = middle
    return tuple((x + radius * right, y + radius * down) for right, down in _directions(corners, first))


@cache
def _directions(corners: int, first: float) -> tuple[Point, ...]:
    """From the middle of a polygon to its corners, a unit long."""
    angles = (first + math.tau * corner / corners for corner in range(corners))
    return tuple((math.cos(angle), math.sin(angle)) for angle in angles)


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
