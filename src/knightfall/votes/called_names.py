"""Who is called by a name in posts that answer them: one pass over a thread, however many names are asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import Nodes, Quote
from knightfall.models import Post, Roster
from knightfall.names import squash, words
from knightfall.votes.body_memory import BodyMemory, digest
from knightfall.votes.lines import lines_of

ANSWERS = 2
"""Posts that must answer somebody by a name before it is taken for theirs."""


class Called(NamedTuple):
    """A name as it is looked for: its first word, all of them with blanks between and around, and the first
    three of its letters."""

    first: str
    phrase: str
    letters: str


class Reply(NamedTuple):
    """Which names a post says in its own words, and whom it quotes."""

    names: tuple[Called, ...]
    quoted: frozenset[str]


NO_REPLY = Reply((), frozenset())
UNREAD = Reply((), frozenset({""}))
"""Stands for a body that may be a reply and was not parsed yet."""
PORTION = 50
"""So many replies are read before it is asked whether more of them could change anything."""


def called_in_replies(
    names: Iterable[str], roster: Roster, posts: Sequence[Post], html_style: HtmlStyle
) -> Mapping[str, str]:
    """Of each of the names that posts tell of, which slot is called so in those that quote just one player:
    in two of them at least, and in most."""
    asked = {
        name: Called(said[0], f" {' '.join(said)} ", squash(name)[:3])
        for name in names
        if len(squash(name)) > 2 and (said := words(name))
    }
    if not asked:
        return {}
    reader = _reply_reader(html_style, frozenset(asked.values()))
    quoted = {one: Counter[str]() for one in asked.values()}
    replies = [post for post in posts if reader.may_reply(post.body)]
    for begin in range(0, len(replies), PORTION):
        for post in replies[begin : begin + PORTION]:
            reply = reader.reply(post.body)
            author = roster.slot_of(post.author)
            found = {slot.name for name in reply.quoted if (slot := roster.slot_of(name)) is not None}
            found -= {author.name} if author else set()
            if len(found) == 1:
                [meant] = found
                for one in reply.names:
                    quoted[one][meant] += 1
        left = len(replies) - begin - PORTION
        if all(_is_settled(who, left) for who in quoted.values()):
            break
    most: dict[str, str] = {}
    for name, one in asked.items():
        for meant, times in quoted[one].most_common(1):
            if times >= ANSWERS and times * 2 > quoted[one].total():
                most[name] = meant
    return most


def _is_settled(who: Counter[str], left: int) -> bool:
    """Whether `left` posts more can change neither whom most quote nor that most quote nobody."""
    times, total = max(who.values(), default=0), who.total()
    sure = times >= ANSWERS and times * 2 > total + left
    return sure or (times + left) * 2 <= total + left


class ReplyReader:
    """Reads bodies of one style for some names, and remembers what it found in them."""

    def __init__(self, html_style: HtmlStyle, names: frozenset[Called]) -> None:
        self._html_style = html_style
        self._letters = tuple({one.letters for one in names})
        self._by_first: defaultdict[str, list[Called]] = defaultdict(list)
        for one in names:
            self._by_first[one.first].append(one)
        self._known: BodyMemory[Reply] = BodyMemory()

    def may_reply(self, body: str) -> bool:
        """False where a body surely quotes nobody or says none of the names."""
        known = self._known.get(digest(body))
        if known is None:
            lower = body.lower()
            may = "quote" in lower and any(letters in lower for letters in self._letters)
            known = UNREAD if may else NO_REPLY
            self._known.keep(body, known)
        return known is not NO_REPLY

    def reply(self, body: str) -> Reply:
        """What a body says that may be a reply; NO_REPLY where it is none."""
        known = self._known.get(digest(body), UNREAD)
        if known is UNREAD:
            known = self._read(body)
            self._known.keep(body, known)
        return known

    def _read(self, body: str) -> Reply:
        """What a body says. A name is found by its words as they are written in one line, and only where its
        first letters stand together somewhere."""
        nodes = parse_html(body, self._html_style)
        quoted = frozenset(_quoted(nodes))
        if not quoted:
            return NO_REPLY
        found: dict[Called, None] = {}
        for line in lines_of(nodes):
            plain = line.text.lower()
            if plain.isascii() and not any(first in plain for first in self._by_first):
                continue  # most lines, found out without taking their words apart
            said = words(line.text)
            text = f" {' '.join(said)} "
            for word in self._by_first.keys() & set(said):
                found |= {one: None for one in self._by_first[word] if one.phrase in text}
        lower = body.lower()
        names = tuple(one for one in found if one.letters in lower)
        return Reply(names, quoted) if names else NO_REPLY


@lru_cache(maxsize=4)
def _reply_reader(html_style: HtmlStyle, names: frozenset[Called]) -> ReplyReader:
    """The reader of this process for a style and names."""
    return ReplyReader(html_style, names)


def _quoted(nodes: Nodes) -> Iterator[str]:
    """Who is quoted in a post itself, not within another quote."""
    for node in nodes:
        if isinstance(node, Quote):
            if node.author:
                yield node.author
        else:
            yield from _quoted(getattr(node, "children", ()))
