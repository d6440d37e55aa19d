"""The name matcher: who is meant by a name as somebody typed it.

Everything that reads a typed name asks here, by one of three policies:

* `Names.match`, for votes in a thread: players misspell, shorten and joke, so every tier from the exact name
  to the nearest spelling is asked in order of how sure it is, and the answer says which one fitted.
* `match_name`, for orders and commands: exact, case-folded, alias, unique beginning. Nothing is guessed.
* `bears` and `slot_named`, for decisions that are kept for ever: a whole name or alias, in any case.

Two that fit by one tier are `Ambiguous`, nobody is `Unknown`; neither is ever resolved by a guess. Whose
*account* wrote a post is no question of spelling: that is `Roster.slot_of`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias, TypeVar

from knightfall.errors import InputError
from knightfall.models import Roster, Slot
from knightfall.sentence import Sentence, joined, sentence

T = TypeVar("T", bound=str)

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
# Signs that look alike in most fonts: “Ke5trel” is Kestrel, “|ris” is Iris.
_STROKES = str.maketrans({"l": "i", "1": "i", "|": "i", "!": "i", "0": "o", "5": "s", "$": "s", "@": "a"})
# A run of digits or a run of letters: “Category6” is “Category” and “6”; “_” parts words.
_WORDS = re.compile(r"\d+|[^\W\d_]+")
# The empty place within a camelCase name: “MoonPike” → “Moon|Pike”, “ABCTeam” → “ABC|Team”.
_HUMPS = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPACES = re.compile(r"\s+")
LONGEST = 200
"""Letters of what was typed that are looked at: no name is longer."""
_SMALL_WORDS = frozenset({"the", "of", "a", "an", "and", "to", "in", "from", "for", "on", "at"})


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Case, width, accents, look-alike alphabets and invisible characters made one; blanks single."""
    if not text.isascii():
        # Taken apart so that accents (Mn) and invisible signs (Cf) can go, then put together again.
        parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
        kept = "".join(c for c in parts if unicodedata.category(c) not in ("Mn", "Cf"))
        text = unicodedata.normalize("NFC", kept.translate(_LOOK_ALIKES))
    return _SPACES.sub(" ", text.casefold()).strip()


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
    # The places in `short` that the words so far can reach; each word takes one letter at least.
    reached = {0}
    for part in parts:
        ends = set[int]()
        for start in reached:
            for size, letter in enumerate(part, start=1):
                if short[start + size - 1 : start + size] != letter:
                    break
                ends.add(start + size)
        reached = ends
    return len(short) in reached


def slips(one: str, other: str) -> int:
    """How many slips of the pen two words are apart: a letter more, less, another, or two swapped."""
    from rapidfuzz.distance import OSA  # most names are written as they are: they need not wait for it

    return OSA.distance(one, other)


class AbsentReason(Enum):
    """Why somebody cannot be voted for; the values are the reasons of votes not counted."""

    DEAD = "dead_target"
    NO_PLAYER = "target_no_player"


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
    why: AbsentReason


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """What was written fits several slots by one rule; `slots` are their names."""

    written: str
    slots: tuple[str, ...]
    rule: str = ""

    @property
    def words(self) -> Sentence:
        """“Bo” could be Boro or Bolt."""
        slots = joined(" or ", self.slots)
        return sentence("“{written}” could be {slots}", written=self.written, slots=slots)


@dataclass(frozen=True, slots=True)
class Unknown:
    """What was written fits nobody; `nearest` are the slots that came closest, for the question to the
    moderator."""

    written: str
    nearest: tuple[str, ...] = ()


TargetMatch: TypeAlias = Matched | NoElimination | Absent | Ambiguous | Unknown
"""Whom a vote means."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of one candidate. `slot` is None for a moderator; `later` is of who holds the slot only later:
    nobody shortens or misspells a name that they do not know yet."""

    name: str
    slot: Slot | None
    gone: AbsentReason | None = None
    alias: bool = False
    later: bool = False
    folded: str = field(init=False)
    bare: str = field(init=False)
    parts: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folded", fold(self.name))
        object.__setattr__(self, "bare", squash(self.name))
        object.__setattr__(self, "parts", words(self.name))


