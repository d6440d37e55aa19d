"""The tags of BBCode in a text, and the text without them or without any marks; the tree is `markup.bbcode`.

What a tag looks like is said here alone. These functions take what is half written, in the wrong order or
never closed, as players and pasted posts have it; `parse_bbcode` takes such tags for text.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from html import unescape

# What may follow a tag's name: “=Ada”, “="Ada [mod]" post_id=12”, “ author=Ada link=…”. Only between quotes
# may it hold a bracket. What was taken for a quoted value is not tried again, so that no text takes long.
_VALUE = r"(?:(?:=| +[a-z_]{1,20}=)(?>\"[^\"\n]{0,80}\"(?=[\] ])|'[^'\n]{0,80}'(?=[\] ])|[^\[\]\n])*+)?"
TAG = re.compile(rf"\[(/?)([a-z]{{1,10}}|\*)({_VALUE})\]", re.IGNORECASE | re.ASCII)
"""A tag: its stroke if it closes, its name or the mark of a list item, and its value."""


@lru_cache(maxsize=32)
def tag_pattern(*names: str, closing: bool = False) -> str:
    """A pattern of an opening or a closing tag with one of these names, in lower case."""
    named = "|".join(map(re.escape, names))
    return rf"\[/(?:{named})\]" if closing else rf"\[(?:{named}){_VALUE}\]"


def without_elements(text: str, names: Collection[str]) -> str:
    """The text without the elements of these names, and what stands in them; one that is never closed, and
    an end without a beginning, stay."""
    kept, at = list[str](), 0
    inside = list[tuple[str, int]]()  # of every open element its name, and how much was kept before it
    for tag in TAG.finditer(text):
        name = tag[2].lower()
        if name not in names:
            continue
        kept.append(text[at : tag.start()])
        at = tag.end()
        if not tag[1]:
            inside.append((name, len(kept)))
        elif any(name == opened for opened, _ in inside):
            # What was opened in it and never closed goes with it.
            while True:
                opened, before = inside.pop()
                if opened == name:
                    break
            del kept[before:]
            continue
        kept.append(tag[0])
    kept.append(text[at:])
    return "".join(kept)


def without_tags(text: str, names: Collection[str]) -> str:
    """The text without the tags of these names; what stands between them stays."""
    return TAG.sub(lambda tag: "" if tag[2].lower() in names else tag[0], text)


# A link of Markdown, which is no tag before others in parentheses; a tag of HTML, and one that ends a line.
_MARKDOWN_LINK = re.compile(r"\[((?:\\.|[^\[\]\\\n])*)\]\([^()\[\]\n]*\)")
_HTML_TAG = re.compile(r"</?[a-z][^<>\n]{0,300}>", re.IGNORECASE)
_HTML_LINE_END = re.compile(r"<(?:br|/p|/tr|/li|/div)\b[^<>\n]{0,300}>", re.IGNORECASE)
# Marks of Markdown, and what our writers put between the letters of what is no mark.
_UNSEEN = re.compile(r"[\u200b\u200e*~`\\]")
# Anything that some board could take for a mark: whatever stands in brackets, known as a tag or not.
_ANY_MARK = re.compile(r"\[[^\[\]\n]{0,300}\]|<[^<>\n]{0,300}>|[*_~`\\]+")


def plain_text(text: str) -> str:
    """A post of any dialect as it is read: without tags and marks, a link as its words; lines of HTML are
    lines."""
    lines = _HTML_LINE_END.sub("\n", text)
    return unescape(_UNSEEN.sub("", _HTML_TAG.sub("", TAG.sub("", _MARKDOWN_LINK.sub(r"\1", lines)))))


def html_lines(body: str) -> str:
    """The body of a post in HTML as lines of text; what looks like a mark of another dialect stays."""
    return unescape(_HTML_TAG.sub("", _HTML_LINE_END.sub("\n", body)))


def without_marks(text: str) -> str:
    """The text without anything that can be a mark in any dialect, so that a word is whole in which one
    stands. It takes more than `plain_text`: “[3]” goes, too."""
    return _ANY_MARK.sub("", text)
