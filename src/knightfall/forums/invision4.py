"""What does a page of an Invision Community 4 board hold?

Posts have no numbers; their times are for machines. The notice of an edit stands inside the post's text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    checked,
    clock_of,
    login_required,
    no_posts,
    posts_of,
    refuse_beyond,
    refused,
)
from knightfall.forums.html import (
    Tag,
    amount,
    attribute,
    every,
    holds,
    inner,
    maybe,
    parse_page,
    taken_out,
    with_id,
    worded,
    words,
)
from knightfall.forums.invision_links import next_page, place_in, topic_address, topic_at
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("blockquote", ".ipsQuote"),
    quote_citations=(".ipsQuote_citation", "cite"),
    spoilers=(".ipsSpoiler", "details"),
    codes=("code", "pre", ".ipsCode"),
    asides=(".ipsEdited",),
    mentions=("a.ipsMention",),
)
MARKS = re.compile(r"""<body[^>]*\bclass=["'][^"']*\bipsApp\b|\bipsSettings\b""", re.IGNORECASE)
POST_ID = re.compile(r"elComment_(\d+)")
PROFILE = re.compile(r"profile/(\d+)|[?&]showuser=(\d+)|[?&]id=(\d+)")
NUMBER = re.compile(r"#\s?(\d+)")
USUAL_SIZE = 25
AUTHORS = (
    '.cAuthorPane_author a[href*="profile/"]',
    ".cAuthorPane_author strong",
    ".cAuthorPane_author",
    ".ipsComment_author strong",
    '.ipsComment_author a[href*="profile/"]',
)
TITLES = ("h1.ipsType_pageTitle", "h1", "title")
NOTES = ":scope > [data-excludequote], :scope > span.ipsType_light, :scope > .ipsEdited"
ERRORS = "#elErrorMessage, #elError, [data-pagecontroller=error] #ipsLayout_mainArea"


class Invision4:
    """The adapter; it has no state."""

    name = "invision4"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the body's class, or the settings that every page gives its scripts."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`topic/12-slug/` and its kin."""
        return topic_at(self.name, url)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # see below
        """How many posts make a page is the board's own secret, so reading begins with the first page."""
        return Request(topic_address(ref))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged."""
        tree = parse_page(page.text)
        boxes = with_id(tree, 'article[id^="elComment_"], .cPost[id^="elComment_"]', POST_ID)
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "4.x theme")
        paging = _paging(tree, site, len(drafts))
        refuse_beyond(page, place_in(page.url).page, paging.pages)
        ref = _thread(self, page, tree)
        # "12 posts in this topic", where the theme shows it; "replies" would not count the opening post.
        if paging.page >= paging.pages:
            following = None
        else:
            computed = f"{topic_address(ref)}page/{paging.page + 1}/" if ref else None
            following = next_page(page.url, paging.next, computed)

        return Chunk(
            title=words(worded(tree, *TITLES)),
            posts=_posts(drafts, paging, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            posts_total=amount(maybe(tree, '[data-role="comment_count"]')),
            following=following,
            thread=ref,
        )


@dataclass(frozen=True, slots=True)
class _Paging:
    """Page numbers as the page shows them, posts a page, and the link to the next page."""

    page: int
    pages: int
    size: int
    next: str | None


def _draft(box: Tag) -> Draft:
    content = maybe(box, '[data-role="commentContent"]')
    stamp = next((tag for tag in every(box, "time[datetime]") if not (content and holds(content, tag))), None)
    notes = taken_out(every(content, NOTES)) if content else []
    note = next((tag for tag in notes if words(tag)), None)
    hidden = maybe(box, ".ipsModerated") is not None or "ipsModerated" in (attribute(box, "class") or "")
    link = maybe(box, '.cAuthorPane_author a[href], .ipsComment_author a[href*="profile/"]')
    found = PROFILE.search(attribute(link, "href") or "")
    member = next(filter(None, found.groups()), None) if found else None

    # Some boards add the "#12" that Invision itself does not show.
    links = [link for link in every(box, "a[href]") if not (content and holds(content, link))]
    shown = [found for found in map(NUMBER.fullmatch, map(words, links)) if found]
    return Draft(
        id=(attribute(box, "id") or "").removeprefix("elComment_"),
        author=words(worded(box, *AUTHORS)) or None,
        author_id=member,
        number=int(shown[0][1]) if shown else None,
        machine=attribute(stamp, "datetime"),
        written=words(stamp),
        body="" if hidden else inner(content).strip() if content else None,
        edit_note=words(note) if note else None,
        edit_machine=attribute(maybe(note, "time[datetime]"), "datetime") if note else None,
        edit_stamp=words(note),
        hidden=hidden,
    )


def _paging(tree: Tag, site: Site, shown: int) -> _Paging:
    area = maybe(tree, "ul.ipsPagination[data-pages]") or maybe(tree, "ul.ipsPagination")
    if area is None:
        return _Paging(1, 1, shown, None)
    here = amount(maybe(area, ".ipsPagination_active")) or 1
    numbers = filter(None, map(amount, every(area, ".ipsPagination_page")))
    pages = max([here, int(attribute(area, "data-pages") or 1), *numbers])
    told = attribute(area, "data-ipspagination-perpage") or ""
    size = int(told) if told.isdecimal() else site.posts_per_page or (shown if here < pages else USUAL_SIZE)
    link = maybe(area, ".ipsPagination_next:not(.ipsPagination_inactive) a[href]")
    return _Paging(here, pages, size, attribute(link or maybe(tree, 'link[rel="next"]'), "href"))


def _thread(adapter: Invision4, page: Response, tree: Tag) -> ThreadRef | None:
    asked = adapter.locate(page.url)
    link = attribute(maybe(tree, 'link[rel="canonical"]'), "href") or attribute(
        maybe(tree, 'meta[property="og:url"]'), "content"
    )
    told = adapter.locate(link) if link else None
    if asked is None or (told is not None and asked.id.partition("-")[0] != told.id.partition("-")[0]):
        return told
    return asked if "-" in asked.id or told is None else told


def _posts(
    drafts: list[Draft], paging: _Paging, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    first = site.first_number + (paging.page - 1) * paging.size
    return posts_of(enumerate(drafts, first), partial(_permalink, ref), clock_of(site, now))


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    if ref is None:
        return None
    address = topic_address(ref)
    return f"{address}{'&' if '?' in address else '?'}do=findComment&comment={post}"


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Invision's refusals have a box of their own and a status; a login page is a page of its own."""
    if maybe(tree, 'body[data-pagecontroller="login"], #elLogin'):
        return login_required(page)
    message = maybe(tree, ERRORS)
    if message is None and page.status < 400:
        return no_posts(page, "Invision 4", "adapter invision4; the markup of 4.x was tried")
    return refused(page, words(message) if message else f"status {page.status}")


INVISION4 = Invision4()
