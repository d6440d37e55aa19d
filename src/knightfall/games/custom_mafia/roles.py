"""Every role and modifier, and roles in words: which card they mean, and what its name is in full.

The catalog has one entry a word of a role's name: data, after the convention of the MafiaScum wiki, in our
own words. The rulings in `options` decide; a sentence here only says them shorter.

A card that is none of these is written in quotation marks: Town “Lamplighter”. It is hosted all the same.

`[Town|Mafia] [modifiers] Base [modifiers Base …]`: modifiers bind to the base after them. Capitals do not
matter, and a hyphen is a blank; the longest word that fits is taken: `bus driver` is one. Refused: a word
that is not known, two sides, two of a kind, a modifier without a role or where it says nothing, a power where
it has no use. A side that is not written is the mafia for those who work for it as a rule, else the town. A
name in full has side, traits, Bulletproof and actions in the order of the catalog, and is read as that card
again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import ABILITIES, BY_ID, KILLS, Ability, Passive, Trait
from knightfall.games.custom_mafia.catalog import (
    AIMED,
    BASES,
    BUNDLES,
    CATALOG,
    ENABLER,
    GOON,
    JACK,
    MODIFIERS,
    NIGHT_X,
    NIGHTS,
    OWN,
    OWN_SIDES,
    TOWNIE,
    VANILLA,
    X_SHOT,
    Bundle,
    Entry,
    Kind,
)
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.roles import ON_NIGHT, SANITIES, TEAMS, Alignment, Modifier, Role
from knightfall.mafia.roles import Shots as Uses
from knightfall.sentence import Way, sentence
from knightfall.votes.numbers import NUMBER_WORDS

_TOWN, _MAFIA = Alignment.TOWN, Alignment.MAFIA
_WOLVES = Alignment.WEREWOLVES
_BACKUP = frozenset({Modifier.BACKUP})


def _a(name: str) -> str:
    """The name with its article."""
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


G = TypeVar("G", Passive, Trait)

# Between words: blanks, underscores, and every hyphen or dash that a phone may type.
_BLANKS = re.compile(r"[\s_‐‑–-]+")
# `2Shot` is `2 Shot`: cut after a digit that a letter follows.
_AFTER_NUMBER = re.compile(r"(?<=\d)(?=[^\W\d])")
MOST_SHOTS = 9
SHOT_NUMBERS: Mapping[str, int] = {
    **{word: number for number, word in enumerate(NUMBER_WORDS[:MOST_SHOTS], start=1)},
    "single": 1,
}
"""How often something works, in words: “two” of “two-shot”."""
SHOT_WORDS = ("shot", "shots", "use", "uses", "time", "times")
NEAR = 0.65
"""So much of a word must be right for its role to be named, where it is as long; of others more. A nearest
that is another role misleads."""
SHORT = 4
"""Of a word of so few letters more must be right."""

_APART = (
    {Modifier.ODD_NIGHT, Modifier.EVEN_NIGHT},
    {Modifier.LOYAL, Modifier.DISLOYAL},
    {Modifier.SIMPLE, Modifier.COMPLEX},
    *({one, other} for one in SANITIES for other in SANITIES if one is not other),
    *(
        {night, modifier}
        for night in ON_NIGHT
        for modifier in (Modifier.ODD_NIGHT, Modifier.EVEN_NIGHT, Modifier.NOVICE)
    ),
)
_SIDE: Mapping[Alignment, str] = {
    Alignment.TOWN: "town",
    Alignment.MAFIA: "mafia",
    Alignment.SERIAL_KILLER: "Serial Killer",
    Alignment.JESTER: "Jester",
    Alignment.SURVIVOR: "Survivor",
    Alignment.MAFIA_A: "Mafia A",
    Alignment.MAFIA_B: "Mafia B",
    Alignment.MAFIA_C: "Mafia C",
    Alignment.WEREWOLVES: "werewolf",
}
"""Sides as a refusal says them."""
_OF_SIDE: Mapping[Alignment | None, Entry] = {entry.side: entry for entry in OWN_SIDES}
_GIVING: Mapping[str, int] = {
    given: place
    for place, base in enumerate(BASES)
    for given in (str(base.gives), *([base.limited.id] if base.limited is not None else []))
    if base.side is None
}
"""The base that gives an ability, passive or trait, by its place in `BASES`."""
_PERSONAL = (Ability.ROLEBLOCK, Ability.ROLESTOP, Ability.ABDUCT)
"""CM-R88: what holds or keeps away, and protects from no kill by itself."""
_OUTSIDE = frozenset({Trait.TRAITOR, Trait.MINION})
"""Who is of a mafia, and not in it."""
_NOT_BACKED = frozenset({Trait.LOVER, *_OUTSIDE, Trait.UNIVERSAL_BACKUP})
"""What nobody can come to be by a death: whom one loves and knows is settled at the start."""
_NIGHTLY = frozenset({*ON_NIGHT, Modifier.ODD_NIGHT, Modifier.EVEN_NIGHT, Modifier.NOVICE})
_BY_NIGHT = frozenset(
    {
        *(Passive.BULLETPROOF, Trait.MACHO, Trait.ASCETIC, Trait.MILLER, Trait.LYCAN, Trait.GODFATHER),
        *(Trait.BOMB, Trait.GUN_OWNER),
    }
)
"""CM-R103: what works by itself at night, and may do so on some nights only."""
_UNLIMITED = frozenset(
    {
        *(Trait.MACHO, Trait.MASON, Trait.NEIGHBOR, Trait.LOVER, Trait.TRAITOR, Trait.MINION),
        *(Trait.DOUBLEVOTER, Trait.VOTELESS, Trait.LOVED, Trait.HATED, Trait.TREESTUMP, Trait.INFORMED),
    }
)
"""What a number of shots before it does not limit: it is said of the action behind it."""
_ARMING = frozenset(row.id for row in ABILITIES if row.gun)
"""CM-R24: abilities that bring a gun."""


_ALONE = next(entry for entry in MODIFIERS if entry.gives is Modifier.BACKUP)
_UNIVERSAL = next(entry for entry in BASES if entry.gives is Trait.UNIVERSAL_BACKUP)
"""A Backup of nobody named is one of everybody (CM-R87)."""


# ── Words. ────────────────────────────────────────────────────────────────────────────────────────────────


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


@dataclass(frozen=True, slots=True)
class Alone:
    """`Third Party`: only the roles that are a side of their own are that."""

    name: str = "Third Party"


@dataclass(frozen=True, slots=True)
class Quoted:
    """The name of a card of the moderator's own."""

    name: str


