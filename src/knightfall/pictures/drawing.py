"""A scene drawn by matplotlib, as PNG or SVG: the only module that knows it.

`svg.py` writes the scenes that need no hatching without it. No pyplot, so no state that outlives a picture; a
scene gives its SVG byte for byte in every run.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import matplotlib
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform

from knightfall.pictures.scene import Label, Line, Scene

_POINTS = 72
_DOTS = 110
"""Dots an inch of a PNG."""
_OURS = "DejaVu Sans"
"""It comes with matplotlib, so that it is there on every machine."""
_OTHER_SCRIPTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Hiragino Sans",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "WenQuanYi Zen Hei",
    "Noto Sans Symbols 2",
    "Segoe UI Symbol",
    "Arial Unicode MS",
)
"""Asked, where a machine has them, for letters that ours has not; only a PNG needs them."""


def svg(scene: Scene) -> bytes:
    """The scene as SVG, UTF-8. Letters stay letters, drawn with the fonts of whoever looks at it."""
    page = BytesIO()
    with _styled([_OURS]):
        about = {"Title": scene.title, "Date": None, "Creator": None}
        _figure(scene).savefig(page, format="svg", metadata=about)
    return page.getvalue()


def png(scene: Scene) -> bytes:
    """The scene as PNG. A letter that no font of this machine has becomes an empty frame."""
    page = BytesIO()
    installed = set(font_manager.fontManager.get_font_names())
    with _styled([_OURS, *(name for name in _OTHER_SCRIPTS if name in installed)]):
        _figure(scene).savefig(page, format="png", metadata={"Software": None})
    return page.getvalue()


@contextmanager
def _styled(fonts: list[str]) -> Iterator[None]:
    """Our style and nobody's matplotlibrc; names in rare letters are no reason to warn."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing")
        matplotlib.rcdefaults()
        matplotlib.rc("svg", hashsalt="knightfall", fonttype="none")
        matplotlib.rc("font", **{"family": "sans-serif", "sans-serif": fonts})
        matplotlib.rc("hatch", color="#b0b0b0", linewidth=0.6)
        yield


def _figure(scene: Scene) -> Figure:
    figure = Figure(figsize=(scene.width / _POINTS, scene.height / _POINTS), dpi=_DOTS, facecolor="white")
    page = Affine2D().scale(1 / _POINTS, -1 / _POINTS).translate(0, scene.height / _POINTS)
    place = page + figure.dpi_scale_trans
    for box in scene.boxes:
        rectangle = Rectangle((box.x, box.y), box.width, box.height, facecolor=box.colour, linewidth=0)
        rectangle.set_transform(place)
        if box.hatched:
            rectangle.set_hatch("////")
        figure.add_artist(rectangle)
    for shape in scene.shapes:
        polygon = Polygon(shape.points, facecolor=shape.colour, edgecolor=shape.edge, linewidth=shape.width)
        polygon.set_transform(place)
        figure.add_artist(polygon)
    for line in scene.lines:
        figure.add_artist(_line(line, place))
    for label in scene.labels:
        figure.add_artist(_text(label, place))
    return figure


def _line(line: Line, place: Transform) -> Line2D:
    drawn = Line2D(
        [x for x, _ in line.points],
        [y for _, y in line.points],
        color=line.colour,
        linewidth=line.width,
        linestyle=(0, line.dash) if line.dash else "-",
        transform=place,
    )
    if line.marker:
        drawn.set_marker(line.marker.symbol)
        drawn.set_markevery(list(line.marked))
        drawn.set_markersize(line.marker_size)
        drawn.set_markerfacecolor(line.colour if line.marker.filled else "white")
    return drawn


_PLATE = {"boxstyle": "square,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}


def _text(label: Label, place: Transform) -> Text:
    return Text(
        label.x,
        label.y,
        label.text,
        fontsize=label.size,
        color=label.colour,
        fontweight="bold" if label.bold else "normal",
        horizontalalignment=label.align.value,
        verticalalignment="baseline",
        parse_math=False,
        bbox=_PLATE if label.plate else None,
        transform=place,
    )
