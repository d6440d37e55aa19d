"""How is a thread that was read shown: as a small table for people, as JSON for programs?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from tabulate import tabulate

from knightfall.app.reading.evidence import change_lines
from knightfall.forums import flavour_of
from knightfall.markup.html import plain_text
from knightfall.posts import Post, PostChange, Thread

VALUE_WIDTH = 64
EDITS = 3
"""So many of the newest edits are shown."""


def as_table(thread: Thread) -> str:
    """Pages, posts, first and last post; fits 80 columns."""
    rows = [
        ("Title", thread.title),
        ("Forum", thread.platform),
        ("Pages", thread.pages),
        ("Posts", len(thread.posts)),
        *((name, _named(post)) for name, post in _ends(thread.posts)),
        ("Complete", "yes" if thread.complete else "no"),
    ]
    return tabulate(rows, tablefmt="plain", maxcolwidths=[None, VALUE_WIDTH], disable_numparse=True)


def thread_values(thread: Thread) -> dict[str, Any]:
    """{platform, title, complete, pages, posts: [each post]}: times in ISO 8601, bodies as readable text."""
    return {
        "platform": thread.platform,
        "title": thread.title,
        "complete": thread.complete,
        "pages": thread.pages,
        "posts": [_post_values(thread.platform, post) for post in thread.posts],
    }


def news_lines(thread: Thread, changes: Sequence[PostChange]) -> Iterator[str]:
    """What changed since the last read, and which posts the forum says were edited last."""
    yield from change_lines(changes, thread.platform)
    edited = sorted((post for post in thread.posts if post.edited), key=_edited, reverse=True)
    if edited:
        more = f" and {len(edited) - EDITS} older" if len(edited) > EDITS else ""
        yield f"Newest edits: {'; '.join(map(_edit, edited[:EDITS]))}{more}."


def incomplete(thread: Thread) -> str:
    """What is missing, and what to do."""
    return " ".join((*thread.missing, "This is not the whole thread. Add what is missing and read again."))


def _ends(posts: tuple[Post, ...]) -> tuple[tuple[str, Post], ...]:
    return (("First post", posts[0]), ("Last post", posts[-1])) if posts else ()


def _named(post: Post) -> str:
    when = f"{post.time:%Y-%m-%d %H:%M} UTC" if post.time else "no time told"
    return f"#{post.number} {post.author}, {'about ' if post.time and post.approximate else ''}{when}"


def _edited(post: Post) -> tuple[float, int]:
    return (post.edited.timestamp() if post.edited else 0.0, post.number)


def _edit(post: Post) -> str:
    return f"#{post.number} {post.author}, {post.edited:%Y-%m-%d %H:%M} UTC"


def _post_values(platform: str, post: Post) -> dict[str, Any]:
    return {
        "id": post.id,
        "number": post.number,
        "author": post.author,
        "author_id": post.author_id,
        "time": _iso(post.time),
        "approximate": post.approximate,
        "edited": _iso(post.edited),
        "hidden": post.hidden,
        "url": post.url,
        "text": plain_text(post.body, flavour_of(platform)),
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None
