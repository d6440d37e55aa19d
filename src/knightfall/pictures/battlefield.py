"""The picture of a board with knights on it: who stands where, who moved, who struck whom.

Plain facts in, a scene out. A panel is a board; the rounds of a turn stand below each other, so that they
can be read on a telephone, 320 dots wide, and without colours. Filled discs have their Heart up, hollow ones
down; a cross takes a knight off the board; block arrows are moves, thin arrows attacks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from knightfall.pictures.scene import (
    INK,
    MARGIN,
    TITLE,
    Align,
    Label,
    Line,
    Marker,
    Point,
    Scene,
    Shape,
    arrow,
    between,
    block_arrow,
    cells,
    centred,
    cross,
    polygon,
    weapon,
    wrapped,
)

_RADIUS = 25.0
_DISC = 14.5
_RING = 2.8
_CORNERS_OF_DISC = 24
_NAME, _TAG, _NOTE = 9.0, 9.5, 10.5
"""Sizes of letters: a space's name, a knight's in its disc, a line under the board."""
_ROW = 14.5
"""From one line under the board to the next."""
_GAP = 20.0
_HILL = "#e6e6e6"
_PLAIN = "#fafafa"
_SOFT = "#595959"
_STRUCK, _FAILED = INK, "#595959"
_WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the board; `column` in spaces from the left, halves for shifted rows; `tint`: its ground;
    `note`: a second line under its name."""

    name: str
    column: float
    row: int
    hill: bool = False
    tint: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A knight; `note` is its line in the list under the board."""

    name: str
    colour: str
    space: str
    weapon: str | None
    heart: bool
    fell: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A move; where `held`, the knight was thrown back and stands where it stood."""

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
    """Some panels on one board; the subtitle may be long."""

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
    """The panels below each other, each with the list of its knights and attacks under its board."""
    page, high = _headed(field), _board_size(field)[1]
    for panel in field.panels:
        sheet = _sheet(panel, page, field)
        listed = tuple(_list(panel, sheet, sheet.top + high + _ROW))
        end = listed[-1].y if listed else sheet.top + high
        page = replace(_with_panel(page, panel, sheet, listed), height=end + _GAP)
    return page


def space_corners(field: Battlefield) -> Mapping[str, tuple[Point, ...]]:
    """The corners of each space on the picture's first panel, by the space's name."""
    sheet = _sheet(field.panels[0], _headed(field), field)
    return {space.name: _corners(space, sheet) for space in field.spaces}


def _headed(field: Battlefield) -> Scene:
    """The page with its title alone; what follows stands below its height."""
    wide, _ = _board_size(field)
    heads = [Label(MARGIN, MARGIN + TITLE, field.title, TITLE, bold=True)]
    for number, line in enumerate(wrapped(field.subtitle, wide, _NOTE), start=1):
        heads.append(Label(MARGIN, MARGIN + TITLE + 3 + _ROW * number, line, _NOTE, _SOFT))
    return Scene(field.title, wide + 2 * MARGIN, heads[-1].y + MARGIN, labels=tuple(heads))


def _sheet(panel: Panel, page: Scene, field: Battlefield) -> _Sheet:
    """Where the spaces of the next panel of a page are."""
    return _Sheet(field, MARGIN, page.height + (_ROW + 4 if panel.title else 0))


def _corners(space: Space, sheet: _Sheet) -> tuple[Point, ...]:
    turn = _Turn.HEX if sheet.field.hexes else _Turn.SQUARE
    size = _RADIUS if sheet.field.hexes else _RADIUS * math.sqrt(2)
    return polygon(sheet.middle(space), size - 0.6, *turn.value)


def _board_size(field: Battlefield) -> Point:
    wide, high = _pitch(field)
    columns = max(space.column for space in field.spaces) + 1
    return wide * columns, high * max(space.row for space in field.spaces) + 2 * _RADIUS


def _with_panel(page: Scene, panel: Panel, sheet: _Sheet, listed: tuple[Label, ...]) -> Scene:
    title = [Label(sheet.left, sheet.top - 6, panel.title, _NOTE + 1, bold=True)] if panel.title else []
    attacks: list[Line] = []
    for strike in panel.strikes:
        start, end = _lane(strike, sheet)
        dash = () if strike.hit else (3.0, 2.0)
        attacks.extend(arrow(start, end, _of(strike), 1.8, dash))

    ground: list[Shape] = []
    for space in sheet.field.spaces:
        colour = space.tint or (_HILL if space.hill else _PLAIN)
        ground.append(Shape(_corners(space, sheet), colour, "#bdbdbd"))

    # The first letters in the disc.
    names: list[Label] = []
    tags = _tags(tuple(piece.name for piece in panel.pieces))
    for (piece, (x, y)), tag in zip(_stands(panel, sheet), tags, strict=True):
        colour = _WHITE if piece.heart and piece.colour not in _PALE else INK
        names.append(Label(x, centred(y, _TAG), tag, _TAG, colour, Align.MIDDLE, bold=True))

    # A block arrow under the discs, from where the knight stood to the edge of its disc.
    moves: list[Shape] = []
    for start, end, step in _ways(panel, sheet):
        if not step.held:
            tip = between(end, start, (_DISC + 1) / math.dist(start, end))
            moves.append(Shape(block_arrow(between(start, end, 0.1), tip), step.colour, INK, 1.0))

    # A thick dashed line from the edge of its disc, which ends in a cross.
    held: list[Line] = []
    for start, end, step in _ways(panel, sheet):
        if step.held:
            edge, stop = between(start, end, (_DISC + 1) / math.dist(start, end)), between(start, end, 0.62)
            held.append(Line((edge, stop), INK, 3.0, (1.0, 0.6)))
            held.append(Line((stop,), INK, 2.4, (), Marker("x"), (0,), 8.0))

    return replace(
        page,
        shapes=(*page.shapes, *ground, *moves, *_discs(panel, sheet)),
        lines=(*page.lines, *held, *attacks, *_arms(panel, sheet)),
        labels=(
            *page.labels,
            *title,
            *_space_names(panel, sheet),
            *names,
            *_numbers(panel, sheet),
            *listed,
        ),
    )


