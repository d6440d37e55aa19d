"""How does the picture of a day's wagons look: lines over the posts, threshold, hammer, names at the ends?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from knightfall.pictures.curves import THRESHOLD, curves, hammer_line, style_of, threshold_line
from knightfall.pictures.facts import Wagons
from knightfall.pictures.lanes import spread
from knightfall.pictures.names import shown
from knightfall.pictures.page import LABEL_GAP, PLOT_WIDTH, Plot, axis_labels, axis_lines, bands, plot_of
from knightfall.pictures.scales import Scale
from knightfall.pictures.scene import (
    FAINT,
    HAIR,
    INK,
    MARGIN,
    Align,
    Label,
    Line,
    Scene,
    centred,
    heading,
    room_for,
)

_LEADER, _SWATCH, _GAP, _BELOW = 18.0, 30.0, 6.0, 34.0


@dataclass(frozen=True, slots=True)
class _End:
    """The label of a line, its swatch beginning at x. `rank` None is the threshold; `line_end` is the height
    of the line's end, None where the wagon has dissolved."""

    rank: int | None
    text: str
    line_end: float | None
    x: float = 0.0
    y: float = 0.0


def wagons_scene(day: Wagons, scale: Scale) -> Scene:
    """The picture of a day's wagons; `scale` says what lies along it: posts or times."""
    plot = plot_of(day, scale)
    title, gone = wagons_title(day), tuple(_dissolved(plot))

    # The labels in the right margin, apart from each other, near the ends of their lines.
    drafts = tuple(_drafts(plot))
    heights = spread([height for _, _, height in drafts], LABEL_GAP, plot.base)
    x = plot.right + _LEADER
    standing = tuple(
        _End(rank, text, height, x, y) for (rank, text, height), y in zip(drafts, heights, strict=True)
    )

    ends = (*standing, *gone)
    # The page is at least as wide as the day with a short name at its end.
    dissolved_head: list[Label] = []
    if gone:
        dissolved_head.append(Label(plot.left, plot.base + _BELOW + 4, "Dissolved:", colour=FAINT))
    labels: list[Label] = []
    for end in ends:
        colour = FAINT if end.line_end is None else INK
        labels.append(Label(end.x + _SWATCH + _GAP, centred(end.y), end.text, colour=colour))
    hammer_label: list[Label] = []
    at = plot.hammer()
    if at:
        right = at[0] > (plot.left + plot.right) / 2
        align, aside = (Align.END, 4.0) if right else (Align.START, -4.0)
        hammer_label.append(
            Label(at[0] + aside, plot.top - 6, hammer_words(plot.day), align=align, bold=True)
        )

    return Scene(
        title,
        width=max(
            end.x + _SWATCH + _GAP + room_for(end.text)
            for end in (*ends, _End(None, "Kestrel 5", None, plot.right + _LEADER))
        )
        + MARGIN,
        height=max((end.y + LABEL_GAP for end in gone), default=plot.base + _BELOW) + MARGIN,
        boxes=tuple(bands(plot)),
        lines=(
            *axis_lines(plot),
            *threshold_line(plot),
            *curves(plot),
            *hammer_line(plot),
            *_swatches(plot, ends),
        ),
        labels=(
            *heading(title, wagons_subtitle(day)),
            *axis_labels(plot),
            *hammer_label,
            *dissolved_head,
            *labels,
        ),
    )


def wagons_title(day: Wagons) -> str:
    """“Wagons of day 1”."""
    return f"Wagons of day {day.day}"


def wagons_subtitle(day: Wagons) -> str:
    """“posts #1 to #58, 13 alive, 7 votes needed”."""
    needed = f"{day.threshold[-1][1]} votes needed" if day.threshold else "the most votes decide"
    none = "" if day.wagons else ", no votes"
    return f"posts #{day.start} to #{day.end}, {day.alive} alive, {needed}{none}"


def hammer_words(day: Wagons) -> str:
    """“hammer #57 on Kestrel by Hollis”; empty where there was none."""
    hammer = day.hammer
    if hammer is None:
        return ""
    by = f" by {shown(hammer.voter)}" if hammer.voter else ""
    return f"hammer #{hammer.post} on {shown(hammer.target)}{by}"


def _drafts(plot: Plot) -> Iterator[tuple[int | None, str, float]]:
    if plot.day.threshold:
        needed = plot.day.threshold[-1][1]
        yield None, f"{needed} needed", plot.y(needed - 0.5)
    for rank, wagon in enumerate(plot.day.wagons):
        if wagon.final:
            # “Kestrel 5”, with what it takes where that is not what it takes for the others.
            own = bool(plot.day.threshold) and wagon.needed != plot.day.threshold[-1][1]
            words = f"{shown(wagon.target)} {wagon.final}" + (f" of {wagon.needed}" if own else "")
            yield rank, words, plot.y(wagon.final, rank)


def _dissolved(plot: Plot) -> Iterator[_End]:
    """The labels of wagons that nobody is on any more, in columns under the day."""
    gone = [(rank, wagon) for rank, wagon in enumerate(plot.day.wagons) if not wagon.final]
    texts = [f"{shown(wagon.target)} (had {wagon.most}, to #{wagon.steps[-1][0]})" for _, wagon in gone]
    wide = _SWATCH + _GAP + max(map(room_for, texts), default=0) + _GAP
    columns = max(int((PLOT_WIDTH + _LEADER + _SWATCH) // wide), 1)
    for place, ((rank, _), text) in enumerate(zip(gone, texts, strict=True)):
        row, column = divmod(place, columns)
        y = plot.base + _BELOW + LABEL_GAP * (row + 1.5)
        yield _End(rank, text, None, plot.left + column * wide, y)


def _swatches(plot: Plot, ends: tuple[_End, ...]) -> Iterator[Line]:
    """Before each label a piece of its line, and a hair from where the line ends."""
    for end in ends:
        if end.line_end is not None:
            yield Line(((plot.right + 2, end.line_end), (end.x - 2, end.y)), HAIR, 0.8)
        points = tuple((end.x + part * _SWATCH, end.y) for part in (0, 0.5, 1))
        if end.rank is None:
            swatch = Line(points, INK, 1.6, THRESHOLD)
        else:
            style = style_of(end.rank)
            swatch = Line(points, style.colour, 1.4, style.dash, style.marker, (1,))

        yield swatch