Word: TypeAlias = Quoted | Entry | Shots | Side | Vanilla | Bundle | Alone

SIDES = (
    Side("Town", Alignment.TOWN),
    Side("Mafia", Alignment.MAFIA),
    Side("Mafia A", Alignment.MAFIA_A),
    Side("Mafia B", Alignment.MAFIA_B),
    Side("Mafia C", Alignment.MAFIA_C),
    Side("Werewolf", Alignment.WEREWOLVES),
)


def split(text: str) -> list[str]:
    """The single words as written."""
    return [word for word in _BLANKS.split(_AFTER_NUMBER.sub(" ", text)) if word]


PLAIN = (
    *("plain", "regular", "ordinary", "normal", "simple", "basic", "common", "innocent", "named"),
    *("powerless", "unnamed"),
)
"""What a host may call a player without a power besides."""
OFTEN: Mapping[str, int] = {
    f"{often}{within}": number
    for number, often in enumerate(("once", "twice", "thrice"), start=1)
    for within in ("", " per game", " a game")
}
"""How often something works, said without “shot”."""
PHRASES: Mapping[tuple[str, ...], Word] = MappingProxyType(
    {
        **{
            tuple(split(written.casefold())): entry
            for entry in (*CATALOG, *NIGHTS)
            for written in (entry.name, *entry.aliases)
        },
        **{tuple(side.name.casefold().split()): side for side in SIDES},
        **{(written,): SIDES[-1] for written in ("wolf", "werewolves", "wolves")},
        **{
            (plain, *split(written.casefold())): entry
            for plain in PLAIN
            for entry in (TOWNIE, GOON)
            for written in (entry.name, *entry.aliases)
        },
        **{tuple(often.split()): Shots(number) for often, number in OFTEN.items()},
        (VANILLA,): Vanilla(),
        **{tuple(split(written)): bundle for written, bundle in BUNDLES.items()},
        **{
            tuple(split(written)): Alone()
            for written in ("third party", "3rd party", "neutral", "independent", "solo")
        },
    }
)
"""Every way to write a word of a role, single words casefolded → what it means."""
_LONGEST = max(map(len, PHRASES))


