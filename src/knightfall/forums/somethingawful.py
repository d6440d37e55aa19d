"""What does a page of the Something Awful forums hold? Their software is a vBulletin 2 of their own making.

Each post tells its place in the thread (`data-idx`); page number, page size and a filter by user stand in
links. Times are local and without a zone. Most forums ask for an account, some for more than that.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial

from knightfall.errors import IncompleteRead, KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    access_denied,
    checked,
    clock_of,
    folder_of,
    is_absolute,
    login_required,
    no_posts,
    number_in,
    oldest_first,
    past_the_last_page,
    posts_of,
    refused,
    thread_asked,
)
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    inner,
    maybe,
    own_words,
    parse_page,
    taken_out,
    words,
)
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("div.bbc-block", "blockquote"),
    quote_citations=("h4", "h5"),
    spoilers=("span.bbc-spoiler",),
    asides=("p.editedby", "p.signature"),
    mentions=(),
)
MARKS = re.compile(r"""<body[^>]*\bid=["']?something_awful["'\s>]""", re.IGNORECASE)
POST_ID = re.compile(r"post(\d+)")
USER = re.compile(r"(?:^|\s)userid-(\d+)")
THREAD = re.compile(r"thread_(\d+)")
PER_PAGE = 40
FILTERED = "The page shows the posts of one user only (the user filter is on)."


class SomethingAwful:
    """The adapter; it has no state."""

    name = "somethingawful"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the body's id, on error pages too."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`showthread.php?threadid=…`, and `?goto=post&postid=…`, which does not tell its thread."""
        if not is_absolute(url) or not url.partition("?")[0].endswith("/showthread.php"):
            return None
        return thread_asked(self.name, url, "threadid", "postid", number_in(url, "pagenumber") or 1)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """Pages of 40 posts, whatever the reader's own setting is."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}showthread.php?goto=post&postid={ref.id[1:]}")
        return Request(_address(ref, (since - 1) // PER_PAGE + 1))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        here, pages = _paging(tree, number_in(page.url, "pagenumber"))
        boxes = [box for box in every(tree, "#thread table.post, table.post[data-idx]") if _id(box)]
        if not boxes or _asked(page) > pages:
            raise _refusal(page, tree, pages)
        # The posts of one user only are no thread.
        if number_in(page.url, "userid"):
            raise IncompleteRead(f"{page.url}: {FILTERED} Give the address of the thread without userid=.")
        drafts = checked([_draft(box) for box in boxes], self.name, "stock theme")
        ref = _thread(self, page, tree)
        heading = maybe(tree, "a.bclast") or maybe(tree, ".breadcrumbs a:last-of-type")
        # A saved page tells of a filter only by its links to switch it off.
        left_out = (FILTERED,) if maybe(tree, '#thread a.user_jump[href*="goto=post"]') else ()
        return Chunk(
            title=words(heading or maybe(tree, "title")),
            posts=_posts(drafts, (here - 1) * PER_PAGE + 1, site, now, ref),
            page=here,
            pages=pages,
            following=Request(_address(ref, here + 1)) if ref and here < pages else None,
            thread=ref,
            missing=left_out,
        )


def _address(ref: ThreadRef, page: int) -> str:
    first = f"{ref.root}showthread.php?threadid={ref.id}&userid=0&perpage={PER_PAGE}"
    return f"{first}&pagenumber={page}"


def _asked(page: Response) -> int:
    return number_in(page.url, "pagenumber") or 1


def _id(box: Tag) -> re.Match[str] | None:
    return POST_ID.fullmatch(attribute(box, "id") or "")


def _draft(box: Tag) -> Draft:
    identity = _id(box)
    author = maybe(box, "dt.author")
    said = words(maybe(box, "p.editedby"))
    date = maybe(box, "td.postdate")
    place = attribute(box, "data-idx") or ""
    user = USER.search(attribute(maybe(box, "td.userinfo"), "class") or "")

    # The text without the edit notice, which stands inside it and is never closed.
    content = maybe(box, "td.postbody")
    if content is None:
        body = None
    else:
        taken_out(every(content, "p.editedby, p.signature"))
        body = inner(content).strip()

    return Draft(
        id=identity[1] if identity else "",
        author=words(author) if author else None,
        author_id=user[1] if user else None,
        number=int(place) if place.isdecimal() else None,
        written=own_words(date) if date else "",
        body=body,
        edit_note=said or None,
        edit_stamp=said,
    )


def _thread(adapter: SomethingAwful, page: Response, tree: Tag) -> ThreadRef | None:
    asked = adapter.locate(page.url)
    named = attribute(maybe(tree, "body[data-thread]"), "data-thread")
    found = THREAD.search(attribute(maybe(tree, "body"), "class") or "")
    identity = named or (found[1] if found else None)
    if identity and is_absolute(page.url):
        return ThreadRef(adapter.name, asked.root if asked else folder_of(page.url), identity)
    return asked if asked and not asked.id.startswith("p") else None


def _paging(tree: Tag, asked: int | None) -> tuple[int, int]:
    """This page and the last one: by the list to choose from, else by the links; no list, only one page."""
    chosen = attribute(maybe(tree, ".pages select option[selected]"), "value") or ""
    listed = [attribute(option, "value") or "" for option in every(tree, ".pages select option")]
    linked = [number_in(attribute(a, "href") or "", "pagenumber") for a in every(tree, ".pages a[href]")]
    shown = chosen or words(maybe(tree, ".pages .curpage"))
    here = int(shown) if shown.isdecimal() else 1
    last = [int(value) for value in listed if value.isdecimal()] + [number for number in linked if number]
    if not last and not shown:
        return 1, 1
    return (here if shown else asked or 1), max([here, *last])


def _posts(
    drafts: list[Draft], first: int, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    return oldest_first(posts_of(enumerate(drafts, first), partial(_permalink, ref), clock_of(site, now)))


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}showthread.php?goto=post&postid={post}#post{post}" if ref else None


def _refusal(page: Response, tree: Tag, pages: int) -> KnightfallError:
    """Whoever is not logged in is told so by the menu, whatever the page says."""
    if every(tree, "table.post") or (attribute(maybe(tree, "body"), "class") or "").startswith("showthread"):
        if _asked(page) > pages:
            return past_the_last_page(page, pages)
        return no_posts(page, "Something Awful", "adapter somethingawful; table.post was looked for")
    message = maybe(tree, "#content .standard .inner, #content .standard")
    if maybe(tree, '#content a[href*="action=loginform"], #content input[type="password"]'):
        return login_required(page)
    if message is None:
        return no_posts(page, "Something Awful", "adapter somethingawful; table.post was looked for")
    if maybe(message, 'a[href*="/products/"]'):
        return access_denied(page, words(message))
    return refused(page, words(message))


SOMETHINGAWFUL = SomethingAwful()
