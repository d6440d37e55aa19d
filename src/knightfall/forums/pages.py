"""Pages become chunks of posts, and chunks a whole thread."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime

from knightfall.errors import (
    AccessDenied,
    IncompleteRead,
    LayoutChanged,
    LoginRequired,
    NotAForum,
    PastTheEnd,
    SiteRefused,
    TopicMissing,
)
from knightfall.forums import candidates, forum_named, forum_of, outside_forums
from knightfall.forums.base import Chunk, Forum, HtmlForum, Paging, Response, ThreadRef
from knightfall.forums.html import attribute, every, parse_page
from knightfall.forums.no_thread import named
from knightfall.forums.payload import is_json, is_xml, parse_json, parse_xml
from knightfall.forums.platforms import PLATFORMS
from knightfall.forums.sites import site_of
from knightfall.models import Post
from knightfall.sentence import Way, sentence

# A page that began as a whole one has to end as one: with its last tag. Who writes as briefly as HTML allows,
# as SingleFile does, leaves that out, and quotes too: then all else is closed that HTML wants closed.
BEGINS_HTML = re.compile(r"<!doctype html|<html[\s>]|<body[\s>]", re.IGNORECASE)
ENDS_HTML = re.compile(r"</html\s*>", re.IGNORECASE)
_ATTRIBUTES = r"""(?:(?:\s|/(?!>))++(?:[^\s/<>="']++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s<>"']*+))?+)?+)*+"""
_RAW = "script|style|textarea|title|template|noscript|iframe|xmp"
_TAG = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(?P<raw>{_RAW})\b{_ATTRIBUTES}>.*?(?P<shut></(?P=raw)|\Z)"
    rf"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*+){_ATTRIBUTES}(?P<own>/?)>",
    re.IGNORECASE | re.DOTALL,
)
_VALUE = re.compile(r"""=\s*+(?:"(?P<one>[^"]*+)"|'(?P<other>[^']*+)'|[^\s>"']++)""")
_NEEDS_NO_QUOTES = re.compile(r"[^\s\"'=<>`]+")
_NEVER_CLOSED = frozenset(
    (
        *(
            "html",
            "head",
            "body",
            "li",
            "dt",
            "dd",
            "p",
            "rt",
            "rp",
            "option",
            "optgroup",
            "caption",
            "colgroup",
        ),
        *("thead", "tbody", "tfoot", "tr", "td", "th", "area", "base", "br", "col", "embed", "hr", "img"),
        *("input", "link", "meta", "param", "source", "track", "wbr"),
    )
)
"""Tags that HTML does not want closed, or lets one leave open."""
SHORT = 4_000
"""An error page says early what is wrong."""
# A page that is nothing but "not found", or says so in its title or a heading.
SAYS_MISSING = re.compile(
    r"^\W*(?:404\b.{0,20})?not\W?found\W*$"
    r"|<(?:title|h1|h2|p)[^<>]*>[^<]{0,80}"
    r"\b(?:404|not found|could not be found|does not exist)\b[^<]{0,80}</",
    re.IGNORECASE,
)
LOGIN = sentence(
    "Give your login ({cookies}) or save the pages in your browser and use those: {saved}",
    cookies=Way("cookies"),
    saved=Way("use_saved"),
)
AGAIN = "Fetch or save it again, then try once more."


def read_chunk(
    page: Response,
    name: str,
    now: datetime,
    zone: str | None = None,
    known: str | None = None,
    per_page: int | None = None,
) -> tuple[Forum, Chunk]:
    """The page's platform and what it holds; `name` is how messages call the page, `zone` that of its times
    where the moderator says it. Of other pages of its thread: `known` is their platform, `per_page` how many
    posts each has.

    Raises SiteRefused and its kinds, IncompleteRead, NotAForum, LayoutChanged, PastTheEnd.
    """
    site = site_of(page.url)
    forum = forum_of(page, known or site.platform)
    is_html = not (is_json(page.text) or is_xml(page.text))
    if forum is None and is_html and page.text.strip() and (told := named(page, name, None, None)):
        raise told
    if forum is None and page.status >= 400:
        # A refusal in a form that no forum software wrote.
        if page.status == 401:
            raise LoginRequired(sentence("{url} asks for a login. {how}", url=page.url, how=LOGIN))
        if page.status == 403:
            raise AccessDenied(
                sentence("{url} answers 403: we may not read it. {how}", url=page.url, how=LOGIN)
            )
        # Some software answers 404 behind the end of a thread: its URL tells the page that was asked for.
        if page.status in (404, 410) and any(ref.start > 1 for _, ref in candidates(page.url)):
            raise PastTheEnd(
                f"{page.url} answers {page.status}: there is no such page. The thread is shorter "
                "or was deleted. Give the address of its first page."
            )
        if page.status in (404, 410):
            raise TopicMissing(f"{page.url} answers {page.status}: there is no such page. Check the address.")
        raise SiteRefused(
            f"{page.url} answers {page.status}, which is not a page. Your browser may show why."
        )
    refuse_partial(page.text, name)
    if forum is None and is_html and SAYS_MISSING.search(page.text[:SHORT]):
        raise TopicMissing(
            f"{name} says that nothing is there. The thread was moved or deleted, or it has no "
            "such page. Check the address; give that of the thread's first page."
        )
    if forum is None:
        raise NotAForum(
            sentence(
                "{name} is no thread of a forum that I know. Give the address at which you read the thread "
                "in your browser, or the pages of the thread as your browser saved them (“web page, "
                "complete”).{faults} Which forums I can read: {forums}.",
                name=name,
                forums=Way("list_forums"),
                faults="".join(f" {one}" for one in outside_forums().faults(page)),
            )
        )
    try:
        site = replace(site, stated_zone=zone, posts_per_page=per_page or site.posts_per_page)
        chunk = forum.read(page, site, now)
    except (LayoutChanged, LoginRequired, TopicMissing, AccessDenied) as fault:
        if not is_html or _has_boxes(page, forum):
            raise
        told = named(page, name, forum, fault)
        if told is None:
            raise
        raise told from fault
    except (ValueError, OverflowError, RecursionError) as error:  # a number of 5,000 digits, a year 99999
        raise LayoutChanged(
            f"{name} holds what no {forum.name} page does ({error}), so it was not read. No count was made."
        ) from error
    _refuse_boundless(chunk, name)
    return forum, replace(chunk, posts=tuple(map(_to_the_second, chunk.posts)))


def _has_boxes(page: Response, forum: Forum) -> bool:
    marks = next((row.landmarks for row in PLATFORMS if row.name == forum.name), None)
    return marks is not None and bool(every(parse_page(page.text), marks.boxes))


def address_of_thread(page: Response, known: str | None = None) -> str:
    """The address of the thread that a page of a known platform is of, by the page's own links; "" where they
    do not tell it. What stands in posts and signatures is no link of the page."""
    forum = forum_of(page, known)
    if forum is None or is_json(page.text) or is_xml(page.text):
        return ""
    tree = parse_page(page.text)
    if isinstance(forum, HtmlForum) and (told := forum.thread(page, tree)) and told.root:
        return forum.start(told).url
    marks = next((row.landmarks for row in PLATFORMS if row.name == forum.name), None)
    texts = every(tree, f'{marks.texts}, [class*="ignature"]') if marks else []
    foreign = [link for text in texts for link in every(text, "a[href]")]
    within = set(map(id, foreign))
    links = (attribute(link, "href") or "" for link in every(tree, "a[href]") if id(link) not in within)
    refs = (forum.locate(link) for link in links)
    told_by = Counter((ref.root, ref.id) for ref in refs if ref and ref.root and not ref.id.startswith("p"))
    if not told_by:
        return ""
    root, identity = told_by.most_common(1)[0][0]
    return forum.start(ThreadRef(forum.name, root, identity)).url


def address_of_page(platform: str, thread: ThreadRef, number: int, size: int | None) -> str | None:
    """The address at which people read a page of a thread, `size` posts a page; None where nobody knows."""
    forum = forum_named(platform)
    if forum is None or not thread.root:
        return None
    if number == 1 and isinstance(forum, HtmlForum):
        return forum.start(thread).url
    if isinstance(forum, HtmlForum):
        before = Paging(number - 1, number, (number - 2) * (size or 0), size)
        following = forum.next_page(thread, before)
        return following.url if following else None
    paged = {
        "discourse": "t/{id}?page={page}",
        "nodebb": "topic/{id}?page={page}",
        "flarum": "d/{id}?page={page}",
    }
    written = paged.get(platform)
    return thread.root + written.format(id=thread.id, page=number) if written else None


def _to_the_second(post: Post) -> Post:
    """The post with times in whole seconds, as it is kept: what was just read counts as what is stored."""
    if not any(moment and moment.microsecond for moment in (post.time, post.edited)):
        return post
    time, edited = (moment and moment.replace(microsecond=0) for moment in (post.time, post.edited))
    return replace(post, time=time, edited=edited)


MOST_PAGES = 20_000
"""Pages of a thread: one with more is not read, and a page that tells of more is not believed."""
MOST_POSTS = 10_000_000
"""The number of the last post of a thread, and how many it has."""


def _refuse_boundless(chunk: Chunk, name: str) -> None:
    """Raises LayoutChanged for a page that tells of more than any thread has, and IncompleteRead for one that
    shows a post twice."""
    pages = max(chunk.pages, chunk.page)
    posts = max((chunk.posts_total or 0, *(post.number for post in chunk.posts)))
    if pages > MOST_PAGES or posts > MOST_POSTS:
        told = f"{pages:,} pages" if pages > MOST_PAGES else f"{posts:,} posts"
        raise LayoutChanged(
            f"{name} says that the thread has {told}. Threads of up to {MOST_PAGES:,} pages and "
            f"{MOST_POSTS:,} posts are read. No count was made."
        )
    if repeated := [post for post, times in Counter(post.id for post in chunk.posts).items() if times > 1]:
        number = next(post.number for post in chunk.posts if post.id == repeated[0])
        raise IncompleteRead(
            f"{name} shows post #{number} twice, so the numbers behind it may be wrong. No count was made. "
            f"{AGAIN}"
        )


def refuse_partial(text: str, name: str) -> None:
    """Raises IncompleteRead for an empty page, and for one whose end did not arrive."""
    if not text.strip():
        raise IncompleteRead(f"{name} is empty. No count was made. {AGAIN}")
    if is_json(text):
        parse_json(text, name)
    elif is_xml(text):
        parse_xml(text, name)
    elif BEGINS_HTML.search(text) and not (
        ENDS_HTML.search(text, len(text) - SHORT) or ENDS_HTML.search(text) or _is_closed(text)
    ):
        raise IncompleteRead(f"{name} ended early (no footer). No count was made. {AGAIN}")


def _is_closed(text: str) -> bool:
    """Whether a page is written as briefly as HTML allows, and all is closed in it that HTML wants closed.
    What it is cut off in stays open: its boxes, and those that hold the posts."""
    still: Counter[str] = Counter()
    for found in _TAG.finditer(text):
        if found["raw"]:
            still[found["raw"].lower()] += not found["shut"]
        elif found["name"]:
            if any(
                _NEEDS_NO_QUOTES.fullmatch(one["one"] or one["other"] or "")
                for one in _VALUE.finditer(found[0])
            ):
                return False
            if not found["own"] and (name := found["name"].lower()) not in _NEVER_CLOSED:
                still[name] += -1 if found["end"] else 1
    return all(times <= 0 for times in still.values())
