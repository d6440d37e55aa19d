"""In which ways can what was typed fit a name, in order of trust?

Each tier is a question of yes or no about one name; who asks them and what hits amount to stands in
`names`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import regex

from knightfall.core.roster import Slot
from knightfall.votes.letters import fold, in_order, initials, slips, squash, strokes, word_prefixes, words
from knightfall.votes.meanings import Gone


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of one candidate. `slot` is None for a moderator."""

    name: str
    slot: Slot | None
    gone: Gone | None = None
    alias: bool = False
    folded: str = field(init=False)
    bare: str = field(init=False)
    parts: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folded", fold(self.name))
        object.__setattr__(self, "bare", squash(self.name))
        object.__setattr__(self, "parts", words(self.name))


Fits: TypeAlias = Callable[[str, Entry], bool]

_REPEAT = regex.compile(r"(.{1,3}?)\1+")
_AFFIX = regex.compile(r"obv|scum|town|mafia|wolf|lock|conf", regex.IGNORECASE)


def _exact(text: str, entry: Entry) -> bool:
    return fold(text) == entry.folded and not entry.alias


def _exact_letters(text: str, entry: Entry) -> bool:
    return squash(text) == entry.bare and not entry.alias


def _alias(text: str, entry: Entry) -> bool:
    return entry.alias and squash(text) == entry.bare


def _strokes(text: str, entry: Entry) -> bool:
    return strokes(text) == strokes(entry.name)


def _prefix(text: str, entry: Entry) -> bool:
    """The beginning of the name, or one whole word of it."""
    bare = squash(text)
    if len(bare) < 2:
        return False
    return (
        entry.bare.startswith(bare)
        or bare in entry.parts
        or (len(bare) == 2 and any(part.startswith(bare) for part in entry.parts))
    )


def _initials(text: str, entry: Entry) -> bool:
    return squash(text) in initials(entry.name)


def inside(text: str, entry: Entry) -> bool:
    bare = squash(text)
    return len(bare) > 2 and bare in entry.bare


def _name_at_start(text: str, entry: Entry) -> bool:
    """More was typed than a name, and it begins with one."""
    folded = fold(text)
    rest = folded.removeprefix(entry.folded)
    return len(entry.bare) > 1 and rest != folded and not rest[0].isalnum()


def _name_contained(text: str, entry: Entry) -> bool:
    """The whole name, of three letters or more, stands as words in what was typed."""
    if len(entry.bare) < 3:
        return False
    return f" {' '.join(entry.parts)} " in f" {' '.join(words(text))} "


def _abbreviated(text: str, entry: Entry) -> bool:
    bare = squash(text)
    return len(bare) > 1 and in_order(bare, entry.bare)


def _word_starts(text: str, entry: Entry) -> bool:
    bare = squash(text)
    return len(bare) > 2 and len(entry.parts) > 1 and word_prefixes(bare, entry.parts)


def _repeats(text: str, entry: Entry) -> bool:
    """Letters or syllables drawn out: “lalalaladucks”."""
    bare = squash(text)
    return len(bare) > 3 and _REPEAT.sub(r"\1", bare) == _REPEAT.sub(r"\1", entry.bare)


def _shuffled(text: str, entry: Entry) -> bool:
    """The same letters in another order."""
    bare = squash(text)
    return len(bare) > 4 and sorted(bare) == sorted(entry.bare)


def _without_affix(text: str, entry: Entry) -> bool:
    """“Scum”, “town” and the like glued to a name."""
    bare = squash(_AFFIX.sub("", text))
    if len(bare) < 3 or bare == squash(text):
        return False
    return entry.bare.startswith(bare) or slips(bare, entry.bare) <= limit(len(bare)) - 1


def _shared_word(text: str, entry: Entry) -> bool:
    """A word of four letters or more that only this name has."""
    return bool({part for part in entry.parts if len(part) > 3} & set(words(text)))


def _first_words(text: str, entry: Entry) -> bool:
    """Of several words typed, the first begins the name or is its initials."""
    typed = words(text)
    if len(typed) < 2:
        return False
    return typed[0] in initials(entry.name) or (len(typed[0]) > 3 and entry.bare.startswith(typed[0]))


NO_ELIMINATION = "no_elimination"
"""The tier that asks the house's words for no elimination instead of names."""

# rule, whether it fits, whether it is fuzzy (leaves the voter out), whether it is firm (the dead hold it)
TIERS: tuple[tuple[str, Fits, bool, bool], ...] = (
    ("exact", _exact, False, True),
    ("exact", _exact_letters, False, True),
    ("alias", _alias, False, True),
    (NO_ELIMINATION, _exact, False, False),
    ("look_alike", _strokes, False, True),
    ("prefix", _prefix, False, True),
    ("initials", _initials, False, True),
    ("name_at_start", _name_at_start, False, True),
    ("inside", inside, True, False),
    ("word_starts", _word_starts, True, False),
)
LAST_TIERS: tuple[tuple[str, Fits], ...] = (
    ("repeats", _repeats),
    ("abbreviated", _abbreviated),
    ("shuffled", _shuffled),
    ("affix", _without_affix),
    ("name_contained", _name_contained),
    ("first_words", _first_words),
    ("shared_word", _shared_word),
)


def limit(length: int) -> int:
    """Edits that a name of this many letters may be away."""
    return 0 if length <= 2 else 1 if length <= 4 else 2 if length <= 7 else 3 if length <= 11 else 4
