"""What is asked of a forum and what its pages hold, as values; what a site is known for.

Who counts a thread that is kept needs these, and no reader of pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from knightfall.models import Post, PostId


@dataclass(frozen=True, slots=True)
class Request:
    """A page to get. `url` absolute; `headers` beyond the client's own."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Response:
    """A page as it came: final URL, status, decoded text, and the headers that matter (lower-case names).

    `private` marks a page that was read while logged in: it may hold what only its reader may see;
    `foreign_login` one for which cookies were lent of which none is for its server.
    """

    url: str
    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)
    private: bool = False
    foreign_login: bool = False


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """One thread of one forum: `root` is the forum's base URL with a slash at its end, `id` the topic.

    `root` is empty where a saved answer of an API tells its topic but not its forum.

    A link to a post that does not tell its topic has the id "p" + post id; its page tells the rest.
    """

    platform: str
    root: str
    id: str
    start: int = 0
    """Offset or page that the pasted URL pointed at; informs only: reading begins at the first page."""


@dataclass(frozen=True, slots=True)
class Site:
    """What `sites.toml` tells of a host beyond its platform."""

    platform: str | None = None
    timezone: str | None = None
    """The zone of times that pages show to guests, where a page does not tell it; None: nobody knows."""
    date_order: str = "mdy"
    first_number: int = 1
    posts_per_page: int | None = None
    dialect: str | None = None
    forms: tuple[str, ...] = ()
    max_length: int | None = None
    """How long a post may be there, in the unit of its dialect; None: as the dialect says."""
    stated_zone: str | None = None
    """The zone of the thread's times by the moderator, who goes before what a page tells; never in a
    sites.toml."""
    tags: tuple[str, ...] | None = None
    """The tags of `markup.dialects.shapes.TAGS` that the board has; None: as the dialect says."""


@dataclass(frozen=True, slots=True)
class Part:
    """What an export says of itself: it is a part of its thread that tells no place in it, so its posts are
    numbered from its own beginning. `cut`: it leaves out what was posted earlier, as its maker wished; `made`
    is when that was, None where it does not tell."""

    cut: bool = False
    made: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one page holds.

    `page` and `pages` count from 1; `posts_total` is what the page says the whole thread has (None where it
    does not say); `following` is the next page, None on the last; `thread` is the thread that the page says
    it belongs to (None where it does not say, e.g. on a saved page without its URL); `missing` says
    in one sentence each what the page itself leaves out (a viewer's filter): not to be counted; `part` is
    None for what tells its place in the thread, as the pages of boards do.
    """

    title: str
    posts: tuple[Post, ...]
    page: int
    pages: int
    posts_total: int | None = None
    following: Request | None = None
    thread: ThreadRef | None = None
    missing: tuple[str, ...] = ()
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Bookmark:
    """The last page up to which a thread is known: its number, its URL, and the post it began with."""

    page: int
    url: str
    first: PostId
