"""BoardGameGeek: the answers of its XML API, version 2.

An article's number is its place in the thread; the API gives none, so the address of a later page carries the
page's number and how many articles came before, which the API does not heed. Written from the API's
documentation, not from pages.
"""

from __future__ import annotations

import re
from datetime import datetime
from math import ceil
from urllib.parse import urlencode, urlsplit

from knightfall.errors import IncompleteRead, KnightfallError, LayoutChanged, RateLimited, ServerFault
from knightfall.forums.base import (
    Chunk,
    Request,
    Response,
    Site,
    ThreadRef,
    access_denied,
    at_path,
    is_absolute,
    login_required,
    number_in,
    past_the_end,
    query_of,
    topic_missing,
)
from knightfall.forums.dates import machine_time
from knightfall.forums.payload import Element, parse_xml
from knightfall.forums.styles import STYLES
from knightfall.models import Post, PostId

HTML_STYLE = STYLES["bgg"]
# A thread with its count of articles, an error, or the word that a queued request gets.
# Behind an XML declaration, where there is one.
ANSWER = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]*\?>\s*)?<(?:thread\b[^<>]*\bnumarticles=|errors?[\s>]|message>)", re.IGNORECASE
)
# The page of a thread for people, with or without its slug, and the address of the API.
THREAD = re.compile(r"(?P<root>/(?:.*/)?)thread/(?P<id>\d+)(?:/.*)?")
API = re.compile(r"(?P<root>/(?:.*/)?)xmlapi2/thread/?")
PER_PAGE = 1000
NOBODY = "[deleted]"


class Bgg:
    """The adapter; it has no state."""

    name = "bgg"
    html_style = HTML_STYLE

    def recognises(self, page: Response) -> bool:
        """By the root element of the API's answers."""
        return bool(ANSWER.match(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """/thread/123, /thread/123/slug/page/2 and /xmlapi2/thread?id=123."""
        if not is_absolute(url):
            return None
        path = urlsplit(url).path
        found = THREAD.fullmatch(path) or API.fullmatch(path)
        identity = found and (found.groupdict().get("id") or query_of(url).get("id", ""))
        if not found or not identity or not identity.isdigit():
            return None
        root = at_path(url, found["root"])
        return ThreadRef(self.name, root, identity, number_in(url, "page") or 0)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The first articles: the API counts by their ids, so reading begins with the first."""
        return Request(_address(ref, {}))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        answer = parse_xml(page.text, page.url or "The answer")
        if answer.tag != "thread":
            raise _refusal(page, answer)
        located = self.locate(page.url)
        here, before = number_in(page.url, "page") or 1, number_in(page.url, "before") or 0
        articles = answer.findall("./articles/article")
        told = _number(answer, "numarticles")
        if not articles:
            raise past_the_end(page, f"{told} articles")
        if not page.url and told > len(articles):
            raise IncompleteRead(
                f"The answer holds {len(articles)} of {told} articles and does not tell which. "
                "Give the address of the thread instead."
            )
        total = max(told, before + len(articles))
        ref = ThreadRef(Bgg.name, located.root if located else "", _needed(answer, "id"))
        more = total > before + len(articles)
        after = {
            "minarticleid": _number(articles[-1], "id") + 1,
            "page": here + 1,
            "before": before + len(articles),
        }
        return Chunk(
            title=(answer.findtext("./subject") or "").strip(),
            posts=tuple(_post(article, number) for number, article in enumerate(articles, before + 1)),
            page=here,
            pages=max(ceil(total / PER_PAGE), here + 1) if more else here,
            posts_total=total,
            following=Request(_address(ref, after)) if more and ref.root else None,
            thread=ref,
        )


def _address(ref: ThreadRef, more: dict[str, int]) -> str:
    return f"{ref.root}xmlapi2/thread?" + urlencode({"id": ref.id, "count": PER_PAGE} | more)


def _post(article: Element, number: int) -> Post:
    exact = machine_time(_needed(article, "postdate"))
    edits = article.get("numedits", "0")
    body = article.find("./body")
    if body is None:
        raise LayoutChanged(f"Article {article.get('id')} has no body (adapter bgg). No count was made.")
    return Post(
        id=PostId(_needed(article, "id")),
        number=number,
        author=_needed(article, "username") or NOBODY,
        body=body.text or "",
        time=exact,
        approximate=exact is None,
        url=article.get("link"),
        edited=machine_time(article.get("editdate")) if edits != "0" else None,
        edit_note=f"number of edits: {edits}" if edits != "0" else None,
    )


def _needed(element: Element, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise LayoutChanged(
            f"<{element.tag}> {element.get('id', '')} has no {name} (adapter bgg). No count was made."
        )
    return value


def _number(element: Element, name: str) -> int:
    value = _needed(element, name)
    if not (value.isascii() and value.isdigit() and len(value) < 16):
        raise LayoutChanged(
            f"<{element.tag}> has {name}={value!r}, not a number (adapter bgg). No count was made."
        )
    return int(value)


def _refusal(page: Response, answer: Element) -> KnightfallError:
    said = " ".join(filter(None, [answer.get("message"), *(text.strip() for text in answer.itertext())]))
    if page.status == 429 or "rate limit" in said.lower():
        return RateLimited(f'{page.url}: "{said}". Wait a minute, then try again.')
    if page.status == 202 or answer.tag == "message":
        return ServerFault(f'{page.url} is not ready yet: "{said}". Try again in a minute.')
    if page.status == 401:
        return login_required(page, said)
    if page.status == 403:
        return access_denied(page, said)
    return topic_missing(page, said)


BGG = Bgg()
