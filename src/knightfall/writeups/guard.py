"""Does a text for everybody give away what only some may know?

Roles and abilities of the living, whom an action was aimed at, addresses of private threads, and six words in
a row out of a PM. Words are compared as a reader would: without case, accents, markup and punctuation.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

RUN = 6
"""So many words in a row that stand in a PM as well are no accident."""
SIDES = frozenset({"town", "mafia", "serial", "vanilla", "neutral"})
"""Words of a role's name that say nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Words that must not stand in public; `what` tells the moderator what they give away."""

    words: str
    what: str


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret found: the line from 1, as it stands there."""

    line: int
    said: str
    secret: Secret

    def __str__(self) -> str:
        return f"line {self.line}: “{self.said}” gives away {self.secret.what}"


def leaks(text: str, secrets: Iterable[Secret], pms: Iterable[str] = ()) -> tuple[Leak, ...]:
    """Every secret in a text, in the order of its lines, each once a line."""
    lines = text.splitlines()
    known = [(tuple(_words(secret.words)), secret) for secret in secrets]
    found = [leak for number, line in enumerate(lines, start=1) for leak in _in_line(number, line, known)]
    return tuple(sorted((*found, *_quoted(lines, pms)), key=lambda leak: leak.line))


def role_secrets(role: str, slot: str) -> tuple[Secret, ...]:
    """A role's name, whole and without the word for its side."""
    what = f"that {slot}, who is alive, is the {role}"
    bare = " ".join(word for word in role.split() if word.casefold() not in SIDES)
    return tuple(Secret(words, what) for words in dict.fromkeys((role, bare)) if words)


def unsaid(text: str, found: Iterable[Leak], shown: Iterable[str], living: Iterable[str]) -> tuple[Leak, ...]:
    """The leaks without those of a role that everybody has seen (on a card turned up, on a list of roles in
    play), as long as nobody living is named in the same line."""
    lines = text.splitlines()
    seen = {secret.words for role in shown for secret in role_secrets(role, "")}
    names = [tuple(_words(name)) for name in living]
    return tuple(
        leak
        for leak in found
        if leak.secret.words not in seen
        or any(_stands_in(name, tuple(_words(lines[leak.line - 1]))) for name in names)
    )


def inflected(said: str) -> tuple[str, ...]:
    """A word as a sentence may use it, the last of several: heal, heals, healed, healing, healer."""
    stem = said.removesuffix("e")
    doubled = said + said[-1:]
    endings = ("ed", "er", "ing")
    regular = (
        said,
        f"{said}s",
        f"{said}es",
        *(f"{root}{end}" for root in (stem, doubled) for end in endings),
    )
    return tuple(dict.fromkeys((*regular, *_IRREGULAR.get(said, ()))))


_IRREGULAR: Mapping[str, tuple[str, ...]] = {"shoot": ("shot",), "stakeout": ("staked out",)}


def _in_line(number: int, line: str, known: Sequence[tuple[tuple[str, ...], Secret]]) -> Iterator[Leak]:
    words = tuple(_words(line))
    told: set[str] = set()
    for sought, secret in known:
        if secret.what not in told and _stands_in(sought, words):
            told.add(secret.what)
            yield Leak(number, secret.words, secret)


def _stands_in(sought: tuple[str, ...], words: tuple[str, ...]) -> bool:
    if not sought or sought[0] not in words:
        return False
    size = len(sought)
    return any(words[place : place + size] == sought for place in range(len(words) - size + 1))


def _quoted(lines: Sequence[str], pms: Iterable[str]) -> Iterator[Leak]:
    """Runs of a PM's words, over the ends of lines too; one leak a run, however long."""
    runs = {run for pm in pms for run in _runs(tuple(_words(pm)))}
    if not runs:
        return
    placed = [(number, word) for number, line in enumerate(lines, start=1) for word in _words(line)]
    hits = [
        place
        for place in range(len(placed) - RUN + 1)
        if tuple(word for _, word in placed[place : place + RUN]) in runs
    ]
    for place in _starts(hits):
        said = " ".join(word for _, word in placed[place : place + RUN])
        yield Leak(placed[place][0], said, Secret(said, "words of a PM"))


def _starts(hits: Sequence[int]) -> Iterator[int]:
    """The first of each unbroken row of places."""
    yield from hits[:1]
    yield from (later for earlier, later in pairwise(hits) if later != earlier + 1)


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1))


def _words(text: str) -> Iterator[str]:
    """Folded words; what is neither letter nor digit parts them. Invisible letters are nothing."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = (letter for letter in plain if unicodedata.category(letter) not in ("Mn", "Cf"))
    return iter("".join(letter if letter.isalnum() else " " for letter in kept).split())
