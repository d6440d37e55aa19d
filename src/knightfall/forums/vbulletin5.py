"""What does a page of a vBulletin 5 topic hold?

Comments on a post are posts nested in it and share its number ("#106.2" is #106 here). A post tells its
instant in Unix time; its `datetime` is in the server's own zone and says so nowhere.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    access_denied,
    body_without_session,
    checked,
    clock_of,
    is_absolute,
    login_required,
    no_posts,
    numbered,
    oldest_first,
    own_request,
    own_thread,
    posts_of,
    refuse_beyond,
    refused,
)
from knightfall.forums.dates import unix_stamp
from knightfall.forums.html import Tag, attribute, every, inner, maybe, own_part, parse_page, words
from knightfall.forums.vbulletin import amounts, board_zone, edit_stamp, member_id
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=(".bbcode_quote", ".bbcode_container", ".quote_container"),
    quote_citations=("cite", ".bbcode_postedby", ".bbcode_description"),
    spoilers=(".spoiler", ".bbcode_spoiler", "details"),
    codes=("code", "pre", ".bbcode_code"),
    asides=(".signature", ".b-post__edit", ".post-signature"),
)
MARKS = re.compile(
    r"""\bid=["']vb-page-body["']|content=["']vBulletin [56]|<li[^>]*\bclass=["']b-post js-post\b"""
)
TOPIC = re.compile(r"(?P<root>.*/)(?P<id>\d{1,15})(?:-[^/?&#]*)?(?:/page(?P<page>\d{1,6}))?/?", re.IGNORECASE)
FORUM = re.compile(r"/forums?/(?!(?:topic|d|t|threads?|discussion|file)/)[^/]+/(?:.*/)?\d+-", re.IGNORECASE)
GONE = re.compile(r"delet|ignor", re.IGNORECASE)


class VBulletin5:
    """The adapter; it has no state."""

    name = "vbulletin5"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the id of the page, its generator, or its posts."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`forum/channel/12-slug/page3`; the root of the thread is its channel."""
        return _topic(url) if FORUM.search(urlsplit(url).path) else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # noqa: ARG002  # the size of pages is unknown
        """The first page: how many posts a page has, only a page can tell."""
        return _page_of(ref)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        boxes = every(tree, "li.b-post[data-node-id]")
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "nodes")
        number, pages = _place(tree)
        asked = _topic(page.url)
        refuse_beyond(page, asked.start if asked else 0, pages)
        ref = _thread(page, tree)
        title = words(maybe(tree, "h1.main-title") or maybe(tree, "h1") or maybe(tree, "title"))
        return Chunk(
            title=title,
            posts=_posts(drafts, number, ref, tree, site, now),
            page=number,
            pages=pages,
            following=_following(page, tree, ref, number) if number < pages else None,
            thread=ref,
        )


def _topic(url: str) -> ThreadRef | None:
    found = TOPIC.fullmatch(re.split(r"[?#]", url)[0]) if is_absolute(url) else None
    return ThreadRef(VBulletin5.name, found["root"], found["id"], int(found["page"] or 0)) if found else None


def _page_of(ref: ThreadRef, number: int = 1) -> Request:
    return Request(f"{ref.root}{ref.id}" + (f"/page{number}" if number > 1 else ""))


def _draft(box: Tag) -> Draft:
    stamp = _own(box, "time")
    name = _own(box, ".author a") or _own(box, ".author")
    note = _own(box, ".b-post__edit, .b-comment-entry__edit")
    content = _own(box, ".js-post__content-text")
    hidden = GONE.search(attribute(box, "class") or "") is not None

    # "#106"; a comment's "#106.2" counts as its post's number.
    told = amounts(words(_own(box, ".b-post__count")).partition(".")[0])
    return Draft(
        id=attribute(box, "data-node-id") or "",
        author=words(name) if name else None,
        author_id=member_id(attribute(name, "href")),
        number=told[0] if told else None,
        machine=unix_stamp(attribute(box, "data-node-publishdate")),
        written=words(stamp),
        body="" if hidden else body_without_session(inner(content).strip()) if content else None,
        edit_note=words(note) if note else None,
        edit_stamp=edit_stamp(words(note)),
        hidden=hidden,
    )


def _own(box: Tag, selector: str) -> Tag | None:
    return own_part(box, selector, "b-post")


def _place(tree: Tag) -> tuple[int, int]:
    page = (amounts(attribute(maybe(tree, ".js-pagenum"), "value") or "") or [1])[0]
    return page, max([page, 1, *amounts(words(maybe(tree, ".pagetotal")))])


def _thread(page: Response, tree: Tag) -> ThreadRef | None:
    """By the page's canonical address where it is on the page's own server, else by the page's address."""
    links = [attribute(tag, "href") for tag in every(tree, 'link[rel="canonical"]')]
    return own_thread(page, tree, filter(None, (*links, page.url)), _topic)


def _posts(
    drafts: list[Draft], page: int, ref: ThreadRef | None, tree: Tag, site: Site, now: datetime
) -> tuple[Post, ...]:
    clock = clock_of(site, now, board_zone(tree))
    first = (page - 1) * (site.posts_per_page or len(drafts)) + site.first_number
    posts = posts_of(numbered(drafts, first), partial(_permalink, ref), clock)
    listed = zip(posts, drafts, strict=True)
    oldest_first([post for post, draft in listed if draft.machine and not post.hidden])
    return posts


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}{ref.id}?p={post}#post{post}" if ref else None


def _following(page: Response, tree: Tag, ref: ThreadRef | None, number: int) -> Request | None:
    """The page's own link to the next page where there is one: it needs no detour over the title."""
    link = attribute(maybe(tree, 'link[rel="next"][href], a[rel="next"][href]'), "href")
    return own_request(page, tree, link) or (_page_of(ref, number + 1) if ref else None)


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Why a page of a vBulletin 5 board has no posts."""
    if maybe(tree, '#main-pane input[type="password"], .main-pane input[type="password"]'):
        return login_required(page)
    message = maybe(tree, ".error-page, .standard_error, #main-pane .message, .main-pane .message")
    if page.status in (401, 403):
        return access_denied(page, words(message))
    if message or page.status in (404, 410):
        return refused(page, words(message))
    return no_posts(page, "vBulletin 5", "adapter vbulletin5; nodes were looked for")


VBULLETIN5 = VBulletin5()
