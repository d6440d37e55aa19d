"""The name matcher: who is meant by what somebody wrote, by which rule, and how sure that is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

import regex

from knightfall.models import Slot

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


class Gone(Enum):
    """Why somebody cannot be voted for."""

    DEAD = "dead_target"
    NOT_A_PLAYER = "not_a_player"


@dataclass(frozen=True, slots=True)
class Matched:
    """One living slot fits by `rule`; `score` is 1.0 for certainty, less by edit distance."""

    slot: Slot
    rule: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class NoElimination:
    """The words mean that nobody shall be eliminated."""


@dataclass(frozen=True, slots=True)
class Absent:
    """The name is that of somebody who cannot be voted for."""

    name: str
    why: Gone


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Two or more of the living fit by the same rule."""

    candidates: tuple[Slot, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody fits; `nearest` lists who came closest, for the question to the moderator."""

    nearest: tuple[Slot, ...] = ()


Meaning: TypeAlias = Matched | NoElimination | Absent | Ambiguous | Unknown


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


NO_ELIMINATION_WORDS = frozenset(
    (
        "nl",
        "nolynch",
        "nolynching",
        "nole",
        "noelim",
        "noelimination",
        "noeliminate",
        "noexe",
        "noexec",
        "noexecution",
        "noexecute",
        "nokill",
        "nohang",
        "nohanging",
        "noexile",
        "noban",
        "sleep",
        "gotosleep",
        "pass",
        "skip",
        "skipday",
        "nolinch",
        "nolinchar",
        "nolinchamiento",
        "noeliminations",
    )
)
"""What players write for no elimination, squashed; the house's own words are added by the rule object."""

_NOTE = regex.compile(
    r"""\s*(?:[(\[{<].*|\s[-–—=]+\s*.*|[-–—]{2,}.*|\s[-–—/]?\s*\b[le]\s?-\s?\d.*|['’]s\s+(?:slot|replacement|wagon|seat).*
        |\s+(?:slot|replacement)\b.*|(?<=\w\w)[.!?,;:]+(?:\s.*)?)$""",
    regex.VERBOSE | regex.IGNORECASE,
)
_LEAD = regex.compile(
    r"^(?:@|\bfor\b|\bto\s+(?:lynch|eliminate|execute|kill)\b|\blynch\b|\bplayer\b|\buser\b)\s*:?\s*",
    regex.IGNORECASE,
)
_EDGES = " \t\"'“”‘’`*_~.,;:!?()[]{}<>|/\\-–—="


class Names:
    """The names that can be meant at one moment of a game, and a memory of what was asked."""

    def __init__(
        self,
        alive: Iterable[Slot],
        gone: Iterable[Slot] = (),
        moderators: Iterable[str] = (),
        no_elimination: frozenset[str] = NO_ELIMINATION_WORDS,
    ) -> None:
        self._entries = (
            *_entries(alive, None),
            *_entries(gone, Gone.DEAD),
            *(Entry(name, None, Gone.NOT_A_PLAYER) for name in moderators),
        )
        self._no_elimination = no_elimination
        self._known: dict[tuple[str, str | None], Meaning] = {}

    def meant(self, text: str, voter: Slot | None = None) -> Meaning:
        """Who is meant by `text`. The fuzzy tiers leave out the voter himself."""
        key = (text, voter.name if voter else None)
        if key not in self._known:
            self._known[key] = self._decide(text, voter)
        return self._known[key]

    def _decide(self, text: str, voter: Slot | None) -> Meaning:
        variants = tuple(_variants(text))
        for rule, fits, fuzzy, firm in TIERS:
            if rule == NO_ELIMINATION:
                if any(self._says_nobody(variant) for variant in variants):
                    return NoElimination()
                continue
            pool = [e for e in self._entries if not (fuzzy and e.slot == voter and voter is not None)]
            for variant in variants:
                found = _verdict(rule, [e for e in pool if fits(variant, e)], firm)
                if found is not None:
                    return found
        return self._by_distance(variants, voter)

    def _says_nobody(self, variant: str) -> bool:
        bare = squash(variant)
        return bare in self._no_elimination or bare.removeprefix("to") in self._no_elimination

    def _by_distance(self, variants: tuple[str, ...], voter: Slot | None) -> Meaning:
        """The nearest of the living, if near enough for its length and clearly nearer than the next."""
        pool = [e for e in self._entries if e.gone is None and e.slot != voter]
        for variant in variants:
            bare = squash(variant)
            ranked = _ranked(bare, pool)
            if ranked and ranked[0][0] <= limit(len(bare)):
                near = tuple(slot for distance, slot in ranked if distance == ranked[0][0])
                if len(near) > 1:
                    return Ambiguous(near, "edit_distance")
                return Matched(near[0], "edit_distance", round(1 - ranked[0][0] / max(len(bare), 1), 2))
        for rule, fits in LAST_TIERS:
            for variant in variants:
                found = _verdict(rule, [e for e in pool if fits(variant, e)], False)
                if found is not None:
                    return found
        return self._himself(variants, voter) or Unknown(
            tuple(slot for _, slot in _ranked(squash(variants[0]), pool)[:3]) if variants else ()
        )

    def _himself(self, variants: tuple[str, ...], voter: Slot | None) -> Meaning | None:
        """A part of the voter's own name that fits nobody else: he votes for himself."""
        own = [e for e in self._entries if e.gone is None and e.slot == voter]
        fits = [e for e in own if any(inside(variant, e) for variant in variants)]
        return _verdict("inside", fits, False)


@lru_cache(maxsize=256)
def names_of(
    alive: tuple[Slot, ...],
    gone: tuple[Slot, ...] = (),
    moderators: frozenset[str] = frozenset(),
    no_elimination: frozenset[str] = NO_ELIMINATION_WORDS,
) -> Names:
    """The names of one moment, made once: counts as of many posts share what was matched."""
    return Names(alive, gone, sorted(moderators), no_elimination)


def _entries(slots: Iterable[Slot], gone: Gone | None) -> Iterator[Entry]:
    for slot in slots:
        yield from (Entry(name, slot, gone) for name in slot.names)
        yield from (Entry(alias, slot, gone, alias=True) for alias in slot.aliases)


def _verdict(rule: str, hits: list[Entry], firm: bool) -> Meaning | None:
    """What a tier's hits amount to. A firm tier that fits only the dead must not slide to somebody else."""
    entries = (hit for hit in hits if hit.gone is None)
    found: dict[str, Slot] = {}
    for entry in entries:
        if entry.slot is not None:
            found.setdefault(entry.slot.name, entry.slot)
    living = tuple(found.values())

    if len(living) == 1:
        return Matched(living[0], rule)
    if living:
        return Ambiguous(living, rule)
    gone = [hit for hit in hits if hit.gone is not None]
    if gone and firm:
        return Absent(gone[0].slot.name if gone[0].slot else gone[0].name, gone[0].gone or Gone.DEAD)
    return None


def _variants(text: str) -> Iterator[str]:
    """What was typed, then the same without what leads to it and trails it; each once."""
    seen: set[str] = set()
    lead = _LEAD.sub("", text.strip())
    for made in (text.strip(), lead, _NOTE.sub("", text.strip()), _NOTE.sub("", lead), lead.strip(_EDGES)):
        if made and made not in seen:
            seen.add(made)
            yield made


def _ranked(bare: str, pool: list[Entry]) -> list[tuple[int, Slot]]:
    """Distance of each slot's nearest name, word or equally long beginning; nearest first."""
    best: dict[str, tuple[int, Slot]] = {}
    for entry in pool:
        if entry.slot is None:
            continue
        forms = [entry.bare, *(part for part in entry.parts if len(part) > 3)]
        if len(bare) > 3:
            forms.append(entry.bare[: len(bare)])
        distance = min(slips(bare, form) for form in forms)

        if entry.slot.name not in best or distance < best[entry.slot.name][0]:
            best[entry.slot.name] = (distance, entry.slot)
    return sorted(best.values(), key=lambda pair: pair[0])
