"""Is this a whole page of a forum that we can read? The same for fetched and saved pages."""

from __future__ import annotations

import re
from datetime import datetime

from knightfall.errors import (
    AccessDenied,
    IncompleteRead,
    LoginRequired,
    NotAForum,
    PastTheEnd,
    SiteRefused,
    TopicMissing,
)
from knightfall.forums import candidates, forum_of, outside_forums, platform_names
from knightfall.forums.adapter import Chunk, ForumAdapter, Response
from knightfall.forums.payload import is_json, parse_json
from knightfall.forums.sites import site_of
from knightfall.forums.xml_answer import is_xml, parse_xml

BEGINS_HTML = re.compile(r"<!doctype html|<html[\s>]|<body[\s>]", re.IGNORECASE)
ENDS_HTML = re.compile(r"</html\s*>", re.IGNORECASE)
SHORT = 4_000
"""An error page says early what is wrong."""
SAYS_MISSING = re.compile(
    r"^\W*(?:404\b.{0,20})?not\W?found\W*$"
    r"|<(?:title|h1|h2|p)[^>]*>[^<]{0,80}\b(?:404|not found|could not be found|does not exist)\b[^<]{0,80}</",
    re.IGNORECASE,
)
LOGIN = "Lend your login (--cookies FILE) or use pages saved in your browser (--from-html FILE...)."
AGAIN = "Fetch or save it again, then run the same command."


def read_chunk(page: Response, name: str, now: datetime) -> tuple[ForumAdapter, Chunk]:
    """The page's platform and what it holds; `name` is how messages call the page.

    Raises SiteRefused and its kinds, IncompleteRead, NotAForum, LayoutChanged, PastTheEnd.
    """
    forum = forum_of(page)
    if forum is None and page.status >= 400:
        # A refusal in a form that no forum software wrote.
        if page.status == 401:
            raise LoginRequired(f"{page.url} asks for a login. {LOGIN}")
        if page.status == 403:
            raise AccessDenied(f"{page.url} answers 403: we may not read it. {LOGIN}")
        # Some software answers 404 behind the end of a thread: its URL tells the page that was asked for.
        if page.status in (404, 410) and any(ref.start > 1 for _, ref in candidates(page.url)):
            raise PastTheEnd(
                f"{page.url} answers {page.status}: there is no such page. The thread is shorter, or gone. "
                "Give the address of its first page."
            )
        if page.status in (404, 410):
            raise TopicMissing(f"{page.url} answers {page.status}: there is no such page. Check the address.")
        raise SiteRefused(f"{page.url} answers {page.status}, which is no page. Your browser may tell why.")
    refuse_partial(page.text, name)
    if forum is None and SAYS_MISSING.search(page.text[:SHORT]):
        raise TopicMissing(
            f"{name} only says that there is nothing: the thread was moved or deleted, or it has no such "
            "page. Check the address; give that of the thread's first page."
        )
    if forum is None:
        known, faults = (
            ", ".join(platform_names()),
            "".join(f" {one}" for one in outside_forums().faults(page)),
        )
        raise NotAForum(
            f"{name} is no page of a forum that I can read ({known}). Give the address of the thread itself."
            f"{faults}"
        )
    return forum, forum.read(page, site_of(page.url), now)


def refuse_partial(text: str, name: str) -> None:
    """Raises IncompleteRead for an empty page, and for one whose end did not arrive."""
    if not text.strip():
        raise IncompleteRead(f"{name} is empty. No count was made. {AGAIN}")
    if is_json(text):
        parse_json(text, name)
    elif is_xml(text):
        parse_xml(text, name)
    elif BEGINS_HTML.search(text) and not ENDS_HTML.search(text):
        raise IncompleteRead(f"{name} ended early (no footer). No count was made. {AGAIN}")
