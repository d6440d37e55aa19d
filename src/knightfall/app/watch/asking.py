"""Does a post ask the moderator something: in bold letters that address him, or by a mention?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from knightfall.markup.flavour import Flavour
from knightfall.markup.html import parse_html
from knightfall.posts import Post
from knightfall.votes.ballots import Forms
from knightfall.votes.lines import TAG_MARK, Line, Region, lines_of
from knightfall.votes.phrases import read_lines

TITLES = ("moderator", "mod", "mods")
"""What a moderator is called, beside his name."""


@dataclass(frozen=True, slots=True)
class Question:
    """The first line of a post that asks the moderator something, as written."""

    post: Post
    text: str


def questions(
    posts: Iterable[Post], flavour: Flavour, moderators: Iterable[str], forms: Forms
) -> Iterator[Question]:
    """The posts that ask the moderator something, in their order; quotes ask nothing, nor do votes."""
    names = tuple(moderators)
    words, own = _addressed(names), {name.casefold() for name in names}
    for post in posts:
        if post.author.casefold() not in own and not post.hidden and words.search(unescape(post.body)):
            asked = (line for line in _live(post, flavour) if _asks(line, words, forms))
            yield from (Question(post, line.text.replace(TAG_MARK, " ").strip()) for line in [*asked][:1])


def _addressed(moderators: Iterable[str]) -> re.Pattern[str]:
    names = "|".join(map(re.escape, (*moderators, *TITLES)))
    return re.compile(rf"(?<![^\W_])(?P<at>@\s?)?(?:{names})(?![^\W_])", re.IGNORECASE)


def _live(post: Post, flavour: Flavour) -> Iterator[Line]:
    return (line for line in lines_of(parse_html(post.body, flavour)) if line.region is Region.LIVE)


def _asks(line: Line, words: re.Pattern[str], forms: Forms) -> bool:
    """A mention asks wherever it stands; a bold line that names him does where it is no vote."""
    found = tuple(words.finditer(line.text))
    if any(one["at"] for one in found):
        return True
    bold = any(start < one.end() and one.start() < end for one in found for start, end in line.bold)
    return bold and not read_lines((line,), forms)
