"""The leak check: where a text names a secret, or holds words of a private one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby, pairwise, takewhile

import regex

from knightfall.markup.nodes import Given, Name
from knightfall.writeups.render import Written
from knightfall.writeups.text_lines import Piece, lines_of_nodes

RUN = 6
"""So many words in a row that stand in a PM as well are no accident."""
A_LIST = 2
"""So many roles at least are a list of those in play."""
IN_A_LIST = 2
"""Other words than names, numbers and those of times in a row of RUN that is but a list of players, or a
deadline."""
_MONTHS = "january february march april may june july august september october november december"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
_DATES = frozenset(form for word in f"{_MONTHS} {_WEEKDAYS}".split() for form in (word, word[:3]))
TIMES = _DATES | {"utc", "d", "h", "min"}
"""Words that say when something ends, and how long it is till then."""
SIDES = frozenset({"town", "mafia", "serial", "vanilla", "neutral"})
"""Words of a role's name that say nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Words that must not stand in public; `what` tells the moderator what they give away. With `near`: only
    in a line where one of these names stands, too; with `unless`: not where one of those stands."""

    words: str
    what: str
    near: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret found: the line from 1, as it stands there."""

    line: int
    said: str
    secret: Secret

    def __str__(self) -> str:
        return f"line {self.line}: “{self.said}” gives away {self.secret.what}"


