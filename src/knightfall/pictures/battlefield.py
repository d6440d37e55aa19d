"""What does a board with knights on it look like: who stands where, who moved, who struck whom?

Plain facts in, a scene out. A panel is a board; the rounds of a turn stand side by side. Filled discs have
their Heart up, hollow ones down; a cross takes a knight off the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from knightfall.pictures.scene import (
    FAINT,
    HEAD,
    INK,
    MARGIN,
    Align,
    Label,
    Line,
    Marker,
    Point,
    Scene,
    Shape,
    centred,
    heading,
    room_for,
)

_RADIUS = 25.0
_DISC = 10.5
_CORNERS_OF_DISC = 40
_GAP = 26.0
_ROW_OF_LIST = 13.0
_HILL = "#e6e6e6"
_PLAIN = "#fafafa"
_STRUCK, _FAILED = INK, "#6b6b6b"


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the board; `column` in spaces from the left, halves for shifted rows; `tint`: its ground."""

    name: str
    column: float
    row: int
    hill: bool = False
    tint: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A knight; `note` is his line in the list under the board."""

    name: str
    colour: str
    space: str
    weapon: str | None
    heart: bool
    fell: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A move; where `held`, the knight was thrown back and stands where he stood."""

    colour: str
    start: str
    end: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack from space to space; `note` is its line in the list under the board, by number."""

    start: str
    end: str
    hit: bool
    note: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One board: the knights after the moves, the moves that led there, the attacks."""

    title: str
    pieces: tuple[Piece, ...] = ()
    steps: tuple[Step, ...] = ()
    strikes: tuple[Strike, ...] = ()


@dataclass(frozen=True, slots=True)
class Battlefield:
    """Some panels on one board."""

    title: str
    subtitle: str
    hexes: bool
    spaces: tuple[Space, ...]
    panels: tuple[Panel, ...]


