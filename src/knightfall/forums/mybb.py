"""What does a page of a MyBB 1.8 board hold? (1.6 writes the same, in tables.)

Whoever asks behind the end gets the first page again. A recent date is in a title, its text says "5 minutes
ago"; a title may hold the day alone, then the clock stands beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
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
    checked,
    clock_of,
    folder_of,
    is_absolute,
    login_required,
    no_posts,
    number_in,
    oldest_first,
    own_request,
    posts_of,
    refuse_beyond,
    refused,
    set_by,
    thread_asked,
)
from knightfall.forums.dates import CLOCK
from knightfall.forums.html import (
    Tag,
    amount,
    attribute,
    classes,
    every,
    inner,
    maybe,
    parse_page,
    taken_out,
    with_id,
    worded,
    words,
    words_after,
    words_before,
)
from knightfall.markup.flavour import Flavour
from knightfall.models import Post

FLAVOUR = Flavour(
    quotes=("blockquote", ".mycode_quote"),
    quote_citations=("cite",),
    spoilers=(".spoiler", "details", ".spoiler_body", ".spoiler_content", ".mycode_spoiler"),
    codes=("code", "pre", ".codeblock", ".mycode_code"),
    asides=(".signature", ".post_edit", ".edited_post"),
)
MARKS = re.compile(r"\bMyBBEditor\b|\bvar my_post_key\b|<!-- start: (?:showthread|headerinclude) -->")
THREAD_PAGE = re.compile(r"showthread\w*\.php", re.IGNORECASE)
REWRITTEN = re.compile(r"thread-(\d+)(?:-page-(\d+))?(?:-(?:post|pid)-?\d+)?[\w-]*\.html", re.IGNORECASE)
POST_ID = re.compile(r"post_(\d+)")
MEMBER = re.compile(r"[?&]uid=(\d+)|user-(\d+)\.html")
NUMBER = re.compile(r"#\s?(\d+(?:[.,'\s\u00a0\u202f]\d{3})*)")
USUAL_SIZE = 20
AUTHORS = (
    ".author_information .largetext",
    ".post_author .largetext",
    ".author_information strong",
    ".post_author strong",
)
DATES = ".post_date, .post_head > .smalltext"
TITLES = (".navigation .active", "td.thead div > strong", "title")
MESSAGES = "table.tborder td.trow1:not(.modal *), div.error:not(.modal *)"
"""Every page for guests has a hidden login form (.modal) in a table of the same style."""


class MyBB:
    """The adapter; it has no state."""

    name = "mybb"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the variables that every MyBB page gives its scripts, or its templates' comments."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`showthread.php?tid=12`, its rewritten form `thread-12-page-3.html`, links to posts."""
        if not is_absolute(url):
            return None
        file = urlsplit(url).path.rpartition("/")[2]
        if THREAD_PAGE.fullmatch(file):
            return thread_asked(self.name, url, "tid", "pid", number_in(url, "page") or 1)
        found = REWRITTEN.fullmatch(file)
        return ThreadRef(self.name, folder_of(url), found[1], int(found[2] or 1)) if found else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # see below
        """How many posts make a page is the board's own secret, so reading begins with the first page."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}showthread.php?pid={ref.id[1:]}")
        return Request(f"{ref.root}showthread.php?tid={ref.id}")

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        boxes = [box for box in with_id(tree, '[id^="post_"]', POST_ID) if _head(box)]
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "default theme")
        ref = _thread(self, page, tree)
        paging = _paging(tree)
        asked = self.locate(page.url)
        refuse_beyond(page, asked.start if asked else 0, paging.pages)
        return Chunk(
            title=words(worded(tree, *TITLES)),
            posts=_posts(drafts, paging, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            following=own_request(page, tree, paging.next),
            thread=ref,
        )


@dataclass(frozen=True, slots=True)
class _Paging:
    """Page numbers as the page shows them, and the link to the next page."""

    page: int
    pages: int
    next: str | None


def _head(box: Tag) -> Tag | None:
    """What only a post has: the author's side, the head with its date, or the text."""
    return maybe(box, ".post_author, .author_information, .post_head, .post_body")