# One to three letters that stand twice or more in a row: “lalala” is one “la”, “niiice” one “i”.
_REPEAT = re.compile(r"(.{1,3}?)\1+")
# What players glue to a name to say what they think of it: “obvscumBoro”, “KestrelTown”.
_AFFIX = re.compile(r"obv|scum|town|mafia|wolf|lock|conf", re.IGNORECASE)


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
    return entry.bare.startswith(bare) or bare in entry.parts


def _prefix_of_word(text: str, entry: Entry) -> bool:
    """The first two letters of a word within the name."""
    bare = squash(text)
    return len(bare) == 2 and any(part.startswith(bare) for part in entry.parts)


def _initials(text: str, entry: Entry) -> bool:
    return squash(text) in initials(entry.name)


def _inside(text: str, entry: Entry) -> bool:
    """Three letters or more that stand anywhere in the name."""
    bare = squash(text)
    return len(bare) > 2 and bare in entry.bare


def _name_at_start(text: str, entry: Entry) -> bool:
    """More was typed than a name, and it begins with one."""
    folded = fold(text)
    rest = folded.removeprefix(entry.folded)
    return len(entry.bare) > 1 and rest != folded and not rest[0].isalnum()


def _word_by_word(text: str, entry: Entry) -> bool:
    """As many words as the name has, each cut after its third letter or misspelt at most: “Sol Pipes” for
    Solomon Pipes."""
    if len(entry.parts) < 2:
        return False
    typed = words(text)
    return len(typed) == len(entry.parts) and all(
        one == other
        or (
            len(one) > 2
            and not one.isdigit()
            and one not in _SMALL_WORDS
            and (other.startswith(one) or slips(one, other) <= limit(len(one)))
        )
        for one, other in zip(typed, entry.parts, strict=True)
    )


