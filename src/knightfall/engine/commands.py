"""Lines of players as commands: the author's own lines, and the verb and argument of each.

The names in an argument are matched by `knightfall.names.match_name`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from knightfall.markup.tags import without_elements, without_tags
from knightfall.names import Ambiguous, Unknown
from knightfall.sentence import SlotId

_SKIPPED = frozenset({"quote", "s", "strike"})
"""Somebody else's words, and words taken back."""
_DRESSING = frozenset(
    {"b", "i", "u", "color", "size", "font", "center", "left", "right", "list", "*", "li", "area", "spoiler"}
)
"""Tags that only dress their words; not “[vote]”."""
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
    own = without_tags(without_elements(text, _SKIPPED), _DRESSING)
    bare = (line.replace("**", "").strip() for line in own.splitlines())
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