_QUOTED = re.compile(r"[\"“„«](?P<name>[^\"“”„«»\n]+)[\"”“»]")
LONGEST_NAME = 40
"""Letters of a card of the moderator's own."""


def words_of(text: str) -> tuple[Word, ...]:
    """What the words mean, in order. Raises InputError for one that is not known, with the nearest."""
    found: list[Word] = []
    place = 0
    for match in _QUOTED.finditer(text):
        name = " ".join(match["name"].split())
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise RoleFault(text, f"a card of your own has a name of at most {LONGEST_NAME} letters.")
        if tuple(split(name.casefold())) in PHRASES:
            raise RoleFault(text, f"{name} is known: write it without quotation marks.")
        found += [*_words(text, text[place : match.start()]), Quoted(name)]
        place = match.end()
    return (*found, *_words(text, text[place:]))


def _words(text: str, part: str) -> tuple[Word, ...]:
    """What the words of a part of the role mean."""
    written = split(part)
    folded = [word.casefold() for word in written]
    found: list[Word] = []
    at = 0
    while at < len(folded):
        # `2 shot`.
        number = int(folded[at][:3]) if folded[at].isdecimal() else SHOT_NUMBERS.get(folded[at])
        if number is not None and folded[at + 1 : at + 2] and folded[at + 1] in SHOT_WORDS:
            if not 1 <= number <= MOST_SHOTS:
                raise RoleFault(text, f"found {folded[at]}, expected 1-Shot to {MOST_SHOTS}-Shot.")
            found.append(Shots(number))
            at += 2
            continue
        # The longest phrase that begins here.
        for length in range(min(_LONGEST, len(folded) - at), 0, -1):
            if word := PHRASES.get(tuple(folded[at : at + length])):
                found.append(word)
                at += length
                break
        else:
            if number is not None:
                number = min(max(number, 1), MOST_SHOTS)
                raise RoleFault(
                    text, f"found {folded[at]}, expected {number}-Shot for so many uses, or no number."
                )
            raise UnknownRoleWord(text, written, at)
    return tuple(found)


def is_limit(text: str) -> bool:
    """Whether words are no role, and only say what limits one, or its side."""
    try:
        words = words_of(text)
    except InputError:
        return False
    limits = (
        isinstance(one, Shots | Side) or (isinstance(one, Entry) and one.kind is Kind.MODIFIER)
        for one in words
    )
    return bool(words) and all(limits)


class RoleFault(InputError):
    """Why words are no role, with the role as it was written before it; `why` is the reason alone."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(sentence("Role “{text}”: {why}", text=text, why=why))
        self.why = why


class UnknownRoleWord(RoleFault):
    """A word that no role is written with: `written` are the words of the role, `at` is its place."""

    def __init__(self, text: str, written: Sequence[str], at: int) -> None:
        near = near_words(written[at:], 1)
        why = sentence(
            "there is no “{word}”; the nearest is {near}. All: {roles}"
            if near
            else "there is no “{word}”. A card of your own stands in quotation marks. All: {roles}",
            word=written[at],
            near=near[0] if near else "",
            roles=Way("list_roles"),
        )
        super().__init__(text, why)
        self.written = tuple(written)
        self.at = at


def near_words(written: Sequence[str], most: int) -> tuple[str, ...]:
    """The names of the words that look like what is written, alone or with what follows, the nearest first;
    at most so many, none where no word is near."""
    return _near(tuple(word.casefold() for word in written[:2]), most)


@lru_cache(maxsize=4096)
def _near(written: tuple[str, ...], most: int) -> tuple[str, ...]:
    """`near_words` of one or two words; kept, for a post has the same words again and again."""
    from rapidfuzz.distance import OSA  # most roles are written as they are: they need not wait for it
    from rapidfuzz.process import extract

    said = {" ".join(phrase): word for phrase, word in PHRASES.items() if word not in (X_SHOT, NIGHT_X)}
    words = [phrase for phrase in said if " " not in phrase]
    as_long = [phrase for phrase in words if len(phrase) == len(written[0])]
    found: list[str] = []
    for sought, among, least in (
        (" ".join(written[:2]), list(said), 0.8),
        (written[0], list(said), 0.8),
        (written[0], words, 0.75),
        (written[0], as_long, NEAR if len(written[0]) > SHORT else 0.7),
    ):
        alike = extract(sought, among, scorer=OSA.normalized_similarity, limit=most, score_cutoff=least)
        found += (one for one, *_ in alike)
    return tuple(dict.fromkeys(said[one].name for one in found))[:most]


# ── What the words of a role come to together. ────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Part:
    """One base with what limits it; `shots` None: every night. `own`: what a card of one's own is called."""

    base: Entry
    shots: int | None = None
    modifiers: frozenset[Modifier] = frozenset()
    own: str = ""

    @property
    def name(self) -> str:
        """The words of the role's name."""
        name = f"“{self.own}”" if self.own else self.base.name
        return f"{name} {ENABLER.name}" if Modifier.ENABLER in self.modifiers else name

    @property
    def row(self) -> AbilityRow | None:
        """The ability as which it is used; None for what works by itself."""
        if Modifier.ENABLER in self.modifiers:
            return None
        works_so_often = self.base.kind is Kind.PASSIVE and Modifier.ACTIVATED not in self.modifiers
        is_limited = self.base.limited is not None and (self.shots is not None or self.modifiers)
        return self.base.limited if is_limited and not works_so_often else self.base.row

    @property
    def waits(self) -> bool:
        """Whether it is what its holder comes to be by a death (CM-R86)."""
        return self.row is None and Modifier.BACKUP in self.modifiers


