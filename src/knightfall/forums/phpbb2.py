"""What does a page of a phpBB 2.0 board hold?

A post is a row of one long table; text, quotes and signature stand side by side in its cell, the signature
behind a line of underscores. The name is never a link: the buttons in the next row tell the member's id.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone, tzinfo
from functools import partial

from knightfall.errors import KnightfallError
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    absolute,
    access_denied,
    body_without_session,
    checked,
    clock_of,
    login_required,
    no_posts,
    number_in,
    past_the_end,
    posts_of,
    query_of,
    refuse_filtered,
    refused,
)
from knightfall.forums.dates import Paging, zone_offset
from knightfall.forums.html import (
    Tag,
    attribute,
    cut_from_line,
    every,
    inner,
    is_element,
    maybe,
    own_words,
    parse_page,
    taken_out,
    words,
    words_before,
)
from knightfall.forums.phpbb import is_topic_page, page_after, page_from, topic_at
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("td.quote", "blockquote"),
    quote_citations=("span.genmed",),
    spoilers=(".spoiler",),
    codes=("code", "pre", "td.code"),
    asides=(),
    votes=(),
)
OWN_PAGES = re.compile(r"\bprofile\.php\?(?:sid=\w+&(?:amp;)?)?mode=")
OWN_STYLES = re.compile(r"""<(?:table|td|span)\b[^>]*\bclass=["']?(?:forumline|bodyline|postbody)\b""", re.I)
ANCHORS = "span.name > a[name]"
SIGNATURE = "_" * 17
USUAL = {"postdays": "0", "postorder": "asc"}
"""All posts, oldest first."""
ZONES = {
    "HST (Hawaii)": -10,
    "PST (U.S./Canada)": -8,
    "MST (U.S./Canada)": -7,
    "CST (U.S./Canada)": -6,
    "EST (U.S./Canada)": -5,
    "CET (Europe)": 1,
    "EET (Europe)": 2,
    "WST (Australia)": 8,
    "CST (Australia)": 9.5,
    "EST (Australia)": 10,
}
"""What the English language pack calls some offsets; all others are "GMT + 3 Hours"."""
ONLY_SOME = re.compile(r"special access|\bonly\b|\bnur\b|\bseuls?\b|\bsolo\b|\btylko\b|только", re.IGNORECASE)
NOT_THERE = re.compile(
    r"not exist|existiert nicht|existe pas|no existe|non esiste|nie istnieje|не существует", re.I
)


class PhpBB2:
    """The adapter; it has no state."""

    name = "phpbb2"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By links to the profile page, which phpBB 3 has no more, and the styles of subSilver."""
        return bool(OWN_PAGES.search(page.text) and OWN_STYLES.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """viewtopic.php with t= or p=, and its saved forms; a link to a post ends in its bare number."""
        return topic_at(self.name, url) if is_topic_page(url) else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """phpBB begins a page at any offset, so the page begins with the post asked for."""
        return page_from(ref, since - 1)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        rows = _rows(tree)
        if not rows:
            raise _refusal(page, tree)
        refuse_filtered(tree, USUAL)
        drafts = checked([_draft(row) for row in rows], self.name, "subSilver")
        ref = _thread(self, page, tree)
        paging = _paging(tree, page.url, site.posts_per_page, len(drafts))
        return Chunk(
            title=_title(tree),
            posts=_posts(drafts, paging.start, tree, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            following=page_after(ref, paging),
            thread=ref,
        )


def _rows(tree: Tag) -> list[Tag]:
    rows = [anchor.find_parent("tr") for anchor in every(tree, ANCHORS)]
    return [row for row in rows if row is not None]


def _draft(row: Tag) -> Draft:
    anchor = maybe(row, ANCHORS)
    name = maybe(row, "span.name b") or maybe(row, "span.name")
    cell = maybe(row, "td:has(> span.postbody)")

    # The notice is the last thing in the cell, in small print; it is always there, mostly empty.
    notes = taken_out(every(cell, ":scope > span.gensmall")) if cell else []
    said = words(notes[-1] if notes else None)

    # From the button to the author's profile, in the row below; guests have none.
    below = row.find_next_sibling("tr")
    link = maybe(below, 'a[href*="mode=viewprofile"]') if is_element(below) else None
    member = query_of(attribute(link, "href") or "").get("u")

    # The date ends where the subject begins, which may hold a date too.
    line = maybe(row, ":scope > td table span.postdetails")
    gap = maybe(line, "span.gen") if line else None
    written = words_before(gap, line) if line and gap else own_words(line) if line else ""
    return Draft(
        id=attribute(anchor, "name") or "",
        author=words(name) if name else None,
        author_id=member,
        written=written,
        body=_body(cell) if cell else None,
        edit_note=said or None,
        edit_stamp=said,
    )


def _body(cell: Tag) -> str:
    cut_from_line(cell, SIGNATURE)
    return body_without_session(inner(cell).strip())


def _heading(tree: Tag) -> Tag | None:
    return maybe(tree, 'a.maintitle[href*="viewtopic"]') or maybe(tree, "a.maintitle")


def _title(tree: Tag) -> str:
    heading = _heading(tree)
    if heading is not None:
        return words(heading)
    title = maybe(tree, "title")
    return words(title).rpartition(" - ")[2] if title else ""


def _thread(adapter: PhpBB2, page: Response, tree: Tag) -> ThreadRef | None:
    """As the heading's link says, on the board that the page came from."""
    link = attribute(_heading(tree), "href")
    target = absolute(page.url, link) if link else None
    ref = adapter.locate(target) if target else None
    return ref if ref and not ref.id.startswith("p") else adapter.locate(page.url)