def _stands(panel: Panel, sheet: _Sheet) -> Iterator[tuple[Piece, Point]]:
    """Every knight with its place; those who share a space stand beside each other."""
    for piece in panel.pieces:
        x, y = sheet.at(piece.space)
        mates = [one for one in panel.pieces if one.space == piece.space]
        shift = (mates.index(piece) - (len(mates) - 1) / 2) * _DISC * 1.1
        yield piece, (x + shift, y)


def _discs(panel: Panel, sheet: _Sheet) -> Iterator[Shape]:
    """An edge of ink, so that a light colour stands out too; a ring of the colour where the Heart is down."""
    for piece, middle in _stands(panel, sheet):
        yield Shape(polygon(middle, _DISC, _CORNERS_OF_DISC, 0.0), piece.colour, INK, 1.2)
        if not piece.heart:
            inner = polygon(middle, _DISC - _RING, _CORNERS_OF_DISC, 0.0)
            yield Shape(inner, _WHITE, INK, 0.8)


def _space_names(panel: Panel, sheet: _Sheet) -> Iterator[Label]:
    """In the middle of the spaces of an empty board; while a round is shown, near an edge where no move runs,
    of those where nobody stands."""
    # The spaces that a knight left upwards, or was thrown back from upwards.
    crossed_above = frozenset(
        step.end if step.held else step.start
        for step in panel.steps
        if (sheet.at(step.end)[1] - sheet.at(step.start)[1]) * (1 if step.held else -1) > 0
    )
    held, low = {piece.space for piece in panel.pieces}, crossed_above
    for space in sheet.field.spaces:
        x, y = sheet.middle(space)
        text = f"{space.name} ★" if space.hill else space.name
        if space.note:
            yield Label(x, y - 1, text, _NAME, INK, Align.MIDDLE)
            yield Label(x, y + _NAME + 1, space.note, _NAME, INK, Align.MIDDLE)
        elif space.name not in held:
            up = 0.0 if not panel.pieces else _RADIUS * (-0.55 if space.name in low else 0.55)
            yield Label(x, centred(y - up, _NAME), text, _NAME, _SOFT, Align.MIDDLE)


_PALE = ("#e6b800",)


def _tags(names: tuple[str, ...]) -> tuple[str, ...]:
    """Three letters of each name; where those are another's too, one or two and a number."""
    cut = [_letters(name, 3) for name in names]
    return tuple(
        tag if cut.count(tag) == 1 else f"{_letters(name, 2)}{cut[: place + 1].count(tag)}"
        for place, (name, tag) in enumerate(zip(names, cut, strict=True))
    )


def _letters(name: str, room: int) -> str:
    """The beginning of a name, in so many cells."""
    while cells(name) > room:
        name = name[:-1]
    return name


def _ways(panel: Panel, sheet: _Sheet) -> Iterator[tuple[Point, Point, Step]]:
    """From where to where; who chose to stay goes nowhere."""
    for step in panel.steps:
        if step.start != step.end:
            yield sheet.at(step.start), sheet.at(step.end), step


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


def _numbers(panel: Panel, sheet: _Sheet) -> Iterator[Label]:
    """The number of each attack, beside its lane, on the side away from the lane that runs back."""
    for number, strike in enumerate(panel.strikes, start=1):
        start, end = _lane(strike, sheet)
        long = math.dist(start, end) or 1.0
        x, y = between(start, end, 0.42)
        x, y = x + (end[1] - start[1]) / long * 7, y - (end[0] - start[0]) / long * 7
        yield Label(
            x, centred(y, _NAME), str(number), _NAME, _of(strike), Align.MIDDLE, bold=True, plate=True
        )


def _of(strike: Strike) -> str:
    return _STRUCK if strike.hit else _FAILED


def _arms(panel: Panel, sheet: _Sheet) -> Iterator[Line]:
    """The weapon at a knight's feet, where no lane to a neighbour runs, and the cross over who falls."""
    for piece, (x, y) in _stands(panel, sheet):
        yield from weapon(piece.weapon, x, y + _DISC + 5)
        if piece.fell:
            yield from cross(x, y, _DISC * 0.62, _DISC * 1.15)


def _list(panel: Panel, sheet: _Sheet, top: float) -> Iterator[Label]:
    """The knights, then the attacks by number; a long line goes on in the next one."""
    lead, y = 15.0, top
    room = _board_size(sheet.field)[0] - lead
    notes = [
        *(("●" if one.heart else "○", one.note, _SOFT if one.fell else INK) for one in panel.pieces),
        *((str(number), one.note, _of(one)) for number, one in enumerate(panel.strikes, start=1)),
    ]
    for sign, note, colour in notes:
        yield Label(sheet.left, y, sign, _NOTE, colour, bold=True)
        for line in wrapped(note, room, _NOTE):
            yield Label(sheet.left + lead, y, line, _NOTE, colour)
            y += _ROW
