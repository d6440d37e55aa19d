"""Which words is a role written with, and which entry of the catalog does each mean?

Capitals do not matter, and a hyphen is a blank. The longest word that fits is taken: `bus driver` is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import TypeAlias

from knightfall.errors import InputError
from knightfall.games.custom_mafia.catalog import CATALOG, VANILLA, X_SHOT, Entry
from knightfall.mafia.roles import Alignment

_BLANKS = re.compile(r"[\s_‐‑–-]+")
_AFTER_NUMBER = re.compile(r"(?<=\d)(?=[^\W\d])")
_NUMBERS: Mapping[str, int] = {"one": 1, "two": 2, "three": 3, "single": 1}
_SHOT = ("shot", "shots")
MOST_SHOTS = 9


@dataclass(frozen=True, slots=True)
class Shots:
    """`2-Shot`, as said."""

    number: int

    @property
    def name(self) -> str:
        """`2-Shot`."""
        return f"{self.number}-Shot"


@dataclass(frozen=True, slots=True)
class Side:
    """`Town` or `Mafia`, said by itself."""

    name: str
    alignment: Alignment


@dataclass(frozen=True, slots=True)
class Vanilla:
    """`Vanilla`, said by itself."""

    name: str = "Vanilla"


Word: TypeAlias = Entry | Shots | Side | Vanilla

SIDES = (Side("Town", Alignment.TOWN), Side("Mafia", Alignment.MAFIA))


def split(text: str) -> list[str]:
    """The single words as written."""
    return [word for word in _BLANKS.split(_AFTER_NUMBER.sub(" ", text)) if word]


def _phrases() -> Iterator[tuple[tuple[str, ...], Word]]:
    for entry in CATALOG:
        for written in (entry.name, *entry.aliases):
            yield tuple(split(written.casefold())), entry
    for side in SIDES:
        yield (side.name.casefold(),), side
    yield (VANILLA,), Vanilla()


PHRASES: Mapping[tuple[str, ...], Word] = MappingProxyType(dict(_phrases()))
_LONGEST = max(map(len, PHRASES))


def words_of(text: str) -> tuple[Word, ...]:
    """What the words mean, in order. Raises InputError for one that is not known, with the nearest."""
    written = split(text)
    folded = [word.casefold() for word in written]
    found: list[Word] = []
    at = 0
    while at < len(folded):
        word, length = _shots(text, folded[at:]) or _known(folded[at:]) or _unknown(text, written[at:])
        found.append(word)
        at += length
    return tuple(found)


def _known(folded: Sequence[str]) -> tuple[Word, int] | None:
    for length in range(min(_LONGEST, len(folded)), 0, -1):
        if word := PHRASES.get(tuple(folded[:length])):
            return word, length
    return None


def _shots(text: str, folded: Sequence[str]) -> tuple[Word, int] | None:
    """`2 shot`; None where no number comes."""
    number = int(folded[0][:3]) if folded[0].isdecimal() else _NUMBERS.get(folded[0])
    if number is None:
        return None
    if folded[1:2] and folded[1] in _SHOT and 1 <= number <= MOST_SHOTS:
        return Shots(number), 2
    raise InputError(f"Role “{text}”: found {folded[0]}, expected 1-Shot to {MOST_SHOTS}-Shot.")


def _unknown(text: str, written: Sequence[str]) -> tuple[Word, int]:
    """Nothing begins here: say so, and what comes nearest."""
    near = nearest(written)
    raise InputError(
        f"Role “{text}”: there is no “{written[0]}”; the nearest is {near}. All: knightfall roles"
    )


def nearest(written: Sequence[str]) -> str:
    """The name of the word that looks most like what is written, alone or with what follows."""
    said = {" ".join(phrase): word for phrase, word in PHRASES.items() if word is not X_SHOT}
    for length in (2, 1):
        if close := get_close_matches(" ".join(written[:length]).casefold(), said, n=1, cutoff=0.8):
            return said[close[0]].name
    return said[get_close_matches(written[0].casefold(), said, n=1, cutoff=0.0)[0]].name
