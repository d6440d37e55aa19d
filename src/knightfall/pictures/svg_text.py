"""How does a scene become SVG by nothing but strings? Small files, the same on every machine.

Knows what boards need: boxes, solid lines, round markers, labels. Other scenes go through `drawing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from knightfall.pictures.scene import Align, Box, Label, Line, Scene

_ANCHOR = {Align.START: "start", Align.MIDDLE: "middle", Align.END: "end"}
_FONT = "DejaVu Sans, Verdana, sans-serif"


def svg_text(scene: Scene) -> str:
    """The scene as SVG, in points, with its title."""
    size = f'width="{_n(scene.width)}" height="{_n(scene.height)}"'
    view = f'viewBox="0 0 {_n(scene.width)} {_n(scene.height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} font-family="{_FONT}">'
    ground = f'<rect width="{_n(scene.width)}" height="{_n(scene.height)}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(scene.title)}</title>", ground, *_parts(scene), "</svg>"]) + "\n"


def _parts(scene: Scene) -> Iterator[str]:
    yield from map(_box, scene.boxes)
    for line in scene.lines:
        yield from _line(line)
    yield from map(_label, scene.labels)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _box(box: Box) -> str:
    place = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}"'
    return f'<rect {place} fill="{box.colour}"/>'


def _line(line: Line) -> Iterator[str]:
    stroke = f'stroke="{line.colour}" stroke-width="{_n(line.width)}"'
    if len(line.points) > 1:
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in line.points)
        yield f'<polyline points="{points}" fill="none" {stroke} stroke-linecap="round"/>'
    if line.marker:
        fill = line.colour if line.marker.filled else "#ffffff"
        for x, y in (line.points[place] for place in line.marked):
            radius = _n(line.marker_size / 2)
            yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{radius}" fill="{fill}" {stroke}/>'


def _label(label: Label) -> str:
    bold = ' font-weight="bold"' if label.bold else ""
    place = f'x="{_n(label.x)}" y="{_n(label.y)}" font-size="{_n(label.size)}" fill={quoteattr(label.colour)}'
    return f'<text {place} text-anchor="{_ANCHOR[label.align]}"{bold}>{escape(label.text)}</text>'
