"""A scene as an SVG whose letters stay letters, written without matplotlib.

Whatever a game's folder or an archive shows is written here; `drawing` draws what is hatched, and every PNG.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

from knightfall.engine.safe_text import safe
from knightfall.pictures.scene import Align, Label, Line, Point, Scene, polygon, room_for

# Letters that XML cannot hold, not even as numbers.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ANCHOR = {Align.START: "start", Align.MIDDLE: "middle", Align.END: "end"}
_FONT = "DejaVu Sans, Verdana, sans-serif"


def svg_text(scene: Scene) -> str:
    """The scene as SVG, in points, with its title."""
    parts = (part for layer in _layers(scene) for part in layer)
    title = f"<title>{_said(scene.title)}</title>"
    return "\n".join([_head(scene), title, _ground(scene), *parts, "</svg>"]) + "\n"


@dataclass(frozen=True, slots=True)
class SvgSeries:
    """Several pictures of one page: `shared` is an SVG that shows nothing and stands before them, with all
    that they have in common; `each` says the rest."""

    shared: str
    each: tuple[str, ...]


def svg_series(scenes: Sequence[Scene]) -> SvgSeries:
    """Pictures of which most is the same in each, such as a board from move to move."""
    drawn = [_layers(scene) for scene in scenes]
    alike = [_in_all([layers[number] for layers in drawn]) for number in range(_LAYERS)]
    groups = (f'<g id="layer-{number}">{"".join(same)}</g>' for number, same in enumerate(alike))
    each: list[str] = []
    for scene, layers in zip(scenes, drawn, strict=True):
        parts = [_head(scene, f' role="img" aria-label={quoteattr(_said(scene.title))}'), _ground(scene)]
        for number, layer in enumerate(layers):
            same = set(alike[number])
            parts += [f'<use href="#layer-{number}"/>'] if same else []
            parts += [part for part in layer if part not in same]
        each.append("".join([*parts, "</svg>"]))
    shared = (
        f'<svg class="shared" width="0" height="0" aria-hidden="true"><defs>{"".join(groups)}</defs></svg>'
    )
    return SvgSeries(shared, tuple(each))


def _in_all(layers: Sequence[Sequence[str]]) -> list[str]:
    """What every one of these holds, in the order of the first."""
    if not layers:
        return []
    rest = [set(layer) for layer in layers[1:]]
    return [part for part in dict.fromkeys(layers[0]) if all(part in other for other in rest)]


def _head(scene: Scene, further: str = "") -> str:
    size = f'width="{_n(scene.width)}" height="{_n(scene.height)}"'
    view = f'viewBox="0 0 {_n(scene.width)} {_n(scene.height)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} font-family="{_FONT}"{further}>'


def _ground(scene: Scene) -> str:
    return f'<rect width="{_n(scene.width)}" height="{_n(scene.height)}" fill="#ffffff"/>'


_LAYERS = 4


def _layers(scene: Scene) -> tuple[list[str], list[str], list[str], list[str]]:
    """What is drawn, the lowest first: boxes, shapes, lines, labels."""
    boxes: list[str] = []
    for box in scene.boxes:
        place = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}"'
        boxes.append(f'<rect {place} fill="{box.colour}"/>')
    shapes: list[str] = []
    for shape in scene.shapes:
        edge = f'stroke="{shape.edge}" stroke-width="{_n(shape.width)}"'
        shapes.append(f'<polygon points="{_points(shape.points)}" fill="{shape.colour}" {edge}/>')
    lines = [part for line in scene.lines for part in _line(line)]
    labels = [part for label in scene.labels for part in _label(label)]
    return boxes, shapes, lines, labels


def is_plain(scene: Scene) -> bool:
    """Whether everything in the scene can be drawn so: no box is hatched."""
    return not any(box.hatched for box in scene.boxes)


def _said(text: str) -> str:
    """The text as XML can hold it; nothing in it is an element, or turns the line."""
    return escape(_NO_XML.sub("", safe(text)))


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _line(line: Line) -> Iterator[str]:
    stroke = f'stroke="{line.colour}" stroke-width="{_n(line.width)}"'
    if len(line.points) > 1:
        # How the line ends, or its dashes, whose lengths are in widths of the line.
        if not line.dash:
            ends = 'stroke-linecap="round"'
        else:
            ends = f'stroke-dasharray="{" ".join(_n(part * line.width) for part in line.dash)}"'
        yield f'<polyline points="{_points(line.points)}" fill="none" {stroke} {ends}/>'
    if line.marker:
        fill = line.colour if line.marker.filled else "#ffffff"
        for place in line.marked:
            # The tag of a marker, still open; what is no polygon that we know is a circle.
            at = line.points[place]
            radius = line.marker_size / 2
            if line.marker.symbol not in _SIGNS:
                sign = f'<circle cx="{_n(at[0])}" cy="{_n(at[1])}" r="{_n(radius)}"'
            else:
                corners, first, inner = _SIGNS[line.marker.symbol]
                outline = polygon(at, radius * _SWELL, corners, first)
                if inner:
                    dents = polygon(at, radius * _SWELL * inner, corners, first + math.pi / corners)
                    outline = tuple(point for pair in zip(outline, dents, strict=True) for point in pair)
                sign = f'<polygon points="{_points(outline)}"'

            yield f'{sign} fill="{fill}" {stroke}/>'


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


_SWELL = 1.25
"""A polygon is smaller than the circle around it."""
_UP = -math.pi / 2
_SIGNS: Mapping[str, tuple[int, float, float]] = MappingProxyType(
    {
        "s": (4, math.pi / 4, 0.0),
        "^": (3, _UP, 0.0),
        "v": (3, -_UP, 0.0),
        "D": (4, _UP, 0.0),
        "X": (4, math.pi / 4, 0.45),
        "*": (5, _UP, 0.4),
    }
)
"""Corners, the angle of the first, and how deep the dents between them reach, as a share of the radius."""


_BEFORE = {Align.START: 0.0, Align.MIDDLE: 0.5, Align.END: 1.0}
"""Which share of a label stands before its x."""


def _label(label: Label) -> Iterator[str]:
    if label.plate:
        # Its white ground.
        width = room_for(label.text, label.size)
        left, top = label.x - width * _BEFORE[label.align], label.y - label.size
        place = f'x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(label.size * 1.3)}"'
        yield f'<rect {place} fill="#ffffff" fill-opacity="0.85"/>'
    bold = ' font-weight="bold"' if label.bold else ""
    place = f'x="{_n(label.x)}" y="{_n(label.y)}" font-size="{_n(label.size)}" fill={quoteattr(label.colour)}'
    yield f'<text {place} text-anchor="{_ANCHOR[label.align]}"{bold}>{_said(label.text)}</text>'
