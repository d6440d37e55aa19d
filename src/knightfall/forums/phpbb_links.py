"""Which topic does a URL of a phpBB board point at, and how is one asked for? The same in phpBB 2 and 3."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from knightfall.forums.adapter import Request, ThreadRef
from knightfall.forums.links import is_absolute, number_in, thread_asked
from knightfall.forums.offsets import Paging

TOPIC_PAGE = re.compile(r"viewtopic\w*\.(?:php|html?)", re.IGNORECASE)


def is_topic_page(url: str) -> bool:
    """True for viewtopic.php and its saved forms."""
    return is_absolute(url) and TOPIC_PAGE.fullmatch(urlsplit(url).path.rpartition("/")[2]) is not None


def topic_at(platform: str, url: str) -> ThreadRef | None:
    """By t= and start=, else by p=."""
    return thread_asked(platform, url, "t", "p", number_in(url, "start") or 0)


def page_from(ref: ThreadRef, offset: int = 0) -> Request:
    """The page that begins at an offset; a topic known by one of its posts has only the page of that post."""
    if ref.id.startswith("p"):
        return Request(f"{ref.root}viewtopic.php?p={ref.id[1:]}")
    return Request(f"{ref.root}viewtopic.php?t={ref.id}" + (f"&start={offset}" if offset > 0 else ""))


def page_after(ref: ThreadRef | None, paging: Paging) -> Request | None:
    """The next page of a topic; None on the last, and where no page told the topic."""
    if ref is None or ref.id.startswith("p") or paging.following is None:
        return None
    return page_from(ref, paging.following)
