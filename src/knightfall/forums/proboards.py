"""What does a page of a ProBoards 5 board hold? Written from its documentation and from readers of others.

Posts have ids and exact times, but no numbers: a post's number is its place. How many posts a page has is the
board's choice and no page tells it, so each request for a next page says it behind a "#", unseen by servers.
"""

from __future__ import annotations

import re
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
    absolute,
    checked,
    clock_of,
    is_absolute,
    login_required,
    no_posts,
    number_in,
    past_the_last_page,
    posts_of,
    refused,
)
from knightfall.forums.dates import unix_stamp
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    inner,
    maybe,
    parse_page,
    title_or_words,
    worded,
    words,
)
from knightfall.markup.flavour import Flavour

FLAVOUR = Flavour(
    quotes=("blockquote", "div.quote"),
    quote_citations=("cite", ".quote_header", ".quote_avatar_container"),
    spoilers=(".spoiler", ".spoiler_content"),
    asides=("td.signature", ".signature", ".edited_by"),
    mentions=("a.user-link", "a.o-user-link"),
)
SCRIPT = re.compile(r"<script\b[^>]*>\s*(?:\$\.)?proboards\.data\s*\(", re.IGNORECASE)
ROW = re.compile(r"""<tr\b[^>]*\bid=["']?post-\d""")
STAMP = re.compile(r"""\bclass=["'][^"']*\bo-timestamp\b""")
THREAD = re.compile(r"(?P<root>https?://[^/?#]+/)thread/(?P<id>\d+)(?=[/?#]|$)")
POST = re.compile(r"(?P<root>https?://[^/?#]+/)post/(?P<id>\d+)(?:/thread)?/?(?=[?#]|$)")
PER_PAGE_TOLD = re.compile(r"#(\d+)-a-page$")
PER_PAGE = 30


class ProBoards:
    """The adapter; it has no state."""

    name = "proboards"
    flavour = FLAVOUR

    def recognises(self, page: Response) -> bool:
        """By the data that each page gives its scripts, else by rows of posts with ProBoards' own stamps."""
        return bool(SCRIPT.search(page.text)) or bool(ROW.search(page.text) and STAMP.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """`/thread/12/name?page=2`; `/post/345/thread` does not tell its thread."""
        if not is_absolute(url):
            return None
        if found := THREAD.match(url):
            return ThreadRef(self.name, found["root"], found["id"], number_in(url, "page") or 1)
        post = POST.match(url)
        return ThreadRef(self.name, post["root"], f"p{post['id']}") if post else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """From the first page on: how many posts its pages have is not known before it is read."""
        if ref.id.startswith("p"):
            return Request(f"{ref.root}post/{ref.id[1:]}/thread")
        return Request(_address(ref, 1 if since == 1 else (since - 1) // PER_PAGE + 1))

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged."""
        tree = parse_page(page.text)
        boxes = every(tree, 'tr.post[id^="post-"]')
        here, pages = _paging(tree, number_in(page.url, "page"))
        asked = number_in(page.url, "page") or 1
        if asked > pages or (boxes and asked > here):
            raise past_the_last_page(page, pages)
        if not boxes:
            raise _refusal(page, tree)
        drafts = checked([_draft(box) for box in boxes], self.name, "stock theme")
        ref = _thread(self, page, tree)
        size = len(drafts) if here < pages else _size_told(page.url) or site.posts_per_page or PER_PAGE
        counted = enumerate(drafts, (here - 1) * size + 1)
        following = Request(f"{_address(ref, here + 1)}#{size}-a-page") if ref and here < pages else None
        heading = maybe(tree, ".container.posts .title-bar h1") or maybe(tree, ".title-bar h1")
        return Chunk(
            title=words(heading or maybe(tree, "title")),
            posts=posts_of(counted, partial(_permalink, ref), clock_of(site, now)),
            page=here,
            pages=pages,
            following=following,
            thread=ref,
        )


def _address(ref: ThreadRef, page: int) -> str:
    return f"{ref.root}thread/{ref.id}" + (f"?page={page}" if page > 1 else "")


def _size_told(url: str) -> int | None:
    found = PER_PAGE_TOLD.search(url)
    return int(found[1]) if found else None


def _draft(box: Tag) -> Draft:
    # Name and id. A picture's link has no words; guests and members who left have no link.
    beside = maybe(box, ".left-panel, .mini-profile")
    if beside is None:
        author, identity = None, None
    else:
        link = worded(beside, "a.user-link, a.o-user-link")
        if link is not None:
            author, identity = (
                words(link),
                attribute(link, "data-id") or _last_number(attribute(link, "href") or ""),
            )
        else:
            guest = maybe(beside, '.user-guest, .user-deleted, [class*="user-"]:not(a)')
            author, identity = words(guest) or None, None

    content = maybe(box, ".message")
    note = worded(box, ".edited_by")
    stamp = maybe(box, ".date abbr[data-timestamp]") or maybe(box, ".info abbr[data-timestamp]")
    return Draft(
        id=(attribute(box, "id") or "").removeprefix("post-"),
        author=author,
        author_id=identity,
        machine=_instant(stamp),
        written=title_or_words(stamp),
        body=inner(content).strip() if content else None,
        edit_note=words(note) if note else None,
        edit_machine=_instant(maybe(note, "abbr[data-timestamp]")) if note else None,
    )


def _last_number(link: str) -> str | None:
    found = re.search(r"/user/(\d+)", link)
    return found[1] if found else None


def _instant(stamp: Tag | None) -> str | None:
    return unix_stamp(attribute(stamp, "data-timestamp"), per_second=1000)


def _thread(adapter: ProBoards, page: Response, tree: Tag) -> ThreadRef | None:
    """As the address says, else the page's own links to its pages."""
    links = [attribute(tag, "href") for tag in every(tree, 'link[rel="canonical"], .ui-pagination a[href]')]
    urls = [page.url, *(url for link in links if link and (url := absolute(page.url, link)))]
    refs = (adapter.locate(url) for url in urls)
    ref = next((ref for ref in refs if ref and not ref.id.startswith("p")), None)
    return ThreadRef(adapter.name, ref.root, ref.id) if ref else None


def _paging(tree: Tag, asked: int | None) -> tuple[int, int]:
    """This page and the last one; a thread of one page may have no list of pages."""
    area = ".ui-pagination"
    selected = [words(tag) for tag in every(tree, f"{area} .state-selected, {area} .ui-selected")]
    linked = [number_in(attribute(a, "href") or "", "page") for a in every(tree, f"{area} a[href]")]
    last = max([1, *(number for number in linked if number)])
    here = next((int(text) for text in selected if text.isdecimal()), None)
    if here is None:
        return (min(asked or 1, last)), last
    return here, max(here, last)


def _permalink(ref: ThreadRef | None, post: str) -> str | None:
    return f"{ref.root}post/{post}/thread" if ref else None


def _refusal(page: Response, tree: Tag) -> KnightfallError:
    if maybe(tree, 'form input[type="password"]'):
        return login_required(page)
    message = maybe(tree, ".container.error .content, .error .content, .container.show-error .content")
    if message or page.status >= 400:
        return refused(page, words(message or maybe(tree, "title") or tree))
    return no_posts(page, "ProBoards", "adapter proboards; tr.post was looked for")


PROBOARDS = ProBoards()