@dataclass(frozen=True, slots=True)
class Spelling:
    """A role understood. `parts` are in the order of its name; none: a vanilla role of its side."""

    side: Alignment
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Says which role it is that does not go."""

    text: str

    def __call__(self, why: str) -> InputError:
        return RoleFault(self.text, why)


def spelling_of(text: str) -> Spelling:
    """Raises InputError for words that are not known or do not go together."""
    words = words_of(text)
    if [word for word in words if not isinstance(word, Side)] == [_ALONE]:
        words = tuple(_UNIVERSAL if word is _ALONE else word for word in words)
    if not words:
        raise InputError("A role is missing: write it in words, for instance Town 2-Shot Cop.")
    refuse = _Refusal(text)
    parts = tuple(sorted(_parts(refuse, words), key=lambda part: BASES.index(part.base)))
    # The side that is said, or that the bases bring along.
    said: dict[Alignment, str] = {}
    for word in words:
        of_word = word.alignment if isinstance(word, Side) else word.side if isinstance(word, Entry) else None
        if of_word is not None:
            said.setdefault(of_word, word.name)
    if any(side in TEAMS for side in said if side is not _MAFIA) and GOON in words:
        said.pop(_MAFIA)  # a goon is of whichever mafia is written
    if len(said) > 1:
        raise refuse(f"{' and '.join(said.values())} are two sides, and a role has only one.")
    leaning = (word.leans for word in words if isinstance(word, Entry) and word.leans is not _TOWN)
    side = next(iter(said), next(leaning, _TOWN))
    # A role says what it has, and Vanilla only where it has no action.
    vanilla = any(isinstance(word, Vanilla) or word is TOWNIE for word in words)
    active = [part.base.name for part in parts if part.row is not None and not part.row.by_day]
    if vanilla and active:
        raise refuse(f"a vanilla player has no ability, but a {active[0]} has one: write one of them.")
    bare = side is _WOLVES or any(isinstance(word, Vanilla) or word in (TOWNIE, GOON) for word in words)
    if not parts and not bare:
        raise refuse("this is only a side: write Vanilla Townie, Mafia Goon, or a role with an ability.")
    if any(isinstance(word, Alone) for word in words) and side in (_TOWN, *TEAMS):
        known = ", ".join(entry.name for entry in OWN_SIDES)
        raise refuse(f"third party has to be followed by a side of its own: {known}.")
    if len(parts) > 1 and any(part.base.gives is Trait.UNIVERSAL_BACKUP for part in parts):
        raise refuse("a Universal Backup has no other ability: write Universal Backup alone.")
    # Each base has to be something on this side, with these others.
    for part in parts:
        base = part.base
        enables = Modifier.ENABLER in part.modifiers
        if base.sides and not enables and (_MAFIA if side in TEAMS else side) not in base.sides:
            known = " or ".join(_SIDE[one] for one in base.sides)
            raise refuse(f"{_a(base.name)} can be {known}; this role is {_SIDE[side]}.")
        outside = any(part.base.gives in _OUTSIDE for part in parts)
        kills = (side in TEAMS and not outside) or any(part.base.gives in KILLS for part in parts)
        if base.needs_kill and not kills:
            raise refuse(f"{_a(base.name)} needs a kill: add mafia, Vigilante or Serial Killer.")
        _check_limits(refuse, part, side)
    return Spelling(side, parts)


def _parts(refuse: _Refusal, words: Iterable[Word]) -> list[Part]:
    """Each base with the modifiers before it; sides may stand anywhere."""
    parts: list[Part] = []
    waiting: list[Word] = []
    words = tuple(words)
    acting = any(isinstance(word, Entry) and word.kind is Kind.ACTION for word in words)
    for word in words:
        if isinstance(word, Quoted):
            parts.append(replace(_part(refuse, OWN, waiting), own=word.name))
            waiting = []
        elif isinstance(word, Bundle):
            # What is said of it holds for each; abilities that are written are the ones that it has.
            entries = () if word is JACK and acting else word.entries
            parts += [_bundled(refuse, word, entry, waiting) for entry in entries]
            waiting = []
        elif word is ENABLER and parts and not waiting:
            parts[-1] = replace(parts[-1], modifiers=parts[-1].modifiers | {Modifier.ENABLER})
        elif isinstance(word, Shots) or (isinstance(word, Entry) and word.kind is Kind.MODIFIER):
            waiting.append(word)
        elif waiting and isinstance(word, Entry) and word.gives in _UNLIMITED and acting and _counts(waiting):
            parts.append(_part(refuse, word, []))  # “1-Shot Macho Cop”: the Cop has one shot
        elif isinstance(word, Entry) and (word.kind is not Kind.BARE or waiting):
            parts.append(_part(refuse, word, waiting))
            waiting = []
    if waiting:
        raise refuse(f"{waiting[0].name} has to be followed by the role that it limits.")
    if acting and JACK in words:
        once = [part for part in parts if part.base.kind is Kind.ACTION and part.shots is None]
        parts = [replace(part, shots=JACK.shots) if part in once else part for part in parts]
    # Nothing is given twice.
    bases = [part.base for part in parts]
    for at, base in enumerate(bases):
        for other in bases[:at]:
            if base is other:
                raise refuse(f"{base.name} is written twice.")
            if base.gives is not None and base.gives == other.gives:
                raise refuse(f"{other.name} and {base.name} have the same kill: write one of them.")
    return parts


def _counts(waiting: Sequence[Word]) -> bool:
    """Whether a number of shots alone waits for what it limits."""
    return all(isinstance(word, Shots) for word in waiting)


def _bundled(refuse: _Refusal, bundle: Bundle, entry: Entry, waiting: list[Word]) -> Part:
    """One of the bases that a word stands for, with what is said before the word."""
    part = _part(refuse, entry, waiting)
    shots = part.shots if part.shots is not None else bundle.shots
    return Part(entry, shots, part.modifiers | bundle.modifiers)


def _part(refuse: _Refusal, base: Entry, waiting: list[Word]) -> Part:
    """The base with its modifiers, each once and none against another."""
    if X_SHOT in waiting:
        raise refuse("say how many shots: 1-Shot to 9-Shot.")
    if NIGHT_X in waiting:
        raise refuse("say which night: Night-1 to Night-9.")
    if base.kind is Kind.BARE:
        raise refuse(f"{waiting[0].name} limits an ability, but {_a(base.name)} has none.")
    shots = [word.number for word in waiting if isinstance(word, Shots)]
    modifiers = [word.gives for word in waiting if isinstance(word, Entry)]
    own = frozenset(modifier for modifier in modifiers if isinstance(modifier, Modifier))
    if len(shots) > 1 or len(own) < len(modifiers):
        raise refuse(f"a modifier of {base.name} is written twice.")
    for pair in _APART:
        if pair <= own:
            names = " and ".join(w.name for w in waiting if isinstance(w, Entry) and w.gives in pair)
            raise refuse(f"{names} contradict each other.")
    return Part(base, shots[0] if shots else None, own)


def _check_what_works_by_itself(refuse: _Refusal, part: Part) -> None:
    """Refuse what limits something that is no action, but for nights and uses of what works at night."""
    base = part.base
    if part.modifiers == _BACKUP:
        if base.gives in _NOT_BACKED:
            raise refuse(f"nobody can be the backup of {_a(base.name)}: leave out Backup.")
        if part.shots is not None:
            raise refuse(f"write Backup {base.name} without a number of shots.")
        return
    nightly = part.modifiers <= (_NIGHTLY if base.gives in _BY_NIGHT else frozenset[Modifier]())
    counted = part.shots is None or base.kind is Kind.PASSIVE or base.gives is Trait.ASCETIC
    if not nightly or not counted:
        raise refuse(f"{_a(base.name)} has no night action: put the modifier before a role that has one.")


def _check_limits(refuse: _Refusal, part: Part, side: Alignment) -> None:
    """Refuse a modifier that says nothing of its base."""
    base, row = part.base, part.row
    if Modifier.ENABLER in part.modifiers:
        if part.shots is not None or len(part.modifiers) > 1:
            raise refuse(f"leave out what limits {_a(base.name)}: an Enabler does not do it.")
        if base.kind is not Kind.ACTION and base.gives is not Trait.ENCRYPTOR:
            raise refuse(f"{_a(base.name)} is nothing that an Enabler can be about.")
        return
    if row is None:
        _check_what_works_by_itself(refuse, part)
        return
    if row.by_day and part.modifiers:
        raise refuse(f"{_a(base.name)} does nothing at night: of the modifiers it can have X-Shot only.")
    if not row.targets and part.modifiers & AIMED:
        idle = " and ".join(one.name for one in MODIFIERS if one.gives in part.modifiers & AIMED)
        raise refuse(f"{_a(base.name)} has no target: {idle} would mean nothing for it.")
    if Modifier.PERSONAL in part.modifiers and row.id not in _PERSONAL:
        known = ", ".join(BY_ID[one].role for one in _PERSONAL)
        raise refuse(f"what Personal means is settled for these only: {known}.")
    if part.modifiers & SANITIES and row.id != Ability.COP:
        names = " and ".join(one.name for one in MODIFIERS if one.gives in part.modifiers & SANITIES)
        raise refuse(f"{names} is said of a Cop only.")
    if Modifier.ACTIVATED in part.modifiers and base.limited is None:
        raise refuse(f"{_a(base.name)} has to be used to do anything: leave out Activated.")
    if side is Alignment.SERIAL_KILLER and Modifier.LOYAL in part.modifiers:
        raise refuse("a Serial Killer has no partners: a loyal action would never work.")


# ── Cards. ────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def parse_role(text: str) -> Role:
    """The card that is written in words.

    Raises InputError that names the word not known, with the nearest, or what does not go together.
    """
    spelling = spelling_of(text)
    side, parts = spelling.side, spelling.parts
    shares = side in TEAMS and all(part.base.gives not in _OUTSIDE for part in parts)
    faction: dict[str, Uses] = {Ability.MAFIA_KILL: None} if shares else {}
    acting = [(part.row.id, part) for part in parts if part.row is not None]
    abilities = faction | {ability: part.shots for ability, part in acting}
    # What the bases are; and a gun where an ability brings one (CM-R24: all of the mafia have one).
    traits = frozenset(trait for trait, _ in _giving(parts, Trait))
    if side in TEAMS or not _ARMING.isdisjoint(abilities):
        traits |= {Trait.ARMED}
    return Role(
        _full_name(spelling),
        side,
        abilities,
        traits,
        {
            **{ability: part.modifiers for ability, part in acting if part.modifiers},
            **{str(part.base.gives): part.modifiers for part in parts if part.row is None and part.modifiers},
        },
        {passive: part.shots for passive, part in _giving(parts, Passive)},
        {str(trait): part.base.tells for trait, part in _giving(parts, Trait) if part.base.tells},
        {str(trait): part.shots for trait, part in _giving(parts, Trait) if part.shots and part.row is None},
    )


def _giving(parts: Iterable[Part], what: type[G]) -> Iterator[tuple[G, Part]]:
    """The parts that give something of the kind from the start, with what they give."""
    for part in parts:
        given = (
            not part.waits
            and Modifier.ENABLER not in part.modifiers
            and (part.row is None or part.row is part.base.row)
        )
        if isinstance(part.base.gives, what) and given:
            yield part.base.gives, part


def _full_name(spelling: Spelling) -> str:
    """In full: the side unless it is the role's own, then every base with its modifiers."""
    words = [word.name for word in SIDES if word.alignment is spelling.side]
    if not spelling.parts:
        return TOWNIE.name if spelling.side is Alignment.TOWN else f"{words[0]} {GOON.name}"
    for part in spelling.parts:
        words += [f"{part.shots}-Shot"] if part.shots is not None else []
        words += [entry.name for entry in MODIFIERS if entry.gives in part.modifiers and entry is not ENABLER]
        words.append(part.name)
    return " ".join(words)