_WORD = re.compile(r"[^\W_]+")
_INVISIBLE = regex.compile(r"[\p{Mn}\p{Cf}]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text as it is read for secrets.

    `words` are all of it, "" in the place of a name that we wrote ourselves: what somebody is called is no
    word that tells anything. `names` are those names, whole: “-Mist-” is not Mist; further names may stand
    among the words `given`.
    """

    words: tuple[str, ...]
    names: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        """The words without the names."""
        return tuple(word for word in self.words if word)

    def holds(self, name: str) -> bool:
        """Whether a name stands in the line."""
        folded = name.casefold()
        return any(folded in _named(one) for one in self.names) or _stands_in(_words(name), self.given)


def _named(name: str) -> tuple[str, ...]:
    """Whom a name that we wrote is about: “Kit (was Mist)” is Kit and Mist."""
    now, _, before = name.casefold().removesuffix(")").partition(" (was ")
    return name.casefold(), now, before


def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of a text. Of one that was only typed nobody knows what is a name: any word may be."""
    if not isinstance(text, Written):
        return tuple(Line(words, given=words) for words in map(_words, text.splitlines()))
    return tuple(map(_line, lines_of_nodes(text.nodes)))


def _line(pieces: Sequence[Piece]) -> Line:
    """A line of its pieces; a word that goes on through several of them is one word."""
    words: list[str] = []
    names: list[str] = []
    given: list[str] = []
    for kind, run in groupby(pieces, key=lambda piece: piece[1]):
        if kind is Name:
            for text, _ in run:
                names.append(text)
                words.append("")
            continue
        said = _words("".join(text for text, _ in run))
        words += said
        given += said if issubclass(kind, Given) else ("",)
    return Line(tuple(words), tuple(names), tuple(given))


def leaks(
    text: str,
    secrets: Iterable[Secret],
    pms: Iterable[str] = (),
    public: Iterable[str] = (),
    names: Iterable[str] = (),
    rules: str = "",
) -> tuple[Leak, ...]:
    """Every secret in a text, in the order of its lines, each once a line; not in a line of the `rules`,
    which name roles as they do in every game of this setup. Words of a PM are none where the same row
    stands in a text that is `public` already, is a list of players' `names` and numbers, or says
    when something ends."""
    # A line need only be compared with what begins like one of its words.
    known: dict[str, list[tuple[tuple[str, ...], Secret]]] = {}
    for secret in secrets:
        if sought := _words(secret.words):
            known.setdefault(sought[0], []).append((sought, secret))

    of_rules = {line.said for line in lines_of(rules)}
    found: list[Leak] = []
    for number, line in enumerate(lines_of(text), start=1):
        told: set[str] = set()
        if line.said in of_rules:
            continue
        for sought, secret in (one for word in dict.fromkeys(line.words) for one in known.get(word, ())):
            if secret.what in told or not _stands_in(sought, line.words):
                continue
            near = not secret.near or any(map(line.holds, secret.near))
            if near and not any(map(line.holds, secret.unless)):
                told.add(secret.what)
                found.append(Leak(number, secret.words, secret))

    # Runs of a PM's words, over the ends of lines too; one leak a run, however long.
    quoted: list[Leak] = []
    placed = [
        (number, word) for number, line in enumerate(text.splitlines(), start=1) for word in _words(line)
    ]
    here = dict(enumerate(_runs([word for _, word in placed])))
    runs = _shared(set(here.values()), pms)
    runs -= _shared(runs, public)
    free = TIMES.union(word for name in names for word in _words(name))
    hits: list[int] = []
    for place, run in here.items():
        if run in runs:
            # Hardly more than players and numbers is a list of them, as every post has one; a post and a PM
            # tell the same deadline.
            others = sum(word not in free and not word.isdigit() for word in run)
            if others > IN_A_LIST:
                hits.append(place)
    starts = [*hits[:1], *(later for earlier, later in pairwise(hits) if later != earlier + 1)]
    for place in starts:
        said = " ".join(word for _, word in placed[place : place + RUN])
        quoted.append(Leak(placed[place][0], said, Secret(said, "words of a PM")))

    return tuple(sorted((*found, *quoted), key=lambda leak: leak.line))


@dataclass(frozen=True, slots=True)
class SecretRoom:
    """A private topic of some players: the `word` for it, such as “mafia”, and all the names of each who is
    `inside` and lives, of who was in it and is dead, and of each living player `outside`."""

    word: str
    inside: tuple[tuple[str, ...], ...]
    dead: tuple[tuple[str, ...], ...] = ()
    outside: tuple[tuple[str, ...], ...] = ()


_TOPICS = frozenset({"room", "topic", "thread", "chat", "channel", "qt", "quicktopic", "pt"})
"""What people call a private topic."""
_BETWEEN = frozenset({"s", "private", "secret", "night", "day", "team"})
"""What may stand between the word for a room and such a word: “mafia’s night chat”."""
_OF = frozenset({"of", "for", "the"})


def room_leaks(text: str, rooms: Iterable[SecretRoom]) -> Iterator[Leak]:
    """Lines that tell who is in a private topic: they name it as one (“mafia topic”), and they, or a list of
    names right below, two of who is or was in it, one of them alive. Where everybody who lives is named it
    tells nobody's."""
    lines = lines_of(text)
    for room in rooms:
        everybody = (*room.inside, *room.dead, *room.outside)
        parts = {word for names in everybody for name in names for word in _words(name)}
        for place, line in enumerate(lines):
            if not (said := _topic_named(room.word, line.words)):
                continue
            listed = takewhile(partial(_is_of, parts), lines[place + 1 :])
            block = (line, *listed)
            named = [any(one.holds(name) for one in block for name in names) for names in everybody]
            inside, outside = len(room.inside), len(room.inside) + len(room.dead)
            all_named = bool(room.outside) and all(named[outside:])
            if any(named[:inside]) and sum(named[:outside]) > 1 and not all_named:
                yield Leak(place + 1, said, Secret(said, f"who is in the {room.word} room"))


def _is_of(parts: Container[str], line: Line) -> bool:
    """Whether a line holds nothing but names, by the words that names have, and numbers."""
    return bool(line.words) and all(not one or one in parts or one.isdigit() for one in line.words)


def _topic_named(word: str, words: Sequence[str]) -> str:
    """How a line names the private topic of that word: “mafia topic”, “topic of the masons”; "" for not."""
    forms = {form for sought in (word, word.removesuffix("s")) if (form := _words(sought))}
    for form in forms:
        size = len(form)
        for place in range(len(words) - size + 1):
            if tuple(words[place : place + size]) != form:
                continue
            behind = next((one for one in words[place + size : place + size + 3] if one not in _BETWEEN), "")
            before = next((one for one in words[max(place - 3, 0) : place][::-1] if one not in _OF), "")
            if behind in _TOPICS:
                return f"{word} {behind}"
            if before in _TOPICS and place and words[place - 1] in _OF:
                return f"{before} of the {word}"
    return ""


def role_secrets(role: str, slot: str, near: tuple[str, ...] = ()) -> tuple[Secret, ...]:
    """A role's name, whole and without the word for its side."""
    what = f"that {slot}, who is alive, is the {role}"
    bare = " ".join(word for word in role.split() if word.casefold() not in SIDES)
    return tuple(Secret(words, what, near) for words in dict.fromkeys((role, bare)) if words)


@dataclass(frozen=True, slots=True)
class Card:
    """The role of somebody who is alive, by all their names; `also`: what else the role is called.

    `others` are the names of everybody else where roles were dealt again: of a role that everybody has seen,
    a line that names one of them may be of an earlier holder.
    """

    role: str
    slot: str
    names: tuple[str, ...]
    also: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def card_secrets(cards: Iterable[Card], shown: Iterable[str], text: str = "") -> tuple[Secret, ...]:
    """What tells somebody's card. A role that everybody has seen, on a card turned up or in a text with every
    role in play, tells it only in a line that names its holder, too."""
    known = tuple(cards)

    # The list of the roles in play tells nobody's own, unless they are few.
    roles = {card.role for card in known}
    words = tuple(_words(text))
    names_all = len(roles) >= A_LIST and all(
        any(
            _stands_in(tuple(_words(form)), words)
            for form in (role, f"{role}s", f"{role.removesuffix('o')}i")
        )
        for role in roles
    )

    listed = (card.role for card in known) if names_all else ()
    seen = {secret.words for role in (*shown, *listed) for secret in role_secrets(role, "")}
    # A card of several roles that was turned up has shown the words of each: “Loyal Cop Weak Doctor”.
    turned = tuple(tuple(_words(role)) for role in shown)
    seen |= {
        secret.words
        for card in known
        for secret in role_secrets(card.role, "")
        if any(_stands_in(tuple(_words(secret.words)), words) for words in turned)
    }
    return tuple(
        replace(secret, near=card.names, unless=card.others) if secret.words in seen else secret
        for card, own in ((card, role_secrets(card.role, card.slot)) for card in known)
        # The other names of a role are as well known as itself.
        for secret in (*own, *(replace(own[0], words=also) for also in card.also if card.role not in seen))
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


def _stands_in(sought: tuple[str, ...], words: tuple[str, ...]) -> bool:
    if not sought or sought[0] not in words:
        return False
    size = len(sought)
    return any(words[place : place + size] == sought for place in range(len(words) - size + 1))


def _shared(runs: set[tuple[str, ...]], texts: Iterable[str]) -> set[tuple[str, ...]]:
    """Those of the runs that stand in one of the texts."""
    return {run for text in texts if runs for run in _runs(_words(text)) if run in runs}


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1))


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    """Folded words; what is neither letter nor digit parts them. Invisible letters are nothing. A text is
    held against many others: its words are looked for once."""
    if text.isascii():
        return tuple(_WORD.findall(text.casefold()))
    return tuple(_WORD.findall(_INVISIBLE.sub("", unicodedata.normalize("NFKD", text).casefold())))
