"""What is a post, what is a thread, whatever forum it came from, and what became of a post since?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NewType

PostId = NewType("PostId", str)
"""The forum's own id of a post, as text: digits on most platforms."""


@dataclass(frozen=True, slots=True)
class Post:
    """One post as the forum served it.

    `number` counts as the platform counts (MafiaScum from 0, most from 1; gaps kept). `time` is an aware
    instant in UTC or None where the page tells none; `approximate` marks one read from relative or zoneless
    text. `body` is the inner HTML of the post's own content container. `hidden` marks a placeholder of a
    deleted or hidden post.
    """

    id: PostId
    number: int
    author: str
    body: str
    author_id: str | None = None
    time: datetime | None = None
    approximate: bool = False
    url: str | None = None
    edited: datetime | None = None
    edit_note: str | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """The posts of one thread in page order, and whether they are all there.

    `platform` is an id of `forums.FORUMS` (or "jsonl" for posts that came without a page); `missing` says in
    one sentence each what is not there: a thread with such a sentence is never counted to its end. `whole_to`
    is then the number of the last post up to which nothing is missing; None where the thread is complete, and
    where even its beginning is missing.
    """

    platform: str
    title: str
    posts: tuple[Post, ...]
    pages: int = 1
    url: str | None = None
    missing: tuple[str, ...] = ()
    whole_to: int | None = None

    @classmethod
    def from_posts(cls, posts: Iterable[tuple[str, str]], title: str = "Thread", first: int = 1) -> Thread:
        """A thread of (author, text in BBCode) pairs, numbered from `first` on; the posts have no times and
        no addresses."""
        # Posts are everywhere, and next to nobody who has some writes them in BBCode: it need not be loaded.
        from knightfall.markup.bbcode import parse_bbcode
        from knightfall.markup.dialects.ips import IPS

        made = (
            Post(PostId(str(number)), number, author, IPS.write(parse_bbcode(text)))
            for number, (author, text) in enumerate(posts, start=first)
        )
        return cls("jsonl", title, tuple(made))

    @property
    def complete(self) -> bool:
        """True where nothing is known to be missing."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class PostVersion:
    """What a post said from `first_seen` on; `superseded` is when it was first seen otherwise, or gone.

    `sha256` is of the body; `page_url`, `page_sha256` and `server_date` (the forum's own clock, as written)
    are of the page that first showed this version; `private` marks a page read while logged in.
    """

    number: int
    post: Post
    first_seen: datetime
    superseded: datetime | None
    sha256: str
    page_url: str | None = None
    page_sha256: str | None = None
    server_date: str | None = None
    private: bool = False


class Became(Enum):
    """What can become of a post that was read before."""

    CHANGED = "changed"
    VANISHED = "vanished"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class PostChange:
    """`post` as it stands now, or as it last stood; `before` is what it said where it now says otherwise.

    `counted` is when it had been counted as it stood before; None where it had not.
    """

    became: Became
    at: datetime
    post: Post
    before: Post | None = None
    counted: datetime | None = None