def waiting(role: Role) -> frozenset[str]:
    """CM-R86: the traits and passives that the card comes to have when somebody who had them dies."""
    return frozenset(
        given for given in role.modifiers if given not in role.abilities and role.asks(given, Modifier.BACKUP)
    )


def believed(role: Role) -> Role:
    """The card as its holder is told it: whose checks are not true does not know (CM-R102)."""
    if SANITIES.isdisjoint(role.modifiers.get(Ability.COP, ())):
        return role
    spelling = spelling_of(role.name)
    parts = (replace(part, modifiers=part.modifiers - SANITIES) for part in spelling.parts)
    return parse_role(_full_name(replace(spelling, parts=tuple(parts))))


def tonight(role: Role, night: int, uses: Mapping[str, int]) -> Role:
    """The card as what works by itself makes it on this night, with these uses left (CM-R103, CM-R104)."""
    off = {given for given, shots in role.trait_shots.items() if not uses.get(given, shots)}
    off |= {
        given for given in role.modifiers if given not in role.abilities and not role.works_on(given, night)
    }
    if not off:
        return role
    passives = {given: shots for given, shots in role.passives.items() if given not in off}
    return replace(role, traits=role.traits - off, passives=passives)


def enabled_by(role: Role) -> frozenset[str]:
    """CM-R94: what nobody can do any more once the holder of the card is dead."""
    return frozenset(given for given in role.modifiers if role.asks(given, Modifier.ENABLER))


