"""What is a picture before anybody draws it? Boxes, shapes, lines and labels on a page.

Lengths are points (1/72 inch), x to the right and y downwards from the upper left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from knightfall.pictures.names import cells

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
