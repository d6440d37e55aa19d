"""Sizes of letters as boards write them, as a percentage of the normal size."""

from __future__ import annotations

import re

_WORDS_FOR_SIZES = {
    "xx-small": 60,
    "x-small": 75,
    "small": 85,
    "medium": 100,
    "large": 120,
    "x-large": 150,
    "xx-large": 200,
}
SIZE = rf"(?:[0-9]{{1,3}}%?|[0-9]{{0,2}}\.?[0-9]{{1,2}}(?:em|p[xt])|{'|'.join(_WORDS_FOR_SIZES)})"
_UNIT = re.compile(r"([0-9.]+)(em|px|pt)")
_OF_A_HUNDRED = {"em": 100.0, "px": 100 / 14, "pt": 10.0}


def percent_of(value: str) -> int:
    """A size as a percentage of the normal one: “150%”, “26px”, “1.5em”, “x-large”, “150”."""
    if found := _UNIT.fullmatch(value):
        return round(float(found[1]) * _OF_A_HUNDRED[found[2]])
    return _WORDS_FOR_SIZES.get(value) or int(value.rstrip("%"))


_OF_FONT_TAG = (60, 85, 100, 120, 150, 200, 300)
"""Percent of `<font size="1">` to `"7"`."""


def percent_of_font(value: str) -> int:
    """The percentage of a number of the old `<font size>`."""
    return _OF_FONT_TAG[min(max(int(value), 1), len(_OF_FONT_TAG)) - 1]
