"""Read a thread page by page, so that nothing is missing, repeated or read twice in vain.

Pages come one at a time, so memory stays flat and a caller can keep each before the next is asked for. A
later read begins at the last known page and fetches that one again: it may have grown or been edited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import urlencode

from knightfall.errors import AccessDenied, AnotherView, IncompleteRead, PastTheEnd
from knightfall.fetch.clock import Clock, Fetch
from knightfall.forums import candidates, forum_named, forum_of
from knightfall.forums.addresses import query_of
from knightfall.forums.base import Bookmark, Chunk, Forum, HtmlForum, Request, Response, without_session
from knightfall.forums.pages import address_of_page, read_chunk, refuse_partial
from knightfall.forums.platforms import PLATFORMS
from knightfall.models import PostId
from knightfall.sentence import sentence

TRIES = 2
"""How often a page that ended early is asked for."""
CHANGED = "The thread changed while it was being read. Try again."


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One page of the thread whose canonical address is `thread`."""

    thread: str
    platform: str
    response: Response
    chunk: Chunk
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class Reader:
    """What reading needs of the world; `zone` is that of the thread's times, where the moderator says it."""

    fetch: Fetch
    clock: Clock
    zone: str | None = None
    platform: str | None = None
    """That of the thread, where one of its pages told it."""


@dataclass(slots=True)
class _Walk:
    """What must hold from page to page."""

    page: int = 0
    total: int | None = None
    seen: set[PostId] = field(default_factory=set)

    def step(self, chunk: Chunk) -> None:
        """Raises IncompleteRead where the page does not follow the one before."""
        if not chunk.posts and chunk.following is not None:
            raise IncompleteRead(f"Page {chunk.page} holds no posts. {CHANGED}")
        if self.page and chunk.page != self.page + 1:
            raise IncompleteRead(f"After page {self.page} came page {chunk.page}. {CHANGED}")
        repeated = [post for post in chunk.posts if post.id in self.seen]
        if repeated:
            raise IncompleteRead(
                f"Post #{repeated[0].number} came twice, on page {chunk.page} too. {CHANGED}"
            )
        if self.total is not None and chunk.posts_total is not None and chunk.posts_total < self.total:
            raise IncompleteRead(
                f"The thread had {self.total} posts and now has {chunk.posts_total}. {CHANGED}"
            )
        self.page, self.total = chunk.page, chunk.posts_total
        self.seen.update(post.id for post in chunk.posts)


def canonical_address(url: str, reader: Reader) -> str:
    """The one address of a thread, whatever link to it was pasted; a link to a post is followed to see.

    Raises what fetching and reading a page raise.
    """
    found = candidates(url)
    addresses = {forum.start(ref).url for forum, ref in found}
    if len(addresses) == 1 and not any(ref.id.startswith("p") for _, ref in found):
        return addresses.pop()
    forum, page = _fetched(Request(url), url, reader)
    return forum.start(page.chunk.thread).url if page.chunk.thread else without_session(url)


def read_pages(thread: str, reader: Reader, bookmark: Bookmark | None = None) -> Iterator[FetchedPage]:
    """The pages of a thread from the bookmark on, or from the first page.

    Where the bookmark no longer fits (posts were deleted or moved) all pages are read again.
    Raises IncompleteRead, PastTheEnd, LayoutChanged, NotAForum, InputError, SiteRefused and their kinds.
    """
    # The page of the bookmark, if it still begins with the post that it began with.
    first = None
    if bookmark:
        with suppress(PastTheEnd):
            page = _fetched(Request(bookmark.url), thread, reader)[1]
            posts = page.chunk.posts
            if page.chunk.page == bookmark.page and posts and posts[0].id == bookmark.first:
                first = page

    page = first or _fetched(Request(thread), thread, reader)[1]
    view = _view(page)
    reader = replace(reader, platform=page.platform)
    walk = _Walk()
    while True:
        walk.step(page.chunk)
        yield page
        if page.chunk.following is None:
            return
        name = f"Page {page.chunk.page + 1} of {page.chunk.pages}"
        page = _fetched(_with_view(page.chunk.following, view), thread, reader, name, reader.fetch.follow)[1]


def refuse_closed(url: str) -> None:
    """Raises AccessDenied for an address of a place that lets no program read it: how its threads come in."""
    for row in PLATFORMS:
        if row.export and any(forum.name == row.name for forum, _ in candidates(url)):
            raise AccessDenied(sentence("{url}: {how}", url=url, how=row.export))


def _view(page: FetchedPage) -> Mapping[str, str]:
    """The choices that its address names, so that the board shows its reader all posts, oldest first."""
    forum, asked = forum_named(page.platform), query_of(page.response.url)
    usual = forum.usual if isinstance(forum, HtmlForum) else {}
    return usual if usual.keys() <= asked.keys() else {}


def _with_view(request: Request, view: Mapping[str, str]) -> Request:
    if not view:
        return request
    bare, sign, query = request.url.partition("?")
    kept = [part for part in query.split("&") if part and part.partition("=")[0] not in view]
    return replace(request, url=f"{bare}{sign or '?'}{'&'.join((*kept, urlencode(view)))}")


def last_posts(page: FetchedPage, thread: str, reader: Reader) -> tuple[PostId, ...]:
    """The posts of the last page of a thread of which an earlier page was read; () where nobody can tell its
    address, or another page came. Raises as `read_pages`, but not PastTheEnd."""
    chunk = page.chunk
    at = chunk.thread and address_of_page(page.platform, chunk.thread, chunk.pages, len(chunk.posts))
    if not at:
        return ()
    with suppress(PastTheEnd):
        at = _with_view(Request(at), _view(page)).url
        last = read_page(thread, at, replace(reader, platform=page.platform)).chunk
        if last.page == chunk.pages:
            return tuple(post.id for post in last.posts)
    return ()


def read_page(thread: str, url: str, reader: Reader) -> FetchedPage:
    """One page of a thread, by the address that it came from. Raises as `read_pages`."""
    return _fetched(Request(url), thread, reader, ask=reader.fetch.follow)[1]


def _fetched(
    request: Request,
    thread: str,
    reader: Reader,
    name: str | None = None,
    ask: Callable[[Request], Response] | None = None,
) -> tuple[Forum, FetchedPage]:
    """The platform of a page, and the page as it was read; asked for again where its end did not arrive."""
    name, ask = name or request.url, ask or reader.fetch.get
    refuse_closed(request.url)
    response = ask(request)
    for _ in range(TRIES - 1):
        if response.status >= 400:
            break
        try:
            refuse_partial(response.text, name)
            break
        except IncompleteRead:
            response = ask(request)
    now = reader.clock.now()
    try:
        forum, chunk = read_chunk(response, name, now, reader.zone, reader.platform)
    except AnotherView:
        # As the reader's board shows the newest first: its address may ask for the usual view.
        known = forum_of(response, reader.platform)
        usual = known.usual if isinstance(known, HtmlForum) else {}
        if not usual or usual.items() <= query_of(response.url).items():
            raise
        response = ask(_with_view(replace(request, url=response.url), usual))
        forum, chunk = read_chunk(response, name, now, reader.zone, reader.platform)
    return forum, FetchedPage(thread, forum.name, response, chunk, now)
