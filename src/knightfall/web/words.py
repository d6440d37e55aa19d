"""What the page calls layouts, sites and the values of options: in a file they are one word each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from knightfall.markup.boards import BOARDS

LAYOUTS: Mapping[str, str] = {
    "area": "in a box",
    "compact": "short, without a box",
    "history": "with the votes that moved on",
    "table": "a table",
    "ticks": "a mark for each vote",
    "tilde": "sizes, then names behind a tilde",
}
"""Themes of a votecount."""

ANSWERS: Mapping[str, str] = {
    "in": "In",
    "out": "Out",
    "sub": "Backup",
    "spec": "Spectator",
    "ignore": "Not about it",
}
"""What a post of the sign-ups may mean."""


def site(dialect: str) -> str:
    """What a dialect is called; one of another package by its own name."""
    base, colon, tags = dialect.partition(":")
    name = BOARDS[base].title if base in BOARDS else base.replace("_", " ")
    return f"{name}{f' ({tags})' if colon else ''}"


def layout(theme: str) -> str:
    """What a theme is called; one of another package by its own name."""
    return LAYOUTS.get(theme, theme.replace("_", " "))


def choice(value: object) -> str:
    """A value of an option: “no_result” as “no result”, “72_24” as “72 and 24”."""
    text = str(value)
    return text.replace("_", " and " if re.fullmatch(r"\d+(_\d+)+", text) else " ")
