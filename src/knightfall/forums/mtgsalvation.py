"""What does a page of a Curse "Cobalt" board hold (MTG Salvation and its sisters, kept as archives)?

Posts tell number, author and instant in attributes. The address of a thread ends in its name, which changed
with the thread: the page's own canonical link is the one that works.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    at_path,
    checked,
    clock_of,
    is_absolute,
    login_required,
    no_posts,
    number_in,
    oldest_first,
    past_the_last_page,
    post_of,
    refused,
)
from knightfall.forums.dates import unix_stamp
from knightfall.forums.html import (
    Tag,
    attribute,
    classes,
    every,
    holds,
    inner,
    maybe,
    parse_page,
    title_or_words,
    words,
)
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("blockquote", ".source-quote"),
    quote_citations=("cite", ".quote-source"),
    spoilers=(".spoiler",),
    asides=(".p-comment-sig",),
    mentions=("a.user-tag",),
)
POSTS = re.compile(r"""\bclass=["'][^"']*\bp-comment-post\b""")
SCRIPT = re.compile(r"\bCobalt\.(?:Constants|User|Forum)\b")
THREAD = re.compile(r"/forums/(?:(?!topics?/|threads?/|discussion/)[\w-]+/)+(?P<name>\d+(?:-[^/?#=]*)?)/?$")
PER_PAGE = 50


class MtgSalvation:
    """The adapter; it has no state."""

    name = "mtgsalvation"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the posts' class, else by the software's own scripts."""
        return bool(POSTS.search(page.text) or SCRIPT.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`/forums/…/123-name?page=2`; a link to a post (`?comment=7`) tells its thread as well."""
        path = urlsplit(url).path
        found = THREAD.search(path)
        if not is_absolute(url) or found is None:
            return None
        root = at_path(url, path[: found.start("name")])
        return ThreadRef(self.name, root, found["name"], number_in(url, "page") or 1)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """Pages of 50 posts."""
        return Request(_address(ref, (since - 1) // PER_PAGE + 1))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged."""
        tree = parse_page(page.text)
        boxes = every(tree, ".p-comment-post[data-id]")
        here, pages = _paging(tree)
        asked = number_in(page.url, "page") or 1
        if asked > pages and (here != asked or not boxes):
            raise past_the_last_page(page, pages)
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "stock theme")
        ref = _thread(self, page, tree)
        return Chunk(
            title=_title(tree),
            posts=_posts(drafts, (here - 1) * PER_PAGE + 1, site, now, ref),
            page=here,
            pages=pages,
            following=Request(_address(ref, here + 1)) if ref and here < pages else None,
            thread=ref,
        )


def _address(ref: ThreadRef, page: int) -> str:
    return f"{ref.root}{ref.id}" + (f"?page={page}" if page > 1 else "")


def _draft(box: Tag) -> Draft:
    content = maybe(box, ".j-comment-body, .forum-post-body")
    author = maybe(box, ".p-comment-username .user") or maybe(box, ".p-comment-micro-author [itemprop=name]")
    note = next(
        (tag for tag in every(box, ".p-comment-edited") if not (content is not None and holds(content, tag))),
        None,
    )
    place = attribute(box, "data-index") or ""
    stamp = maybe(box, ".p-comment-postdate abbr") or maybe(box, ".p-comment-header abbr[data-epoch]")
    deleted = "comment-deleted" in classes(box)
    return Draft(
        id=attribute(box, "data-id") or "",
        author=words(author) if author else None,
        author_id=attribute(box, "data-author-id"),
        number=int(place) if place.isdecimal() else None,
        machine=_instant(stamp),
        written=title_or_words(stamp),
        body=inner(content).strip() if content else "" if deleted else None,
        edit_note=words(note) if note else None,
        edit_machine=_instant(maybe(note, "abbr[data-epoch]")) if note else None,
        hidden=deleted,
    )


def _instant(stamp: Tag | None) -> str | None:
    return unix_stamp(attribute(stamp, "data-epoch"))


def _thread(adapter: MtgSalvation, page: Response, tree: Tag) -> ThreadRef | None:
    link = attribute(maybe(tree, 'link[rel="canonical"]'), "href")
    url = absolute(page.url, link) if link else None
    named = adapter.locate(url) if url else None
    ref = named or adapter.locate(page.url)
    return ThreadRef(adapter.name, ref.root, ref.id) if ref else None


def _paging(tree: Tag) -> tuple[int, int]:
    """This page and the last one; a thread of one page has no list of pages."""
    current = [words(tag) for tag in every(tree, ".b-pagination .s-active, .b-pagination .active")]
    linked = [number_in(attribute(a, "href") or "", "page") for a in every(tree, ".b-pagination a[href]")]
    here = next((int(text) for text in current if text.isdecimal()), 1)
    return here, max([here, *(number for number in linked if number)])


def _title(tree: Tag) -> str:
    """The heading that the window's title begins with: boards put others above it."""
    title = words(maybe(tree, "title") or tree)
    headings = (words(tag) for tag in every(tree, "h2, h1"))
    return next((text for text in headings if text and title.startswith(text)), title)


def _posts(
    drafts: list[Draft], first: int, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    clock = clock_of(site, now)
    posts = (post_of(draft, number, None, clock) for number, draft in enumerate(drafts, first))
    return oldest_first([replace(post, url=_permalink(ref, post.number)) for post in posts])


def _permalink(ref: ThreadRef | None, number: int) -> str | None:
    return f"{_address(ref, 1)}?comment={number}" if ref else None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    if maybe(tree, 'form input[type="password"]'):
        return login_required(page)
    message = maybe(tree, ".error-message, .b-error, .error-page, #content .error, .alert-error")
    if message or page.status >= 400:
        return refused(page, words(message or maybe(tree, "title") or tree))
    return no_posts(page, "Cobalt", "adapter mtgsalvation; .p-comment-post was looked for")


MTGSALVATION = MtgSalvation()