def _starters(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """Whose name begins what was typed, the longest of such names; and who else may be meant by the words
    that are left over: “Fern Maria now” and “Fern Mary” begin with Fern, and may be Fern Marie."""
    hits = [entry for entry in entries if _name_at_start(text, entry)]
    if not hits:
        return []
    found = [
        hit
        for hit in hits
        if not any(other.folded != hit.folded and other.folded.startswith(hit.folded) for other in hits)
    ]
    typed = words(text)
    return found + [
        entry
        for entry in entries
        if entry not in hits
        and entry.gone is None
        and (
            (len(typed) > len(entry.parts) and _word_by_word(" ".join(typed[: len(entry.parts)]), entry))
            or any(_goes_on_like(typed, hit, entry) for hit in found)
        )
    ]


def _goes_on_like(typed: Sequence[str], hit: Entry, entry: Entry) -> bool:
    """Whether behind the name of `hit` was typed what the longer name of `entry` has there, each word at most
    two slips apart, and not most of it."""
    size = len(hit.parts)
    if entry.parts[:size] != hit.parts or len(typed) < len(entry.parts):
        return False
    return len(entry.parts) > size and all(
        (apart := slips(one, other)) <= 2 and 2 * apart <= max(len(one), len(other))
        for one, other in zip(typed[size:], entry.parts[size:], strict=False)
    )


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
    """Letters or syllables drawn out: “lalalaladucks”, with a slip where five letters are left at least."""
    bare = squash(text)
    if len(bare) < 4:
        return False
    once, own = _REPEAT.sub(r"\1", bare), _REPEAT.sub(r"\1", entry.bare)
    return once == own or (len(once) > 4 and len(bare) - len(once) > 2 and slips(once, own) <= 1)


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


def _after_the(text: str, entry: Entry) -> bool:
    """The beginning of a name after “the”, apart or not: “the Kest”, “thekestrel”; or that name misspelt."""
    bare = squash(text)
    rest = bare.removeprefix("the")
    if rest == bare or len(rest) < 3:
        return False
    own = entry.bare.removeprefix("the")
    return own.startswith(rest) or (len(rest) > 4 and slips(rest, own) <= limit(len(rest)))


def _starts_glued(text: str, entry: Entry) -> bool:
    """A whole name of four letters or more, and more letters without anything between."""
    return len(entry.bare) > 3 and squash(text).startswith(entry.bare)


def _first_of_four(text: str, entry: Entry) -> bool:
    """Of two to four words typed, the first is a word of the name, its beginning, or misspelt."""
    typed = words(text)
    if not 2 <= len(typed) <= 4 or len(typed[0]) < 4 or typed[0] in _SMALL_WORDS:
        return False
    return _prefix(typed[0], entry) or slips(typed[0], entry.bare) <= limit(len(typed[0])) - 1


def _one_letter(text: str, entry: Entry) -> bool:
    """The first letter of a name."""
    bare = squash(text)
    return len(bare) == 1 and bare.isalpha() and entry.bare.startswith(bare)


def _backwards(text: str, entry: Entry) -> bool:
    """Five letters or more of a name that is written backwards, by the voter or by the player."""
    bare = squash(text)
    return len(bare) > 4 and bare[::-1] in entry.bare


def _first_words(text: str, entry: Entry) -> bool:
    """Of several words typed, the first begins the name or is its initials."""
    typed = words(text)
    if len(typed) < 2:
        return False
    return typed[0] in initials(entry.name) or (len(typed[0]) > 3 and entry.bare.startswith(typed[0]))


Fits: TypeAlias = Callable[[str, Entry], bool]


class Tier(NamedTuple):
    """One way to match: the `rule` that answers name, and the test of one name.

    A `fuzzy` one leaves the voter out; a `firm` one that fits only the dead is their name, and must not slide
    to somebody else by a later tier. One with a `key` fits where text and name have the same key: most votes
    are whole names, and these are looked up.
    """

    rule: str
    fits: Fits
    fuzzy: bool = False
    firm: bool = False
    key: Callable[[str], str] | None = None


NO_ELIMINATION = "no_elimination"
"""The tier that asks the house's words for no elimination instead of names."""
PREFIX = "prefix"
"""The first tier that is content with less than a whole name."""
NAME_AT_START = "name_at_start"
"""The tier of more than a name, which weighs the names against each other."""

TIERS = (
    Tier("exact", _exact, firm=True, key=fold),
    Tier("exact", _exact_letters, firm=True, key=squash),
    Tier("alias", _alias, firm=True, key=squash),
    Tier(NO_ELIMINATION, _exact),
    Tier("look_alike", _strokes, firm=True),
    Tier(PREFIX, _prefix, firm=True),
    Tier("initials", _initials, firm=True),
    Tier(PREFIX, _prefix_of_word, firm=True),
    Tier("word_starts", _word_by_word, firm=True),
    Tier(NAME_AT_START, _name_at_start, firm=True),
    Tier("inside", _inside, fuzzy=True),
    Tier("word_starts", _word_starts, fuzzy=True),
)
"""Asked first, in this order, of everybody."""
LAST_TIERS = (
    Tier(PREFIX, _one_letter),
    Tier("repeats", _repeats),
    Tier("affix", _after_the),
    Tier(NAME_AT_START, _starts_glued),
    Tier("abbreviated", _abbreviated),
    Tier("shuffled", _shuffled),
    Tier("affix", _without_affix),
    Tier("name_contained", _name_contained),
    Tier("first_words", _first_words),
    Tier("shared_word", _shared_word),
    Tier("backwards", _backwards),
    Tier("first_words", _first_of_four),
)
"""Asked of the living but the voter, where no name is near enough in spelling either."""
FUZZY_TIERS = tuple(tier for tier in TIERS if tier.fuzzy)
SURE_TIERS = tuple(tier for tier in TIERS if tier.firm)
"""The tiers that leave no doubt."""
WHOLE_RULES = frozenset({"exact", "alias"})
WHOLE_TIERS = (Tier("exact", _exact), Tier("exact", _exact_letters), Tier("alias", _alias))


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
        "noone",
        "nobody",
        "niemand",
        "nadie",
        "personne",
    )
)
"""What players write for no elimination, squashed; the house's own words are added by the rule object."""

