"""Lines of players as commands: the author's own lines, and the verb and argument of each.

The names in an argument are matched by `knightfall.names.match_name`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from knightfall.engine.game import SlotId
from knightfall.names import Ambiguous, Unknown

_SKIPPED = "quote|s|strike"  # somebody else's words, and words taken back
# A skipped element that holds no other one, whole. Taken out until there is none, nested ones go as well.
_INNERMOST = re.compile(rf"\[({_SKIPPED})(?:=[^\]]*)?\](?:(?!\[(?:{_SKIPPED})[\]=]).)*?\[/\1\]", re.I | re.S)
# A tag that only dresses its words: “[b]”, “[/color]”, “[size=200]”, “[*]”. Not “[vote]”.
_TAG = re.compile(
    r"\[/?(?:b|i|u|color|size|font|center|left|right|list|\*|li|area|spoiler)(?:=[^\]]*)?\]", re.I
)
# What may stand before a command: “Action: ”, “##”, “/”, “!”, a bullet.
_LEAD = re.compile(r"^(?:action\s*[:\-]|##|[/!\-•*·]+)\s*", re.I)


@dataclass(frozen=True, slots=True)
class Command:
    """One line understood: `verb` is the game's word for it, `argument` what followed, `line` as written."""

    verb: str
    argument: str
    line: str


NameMatch: TypeAlias = SlotId | Ambiguous | Unknown


def lines_of(text: str) -> tuple[str, ...]:
    """The author's own lines without markup; quotes, struck text and blank lines are gone."""
    while (shorter := _INNERMOST.sub("", text)) != text:
        text = shorter
    bare = (_TAG.sub("", line).replace("**", "").strip() for line in text.splitlines())
    return tuple(line for line in bare if line and not line.startswith(">"))


def parse_command(line: str, words: Mapping[str, str]) -> Command | None:
    """Read a line by the longest of the game's words that begins it; None where none does.

    `words` maps phrases in lower case to verbs. `Action:`, `##`, bullets and a colon after the phrase are
    allowed.
    """
    said = _LEAD.sub("", line).strip()
    folded = said.casefold()
    for phrase in _longest_first(tuple(words)):
        if folded.startswith(phrase) and not folded[len(phrase) :][:1].isalnum():
            return Command(words[phrase], said[len(phrase) :].lstrip(" \t:=-").strip(), line)
    return None


@lru_cache(maxsize=64)
def _longest_first(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases, the longest first; remembered, since each game asks with its own words at every line."""
    return tuple(sorted(phrases, key=len, reverse=True))
