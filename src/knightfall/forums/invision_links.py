"""Which topic does a URL of an Invision board point at? The same shapes in IP.Board 3 and Invision 4.

`topic/12-slug/`, behind `index.php/` or `index.php?/` where the server rewrites nothing, and the old
`index.php?showtopic=12`. The slug belongs to the id: newer boards answer only to the whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from knightfall.forums.base import Request, ThreadRef, absolute, is_absolute, number_in

TOPIC = re.compile(
    r"^(?P<root>[^#]*?/(?:index\.php[/?]/?)?)topic/(?P<id>\d+(?:-[^/?#&]*)?)(?!\d|/(?!page)[^/?#&])(?P<rest>[^#]*)",
    re.I,
)
"""A word behind the id other than the page is NodeBB's spelling."""
OLD = re.compile(r"^(?P<root>[^?#]*/)(?:index\.php)?\?(?:[^#]*&)?showtopic=(?P<id>\d+)", re.IGNORECASE)
PAGE = re.compile(r"(?:/page/|/page-|[?&]page=)(\d+)")
OFFSET = re.compile(r"(?:page__st__|__st__|[?&]st=)(\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a topic a URL points: a page, or an offset; 0 where it does not say."""

    page: int = 0
    offset: int = 0


def topic_at(platform: str, url: str) -> ThreadRef | None:
    """The topic of a URL; its id is "12-slug", or "12" where the URL has no slug."""
    if not is_absolute(url):
        return None
    if found := TOPIC.match(url):
        place = place_in(url)
        return ThreadRef(platform, found["root"], found["id"], place.page or place.offset)
    old = OLD.match(url.replace("&amp;", "&"))
    if old is None:
        return None
    return ThreadRef(platform, old["root"], old["id"], number_in(url, "st") or number_in(url, "page") or 0)


def place_in(url: str) -> Place:
    """The page or offset that a URL asks for."""
    page, offset = PAGE.search(url), OFFSET.search(url)
    return Place(int(page[1]) if page else 0, int(offset[1]) if offset else 0)


def topic_address(ref: ThreadRef) -> str:
    """The first page; a topic known by its bare number has its old address, which every version follows."""
    return old_address(ref) if ref.id.isdecimal() else f"{ref.root}topic/{ref.id}/"


def old_address(ref: ThreadRef) -> str:
    """The address by the bare number; places in the topic are written behind it."""
    return f"{ref.root.partition('index.php')[0]}index.php?showtopic={ref.id.partition('-')[0]}"


def next_page(here: str, link: str | None, computed: str | None) -> Request | None:
    """The next page: where the link of the page at `here` leads, else the address as computed."""
    url = (absolute(here, link) if link else None) or computed
    return Request(url.partition("#")[0]) if url else None