# What follows a name and is no part of it, to the end of the text: “Boro (sorry)”, “Boro - he lied”,
# “Boro L-1”, “Boro's slot”, “Boro replacement”, “Boro. And now…”. A sign within a word stays: “Mr.T”. Only
# after something: of “[Boro] (L-1)” the second bracket is the note.
_NOTE = re.compile(
    r"""(?<=[^\s([{<])\s*(?:
        [(\[{<].*                                        # a bracket
        |\s[-–—=]+\s*.*|[-–—]{2,}.*                       # a dash that stands apart, or a long one
        |\s[-–—/]?\s*\b[le]\s?-\s?\d.*                  # the distance: L-1, E-2
        |['’]s\s+(?:slot|replacement|wagon|seat).*
        |\s+(?:slot|replacement|because)\b.*
        |(?<=\w\w)[.!?,;:]+(?:\s.*)?                     # the end of the sentence
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
# What leads to a name: “@Boro”, “for Boro”, “to lynch Boro”, “player: Boro”.
_LEAD = re.compile(
    r"^(?:@|\bfor\b|\bto\s+(?:lynch|eliminate|execute|kill)\b|\blynch\b|\bslot\b|\bplayer\b|\buser\b)\s*:?\s*",
    re.IGNORECASE,
)
_EDGES = " \t\"'“”‘’`*_~.,;:!?()[]{}<>|/\\-–—="


# What joins two names in one vote: “Ada or Boro”, “Ada/Boro”, “Ada and Boro”.
_JOINT = re.compile(r"\s+(?:or|and|&)\s+|\s*/\s*", re.IGNORECASE)


class Names:
    """The names that can be meant at one moment of a game (post `at`), and a memory of what was asked."""

    def __init__(
        self,
        alive: Iterable[Slot],
        gone: Iterable[Slot] = (),
        moderators: Iterable[str] = (),
        no_elimination: frozenset[str] = NO_ELIMINATION_WORDS,
        at: int | None = None,
    ) -> None:
        self._whole = (
            *_entries(alive, None, at),
            *_entries(gone, AbsentReason.DEAD, at),
            *(Entry(name, None, AbsentReason.NO_PLAYER) for name in moderators),
        )
        self._entries = tuple(entry for entry in self._whole if not entry.later)
        self._no_elimination = no_elimination
        # The test of each tier with a key → key → the entries that fit.
        self._by_key: dict[Fits, dict[str, list[Entry]]] = {_exact: {}, _exact_letters: {}, _alias: {}}
        for entry in self._whole:
            if entry.alias:
                self._by_key[_alias].setdefault(entry.bare, []).append(entry)
            else:
                self._by_key[_exact].setdefault(entry.folded, []).append(entry)
                self._by_key[_exact_letters].setdefault(entry.bare, []).append(entry)
        self._sure: dict[str, TargetMatch | None] = {}
        self._known: dict[tuple[str, str | None], TargetMatch] = {}

    def match(self, text: str, voter: Slot | None = None) -> TargetMatch:
        """Whom a vote for `text` means. The voter is meant by a whole name alone."""
        sure = self.surely(text)
        if isinstance(sure, Matched) and sure.slot == voter and sure.rule not in WHOLE_RULES:
            return Unknown(text, (sure.slot.name,))
        if sure is not None:
            return sure
        key = (text, voter.name if voter else None)
        if key not in self._known:
            self._known[key] = self._decide(text, voter)
        return self._known[key]

    def whole(self, text: str) -> Slot | None:
        """The one slot, alive or not, that has this as a whole name or alias."""
        return self._wholes.get(squash(text))

    def may_begin(self, word: str) -> bool:
        """Whether a whole name or alias may begin with this word."""
        return squash(word) in self._beginnings

    @cached_property
    def _wholes(self) -> dict[str, Slot | None]:
        """Whose each whole name or alias is, squashed; None for that of a moderator or of two."""
        found: dict[str, Slot | None] = {}
        for aliased in (False, True):
            for bare, entries in groupby(
                sorted((e for e in self._whole if e.alias is aliased), key=lambda e: e.bare),
                key=lambda e: e.bare,
            ):
                slots = {entry.slot.name if entry.slot else "": entry.slot for entry in entries}
                found.setdefault(bare, next(iter(slots.values())) if len(slots) == 1 else None)
        return found

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(bare[:size] for bare in self._wholes for size in range(1, len(bare) + 1))

    def surely(self, text: str) -> TargetMatch | None:
        """What the sure tiers say of a text, which do not ask who votes; None where they say nothing."""
        if text not in self._sure:
            self._sure[text] = self._decide_surely(text)
        return self._sure[text]

    def _decide_surely(self, text: str) -> TargetMatch | None:
        # Most votes are a whole name and nothing else: the first tier, without any variants.
        typed = text[:LONGEST].strip()
        if typed and fold(typed) in self._by_key[_exact]:
            found = _verdict(text, "exact", self._by_key[_exact][fold(typed)], firm=True)
            if found is not None:
                return found
        variants = tuple(_variants(typed))

        # Each for every variant of what was typed before the next is asked.
        for rule, fits, _, firm, key in (tier for tier in TIERS if not tier.fuzzy):
            if fits is _prefix and len(joined := self._joined(variants)) > 1:
                return Ambiguous(text, joined, "joined")
            if rule == NO_ELIMINATION:
                said = {squash(variant) for variant in variants}
                if not self._no_elimination.isdisjoint(said | {each.removeprefix("to") for each in said}):
                    return NoElimination()
                continue
            pool = self._whole if rule in WHOLE_RULES else self._entries
            for variant in variants:
                if key is None:
                    fitting = [e for e in pool if fits(variant, e)]
                    if fits is _prefix and fitting and len(squash(variant)) == 2:
                        # Two letters may be initials as well.
                        fitting += [e for e in pool if e not in fitting and _initials(variant, e)]
                else:
                    fitting = self._by_key[fits].get(key(variant), [])
                if not fitting:
                    continue
                if rule == NAME_AT_START:
                    fitting = _starters(variant, pool)
                found = _verdict(text, rule, fitting, firm)
                if found is not None:
                    return found
        return None

    def _decide(self, text: str, voter: Slot | None) -> TargetMatch:
        """Whom a text means of which the sure tiers say nothing."""
        variants = tuple(_variants(text[:LONGEST].strip()))
        for rule, fits, *_ in FUZZY_TIERS:
            pool = [e for e in self._entries if voter is None or e.slot != voter]
            for variant in variants:
                found = _verdict(text, rule, [e for e in pool if fits(variant, e)], False)
                if found is not None:
                    return found

        living = [e for e in self._entries if e.gone is None]
        others = [e for e in living if e.slot != voter]

        # Then the nearest of the living, if near enough for its length and nearer than the next.
        for variant in variants:
            bare = squash(variant)
            ranked = _ranked(bare, others)
            if ranked and ranked[0][0] <= limit(len(bare)):
                best = ranked[0][0]
                near = tuple(slot for distance, slot in ranked if distance == best)
                if len(near) > 1:
                    return Ambiguous(text, tuple(slot.name for slot in near), "edit_distance")
                return Matched(near[0], "edit_distance", round(1 - best / max(len(bare), 1), 2))

        # Then what is more of a guess. One letter must not be the voter's own, either.
        for rule, fits, *_ in LAST_TIERS:
            pool = living if fits is _one_letter else others
            for variant in variants:
                found = _verdict(text, rule, [e for e in pool if fits(variant, e)], False)
                if found is not None:
                    return found

        # Then a misspelling of one name that is like nobody else's.
        for variant in variants:
            nearest_clear = _clear_nearest(text, squash(variant), others)
            if nearest_clear is not None:
                return nearest_clear

        # The voter's own name, cut or abbreviated, that fits nobody else: a vote for themselves.
        fits_self = (_inside, _word_starts, _abbreviated)
        own = [
            e for e in living if e.slot == voter and any(fits(v, e) for fits in fits_self for v in variants)
        ]
        nearest = _resembling(squash(variants[0]), others)[:3] if variants else ()
        return _verdict(text, "inside", own, False) or Unknown(text, nearest)

    def _joined(self, variants: Iterable[str]) -> tuple[str, ...]:
        """The living of whom a vote names several, each by a name that leaves no doubt: “Ada or Boro”."""
        for variant in variants:
            pieces = _JOINT.split(variant)
            if len(pieces) > 1:
                meant = [self._one_named(piece) for piece in pieces]
                found = tuple(dict.fromkeys(slot.name for slot in meant if slot is not None))
                if len(found) > 1:
                    return found
        return ()

    def _one_named(self, piece: str) -> Slot | None:
        """The one of the living whom a piece names without doubt; a short word must be the whole name."""
        bare = squash(piece)
        short = len(bare) < 3 or bare in _SMALL_WORDS
        for rule, fits, *_ in WHOLE_TIERS if short else SURE_TIERS:
            found = _verdict(piece, rule, [e for e in self._entries if fits(piece, e)], True)
            if found is not None:
                return found.slot if isinstance(found, Matched) else None
        return None


@lru_cache(maxsize=256)
def names_of(
    alive: tuple[Slot, ...],
    gone: tuple[Slot, ...] = (),
    moderators: frozenset[str] = frozenset(),
    no_elimination: frozenset[str] = NO_ELIMINATION_WORDS,
    at: int | None = None,
) -> Names:
    """The names of one moment, made once: counts as of many posts share what was matched."""
    return Names(alive, gone, sorted(moderators), no_elimination, at)


def _entries(slots: Iterable[Slot], gone: AbsentReason | None, at: int | None = None) -> Iterator[Entry]:
    for slot in slots:
        held = {holder.name for holder in slot.holders if at is None or holder.from_post <= at}
        first = slot.holders[0].name
        yield from (
            Entry(n, slot, gone, later=at is not None and n not in held | {first}) for n in slot.names
        )
        yield from (Entry(alias, slot, gone, alias=True) for alias in slot.aliases)


def _verdict(text: str, rule: str, hits: list[Entry], firm: bool) -> TargetMatch | None:
    """What the entries that fit by a tier amount to; None where the next tier is to be asked."""
    living = {hit.slot.name: hit.slot for hit in hits if hit.gone is None and hit.slot is not None}
    if len(living) == 1:
        return Matched(next(iter(living.values())), rule)
    if living:
        return Ambiguous(text, tuple(living), rule)
    gone = [hit for hit in hits if hit.gone is not None]
    if gone and firm:
        return Absent(gone[0].slot.name if gone[0].slot else gone[0].name, gone[0].gone or AbsentReason.DEAD)
    return None


def _variants(typed: str) -> Iterator[str]:
    """What was typed, then what is left without the words that lead to it and those that trail it."""
    lead = _LEAD.sub("", typed)
    made = dict.fromkeys((typed, lead, _NOTE.sub("", typed), _NOTE.sub("", lead), lead.strip(_EDGES)))
    return (variant for variant in made if variant)


CLEAR = 5
"""Letters that a misspelling has at least which is clear without being near enough for its length."""
LIKE, AHEAD = 0.55, 0.2
"""How like a name it is at least, and by how much more than like the second."""


def _clear_nearest(text: str, bare: str, entries: list[Entry]) -> Matched | Ambiguous | None:
    """The one whose name alone resembles a misspelling; a question where it begins like one name and ends
    like another."""
    if len(bare) < CLEAR or len(words(text)) > 3:
        return None
    likeness: dict[str, tuple[float, Slot]] = {}
    for entry in entries:
        if entry.slot is not None:
            forms = (entry.bare, *(part for part in entry.parts if len(part) >= CLEAR))
            like = max(1 - slips(bare, form) / max(len(bare), len(form)) for form in forms)
            if like > likeness.get(entry.slot.name, (-1.0, entry.slot))[0]:
                likeness[entry.slot.name] = like, entry.slot
    ranked = sorted(likeness.values(), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < LIKE:
        return None
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < AHEAD:
        return None
    begun = {e.slot.name for e in entries if e.slot and e.bare[:3] == bare[:3]}
    ended = {e.slot.name for e in entries if e.slot and len(e.bare) > 2 and e.bare[-3:] == bare[-3:]}
    if begun and ended and begun.isdisjoint(ended):
        return Ambiguous(text, tuple(sorted(begun | ended)), "edit_distance")
    return Matched(ranked[0][1], "edit_distance", round(ranked[0][0], 2))


def _resembling(bare: str, entries: list[Entry]) -> tuple[str, ...]:
    """Who may be meant by what fits nobody: names that begin so, then those of which more than half is there,
    nearest first, then those of which a part of that length is nearly it. Nobody is offered only because
    somebody has to be."""
    ranked = _ranked(bare, entries)
    begin = [slot.name for _, slot in ranked if bare and any(squash(n).startswith(bare) for n in slot.names)]
    near = [slot.name for distance, slot in ranked if distance * 2 < len(bare)]
    within = [
        entry.slot.name
        for entry in entries
        if entry.slot is not None and (_part_like(bare, entry.bare) or _part_like(bare[::-1], entry.bare))
    ]
    return tuple(dict.fromkeys((*begin, *near, *within)))


PART_OF_NAME = 4
"""Letters that a part of a name has at least by which somebody is offered."""


def _part_like(bare: str, name: str) -> bool:
    """Whether a stretch of the name is what was written, a slip in four letters allowed; or both begin with
    the same four letters or more, half of what was written."""
    size = len(bare)
    if size < PART_OF_NAME:
        return False
    begun = next((n for n, (one, other) in enumerate(zip(bare, name, strict=False)) if one != other), size)
    begun = min(begun, len(name))
    if begun >= max(PART_OF_NAME, size / 2):
        return True
    stretches = (name[place : place + size] for place in range(len(name) - size + 1))
    return size > PART_OF_NAME and any(slips(bare, stretch) * 4 <= size for stretch in stretches)


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


SHORTEST = 3
"""Letters that the beginning of a name in an order has at least."""


def match_name(written: str, slots: Sequence[T], aliases: Mapping[str, T]) -> T | Ambiguous | Unknown:
    """The slot that a name in an order or a command means: exact, then case-folded, then the moderator's
    alias, first as it was typed and then without signs around it; then a unique beginning. Two hits are no
    guess."""
    bare = written.strip()
    typed = bare.removeprefix("@")
    ways = tuple(dict.fromkeys((bare, typed, typed.rstrip(".,;!").rstrip())))
    for begins in (False, True):
        for name in ways:
            found = _begun_by(name, slots) if begins else _whole(name, slots, aliases)
            if found:
                return found[0] if len(found) == 1 else Ambiguous(typed, found)
    return Unknown(typed)


def _whole(name: str, slots: Sequence[T], aliases: Mapping[str, T]) -> tuple[T, ...]:
    """Whose whole name or alias it is."""
    if name in slots:
        return (slots[slots.index(name)],)
    folded = name.casefold()
    found = [slot for slot in slots if slot.casefold() == folded] or [
        slot for alias, slot in aliases.items() if alias.casefold() == folded
    ]
    return tuple(dict.fromkeys(found))


def begun_with(written: str, slots: Sequence[T]) -> T | None:
    """Whose whole name some words begin with, the longest; None where they begin with nobody's."""
    folded = written.casefold()
    begun = (one for one in slots if re.match(rf"{re.escape(one.casefold())}[\s,;:.!]", folded))
    return max(begun, key=len, default=None)


def _begun_by(name: str, slots: Sequence[T]) -> tuple[T, ...]:
    """Whose name it begins."""
    if len(name) < SHORTEST:
        return ()
    folded = name.casefold()
    return tuple(dict.fromkeys(slot for slot in slots if slot.casefold().startswith(folded)))


def near_names(written: str, slots: Sequence[T], aliases: Mapping[str, T]) -> tuple[tuple[T, ...], bool]:
    """Whom a name in somebody's own words may mean, the nearest first, and whether it is their whole name or
    alias. It is for offers alone: a small word, and what begins or misspells a name, is sure of nobody."""
    folded, bare = fold(written), squash(written)
    names = [*((str(slot), slot) for slot in slots), *aliases.items()]
    whole = dict.fromkeys(slot for name, slot in names if fold(name) == folded or squash(name) == bare)
    if whole:
        return tuple(whole), True
    if len(bare) < SHORTEST or bare in _SMALL_WORDS:
        return (), False
    distance: dict[T, int] = {}
    for name, slot in names:
        if squash(name).startswith(bare):
            distance[slot] = 0
        elif len(bare) > SHORTEST and (apart := slips(bare, squash(name))) <= limit(len(bare)):
            distance[slot] = min(apart, distance.get(slot, apart))
    nearest = min(distance.values(), default=0)
    return tuple(slot for slot, apart in distance.items() if apart == nearest), False


def bears(slot: Slot, name: str) -> bool:
    """Whether it is one of the slot's names or aliases, whole: a decision is kept for ever."""
    folded = name.strip().casefold()
    return any(known.casefold() == folded for known in (*slot.names, *slot.aliases))


def slot_named(name: str, roster: Roster | None) -> str:
    """The name of the slot's holder; the name as typed where the game file lists nobody.

    Raises InputError with the nearest names for one that is nobody's, or two slots'.
    """
    if roster is None:
        return name.strip()
    found = next((slot for slot in roster.slots if bears(slot, name)), None)
    if found is not None:
        return found.name
    near = _resembling(squash(name), list(_entries(roster.slots, None)))[:3]
    known = f"Nearest: {', '.join(near)}" if near else f"Players: {', '.join(s.name for s in roster.slots)}"
    raise InputError(f"No player is called “{name}”. {known}. Write the name in full.")