def _draft(box: Tag) -> Draft:
    content = maybe(box, '.post_body[id^="pid_"], .post_body')
    notes = taken_out(every(box, ".post_edit, .edited_post"))
    note = next((tag for tag in notes if words(tag)), None)
    name = worded(box, *AUTHORS)
    hidden = "deleted_post" in classes(box)
    found = MEMBER.search(attribute(maybe(name, "a[href]"), "href") or "") if name else None
    member = (found[1] or found[2]) if found else None

    # The "#21" that links to the post; the author's text cannot hold it: its own body is not searched.
    links = every(box, '.post_head a[href*="pid"], .float_right a[href*="#pid"], .posturl a[href]')
    shown = [found for found in map(NUMBER.fullmatch, map(words, links)) if found]
    number = int(re.sub(r"\D", "", shown[0][1])) if shown else None
    return Draft(
        id=(attribute(box, "id") or "").removeprefix("post_"),
        author=words(name) if name else None,
        author_id=member,
        number=number,
        written=_written(maybe(box, DATES)),
        body="" if hidden else inner(content).strip() if content else None,
        edit_note=words(note).removeprefix("(").removesuffix(")") if note else None,
        edit_stamp=_edit_stamp(note),
        hidden=hidden,
    )


def _written(date: Tag | None) -> str:
    """The words of a date; a title stands for its text, and for all that follows where it holds a clock."""
    if date is None:
        return ""
    exact = maybe(date, "span[title]")
    title = attribute(exact, "title") if exact else None
    if exact is None or not title:
        return words(date)
    return title if CLOCK.search(title) else f"{title} {words_after(exact, date)}"


def _edit_stamp(note: Tag | None) -> str:
    """The date of an edit notice stands before the editor's name, which may hold digits."""
    if note is None:
        return ""
    if maybe(note, "span[title]"):
        return _written(note)
    name = maybe(note, "a[href]")
    return words_before(name, note) if name else words(note)


def _thread(adapter: MyBB, page: Response, tree: Tag) -> ThreadRef | None:
    """The thread as its address tells, else as the links of its posts do."""
    asked = adapter.locate(page.url)
    if asked is not None and not asked.id.startswith("p"):
        return asked
    links = every(
        tree, '.post_head a[href*="tid="], a[href*="newreply.php?tid="], a[href*="printthread.php?tid="]'
    )
    topics = [
        topic for link in links if (topic := number_in(attribute(link, "href") or "", "tid")) is not None
    ]
    if topics and is_absolute(page.url):
        return ThreadRef(adapter.name, folder_of(page.url), str(topics[0]))
    return None


def _paging(tree: Tag) -> _Paging:
    area = maybe(tree, ".pagination:has(.pagination_current)")
    if area is None:
        return _Paging(1, 1, None)
    here = amount(maybe(area, ".pagination_current")) or 1
    links = every(area, "a.pagination_page, a.pagination_last, a.pagination_first")
    following = attribute(maybe(area, "a.pagination_next"), "href")
    return _Paging(here, max([here, *filter(None, map(amount, links))]), following)


def _posts(
    drafts: list[Draft], paging: _Paging, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    clock = set_by(clock_of(site, now), drafts)
    size = site.posts_per_page or (len(drafts) if paging.page < paging.pages else USUAL_SIZE)
    first = site.first_number + (paging.page - 1) * size
    return oldest_first(posts_of(enumerate(drafts, first), partial(_permalink, ref), clock))


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}showthread.php?tid={ref.id}&pid={post}#pid{post}" if ref else None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """A guest is told where to log in, a member gets a list of reasons; anything else is a missing thread."""
    message = worded(tree, MESSAGES)
    if message is None:
        return no_posts(page, "MyBB", "adapter mybb; the markup of 1.6 and 1.8 was tried")
    if maybe(message, 'a[href*="action=login"], input[type="password"]'):
        return login_required(page, words(message))
    return refused(page, words(message))


MYBB = MyBB()
