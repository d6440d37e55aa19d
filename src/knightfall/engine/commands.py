"""Lines as commands: the author's own lines, the verb and argument of each, and orders that are values.

A name may begin with or hold any sign: where the whole name of a player stands, it is that name before
anything is stripped or cut (`readings`). What is left is matched by `knightfall.names.match_name`. What the
moderator decides with a verb of their own is no line: it is an `Order`, whose slots are values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from knightfall.markup.tags import without_elements, without_tags
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import Sentence, SlotId, joined

_SKIPPED = frozenset({"quote", "s", "strike"})
"""Somebody else's words, and words taken back."""
_DRESSING = frozenset(
    {"b", "i", "u", "color", "size", "font", "center", "left", "right", "list", "*", "li", "area", "spoiler"}
)
"""Tags that only dress their words; not “[vote]”."""
# What may stand before a command: “Action: ”, “##”, “/”, “!”, a bullet.
_LEAD = re.compile(r"^(?:action\s*[:\-]|##|[/!\-•*·]+)\s*", re.I)


ELIMINATE = "eliminate"
NO_ELIMINATION = "no elimination"
MODKILL = "modkill"
REVIVE = "revive"
TIE = "tie"


@dataclass(frozen=True, slots=True)
class Order:
    """What the moderator decided, as a value: the game's word for it, and whom it names; None among them is
    nobody, as in a tie with no elimination."""

    verb: str
    slots: tuple[SlotId | None, ...] = ()

    @property
    def slot(self) -> SlotId | None:
        """Whom it names first."""
        return next(iter(self.slots), None)

    @property
    def line(self) -> Sentence:
        """As a person would say it: “tie Ada, Boro, no elimination”."""
        named = joined(", ", (NO_ELIMINATION if slot is None else slot for slot in self.slots))
        return joined(" ", (self.verb, named) if self.slots else (self.verb,))


Aliases: TypeAlias = Mapping[str, SlotId]
NameMatch: TypeAlias = SlotId | Ambiguous | Unknown


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a text: in `text` each whole name is one sign, or no name is; `names` says whose each
    sign is, beside all other names."""

    text: str
    names: Aliases
    signs: Mapping[str, str] = field(default_factory=dict)

    def plain(self, text: str) -> str:
        """A piece of the text with the names as they were written."""
        for sign, name in self.signs.items():
            text = text.replace(sign, name)
        return text


_FIRST_SIGN, _LAST_SIGN = 0xE000, 0xF8FF
"""Signs that no text has a meaning for: each stands for a name."""


def readings(text: str, slots: Sequence[SlotId], aliases: Aliases) -> Iterator[Reading]:
    """How a text can be read, the first way that has a meaning counts: with every whole name in it, the
    longest first, as one sign that nothing strips or cuts; then as it was written."""
    if marked := _marked(text, slots, aliases):
        yield marked
    yield Reading(text, aliases)


def _marked(text: str, slots: Sequence[SlotId], aliases: Aliases) -> Reading | None:
    """The text in which names are signs; None where no name stands."""
    called, whole = _known(tuple(slots), tuple(aliases.items()))
    signs, names = dict[str, str](), dict(aliases)
    free = (chr(code) for code in range(_FIRST_SIGN, _LAST_SIGN) if chr(code) not in text)

    def sign(found: re.Match[str]) -> str:
        slot = called.get(found[0], called.get(found[0].casefold()))
        if slot is None:
            return found[0]
        made = next(free)
        signs[made], names[made] = found[0], slot
        return made

    text = whole.sub(sign, text) if whole else text
    return Reading(text, names, signs) if signs else None


@lru_cache(maxsize=256)
def _known(
    slots: tuple[SlotId, ...], aliases: tuple[tuple[str, SlotId], ...]
) -> tuple[Mapping[str, SlotId], re.Pattern[str] | None]:
    """Whose each name is, as written and in small letters where these are one slot's; and what finds a name,
    the longest first, where it is no part of a word."""
    exact = {**dict(aliases), **{str(slot): slot for slot in slots}}
    folded: dict[str, set[SlotId]] = {}
    for name, slot in exact.items():
        folded.setdefault(name.casefold(), set()).add(slot)
    called = {name: next(iter(those)) for name, those in folded.items() if len(those) == 1} | exact
    longest = sorted((re.escape(name) for name in exact if name), key=len, reverse=True)
    whole = re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)", re.I) if longest else None
    return called, whole


@dataclass(frozen=True, slots=True)
class Command:
    """One line understood: `verb` is the game's word for it, `argument` what followed, `line` as written;
    `rest` is what followed before anything was stripped."""

    verb: str
    argument: str
    line: str
    rest: str = ""

    def readings(self, slots: Sequence[SlotId], aliases: Aliases) -> Iterator[Reading]:
        """How what followed can be read."""
        for reading in readings(self.rest, slots, aliases):
            yield Reading(_stripped(reading.text), reading.names, reading.signs)

    def whom(self, slots: Sequence[SlotId], aliases: Aliases) -> NameMatch:
        """The one player whom it names."""
        found: NameMatch = Unknown(self.argument)
        for reading in self.readings(slots, aliases):
            found = match_name(reading.text, slots, reading.names)
            if isinstance(found, SlotId):
                break
        return found


_MARKUP = re.compile(r"[\[\]*]|^>")


def lines_of(text: str, names: Aliases | None = None) -> tuple[str, ...]:
    """The author's own lines without markup; quotes, struck text and blank lines are gone. What looks like
    markup in one of the `names` is no markup."""
    odd = {name: slot for name, slot in (names or {}).items() if _MARKUP.search(name)}
    reading = next(readings(text, (), odd))
    own = without_tags(without_elements(reading.text, _SKIPPED), _DRESSING)
    bare = (line.replace("**", "").strip() for line in own.splitlines())
    return tuple(reading.plain(line) for line in bare if line and not line.startswith(">"))


def parse_command(line: str, words: Mapping[str, str]) -> Command | None:
    """Read a line by the longest of the game's words that begins it; None where none does.

    `words` maps phrases in lower case to verbs. `Action:`, `##`, bullets and a colon after the phrase are
    allowed.
    """
    said = _LEAD.sub("", line).strip()
    folded = said.casefold()
    for phrase in _longest_first(tuple(words)):
        if folded.startswith(phrase) and not folded[len(phrase) :][:1].isalnum():
            rest = said[len(phrase) :]
            # A sign that touches the word is the word's: `PEEK:Ada` names Ada, `PEEK :Ada` may name “:Ada”.
            rest = rest[1:] if rest[:1] in _SEPARATORS else rest
            return Command(words[phrase], _stripped(rest), line, rest)
    return None


_SEPARATORS = (":", "=", "-")


def _stripped(rest: str) -> str:
    return rest.lstrip(" \t:=-").strip()


@lru_cache(maxsize=64)
def _longest_first(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases, the longest first; remembered, since each game asks with its own words at every line."""
    return tuple(sorted(phrases, key=len, reverse=True))
