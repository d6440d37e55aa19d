"""When are two ways of writing a name the same? Folding of letters, words and initials, with no opinion
about who is meant."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LOOK_ALIKES = str.maketrans(
    {
        # Cyrillic and Greek letters drawn like Latin ones: a player may vote “Fеn” with a Cyrillic е.
        **dict(zip("авекмнорстухіјѕԁԛԝ", "abekmhopctyxijsdqw", strict=True)),
        **dict(zip("αβεικνορτυχ", "abeiknoptux", strict=True)),
        # Letters that no decomposition takes apart.
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "⁄": "/",
        "’": "'",
    }
)
_STROKES = str.maketrans({"l": "i", "1": "i", "|": "i", "!": "i", "0": "o", "5": "s", "$": "s", "@": "a"})
_WORDS = re.compile(r"\d+|[^\W\d_]+")
_HUMPS = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPACES = re.compile(r"\s+")
_SMALL_WORDS = frozenset({"the", "of", "a", "an", "and", "to", "in", "from", "for", "on", "at"})


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Case, width, accents, look-alike alphabets and invisible characters made one; blanks single."""
    plain = text if text.isascii() else _fold_unicode(text)
    return _SPACES.sub(" ", plain.casefold()).strip()


def _fold_unicode(text: str) -> str:
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(c for c in parts if unicodedata.category(c) not in ("Mn", "Cf"))
    return unicodedata.normalize("NFC", kept.translate(_LOOK_ALIKES))


@lru_cache(maxsize=65536)
def squash(text: str) -> str:
    """Letters and digits only; a name made of signs alone keeps its signs."""
    folded = fold(text)
    return "".join(c for c in folded if c.isalnum()) or folded.replace(" ", "")


@lru_cache(maxsize=65536)
def strokes(text: str) -> str:
    """Signs drawn alike (I l | 1, O 0) made one, before punctuation is folded away."""
    return fold(text).translate(_STROKES).replace(" ", "")


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """The words of a name: parted by blanks, signs, digits and humps (camelCase)."""
    return tuple(fold(word) for word in _WORDS.findall(_HUMPS.sub(" ", name)))


@lru_cache(maxsize=65536)
def initials(name: str) -> frozenset[str]:
    """First letters of its words, with and without the small ones; a number may stand whole."""
    parts = words(name)
    big = tuple(part for part in parts if part not in _SMALL_WORDS)
    return frozenset(
        made
        for chosen in (parts, big)
        for made in ("".join(p[0] for p in chosen), "".join(p if p.isdigit() else p[0] for p in chosen))
        if len(made) > 1
    )


def in_order(short: str, name: str) -> bool:
    """Every letter of `short` stands in `name` in that order, the first one at its start."""
    if not short or not name.startswith(short[0]):
        return False
    letters = iter(name)
    return all(letter in letters for letter in short)


def word_prefixes(short: str, parts: tuple[str, ...]) -> bool:
    """`short` is made of beginnings of all words of a name, in order: “cat6” for Category 6."""
    if not parts:
        return not short
    head, rest = parts[0], parts[1:]
    return any(
        short.startswith(head[:size]) and word_prefixes(short[size:], rest)
        for size in range(1, min(len(head), len(short)) + 1)
    )


def slips(one: str, other: str) -> int:
    """How many slips of the pen two words are apart: a letter more, less, another, or two swapped."""
    from rapidfuzz.distance import OSA  # most names are written as they are: they need not wait for it

    return OSA.distance(one, other)