def heir_of(role: Role, dead: Sequence[Role]) -> Role:
    """The card as the dead of its side make it, they in the order of seats (CM-R86, CM-R87); the same where
    it inherits nothing."""
    own = [one for one in dead if one.alignment is role.alignment]
    if Trait.UNIVERSAL_BACKUP in role.traits:
        return next((one for one in own if _inherited(one, role)), role)
    had = frozenset[str]().union(*((*one.traits, *one.passives) for one in own)) & waiting(role)
    if not had:
        return role
    spelling = spelling_of(role.name)
    parts = (
        replace(part, modifiers=part.modifiers - _BACKUP) if part.waits and part.base.gives in had else part
        for part in spelling.parts
    )
    return parse_role(_full_name(replace(spelling, parts=tuple(parts))))


def _inherited(dead: Role, heir: Role) -> bool:
    """Whether a universal backup becomes this card: it has more than a vote and lovers, and the mafia knows
    its holder as it knows the heir."""
    more = any(base.gives not in (Trait.LOVER, Trait.UNIVERSAL_BACKUP) for base in bases_of(dead))
    return more and dead.in_team == heir.in_team


def own_name(role: Role) -> str:
    """What the moderator calls the card, where it is one of their own."""
    match = _QUOTED.search(role.name)
    return match["name"] if match else ""


