"""What does a page of a phpBB 3 board hold? Prosilver, subsilver2, MafiaScum, the print view.

phpBB counts in offsets (`start`), serves the last page again to whoever asks behind the end, and answers
refusals in the board's language: so refusals are told by their markup and wording is only the last hint.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError
from knightfall.forums.adapter import Chunk, Request, Response, Site, ThreadRef
from knightfall.forums.bases import same_server
from knightfall.forums.drafts import Draft, checked, clock_of, posts_of
from knightfall.forums.links import absolute, folder_of, is_absolute, number_in, query_of
from knightfall.forums.offsets import Paging
from knightfall.forums.order import refuse_filtered
from knightfall.forums.phpbb_links import is_topic_page, page_after, page_from, topic_at
from knightfall.forums.phpbb_paging import paging_of
from knightfall.forums.phpbb_skins import skin_of
from knightfall.forums.refusals import login_required, no_posts, refused
from knightfall.forums.soup import Tag, attribute, every, maybe, parse_page, worded, words
from knightfall.forums.stamps import zone_named, zone_offset
from knightfall.markup.flavour import Flavour
from knightfall.posts import Post

FLAVOUR = Flavour(
    quotes=("blockquote", "div.quotecontent"),
    quote_citations=("cite", "div.quotetitle"),
    codes=("code", "pre", ".codebox", "div.codetitle", "div.codecontent"),
    votes=("span.bbvote",),
)
MARKS = re.compile(r"""<body[^>]*\bid=["']?phpbb["'\s>]""", re.IGNORECASE)
OWN_PAGES = (re.compile(r"\bucp\w*\.(?:php|html)\b"), re.compile(r"\bviewtopic\w*\.(?:php|html)\b"))
REWRITTEN = re.compile(r"(?:^|-)t(?:opic)?(\d+)(?:-s?(\d+))?(?:\.html?)?", re.IGNORECASE)
USUAL = {"st": "0", "sk": "t", "sd": "a"}
"""All posts, by time, oldest first."""
HEADINGS = (".topic-title", "a.titles", "#page-body h2", "#page-header h2", "h2.titles", "h2")


class PhpBB:
    """The adapter; it has no state."""

    name = "phpbb"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the body's id, else by links to pages that only phpBB 3 has."""
        return bool(MARKS.search(page.text)) or all(mark.search(page.text) for mark in OWN_PAGES)

    def locate(self, url: str) -> ThreadRef | None:
        """viewtopic.php with t= or p=, its saved and rewritten forms, and `…-t123-25.html`."""
        if not is_absolute(url):
            return None
        if is_topic_page(url):
            return topic_at(self.name, url) or _by_anchor(self.name, url)
        file = urlsplit(url).path.rpartition("/")[2]
        found = REWRITTEN.search(file) if file.endswith((".html", ".htm")) else None
        return ThreadRef(self.name, folder_of(url), found[1], int(found[2] or 0)) if found else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """phpBB begins a page at any offset, so the page begins with the post asked for."""
        return page_from(ref, since - 1)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        found = skin_of(tree)
        if found is None:
            raise _refusal(page, tree)
        skin, boxes = found
        refuse_filtered(tree, USUAL)
        drafts = checked([skin.draft(box) for box in boxes], self.name, skin.name)
        ref = _thread(self, page, tree)
        paging = paging_of(tree, page.url, _topic_link(tree) or "", site.posts_per_page, len(drafts))

        # The next page; of the print view where this one is.
        after = page_after(ref, paging)
        printed = query_of(page.url).get("view") == "print"
        following = replace(after, url=f"{after.url}&view=print") if after and printed else after
        return Chunk(
            title=words(worded(tree, *HEADINGS) or maybe(tree, "title")),
            posts=_posts(drafts, paging, page, tree, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            posts_total=paging.total,
            following=following,
            thread=ref,
        )


def _by_anchor(platform: str, url: str) -> ThreadRef | None:
    post = re.fullmatch(r"p(\d+)", urlsplit(url).fragment)
    start = number_in(url, "start") or 0
    return ThreadRef(platform, folder_of(url), f"p{int(post[1])}", start) if post else None


def _topic_link(tree: Tag) -> str | None:
    """The heading's link: it tells the topic, and the offset that the page really begins at."""
    heading = worded(tree, *HEADINGS)
    link = heading if heading is None or heading.name == "a" else maybe(heading, "a[href]")
    printed = maybe(tree, '#page-header p a[href*="viewtopic"]')
    return attribute(link or printed, "href")


def _thread(adapter: PhpBB, page: Response, tree: Tag) -> ThreadRef | None:
    link = _topic_link(tree)
    target = absolute(page.url, link) if link else None
    ref = adapter.locate(target) if target else None
    if ref is not None and not ref.id.startswith("p") and same_server(ref.root, page.url):
        return ref
    return adapter.locate(page.url)


def _posts(
    drafts: list[Draft],
    paging: Paging,
    page: Response,
    tree: Tag,
    site: Site,
    now: datetime,
    ref: ThreadRef | None,
) -> tuple[Post, ...]:
    clock = clock_of(site, now, _board_zone(tree))
    root = ref.root if ref else folder_of(page.url) if is_absolute(page.url) else None
    first = site.first_number + paging.start
    return posts_of(enumerate(drafts, first), partial(_permalink, root), clock)


def _permalink(root: str | None, post: str) -> str | None:
    return f"{root}viewtopic.php?p={post}#p{post}" if root and post else None


def _board_zone(tree: Tag) -> tzinfo | None:
    """ "All times are UTC-05:00" at the foot of the page; phpBB 3.1+ names the zone in a title."""
    for tag in every(tree, "#page-footer li, li.rightside, p.datetime"):
        named = (
            zone_named(attribute(maybe(tag, "span[title]"), "title") or "") if "UTC" in words(tag) else None
        )
        if zone := named or zone_offset(words(tag)):
            return zone
    return None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """Why a page of a phpBB board has no posts."""
    if maybe(tree, 'form input[type="password"]'):
        return login_required(page)
    message = maybe(tree, "#message p") or maybe(tree, "#message, table.tablebg p.gen")
    tried = "adapter phpbb; prosilver, subsilver2 and print view were tried"
    return refused(page, words(message)) if message else no_posts(page, "phpBB", tried)


PHPBB = PhpBB()
