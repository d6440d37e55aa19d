"""Who plays, waits, watches or left by a sign-up thread, in which order, and what has to be asked?

The last clear word of a player decides; his place is that of the word that still stands. What is unclear is
listed and changes nothing, until he says something clear after it or the moderator decides. Quotes, spoilers
and struck words are nobody's, and a moderator's own posts sign nobody up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from knightfall.markup.flavour import Flavour
from knightfall.markup.html import parse_html
from knightfall.posts import Post
from knightfall.votes.lines import Region, lines_of
from knightfall.votes.signup_words import SHORT, SIGNS, Reading, Unclear, Word, readings

IGNORE = "ignore"
DECISIONS = (Word.IN.value, Word.OUT.value, Word.SUB.value, Word.SPEC.value, IGNORE)
"""What a moderator may make of a post."""


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that somebody said in a post: a clear word or an unclear one, with its line."""

    post: int
    author: str
    reading: Reading
    text: str = ""


@dataclass(frozen=True, slots=True)
class Signed:
    """Where somebody stands, since which post; `again` are later posts that say the same, `confirmed` the
    last one that confirms it."""

    name: str
    word: Word
    post: int
    again: tuple[int, ...] = ()
    confirmed: int | None = None


@dataclass(frozen=True, slots=True)
class Signups:
    """The lists, each in the order of signing; `unclear` waits for the moderator."""

    players: tuple[Signed, ...] = ()
    backups: tuple[Signed, ...] = ()
    spectators: tuple[Signed, ...] = ()
    out: tuple[Signed, ...] = ()
    unclear: tuple[Said, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays."""
        return tuple(one.name for one in self.players)


@dataclass(slots=True)
class _Person:
    """Somebody on the way through the thread; `place` counts what was said."""

    name: str
    word: Word | None = None
    post: int = 0
    place: int = 0
    again: list[int] = field(default_factory=list)
    confirmed: int | None = None
    open: list[Said] = field(default_factory=list)

    def hears(self, said: Said, place: int) -> None:
        match said.reading:
            case Word.CONFIRM if self.word in (None, Word.OUT):
                self.open.append(Said(said.post, said.author, Unclear.UNCLEAR, said.text))
            case Word.CONFIRM:
                self.confirmed, self.open = said.post, []
            case Word() as word:
                self.open = []
                if word is self.word:
                    self.again.append(said.post)
                else:
                    self.word, self.post, self.place, self.again, self.confirmed = (
                        word,
                        said.post,
                        place,
                        [],
                        None,
                    )

            case _:
                self.open.append(said)

    def signed(self, word: Word) -> Signed:
        again = tuple(dict.fromkeys(post for post in self.again if post != self.post))
        return Signed(self.name, word, self.post, again, self.confirmed)


def said_in(
    posts: Iterable[Post],
    flavour: Flavour,
    moderators: Set[str] = frozenset(),
    decided: Mapping[int, str] | None = None,
) -> tuple[Said, ...]:
    """All that was said, in order. `moderators` are accounts in lower case; of a post in `decided` only what
    the moderator made of it (one of `DECISIONS`) counts. Deleted posts say nothing."""
    return tuple(_said_in(posts, flavour, moderators, decided or {}))


def _said_in(
    posts: Iterable[Post], flavour: Flavour, moderators: Set[str], decided: Mapping[int, str]
) -> Iterator[Said]:
    for post in posts:
        if post.hidden:
            continue
        if post.number in decided:
            if decided[post.number] != IGNORE:
                yield Said(post.number, post.author, Word(decided[post.number]))
        elif post.author.casefold() not in moderators:
            for line in lines_of(parse_html(post.body, flavour)):
                if line.region is Region.LIVE:
                    # Bold words are asked first: who signs in bold may chat around it. In a long line bold
                    # may be mere stress, so only a command counts there.
                    spans = (line.text[start:end] for start, end in line.bold)
                    bold = tuple(
                        reading
                        for text in spans
                        if len(line.text) <= SHORT or text.lstrip()[:1] in SIGNS
                        for reading in readings(text)
                    )

                    for reading in dict.fromkeys(bold or readings(line.text)):
                        yield Said(post.number, post.author, reading, line.text.strip())


def signups(said: Iterable[Said]) -> Signups:
    """The lists that follow from what was said."""
    people: dict[str, _Person] = {}
    for place, one in enumerate(said):
        person = people.setdefault(one.author.casefold(), _Person(one.author))
        person.hears(one, place)
    listed = sorted(people.values(), key=lambda person: person.place)
    unclear = sorted((one for person in listed for one in person.open), key=lambda one: one.post)

    def those(word: Word) -> tuple[Signed, ...]:
        return tuple(person.signed(word) for person in listed if person.word is word)

    return Signups(those(Word.IN), those(Word.SUB), those(Word.SPEC), those(Word.OUT), tuple(unclear))
