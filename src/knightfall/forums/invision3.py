"""What does a page of an IP.Board 3 hold?

Posts have numbers and times for machines. The page's own script tells topic, offset, page length and total.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import ceil

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    DENIED,
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    checked,
    clock_of,
    folder_of,
    is_absolute,
    login_required,
    no_posts,
    oldest_first,
    past_the_end,
    posts_of,
    refused,
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
    with_id,
    worded,
    words,
)
from knightfall.forums.invision_links import next_page, old_address, place_in, topic_address, topic_at
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("blockquote", ".ipsBlockquote", "div.quote", ".bbc_quote"),
    quote_citations=("p.citation", "cite"),
    spoilers=(".bbc_spoiler", ".bbc_spoiler_content", ".ipsSpoiler", "details", ".spoiler"),
    codes=("code", "pre", ".bbc_code"),
    asides=("p.edit", ".signature"),
)
MARKS = re.compile(r"""<body[^>]*\bid=["']ipboard_body\b|\bipb\.(?:vars|topic|templates)\b""", re.IGNORECASE)
POST_ID = re.compile(r"post_id_(\d+)")
MEMBER = re.compile(r"/user/(\d+)|[?&]showuser=(\d+)")
NUMBER = re.compile(r"#\s?(\d+)")
SCRIPTED = {
    "topic": re.compile(r"ipb\.topic\.topic_id\s*=\s*(\d+)"),
    "start": re.compile(r"ipb\.topic\.start_id\s*=\s*(\d+)"),
    "total": re.compile(r"\bpostTotal:\s*(\d+)"),
    "size": re.compile(r"\bperPage:\s*(\d+)"),
}
USUAL_SIZE = 20
AUTHORS = (
    '.author.vcard [itemprop="name"]',
    ".author.vcard",
    '[itemprop~="creator"]',
    ".author_info .author a[href]",
    ".author_info .author",
    "h3.guest",
    "h3",
)
ADS = ".nexusad, .ipsAd"
MESSAGES = ".message.error, #content .ipsType_sectiontitle, #content p.ipsType_normal, .error_message"


class Invision3:
    """The adapter; it has no state."""

    name = "invision3"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the body's id, or the object that every page's scripts hang on."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`topic/12-slug/`, `index.php?showtopic=12` and their kin."""
        return topic_at(self.name, url)

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # see below
        """How many posts make a page is the board's own secret, so reading begins with the first page."""
        return Request(topic_address(ref))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        boxes = with_id(tree, '[id^="post_id_"]', POST_ID)
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "3.x theme")
        paging = _paging(page, tree, drafts, site)
        asked = place_in(page.url)
        bound = paging.total or paging.pages * paging.size
        if asked.page > paging.pages or (asked.offset and asked.offset >= bound):
            raise past_the_end(page, f"{bound} posts at most ({paging.pages} page{'s' * (paging.pages > 1)})")

        ref = _thread(self, page)
        heading = maybe(tree, "h1.ipsType_pagetitle") or maybe(tree, 'h1[itemprop="name"]')
        if paging.page >= paging.pages:
            following = None
        else:
            computed = f"{old_address(ref)}&st={paging.start + paging.size}" if ref else None
            following = next_page(page.url, paging.next, computed)

        return Chunk(
            title=words(heading or maybe(tree, "title")),
            posts=_posts(drafts, paging, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            posts_total=paging.total,
            following=following,
            thread=ref,
        )


@dataclass(frozen=True, slots=True)
class _Paging:
    """`start` posts come before the page; `next` is the link to the next page."""

    start: int
    page: int
    pages: int
    size: int
    total: int | None
    next: str | None


def _draft(box: Tag) -> Draft:
    content = maybe(box, "div.entry-content, .post.entry-content")
    stamp = maybe(box, "abbr.published[title]")
    notes = taken_out(every(content, "p.edit")) if content else []
    if content is not None:
        taken_out(every(content, ADS))
    hidden = maybe(box, '[id^="postsDelete_"]') is not None
    author = _author(box)
    said = words(notes[-1]) if notes else ""
    shown = [found for found in map(NUMBER.search, map(words, every(box, ".post_id"))) if found]
    link = maybe(box, "h3 a[hovercard-id], .author a[hovercard-id]")
    if link is not None:
        member = attribute(link, "hovercard-id")
    else:
        found = MEMBER.search(
            attribute(maybe(box, "h3 .author a[href], .author_info .author a[href]"), "href") or ""
        )
        member = found[1] or found[2] if found else None

    return Draft(
        id=(attribute(box, "id") or "").removeprefix("post_id_"),
        author=author,
        author_id=member,
        number=int(shown[0][1]) if shown else None,
        machine=attribute(stamp, "title"),
        written=words(stamp),
        body="" if hidden else inner(content).strip() if content else None,
        edit_note=said or None,
        edit_stamp=said.replace(author or "", "", 1),
        hidden=hidden,
    )


def _author(box: Tag) -> str | None:
    """The name; a guest's stands bare in the heading, beside other things."""
    for selector in AUTHORS:
        for tag in every(box, selector):
            bare = tag.name in ("h3", "li")
            if text := own_words(tag) if bare else words(tag):
                return text
    return None


def _scripted(page: Response, name: str) -> int | None:
    found = SCRIPTED[name].search(page.text)
    return int(found[1]) if found else None


def _paging(page: Response, tree: Tag, drafts: list[Draft], site: Site) -> _Paging:
    area = maybe(tree, "ul.pagination, .pagination")
    link = attribute(maybe(area, '.next a[href], a[rel="next"]'), "href") if area else None
    size = _scripted(page, "size") or site.posts_per_page or (len(drafts) if link else USUAL_SIZE)
    start = next((draft.number - 1 - i for i, draft in enumerate(drafts) if draft.number is not None), None)
    if start is None:
        start = _scripted(page, "start") or 0
    total = _scripted(page, "total") or _told_total(tree)
    here = start // size + 1
    numbers = [int(words(tag)) for tag in every(area, ".page") if words(tag).isdecimal()] if area else []
    return _Paging(start, here, max([here, ceil((total or 1) / size), *numbers]), size, total, link)


def _told_total(tree: Tag) -> int | None:
    """The topic's own count, in its heading for machines."""
    told = maybe(tree, '[itemtype*="Article"] meta[itemprop="interactionCount"]')
    digits = re.sub(r"\D", "", attribute(told, "content") or "")
    return int(digits) if digits else None


def _thread(adapter: Invision3, page: Response) -> ThreadRef | None:
    """As the address tells, else as the page's script does."""
    asked, topic = adapter.locate(page.url), _scripted(page, "topic")
    if asked is not None or topic is None or not is_absolute(page.url):
        return asked
    return ThreadRef(adapter.name, folder_of(page.url), str(topic))


def _posts(
    drafts: list[Draft], paging: _Paging, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    counted = enumerate(drafts, site.first_number + paging.start)
    return oldest_first(posts_of(counted, partial(_permalink, ref), clock_of(site, now)))


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    """The address that finds a post's page by itself."""
    return f"{old_address(ref)}&view=findpost&p={post}" if ref else None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Guests get the reason and a login form on the same page; every page has a hidden one at its head."""
    message = worded(tree, MESSAGES)
    form = maybe(tree, '#content form input[type="password"], form#login input[type="password"]')
    text = words(message)
    if form and page.status not in (404, 410) and (not text or DENIED.search(text)):
        return login_required(page, text)
    if message is None:
        return no_posts(page, "IP.Board 3", "adapter invision3; the markup of 3.x was tried")
    return refused(page, text)


INVISION3 = Invision3()
