"""What does the search of an archive look into? All posts as data in a script, which needs no server.

`window.ARCHIVE = {pages, authors, posts: [[number, page, author, words], …]}`, page and author by place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A post as it is searched for: `page` is the file with it."""

    number: int
    page: str
    author: str
    words: str


def index_script(entries: Iterable[Entry]) -> str:
    """The script. Letters that could end it or begin a tag are written as numbers."""
    pages: dict[str, int] = {}
    authors: dict[str, int] = {}
    posts = [
        [
            one.number,
            pages.setdefault(one.page, len(pages)),
            authors.setdefault(one.author, len(authors)),
            one.words,
        ]
        for one in entries
    ]
    said = {"pages": list(pages), "authors": list(authors), "posts": posts}
    text = json.dumps(said, ensure_ascii=True, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return f"window.ARCHIVE={text};\n"
