"""Where does this very night depend on a ruling that a moderator may choose otherwise?

The night is decided again with each option at each of its other values; only what comes out differently is
told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import fill

from knightfall.app.nights.differences import Change, changes
from knightfall.app.nights.night_file import NightFile
from knightfall.app.nights.verdict import Verdict, decide, options_of
from knightfall.core.game import Option
from knightfall.errors import DecisionNeeded

_WIDTH = 80
_TOLD = 3  # changes in one line: the gravest come first


@dataclass(frozen=True, slots=True)
class Dependence:
    """An option that this night hangs on, its other value, and what would then be different."""

    option: Option
    value: str
    changes: tuple[Change, ...]


def sensitivity(night: NightFile, decided: Verdict | None = None) -> tuple[Dependence, ...]:
    """Every flip of one option that changes the outcome; `decided` spares deciding the night as it is."""
    before = decided or decide(night)
    return tuple(
        Dependence(option, value, found)
        for option in options_of(night.kind)
        for value in _other_values(night, option)
        if (found := _changes(before, with_option(night, option.name, value)))
    )


def _changes(before: Verdict, other: NightFile) -> tuple[Change, ...]:
    """A night that only the moderator could decide is different, whatever he would say."""
    try:
        return changes(before, decide(other))
    except DecisionNeeded:
        return (Change("the night waits for your ruling on a ring of actions"),)


def with_option(night: NightFile, name: str, value: str) -> NightFile:
    """The same night under another value of one option."""
    return replace(night, options={**night.options, name: value})


def chosen(night: NightFile, option: Option) -> str:
    """The value that the file gives an option, or its default."""
    return str(night.options.get(option.name, option.default)).lower()


def _other_values(night: NightFile, option: Option) -> Iterator[str]:
    return (value for value in option.values if value != chosen(night, option))


def sensitivity_lines(found: Sequence[Dependence]) -> tuple[str, ...]:
    """A sentence each: `With em_r3 = snapshot: Cinder is not powered; Boro lives. (EM-R3)`."""
    return tuple(fill(_sentence(one), _WIDTH, subsequent_indent="  ") for one in found)


def _sentence(one: Dependence) -> str:
    texts = [change.text for change in one.changes]
    more = len(texts) - _TOLD
    said = "; ".join(texts[:_TOLD]) + (f"; and {more} more" if more > 0 else "")
    return f"With {one.option.name} = {one.value}: {said}. ({one.option.ruling})"