def rolecop_name(role: Role) -> str:
    """CM-R25: what a rolecop hears of a card: its base names, without what only limits them. A name that
    tells no more than a side is `Vanilla`: Vanilla Townie, Goon, and a Serial Killer with nothing else."""
    told = [
        own_name(role) if base is OWN else _base_name(role, base)
        for base in bases_of(role)
        if base.side is not Alignment.SERIAL_KILLER
    ]
    return " ".join(told) or "Vanilla"


def _base_name(role: Role, base: Entry) -> str:
    """“Doctor”, of who only enables doctors “Doctor Enabler”."""
    return f"{base.name} {ENABLER.name}" if base.gives in enabled_by(role) else base.name


def bases_of(role: Role) -> tuple[Entry, ...]:
    """The entries that a card is made of, in the order of its name; none of a vanilla card."""
    own = _OF_SIDE.get(role.alignment)
    given: set[str] = {
        *(*role.abilities, *role.passives, *role.traits, *role.modifiers, *role.trait_shots),
    }
    if own is not None and own.gives is not None:
        given.discard(own.gives)
    bases = [BASES[place] for place in sorted({_GIVING[one] for one in given if one in _GIVING})]
    return tuple(bases) if own is None else (*bases, own)  # own sides come last


def given_by(role: Role, entry: Entry) -> str:
    """What the card has of a base: its own ability, trait or passive, or the one as which it is used where it
    does not always work."""
    if entry.limited is not None and entry.limited.id in role.abilities:
        return entry.limited.id
    return entry.gives or ""
