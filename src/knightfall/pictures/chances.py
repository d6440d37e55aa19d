"""Chances: how often each side wins with its interval, and when games end, as a picture and as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knightfall.pictures.scene import (
    COLUMNS,
    FAINT,
    HAIR,
    HEAD,
    INK,
    MARGIN,
    TEXT,
    TITLE,
    Align,
    Box,
    Label,
    Line,
    Scene,
    cells,
    centred,
    heading,
    room_for,
    shown,
)

LEAST = 0.005
"""Days on which fewer games end are not drawn."""
_BAR, _ROW, _GAP = 260.0, 18.0, 8.0
_HEAD_OF_PART = 24.0
_BARS = 30
"""Columns of a full bar in the text."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
# Okabe and Ito's colours, which eyes that confuse red and green tell apart.
_COLOURS: Mapping[str, str] = {
    "Town": "#56b4e9",
    "Mafia": "#d55e00",
    "Serial Killer": "#cc79a7",
    "Jester": "#e69f00",
    "Survivor": "#009e73",
    "nobody": "#b0b0b0",
}
_OTHERS = ("#56b4e9", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#f0e442", "#0072b2")


@dataclass(frozen=True, slots=True)
class SideChance:
    """A side by its name; `share`, `low` and `high` are from 0 to 1."""

    name: str
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DayEnds:
    """The share of games that end on a day or night, and who wins which share of all games then."""

    when: str
    won: tuple[tuple[str, float], ...]

    @property
    def share(self) -> float:
        """Of all games."""
        return sum(share for _, share in self.won)


@dataclass(frozen=True, slots=True)
class Chances:
    """One setup; `ends` in their order, () where that is not known."""

    title: str
    about: str
    sides: tuple[SideChance, ...]
    ends: tuple[DayEnds, ...]


def chances_scene(setups: tuple[Chances, ...]) -> Scene:
    """The picture: a bar for each side with its interval, then one for each day; one block for each setup."""
    days = [_drawn(setup) for setup in setups]
    names = [shown(side.name) for setup in setups for side in setup.sides]
    whens = [one.when for ends in days for one in ends]
    left = MARGIN + max(room_for(name) for name in [*names, *whens]) + 8
    most = max((one.share for ends in days for one in ends), default=1.0)
    boxes: list[Box] = []
    lines: list[Line] = []
    labels: list[Label] = []
    y = MARGIN
    for setup, ends in zip(setups, days, strict=True):
        labels += [
            Label(one.x, one.y + y - MARGIN, one.text, one.size, one.colour, bold=one.bold)
            for one in heading(setup.title, setup.about)
        ]
        y += HEAD - MARGIN
        top = y
        for side in setup.sides:
            # The bar, its interval as a line with ends, and the numbers.
            middle = y + _ROW / 2
            boxes.append(Box(left, y + 3, side.share * _BAR, _ROW - 6, _colour(setups, side.name)))
            low, high = left + side.low * _BAR, left + side.high * _BAR
            lines.append(Line(((low, middle), (high, middle)), INK, 1.0))
            lines += [Line(((x, middle - 3), (x, middle + 3)), INK, 1.0) for x in (low, high)]
            labels.append(Label(left - 8, centred(middle), shown(side.name), align=Align.END))
            labels.append(Label(left + _BAR + 8, centred(middle), _share_text(side)))
            y += _ROW
        lines += [
            Line(((left + part * _BAR, top), (left + part * _BAR, y)), HAIR, 0.8) for part in (0, 0.5, 1)
        ]
        if ends:
            y += _HEAD_OF_PART
            labels.append(Label(MARGIN, y - 6, _ENDS_HEAD, bold=True))
        for one in ends:
            x = left
            for name, share in one.won:
                wide = share / most * _BAR
                boxes.append(Box(x, y + 3, max(wide - 0.6, 0.0), _ROW - 6, _colour(setups, name)))
                if wide > room_for(shown(name), TEXT - 1) + 6:
                    labels.append(Label(x + 4, centred(y + _ROW / 2, TEXT - 1), shown(name), TEXT - 1))
                x += wide
            labels.append(Label(left - 8, centred(y + _ROW / 2), one.when, align=Align.END))
            labels.append(Label(left + _BAR + 8, centred(y + _ROW / 2), f"{100 * one.share:.1f} %"))
            y += _ROW
        y += _GAP + MARGIN
    for place, name in enumerate(dict.fromkeys(name for ends in days for one in ends for name, _ in one.won)):
        # The colours by name, for bars that are too short for a word.
        boxes.append(Box(left + place * 90, y - MARGIN + 2, 9, 9, _colour(setups, name)))
        at = left + place * 90 + 13
        labels.append(Label(at, centred(y - MARGIN + 6.5, TEXT - 1), shown(name, 13), TEXT - 1, FAINT))
    heads = [max(room_for(one.title, TITLE * 1.05), room_for(one.about)) for one in setups]
    numbers = max(room_for(_share_text(side)) for setup in setups for side in setup.sides)
    return Scene(
        " / ".join(setup.title for setup in setups),
        width=max(MARGIN + max(heads), left + _BAR + 8 + numbers) + MARGIN,
        height=y + 4,
        boxes=tuple(boxes),
        lines=tuple(lines),
        labels=tuple(labels),
    )


def chances_text(setups: tuple[Chances, ...]) -> str:
    """The same for a post or a terminal, at most 80 columns wide."""
    blocks = []
    for setup in setups:
        ends = _drawn(setup)
        names = [shown(side.name) for side in setup.sides] + [one.when for one in ends]
        room = max(map(cells, names))
        lines = [shown(setup.title, COLUMNS), shown(setup.about, COLUMNS), ""]
        lines += [
            f"{_filled(shown(side.name), room)}  {_filled(_bar(side.share), _BARS)}  {_share_text(side)}"
            for side in setup.sides
        ]
        if ends:
            most = max(one.share for one in ends)
            lines += ["", _ENDS_HEAD]
            for one in ends:
                bar = _filled(_bar(one.share / most), _BARS)
                lines.append(f"{_filled(one.when, room)}  {bar}  {100 * one.share:.1f} %")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


_ENDS_HEAD = "Games end on"


def _drawn(setup: Chances) -> tuple[DayEnds, ...]:
    return tuple(one for one in setup.ends if one.share >= LEAST)


def _share_text(side: SideChance) -> str:
    return f"{100 * side.share:.1f} % ({100 * side.low:.1f}–{100 * side.high:.1f})"


def _colour(setups: tuple[Chances, ...], name: str) -> str:
    """A side's own colour; of seats and others one by their place."""
    if name in _COLOURS:
        return _COLOURS[name]
    others = [side.name for setup in setups for side in setup.sides if side.name not in _COLOURS]
    known = list(dict.fromkeys(others))
    return _OTHERS[known.index(name) % len(_OTHERS)] if name in known else FAINT


def _bar(share: float) -> str:
    eighths = round(share * _BARS * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _filled(text: str, room: int) -> str:
    return text + " " * (room - cells(text))
