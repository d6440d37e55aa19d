"""What words mean to whoever reads a moderator's post: `lexicon.toml` as tags.

A tag is one letter, so that a sentence becomes a string over which a shape is a short pattern: “Ada was
killed” is `NSK`. `spoken` picks the language of a sentence, `tag_of` tells what its words mean in it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType

from knightfall.names import fold

LETTERS: Mapping[str, str] = MappingProxyType(
    {
        "dead": "K", "kills": "k", "out": "O", "puts_out": "o", "revived": "V", "replaces": "R",
        "replaced_by": "r", "removed": "d", "from_game": "g", "revealed": "e", "flips": "f", "mourns": "j",
        "nobody": "0", "everybody": "a", "no_out": "Y", "no_kill": "y", "day": "D", "night": "G",
        "morning": "M", "begins": "B", "ended": "E", "ends": "l", "future": "F", "elsewhere": "Z", "if": "I",
        "when": "W", "not": "!", "alive": "L", "players": "P", "majority": "Q", "takes": "x", "vote": "v",
        "unvote": "u", "votecount": "C", "tie": "ŧ", "moderator": "m", "role": "T", "was": "S", "be": "X",
        "they": "p", "article": "t", "adverb": "A", "and": "&", "by": "b", "to": ">", "of": "~", "you": "q",
        "numbers": "#", "ranks": "^", "half": "h", "third": "3", "quarter": "4", "more": "ɱ", "fewer": "ɯ",
        "reached": "c",
        "night_acts": "i", "goes_on": "J", "seat": "Σ", "assists": "Ϟ", "time_is_up": "Ϡ",
        "gallows": "Ц", "replacement": "Ч", "plays": "Ш",
        # What is read of rules alone.
        "bold": "α", "red": "β", "coloured": "γ", "italic": "δ", "code": "ε", "heading": "ζ", "own_line":
        "η", "plain": "θ", "number_word": "ι", "deadline": "κ", "most": "λ", "plurality": "μ", "random":
        "ν", "longest": "ξ", "last": "ο", "runoff": "π", "decides": "ρ", "self": "ς", "forbidden": "σ",
        "counts": "τ", "double": "υ", "triple": "φ", "hated": "χ", "loved": "ψ", "voteless": "ω", "private":
        "ά", "nominate": "έ", "carry": "ή", "per_day": "ί", "final": "ό", "changes": "ύ", "takes_back": "ώ",
        "take": "А", "back": "Б", "at_once": "В", "unanimous": "Г", "except": "Д", "otherwise": "Е",
        "thread": "Ж", "talk": "З", "spoken": "Л", "standing": "М", "before": "Й", "handled": "К",
        "must": "И", "only": "Ы", "large": "Н", "item": "П", "everyone_else": "Р",
    }
)  # fmt: skip
"""The table of a word → its letter. Beside these `N` is a whole name, `n` what may be a short one, `w`
another word, and signs stand for themselves: `,:()/|` and `»` for an arrow."""
ENGLISH = "en"
PLACEHOLDER = "placeholder"
"""The table of what stands for a name, which is no tag of a sentence."""
LONGEST_PHRASE = 6
"""Words of a phrase at most."""


class _Language:
    """The words of one language: whole words and phrases, and stems that may end in anything."""

    def __init__(self) -> None:
        self.whole: dict[tuple[str, ...], tuple[str, int]] = {}
        self.stems: dict[str, tuple[str, int]] = {}
        self.begin: set[str] = set()
        """The first words of phrases."""

    def add(self, written: str, letter: str, value: int) -> None:
        parts = tuple(parted(written.removesuffix("*")))
        if written.endswith("*") and len(parts) == 1:
            self.stems.setdefault(parts[0], (letter, value))
        else:
            self.whole.setdefault(parts, (letter, value))
            if len(parts) > 1:
                self.begin.add(parts[0])

    def word(self, word: str) -> tuple[str, int] | None:
        """The letter of a word and its value as a number (0: none); None for one that is not known."""
        found = self.whole.get((word,))
        if found is None:
            stems = (self.stems.get(word[:size]) for size in range(len(word), 3, -1))
            found = next((one for one in stems if one is not None), None)
        return found


def parted(written: str) -> list[str]:
    """The words of a text, folded: hyphens part them, an apostrophe within a word is left
    out of it, one behind an elided article parts them."""
    return _ELIDED.sub(r"\1 ", fold(written)).replace("-", " ").replace("'", "").split()


_ELIDED = re.compile(r"\b([cdjlmnst]|qu)'(?=[^\W\d_]{2})")


@cache
def languages(rules: bool = False) -> Mapping[str, _Language]:
    """The languages of the lexicon by their codes; for `rules` of a house with the words of these first."""
    found: dict[str, _Language] = {}
    for file in ("rules.toml", "lexicon.toml") if rules else ("lexicon.toml",):
        tables = tomllib.loads(files("knightfall.reading").joinpath(file).read_text("utf-8"))
        tables.pop(PLACEHOLDER, None)
        for tag, rows in tables.items():
            for code, words in rows.items():
                for place, written in enumerate(words, start=1):
                    found.setdefault(code, _Language()).add(written, LETTERS[tag], place)
    return MappingProxyType(found)


@cache
def _placeholders() -> frozenset[str]:
    rules = tomllib.loads(files("knightfall.reading").joinpath("rules.toml").read_text("utf-8"))
    return frozenset(fold(word) for words in rules[PLACEHOLDER].values() for word in words)


def stands_for_a_name(text: str) -> bool:
    """Whether a text stands for a name in an example: “Name”, “the player”, “7”."""
    words = parted(text)
    return any(word.isdigit() or word in _placeholders() for word in words)


@lru_cache(maxsize=20_000)
def _known_in(word: str) -> frozenset[str]:
    """The languages that know a word."""
    return frozenset(code for code, language in languages().items() if language.word(word) is not None)


def spoken(words: Sequence[str]) -> str:
    """The code of the language that knows most of these folded words; English where none knows more."""
    known = [_known_in(word) for word in words if len(word) > 1]
    counts = {code: sum(code in one for one in known) for code in languages()}
    return max(counts, key=lambda code: (counts[code], code == ENGLISH))


def tag_of(words: Sequence[str], place: int, code: str, rules: bool = False) -> tuple[str, int, int] | None:
    """(letter, value as a number, how many words) of the longest phrase that begins at a place; None where
    the word is not known in that language nor in English."""
    for language in dict.fromkeys((code, ENGLISH)):
        known = languages(rules)[language]
        if words[place] in known.begin:
            for size in range(min(LONGEST_PHRASE, len(words) - place), 1, -1):
                found = known.whole.get(tuple(words[place : place + size]))
                if found is not None:
                    return found[0], found[1], size
        found = known.word(words[place])
        if found is not None:
            return found[0], found[1], 1
    return None


def says_role(text: str) -> bool:
    """Whether a word of a role or of a side stands in a text."""
    words = [word for written in parted(text) if (word := written.strip(",.;:!?()[]"))]
    found = (tag_of(words, place, spoken(words)) for place in range(len(words)))
    return any(one is not None and one[0] == LETTERS["role"] for one in found)
