"""Which marks does a written post have: tags, Markdown's kinds, HTML's elements?"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knightfall.markup.dialects import Dialect
from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.markdown_family import Markdown

_TAG = re.compile(r"\[(/?)([a-zA-Z*-]+)[^\[\]]*\]")
# What no site reads: SMF's raw text, and what stands in code.
_UNREAD = re.compile(r"\[nobbc\].*?\[/nobbc\]|(?<=\[code\]).*?(?=\[/code\])", re.DOTALL)


def marks(one: Dialect, text: str) -> list[str]:
    """All marks of a post in order, whatever the dialect; plain text has none."""
    if isinstance(one, BBCode):
        return [f"{closing}{name}" for closing, name in tags(text)]
    if isinstance(one, Markdown):
        return kinds(markdown(text))
    if one.name == "plain":
        return []
    elements = Elements()
    elements.feed(text)
    assert elements.open == []
    return elements.seen


def tags(text: str) -> list[tuple[str, str]]:
    """The tags in brackets that a site reads: ("/" or "", name)."""
    return _TAG.findall(_UNREAD.sub("", text))


def left_open(text: str) -> list[str]:
    """The tags that are never closed; tags that are crossed over fail."""
    open_tags: list[str] = []
    for closing, name in tags(text):
        if not closing and name != "*":
            open_tags.append(name)
        elif closing:
            assert open_tags and open_tags.pop() == name
    return open_tags


def kinds(tokens: list[Token]) -> list[str]:
    """What Markdown finds, but for bare text."""
    found = []
    for token in tokens:
        if token.type not in ("text", "text_special"):
            found += [f"{token.type}/{token.tag}", *kinds(token.children or [])]
    return found


def markdown(text: str) -> list[Token]:
    """As CommonMark with tables; the values in Discourse's own tags are no Markdown."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return reader.parse(re.sub(r'\[(quote|details)="[^"\n]*"\]', r"[\1]", text))


class Elements(HTMLParser):
    """The elements of HTML and the names of their attributes; `open` are those not yet closed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(f"{tag} {[key for key, _ in attrs]}")
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