def _paging(tree: Tag, asked: str, usual: int | None, shown: int) -> Paging:
    here, last = _place(tree)
    told_start = number_in(attribute(_heading(tree), "href") or "", "start")
    start = told_start if told_start is not None else number_in(asked, "start")
    size = _size(tree, here, start) or usual or (shown if last > 1 else None)
    if start is None:
        start = (here - 1) * (size or shown)
    return Paging(start, here, max(here, last), size)


def _place(tree: Tag) -> tuple[int, int]:
    """ "Page 2 of 4" in any language: two numbers in bold, and no links."""
    for area in every(tree, "span.nav:not(:has(a))"):
        numbers = [int(words(tag)) for tag in every(area, "b") if words(tag).isdecimal()]
        if len(numbers) == 2:
            return min(numbers), max(numbers)
    return 1, 1


def _size(tree: Tag, here: int, start: int | None) -> int | None:
    """The offset that a link to page n holds, divided by n - 1."""
    for link in every(tree, 'span.gensmall a[href*="start="], span.nav a[href*="start="]'):
        offset, text = number_in(attribute(link, "href") or "", "start"), words(link)
        if offset and text.isdecimal() and int(text) > 1:
            return offset // (int(text) - 1)
    return start // (here - 1) if start and here > 1 else None


def _posts(
    drafts: list[Draft], start: int, tree: Tag, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    counted = enumerate(drafts, site.first_number + start)
    return posts_of(counted, partial(_permalink, ref), clock_of(site, now, _board_zone(tree)))


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}viewtopic.php?p={post}#{post}" if ref else None


def _board_zone(tree: Tag) -> tzinfo | None:
    """ "All times are GMT - 5 Hours" at the foot of the page."""
    for text in (words(tag) for tag in every(tree, "span.gensmall:not(:has(*))")):
        named = next((hours for name, hours in ZONES.items() if text.endswith(name)), None)
        if zone := timezone(timedelta(hours=named)) if named is not None else zone_offset(text):
            return zone
    return None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """One and the same box of text for all refusals; behind the end it says that there are no posts."""
    if maybe(tree, 'form[action*="login."] input[type="password"]'):
        return login_required(page)
    message = maybe(tree, "table.forumline td.row1 span.gen")
    if message is None:
        return no_posts(page, "phpBB 2", "adapter phpbb2; subSilver and its kin were tried")
    text = words(message)
    if ONLY_SOME.search(text):
        return access_denied(page, text)
    if number_in(page.url, "start") and not NOT_THERE.search(text):
        return past_the_end(page, "fewer posts")
    return refused(page, text)


PHPBB2 = PhpBB2()
