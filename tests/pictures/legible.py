"""How large is a letter on a telephone, and how does it stand out from its ground without colours?"""

from collections.abc import Iterator

from matplotlib.path import Path

from knightfall.pictures.scene import Align, Label, Scene, room_for

TELEPHONE = 320
"""Dots from left to right."""


def dots(label: Label, scene: Scene) -> float:
    """The size of its letters on a telephone."""
    return label.size * TELEPHONE / scene.width


def contrast(one: str, other: str) -> float:
    """1 to 21, as accessibility guidelines count it: of lightness alone."""
    dark, light = sorted((lightness(one), lightness(other)))
    return (light + 0.05) / (dark + 0.05)


def lightness(colour: str) -> float:
    parts = [
        int({"white": "#ffffff"}.get(colour, colour)[place : place + 2], 16) / 255 for place in (1, 3, 5)
    ]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ground(scene: Scene, label: Label) -> str:
    """The colour under the middle of a label: of the uppermost thing there that has an area."""
    if label.plate:
        return "#ffffff"
    half = room_for(label.text, label.size) / 2
    aside = {Align.START: half, Align.MIDDLE: 0.0, Align.END: -half}[label.align]
    return [*_under(scene, label.x + aside, label.y - 0.36 * label.size)][-1]


def _under(scene: Scene, x: float, y: float) -> Iterator[str]:
    """From the bottom to the top."""
    yield "#ffffff"
    yield from (b.colour for b in scene.boxes if b.x <= x <= b.x + b.width and b.y <= y <= b.y + b.height)
    yield from (shape.colour for shape in scene.shapes if Path(shape.points).contains_point((x, y)))
    for line in scene.lines:
        if line.marker and line.marker.symbol == "o":
            for place in line.marked:
                far = (line.points[place][0] - x) ** 2 + (line.points[place][1] - y) ** 2
                if far < (line.marker_size / 2) ** 2:
                    yield line.colour if line.marker.filled else "#ffffff"