class _Turn(Enum):
    """The first corner of a polygon: hexes stand on a corner, squares on a side."""

    HEX = (6, -math.pi / 2)
    SQUARE = (4, -math.pi / 4)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Where the spaces of one panel are on the page."""

    field: Battlefield
    left: float
    top: float

    def at(self, space: str) -> Point:
        """The middle of a space."""
        found = next(one for one in self.field.spaces if one.name == space)
        return self.middle(found)

    def middle(self, space: Space) -> Point:
        """The middle of a space that is at hand."""
        wide, high = _pitch(self.field)
        return self.left + wide * (space.column + 0.5), self.top + high * space.row + _RADIUS


def _pitch(field: Battlefield) -> Point:
    """From space to space to the right, and from row to row."""
    return (math.sqrt(3) * _RADIUS, 1.5 * _RADIUS) if field.hexes else (2 * _RADIUS, 2 * _RADIUS)


def battlefield_scene(field: Battlefield) -> Scene:
    """The panels side by side, each with the list of its knights below."""
    wide, high = _board_size(field)
    notes = [[*(p.note for p in one.pieces), *(s.note for s in one.strikes)] for one in field.panels]
    listed = max(map(len, notes))
    room = max((room_for(note) + 20 for panel in notes for note in panel), default=0.0)
    pitch = max(wide, room) + _GAP
    width = max(2 * MARGIN + pitch * len(field.panels) - _GAP, 2 * MARGIN + room_for(field.subtitle))
    height = HEAD + 18 + high + _ROW_OF_LIST * listed + 2 * MARGIN
    page = Scene(field.title, width, height, labels=heading(field.title, field.subtitle))
    for place, panel in enumerate(field.panels):
        page = _with_panel(page, panel, _Sheet(field, MARGIN + pitch * place, HEAD + 18))
    return page


def _board_size(field: Battlefield) -> Point:
    wide, high = _pitch(field)
    columns = max(space.column for space in field.spaces) + 1
    return wide * columns, high * max(space.row for space in field.spaces) + 2 * _RADIUS


def _with_panel(page: Scene, panel: Panel, sheet: _Sheet) -> Scene:
    high = _board_size(sheet.field)[1]
    title = Label(sheet.left, sheet.top - 8, panel.title, bold=True)
    return replace(
        page,
        shapes=(*page.shapes, *_ground(sheet), *_discs(panel, sheet)),
        lines=(*page.lines, *_moves(panel, sheet), *_attacks(panel, sheet), *_arms(panel, sheet)),
        labels=(
            *page.labels,
            title,
            *_space_names(panel, sheet),
            *_names(panel, sheet),
            *_numbers(panel, sheet),
            *_list(panel, sheet, sheet.top + high + MARGIN),
        ),
    )


def _ground(sheet: _Sheet) -> Iterator[Shape]:
    for space in sheet.field.spaces:
        colour = space.tint or (_HILL if space.hill else _PLAIN)
        turn = _Turn.HEX if sheet.field.hexes else _Turn.SQUARE
        size = _RADIUS if sheet.field.hexes else _RADIUS * math.sqrt(2)
        yield Shape(_polygon(sheet.middle(space), size - 0.6, *turn.value), colour, "#bdbdbd")


def _polygon(middle: Point, radius: float, corners: int, first: float) -> tuple[Point, ...]:
    angles = (first + math.tau * corner / corners for corner in range(corners))
    return tuple((middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a)) for a in angles)


def _stands(panel: Panel, sheet: _Sheet) -> Iterator[tuple[Piece, Point]]:
    """Every knight with his place; those who share a space stand beside each other."""
    for piece in panel.pieces:
        x, y = sheet.at(piece.space)
        mates = [one for one in panel.pieces if one.space == piece.space]
        shift = (mates.index(piece) - (len(mates) - 1) / 2) * _DISC * 1.1
        yield piece, (x + shift, y)


def _discs(panel: Panel, sheet: _Sheet) -> Iterator[Shape]:
    for piece, middle in _stands(panel, sheet):
        ground = piece.colour if piece.heart else "white"
        yield Shape(_polygon(middle, _DISC, _CORNERS_OF_DISC, 0.0), ground, piece.colour, 2.2)


def _space_names(panel: Panel, sheet: _Sheet) -> Iterator[Label]:
    """The names of the spaces, small, near their upper edge: of all of them where nobody stands."""
    low = 0.0 if not panel.pieces else -_RADIUS * 0.62
    for space in sheet.field.spaces:
        x, y = sheet.middle(space)
        text = f"{space.name} ★" if space.hill else space.name
        size = 8.0 if not low else 5.0
        yield Label(x, centred(y + low, size), text, size, FAINT, Align.MIDDLE)


def _names(panel: Panel, sheet: _Sheet) -> Iterator[Label]:
    """The first letters in the disc."""
    for piece, (x, y) in _stands(panel, sheet):
        colour = "white" if piece.heart and piece.colour not in _PALE else INK
        yield Label(x, centred(y, 8), piece.name[:3], 7.5, colour, Align.MIDDLE, bold=True)


_PALE = ("#e6b800",)


def _moves(panel: Panel, sheet: _Sheet) -> Iterator[Line]:
    for step in panel.steps:
        start, end = sheet.at(step.start), sheet.at(step.end)
        if step.held:
            stop = _between(start, end, 0.62)
            yield Line((_between(start, end, 0.26), stop), step.colour, 2.0, (2.0, 1.2))
            yield Line((stop,), step.colour, 2.0, (), Marker("x"), (0,), 6.0)
        else:
            yield from _arrow(_between(start, end, 0.08), _between(start, end, 0.7), step.colour, 2.2)


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _arrow(
    start: Point, end: Point, colour: str, width: float, dash: tuple[float, ...] = ()
) -> Iterator[Line]:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    wings = [
        (end[0] - 6 * math.cos(angle + turn), end[1] - 6 * math.sin(angle + turn)) for turn in (0.5, -0.5)
    ]
    yield Line((start, end), colour, width, dash)
    yield Line((wings[0], end, wings[1]), colour, width)


def _lane(strike: Strike, sheet: _Sheet) -> tuple[Point, Point]:
    """From disc to disc, a little to the left, so that two who strike each other have a lane each."""
    start, end = sheet.at(strike.start), sheet.at(strike.end)
    long = math.dist(start, end) or 1.0
    along = ((end[0] - start[0]) / long, (end[1] - start[1]) / long)
    side = (along[1] * 3.5, -along[0] * 3.5)
    edge = _DISC + 2
    return (
        (start[0] + along[0] * edge + side[0], start[1] + along[1] * edge + side[1]),
        (end[0] - along[0] * edge + side[0], end[1] - along[1] * edge + side[1]),
    )


def _attacks(panel: Panel, sheet: _Sheet) -> Iterator[Line]:
    for strike in panel.strikes:
        start, end = _lane(strike, sheet)
        dash = () if strike.hit else (3.0, 2.0)
        yield from _arrow(start, end, _of(strike), 1.5, dash)


def _numbers(panel: Panel, sheet: _Sheet) -> Iterator[Label]:
    """The number of each attack, on its lane."""
    for number, strike in enumerate(panel.strikes, start=1):
        x, y = _between(*_lane(strike, sheet), 0.42)
        yield Label(x, centred(y, 7), str(number), 7, _of(strike), Align.MIDDLE, bold=True, plate=True)


def _of(strike: Strike) -> str:
    return _STRUCK if strike.hit else _FAILED


def _arms(panel: Panel, sheet: _Sheet) -> Iterator[Line]:
    """The weapon at a knight's feet, where no lane to a neighbour runs, and the cross over who falls."""
    for piece, (x, y) in _stands(panel, sheet):
        yield from _weapon(piece.weapon, x, y + _DISC + 5)
        if piece.fell:
            yield Line(((x, y),), INK, 1.0, (), Marker("x"), (0,), 24.0)


def _weapon(weapon: str | None, x: float, y: float) -> Iterator[Line]:
    strokes: Sequence[tuple[Point, ...]] = ()
    if weapon == "sword":
        strokes = (((x - 8, y), (x + 8, y)), ((x - 4, y - 3), (x - 4, y + 3)))
    elif weapon == "spear":
        strokes = (((x - 10, y), (x + 10, y)), ((x + 6, y - 2.5), (x + 10, y), (x + 6, y + 2.5)))
    elif weapon == "bow":
        turns = [math.pi * part / 10 for part in range(11)]
        arc = tuple((x + 9 * math.cos(turn), y - 2 + 5 * math.sin(turn)) for turn in turns)
        strokes = (arc, (arc[0], arc[-1]))
    for stroke in strokes:
        yield Line(stroke, INK, 1.3)


def _list(panel: Panel, sheet: _Sheet, top: float) -> Iterator[Label]:
    """The knights, then the attacks by number."""
    for place, piece in enumerate(panel.pieces):
        y = top + _ROW_OF_LIST * place + 6
        yield Label(sheet.left, y, "●" if piece.heart else "○", 9, piece.colour, bold=True)
        yield Label(sheet.left + 13, y, piece.note, 8, FAINT if piece.fell else INK)
    for number, strike in enumerate(panel.strikes, start=1):
        y = top + _ROW_OF_LIST * (len(panel.pieces) + number - 1) + 6
        yield Label(sheet.left, y, str(number), 8, _of(strike), bold=True)
        yield Label(sheet.left + 13, y, strike.note, 8, _of(strike))
