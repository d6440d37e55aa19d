"""What does a page of a MyBB 1.8 board hold? (1.6 writes the same, in tables.)

Whoever asks behind the end gets the first page again. A recent date is in a title, its text says "5 minutes
ago"; a title may hold the day alone, then the clock stands beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from knightfall.errors import KnightfallError
from knightfall.forums.adapter import Chunk, Request, Response, Site, ThreadRef
from knightfall.forums.drafts import Clockwork, Draft, checked, post_of
from knightfall.forums.links import absolute, folder_of, is_absolute, number_in, without_session
from knightfall.forums.order import oldest_first
from knightfall.forums.refusals import login_required, no_posts, past_the_end, refused
from knightfall.forums.soup import (
    Tag,
    attribute,
    every,
    inner,
    maybe,
    parse_page,
    taken_out,
    words,
    words_after,
    words_before,
)
from knightfall.forums.stamps import CLOCK, order_told, zone_named
from knightfall.markup.flavour import Flavour
from knightfall.posts import Post

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
            topic, post = number_in(url, "tid"), number_in(url, "pid")
            identity = str(topic) if topic is not None else f"p{post}" if post is not None else None
            return ThreadRef(self.name, folder_of(url), identity, _page_asked(url)) if identity else None
        found = REWRITTEN.fullmatch(file)
        return ThreadRef(self.name, folder_of(url), found[1], int(found[2] or 1)) if found else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:  # noqa: ARG002  # see below
        """How many posts make a page is the board's own secret, so reading begins with the first page."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}showthread.php?pid={ref.id[1:]}")
        return Request(f"{ref.root}showthread.php?tid={ref.id}")

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead."""
        tree = parse_page(page.text)
        boxes = _boxes(tree)
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "default theme")
        ref = _thread(self, page, tree)
        paging = _paging(tree)
        _refuse_beyond(page, self.locate(page.url), paging)
        return Chunk(
            title=_title(tree),
            posts=_posts(drafts, paging, site, now, ref),
            page=paging.page,
            pages=paging.pages,
            following=_following(paging, page),
            thread=ref,
        )


@dataclass(frozen=True, slots=True)
class _Paging:
    """Page numbers as the page shows them, and the link to the next page."""

    page: int
    pages: int
    next: str | None


def _page_asked(url: str) -> int:
    return number_in(url, "page") or 1


def _boxes(tree: Tag) -> list[Tag]:
    boxes = every(tree, '[id^="post_"]')
    return [box for box in boxes if POST_ID.fullmatch(attribute(box, "id") or "") and _head(box)]


def _head(box: Tag) -> Tag | None:
    """What only a post has: the author's side, the head with its date, or the text."""
    return maybe(box, ".post_author, .author_information, .post_head, .post_body")


def _draft(box: Tag) -> Draft:
    content = maybe(box, '.post_body[id^="pid_"], .post_body')
    notes = taken_out(every(box, ".post_edit, .edited_post"))
    note = next((tag for tag in notes if words(tag)), None)
    name = next((tag for selector in AUTHORS for tag in every(box, selector) if words(tag)), None)
    hidden = "deleted_post" in (attribute(box, "class") or "").split()
    return Draft(
        id=(attribute(box, "id") or "").removeprefix("post_"),
        author=words(name) if name else None,
        author_id=_member(name),
        number=_number(box),
        written=_written(maybe(box, DATES)),
        body="" if hidden else inner(content).strip() if content else None,
        edit_note=words(note).removeprefix("(").removesuffix(")") if note else None,
        edit_stamp=_edit_stamp(note),
        hidden=hidden,
    )


def _member(name: Tag | None) -> str | None:
    found = MEMBER.search(attribute(maybe(name, "a[href]"), "href") or "") if name else None
    return (found[1] or found[2]) if found else None


def _number(box: Tag) -> int | None:
    """The "#21" that links to the post; the author's text cannot hold it: its own body is not searched."""
    links = every(box, '.post_head a[href*="pid"], .float_right a[href*="#pid"], .posturl a[href]')
    shown = [found for found in map(NUMBER.fullmatch, map(words, links)) if found]
    return int(re.sub(r"\D", "", shown[0][1])) if shown else None


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
    here = _amount(maybe(area, ".pagination_current"))
    numbers = [
        _amount(link) for link in every(area, "a.pagination_page, a.pagination_last, a.pagination_first")
    ]
    following = attribute(maybe(area, "a.pagination_next"), "href")
    return _Paging(here, max([here, *numbers]), following)


def _amount(tag: Tag | None) -> int:
    digits = re.sub(r"\D", "", words(tag)) if tag else ""
    return int(digits) if digits else 1


def _refuse_beyond(page: Response, asked: ThreadRef | None, paging: _Paging) -> None:
    if asked is not None and asked.start > paging.pages:
        raise past_the_end(page, f"{paging.pages} page{'s' * (paging.pages > 1)}")


def _title(tree: Tag) -> str:
    return next((words(tag) for selector in TITLES for tag in every(tree, selector) if words(tag)), "")


def _posts(
    drafts: list[Draft], paging: _Paging, site: Site, now: datetime, ref: ThreadRef | None
) -> tuple[Post, ...]:
    order = order_told((draft.written for draft in drafts), site.date_order)
    clock = Clockwork(now, zone_named(site.timezone) or UTC, order)
    size = site.posts_per_page or (len(drafts) if paging.page < paging.pages else USUAL_SIZE)
    first = site.first_number + (paging.page - 1) * size
    urls = [_permalink(ref, draft.id) for draft in drafts]
    return oldest_first(
        [
            post_of(draft, first + i, url, clock)
            for i, (draft, url) in enumerate(zip(drafts, urls, strict=True))
        ]
    )


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}showthread.php?tid={ref.id}&pid={post}#pid{post}" if ref else None


def _following(paging: _Paging, page: Response) -> Request | None:
    url = absolute(page.url, paging.next) if paging.next else None
    return Request(without_session(url)) if url else None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    """A guest is told where to log in, a member gets a list of reasons; anything else is a missing thread."""
    message = next((tag for tag in every(tree, MESSAGES) if words(tag)), None)
    if message is None:
        return no_posts(page, "MyBB", "adapter mybb; the markup of 1.6 and 1.8 was tried")
    if maybe(message, 'a[href*="action=login"], input[type="password"]'):
        return login_required(page, words(message))
    return refused(page, words(message))


MYBB = MyBB()
