"""What a forum adapter is, the pieces that adapters share, and the base class of all that read HTML."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from itertools import pairwise
from typing import ClassVar, Protocol
from urllib.parse import urlsplit

from knightfall.errors import (
    AccessDenied,
    AnotherView,
    KnightfallError,
    LayoutChanged,
    LoginRequired,
    NotAForum,
    PastTheEnd,
    TopicMissing,
)
from knightfall.forums.addresses import (
    SESSIONS,
    absolute,
    at_path,
    body_without_session,
    folder_of,
    is_absolute,
    number_in,
    query_of,
    require_address,
    without_session,
)
from knightfall.forums.dates import (
    clock_told,
    machine_time,
    order_told,
    read_words,
    zone_key,
    zone_named,
)
from knightfall.forums.exchange import (
    Bookmark,
    Chunk,
    Part,
    Request,
    Response,
    Site,
    ThreadRef,
)
from knightfall.forums.html import (
    Tag,
    attribute,
    every,
    first_of,
    maybe,
    parse_leniently,
    parse_page,
    words,
)
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import UNKNOWN_ZONE, Post, PostId
from knightfall.sentence import Way, sentence

__all__ = [
    "SESSIONS",
    "Bookmark",
    "Chunk",
    "Part",
    "Request",
    "Response",
    "Site",
    "ThreadRef",
    "absolute",
    "at_path",
    "body_without_session",
    "folder_of",
    "is_absolute",
    "number_in",
    "query_of",
    "require_address",
    "without_session",
]
"""What adapters import from here beside what stands here: a package with a forum needs this module alone."""


class Forum(Protocol):
    """One platform. Errors raised by `read`: LoginRequired, AccessDenied, TopicMissing, PastTheEnd,
    LayoutChanged."""

    @property
    def name(self) -> str:
        """Its id: lower-case letters, digits and underscores."""
        ...

    @property
    def html_style(self) -> HtmlStyle:
        """How bodies of its posts are written."""
        ...

    def recognises(self, page: Response) -> bool:
        """True where the markup is this platform's, whatever the host."""
        ...

    def locate(self, url: str) -> ThreadRef | None:
        """The thread that a URL of this platform's shape points at."""
        ...

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The page that holds the `since`-th post of the thread, counted from 1 as it stands there."""
        ...

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """The posts of a page and the next page."""
        ...


def mentions(page: Response, words: Iterable[str], any_case: bool = False) -> bool:
    """Whether one of these words stands in a page: a quick question before a slow one. Words are lower-case
    where `any_case` will do."""
    text = page.text.lower() if any_case else page.text
    return any(word in text for word in words)


def marked(page: Response, words: Iterable[str], marks: re.Pattern[str], before: int = 0) -> bool:
    """Whether a page has one of these marks, each of which holds one of the words, at most so many characters
    `before` it: the slow search begins where the first word stands."""
    places = [place for word in words if (place := page.text.find(word)) >= 0]
    return bool(places) and marks.search(page.text, max(0, min(places) - before)) is not None


def first_number(matches: Iterable[re.Match[str] | None]) -> int | None:
    """The number that the first match of a pattern holds in its group, "1,024" read as one."""
    return next((int(re.sub(r"\D", "", found[1])) for found in matches if found), None)


def thread_asked(platform: str, url: str, topic: str, post: str, start: int) -> ThreadRef | None:
    """The thread that a URL's parameter `topic` names, else the "p" + id of the post that `post` names.

    `start` is the page or offset that it asks for; the forum's root is the folder of its script.
    """
    thread, single = number_in(url, topic), number_in(url, post)
    identity = str(thread) if thread is not None else f"p{single}" if single is not None else None
    return ThreadRef(platform, folder_of(url), identity, start) if identity else None


def page_between(before: str | None, after: str | None, url: str) -> int:
    """The number of a page by its links to the one before and the one after, else by its own address."""
    if after and (number := number_in(after, "page")):
        return number - 1
    return (number_in(before, "page") or 1) + 1 if before else number_in(url, "page") or 1


def base_of(page: Response, tree: Tag) -> str:
    """The page's base where it names one on its own server, else its address."""
    told = absolute(page.url, attribute(maybe(tree, "base[href]"), "href") or "")
    return told if told and same_server(told, page.url) else page.url


def same_server(url: str, page: str) -> bool:
    """A page sends us to no other server and no other port; a saved page's address may be unknown."""
    return not is_absolute(page) or _server_of(url) == _server_of(page)


def _server_of(url: str) -> tuple[str | None, int | None]:
    """Host and port; one of the usual ports is as good as the other."""
    split = urlsplit(url)
    try:
        port = split.port
    except ValueError:
        port = -1
    return split.hostname, None if port in (80, 443) else port


def own_request(page: Response, tree: Tag, link: str | None) -> Request | None:
    """What a link of the page asks for; None without one, and for one to another server."""
    target = absolute(base_of(page, tree), link) if link else None
    return Request(without_session(target)) if target and same_server(target, page.url) else None


def own_thread(
    page: Response, tree: Tag, links: Iterable[str], locate: Callable[[str], ThreadRef | None]
) -> ThreadRef | None:
    """The first thread, not a single post, that one of these links means on the page's own server."""
    base = base_of(page, tree)
    targets = (absolute(base, link) for link in links)
    refs = (locate(target) for target in targets if target and same_server(target, page.url))
    return next((replace(ref, start=0) for ref in refs if ref and not ref.id.startswith("p")), None)


PARTLY = (
    "Only a part of the page is here, without its heading, so it is not known which posts come before and "
    "after. Copy the whole page (Ctrl-A)."
)
SAVE_PAGES = sentence("then: {read}", read=Way("read_saved"))

DENIED = re.compile(
    r"authori[sz]|autori[sz]|permission|permiss|permit|berechtig|zugriff|bevoegd|toegang|behörig|"
    r"uprawnie|dostęp|oprávněn|прав[аоы]?\b|доступ",
    re.IGNORECASE,
)
"""What boards say who refuse, in the languages of the boards: the last hint, after status and markup."""


def login_required(page: Response, text: str = "", name: str = "The page") -> LoginRequired:
    """The page has a password field and no posts, or says that one has to log in; `name` is what it is called
    where it has no address. Cookies that were lent and
    did not log in, and cookies of other hosts only, are two sentences of their own."""
    if page.private:
        found = (
            "{page} shows a login form{said}, although your cookies went with the request: they did not "
            "log you in. They have expired, or the forum takes them only with the User-Agent of the browser "
            "that they are of. Log in anew in your browser and lend both ({cookies}), or save the pages "
            "there, then: {read}"
        )
    elif page.foreign_login:
        found = (
            "{page} shows a login form{said}, and none of your cookies is for {host}. Lend those of that "
            "forum ({cookies}), or save the pages in your browser while logged in, then: {read}"
        )
    else:
        found = (
            "{page} shows a login form, not posts{said}. Lend your login ({cookies}), or save the pages in "
            "your browser while logged in, then: {read}"
        )
    return LoginRequired(
        sentence(
            found,
            page=page.url or name,
            said=f' ("{text}")' if text else "",
            host=urlsplit(page.url).hostname if is_absolute(page.url) else "this forum",
            cookies=Way("cookies"),
            read=Way("read_saved"),
        )
    )


def refused(page: Response, text: str) -> KnightfallError:
    """AccessDenied or TopicMissing: by the status, else by what the board's message says."""
    if page.status in (401, 403) or (page.status not in (404, 410) and DENIED.search(text)):
        return access_denied(page, text)
    return topic_missing(page, text)


def access_denied(page: Response, text: str) -> AccessDenied:
    """The board says that we may not read this."""
    return AccessDenied(
        sentence(
            '{page}: the board refuses: "{text}". Save the pages in your browser while logged in as somebody '
            "who may read it, {save}",
            page=page.url or "The page",
            text=text,
            save=SAVE_PAGES,
        )
    )


def topic_missing(page: Response, text: str = "") -> TopicMissing:
    """The board says, or its answer's status does, that there is no such topic."""
    said = f'; the board says: "{text}"' if text else ""
    return TopicMissing(f"{page.url or 'The page'} shows no topic{said}. Moved? Give its new address.")


def private_messages(page: Response, name: str = "The page") -> NotAForum:
    """The page shows private messages, which are no posts of a thread; `name` is what it is called where it
    has no address."""
    return NotAForum(
        sentence(
            "{page} is a page of private messages, not a thread. Paste it where the messages of the night or "
            "round that is open are entered: {submit}",
            page=page.url or name,
            submit=Way("submit"),
        )
    )


def past_the_end(page: Response, known: str) -> PastTheEnd:
    """The URL asks for what lies behind the last page; `known` says what the thread has."""
    return PastTheEnd(
        f"{page.url} is past the end: the thread has {known}. The board answered with another "
        "page. Give the address of the thread itself."
    )


def past_the_last_page(page: Response, pages: int) -> PastTheEnd:
    """The URL asks for a page behind the last of so many."""
    return past_the_end(page, f"{pages} page{'s' * (pages > 1)}")


def refuse_beyond(page: Response, asked: int, pages: int) -> None:
    """Raises PastTheEnd where the page that the URL asks for is behind the last; 0 where it asks for none."""
    if asked > pages:
        raise past_the_last_page(page, pages)


def no_posts(page: Response, software: str, tried: str) -> LayoutChanged:
    """A page of a known platform without any post; `tried` in brackets."""
    return LayoutChanged(
        f"{page.url or 'The page'} is of a {software} board, but no post boxes were found on it ({tried}). "
        "If it is an index or a search, give the address of the topic; otherwise the forum's layout changed. "
        "No count was made."
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """A post as far as its box tells; None where the box does not have the thing at all."""

    id: str
    author: str | None
    body: str | None
    author_id: str | None = None
    number: int | None = None
    machine: str | None = None
    """A machine-readable time."""
    written: str = ""
    """The words around the time."""
    edit_note: str | None = None
    edit_machine: str | None = None
    edit_stamp: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Clockwork:
    """What turns written stamps into instants: when the page was read, the board's zone (None: unknown, read
    as if it were UTC) and date order."""

    now: datetime
    zone: tzinfo | None
    order: str

    def read(self, written: str) -> tuple[datetime | None, bool]:
        """The instant that words name, and whether they name a day by a calendar, which has a zone."""
        return read_words(written, self.now, self.zone or UTC, self.order) if written else (None, False)

    @property
    def zone_key(self) -> str:
        """The zone in which stamps are written, as `Post.zone` names it."""
        return UNKNOWN_ZONE if self.zone is None else zone_key(self.zone)


def clock_of(
    site: Site, now: datetime, zone: tzinfo | None = None, shown: str = "", answered: str = ""
) -> Clockwork:
    """The clock of a page: its zone is as the moderator says, else as the page does (`zone`), else by the
    clock that the page shows when its server answers (`answered` is the header Date), else as the site
    says."""
    order, exact = site.date_order, http_date(answered)
    told = clock_told(shown, exact, order) if exact else None
    stated, usual = (zone_named(name) if name else None for name in (site.stated_zone, site.timezone))
    return Clockwork(now, stated or zone or (told[0] if told else usual), told[1] if told else order)


def http_date(header: str) -> datetime | None:
    """The instant of a header such as “Date: Sun, 22 Nov 2026 14:51:00 GMT”; None for anything else."""
    try:
        read = parsedate_to_datetime(header)
    except ValueError:
        return None
    return read if read.tzinfo else None


def set_by(clock: Clockwork, drafts: Iterable[Draft]) -> Clockwork:
    """A clock with the order of day and month that the drafts' own dates give away, if they do."""
    return replace(clock, order=order_told((draft.written for draft in drafts), clock.order))


def checked(drafts: list[Draft], platform: str, skin: str) -> list[Draft]:
    """The drafts, if each has an author and a body. Raises LayoutChanged with the counts."""
    for what, there in (
        ("authors", [draft for draft in drafts if draft.author]),
        ("texts", [draft for draft in drafts if draft.body is not None]),
    ):
        if len(there) < len(drafts):
            raise LayoutChanged(
                f"Found {len(drafts)} post boxes but {what} in {len(there)} – the forum's layout changed "
                f"(adapter {platform}, {skin}). No count was made. Another theme may do: save its pages."
            )
    return drafts


def numbered(drafts: Sequence[Draft], first: int) -> Iterator[tuple[int, Draft]]:
    """Each draft with its number: as its box shows it, else the next. A hidden post without one uses none up:
    boards that show such placeholders give the number to the post after it."""
    following = first
    for draft in drafts:
        number = following if draft.number is None else draft.number
        following = number if draft.hidden and draft.number is None else number + 1
        yield number, draft


def posts_of(
    counted: Iterable[tuple[int, Draft]], link: Callable[[str, int], str | None], clock: Clockwork
) -> tuple[Post, ...]:
    """The posts of drafts and their places; `link` tells the address of a post by its id and its number."""
    posts = []
    for place, draft in counted:
        number = place if draft.number is None else draft.number
        exact = machine_time(draft.machine)
        told, by_calendar = (exact, False) if exact else clock.read(draft.written)
        post = Post(
            id=PostId(draft.id or f"n{number}"),
            number=number,
            author=draft.author or "",
            body=draft.body or "",
            author_id=draft.author_id,
            time=told,
            approximate=exact is None,
            url=link(draft.id, number),
            edited=machine_time(draft.edit_machine) or clock.read(draft.edit_stamp)[0],
            edit_note=draft.edit_note,
            hidden=draft.hidden,
            zone=clock.zone_key if by_calendar else None,
        )
        posts.append(post)
    return tuple(posts)


def oldest_first(posts: Sequence[Post]) -> tuple[Post, ...]:
    """The posts, if their numbers rise. Raises AnotherView: the viewer's board shows newest first."""
    if any(later.number <= earlier.number for earlier, later in pairwise(posts)):
        raise AnotherView(TURNED)
    return tuple(posts)


def refuse_backwards(posts: Sequence[Post]) -> None:
    """Raises AnotherView where no post was written after the one above it, and the last one before the
    first: the viewer's board shows newest first, and may number them all the same."""
    times = [post.time for post in posts if post.time is not None]
    if len(times) < len(posts) or len(times) < 2:
        return
    if times[0] > times[-1] and all(one >= other for one, other in pairwise(times)):
        raise AnotherView(TURNED)


TURNED = (
    "The page does not show the posts oldest first (the board's display options are set otherwise). "
    "Set them to oldest post first, or log out, and try again."
)


def refuse_filtered(page: Response, tree: Tag, usual: Mapping[str, str]) -> None:
    """Raises AnotherView where a choice on the page or in its address, by name, is another than usual: the
    viewer may have set the board to newest first, or to the last days only."""
    asked = query_of(page.url)
    for name, value in usual.items():
        chosen = attribute(maybe(tree, f'select[name="{name}"] option[selected]'), "value")
        chosen = asked.get(name, value) if chosen is None else chosen
        if chosen != value:
            raise AnotherView(
                "The page does not show all posts in order of time (the board's display options are set "
                f"otherwise: {name}={chosen}). Set them to all posts, post time, ascending, and try again."
            )


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page stands in its thread: `page` of `pages`, counted from 1; `start` posts come before it.

    `size` is how many posts make a page (None where there is only one, or where it is not needed), `total`
    how many the thread has where the page tells it, `link` the page's own link to the next as written.
    """

    page: int
    pages: int
    start: int = 0
    size: int | None = None
    total: int | None = None
    link: str | None = None

    @property
    def next_start(self) -> int | None:
        """The offset of the next page; None on the last."""
        return None if self.size is None or self.page >= self.pages else self.start + self.size


class HtmlForum(ABC):
    """A platform that is read from HTML pages: `read` is the algorithm, a platform fills in its hooks.

    A platform states the attributes and says in `recognises`, `locate` and `start` (see Forum) which
    pages and addresses are its own. Of the hooks it has to give `rows`, `draft`, `paging` and `permalink`;
    the others do what most platforms do. `draft` may change the tree (an edit notice is taken out of a
    text): what is called after it sees the page without.
    """

    name: str
    """The id of the platform: lower-case letters, digits and underscores."""
    html_style: HtmlStyle
    """How bodies of its posts are written."""
    software: str
    """What a message calls the platform."""
    tried: str
    """What was looked for, as a message ends that tells of a page without posts."""
    layout: str = "stock theme"
    """Which of a platform's layouts is read, as a message calls it."""
    titles: tuple[str, ...] = ("h1", "title")
    """Where the thread's title stands: selectors, the best first."""
    usual: ClassVar[Mapping[str, str]] = {}
    """The choices of a reader, by their names in an address, that show all posts, oldest first."""
    login_form: str = 'form input[type="password"]'
    """What a page without posts has where it asks for a login."""
    messages: tuple[str, ...] = ()
    """Where such a page says why it has none: selectors, the best first."""
    first_post: int | None = None
    """The number of the opening post; None where it is the board's choice, as its site tells."""
    dates_tell_order: bool = False
    """True where the dates of a page may give away whether days stand before months."""

    @abstractmethod
    def recognises(self, page: Response) -> bool:
        """True where the markup is this platform's, whatever the host; error pages too."""

    @abstractmethod
    def locate(self, url: str) -> ThreadRef | None:
        """The thread that a URL of this platform's shape points at."""

    @abstractmethod
    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The page that holds the `since`-th post of the thread, as far as that can be computed."""

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """The posts of a page and the next page.

        Raises LoginRequired, AccessDenied, TopicMissing, PastTheEnd, LayoutChanged, IncompleteRead.
        """
        # Private messages stand in the same boxes as posts do on most boards.
        tree = parse_page(page.text)
        if self.message_rows(tree):
            raise private_messages(page)

        # The elements that are posts, as lxml reads the page, or as BeautifulSoup does where lxml shows none.
        # A page without any says why.
        rows = self.rows(tree)
        if not rows:
            tree = parse_leniently(page.text)
            rows = self.rows(tree)
        if not rows:
            raise self.refusal(page, tree)

        # A page with posts may still not show those that were asked for, or not in the thread's order.
        self.refuse_view(page, tree)

        # What each of them tells. One without an author or a text means that the layout changed: whatever
        # was counted from the others would be wrong.
        drafts = checked([self.draft(row) for row in rows], self.name, self.layout_of(rows[0]))

        # The thread, the page's place in it, and the way on.
        thread = self.thread(page, tree)
        paging = self.paging(page, tree, site, drafts)
        following = self.following(page, tree, thread, paging)

        # Posts: each with its own number, else that of its place in the thread.
        clock = self.clock_on(page, tree, site, now, drafts)
        opening = site.first_number if self.first_post is None else self.first_post
        home = thread or self.home(page)
        posts = posts_of(
            self.numbered(drafts, paging.start + opening),
            lambda post, number: self.permalink(home, post, number) if home else None,
            clock,
        )

        # Numbers that fall: the viewer's board shows newest first.
        oldest_first([post for post, draft in zip(posts, drafts, strict=True) if self.must_rise(draft)])
        refuse_backwards(posts)

        # A page without any title is a part of one: where it stands in the thread is not told.
        title = self.title(tree)
        return Chunk(
            title=title,
            posts=posts,
            page=paging.page,
            pages=paging.pages,
            posts_total=paging.total,
            following=following,
            thread=thread,
            missing=(*self.missing(tree), *(() if title else (PARTLY,))),
        )

    @abstractmethod
    def rows(self, tree: Tag) -> list[Tag]:
        """The elements of a page that are posts of the thread, as they stand; empty where there are none."""

    def refusal(self, page: Response, tree: Tag) -> KnightfallError:
        """Why a page has no posts: a login form, a message of the board, else a layout that is not known."""
        if maybe(tree, self.login_form):
            return login_required(page)
        message = first_of(tree, self.messages)
        return refused(page, words(message)) if message else self.no_posts(page)

    def refuse_view(self, page: Response, tree: Tag) -> None:  # noqa: B027  # most need it not
        """Raise IncompleteRead where the viewer's settings leave posts out or turn them round, and PastTheEnd
        where the board shows another page than it was asked for."""

    @abstractmethod
    def draft(self, row: Tag) -> Draft:
        """A post as far as its row tells; author and body are None where the row has no such thing."""

    def layout_of(self, row: Tag) -> str:
        """The layout that a row is of, as a message calls it."""
        return self.layout

    def thread(self, page: Response, tree: Tag) -> ThreadRef | None:
        """The thread that the page says it is of, on its own server; else what its address says."""
        links = [attribute(tag, "href") for tag in every(tree, 'link[rel="canonical"]')]
        return own_thread(page, tree, filter(None, (*links, page.url)), self.locate)

    @abstractmethod
    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        """Where the page stands in its thread. Raises PastTheEnd where its address asks for a later page than
        there is: boards answer with their last or first page again."""

    def following(
        self, page: Response, tree: Tag, thread: ThreadRef | None, paging: Paging
    ) -> Request | None:
        """The next page; None on the last. The page's own link goes first: the board need not send us on."""
        if paging.page >= paging.pages:
            return None
        return own_request(page, tree, paging.link) or (self.next_page(thread, paging) if thread else None)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        """The address of the next page as it is computed; None where only a link can tell it."""
        return None

    def numbered(self, drafts: list[Draft], first: int) -> Iterable[tuple[int, Draft]]:
        """Each draft with the number of its place, the first of the page being `first`."""
        return enumerate(drafts, first)

    def zone(self, tree: Tag, site: Site) -> tzinfo | None:
        """The zone of the times on the page; None where it does not tell."""
        return None

    def clock(self, tree: Tag) -> str:
        """What the page says the time is, by which its zone is known where it does not tell that; "" where it
        says nothing. Never what stands in a post."""
        return ""

    def clock_on(
        self, page: Response, tree: Tag, site: Site, now: datetime, drafts: Sequence[Draft]
    ) -> Clockwork:
        """What turns the stamps of a page into instants."""
        answered = page.headers.get("date", "")
        clock = clock_of(site, now, self.zone(tree, site), self.clock(tree), answered)
        return set_by(clock, drafts) if self.dates_tell_order else clock

    def home(self, page: Response) -> ThreadRef | None:
        """What stands for the thread in the addresses of posts where the page does not tell it."""
        return None

    @abstractmethod
    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        """The address of a post by its id or its number, whichever the platform goes by."""

    def must_rise(self, draft: Draft) -> bool:
        """True where the number of this post has to be higher than those before it on the page."""
        return True

    def title(self, tree: Tag) -> str:
        """The title of the thread."""
        return words(first_of(tree, self.titles))

    def missing(self, tree: Tag) -> tuple[str, ...]:
        """One sentence each for what the page itself leaves out; not to be counted."""
        return ()

    def message_rows(self, tree: Tag) -> list[Tag]:
        """The elements of a page that are private messages, as they stand; empty on every other page, those
        of threads among them. Messages that a page repeats as the history of another are none."""
        return []

    def message_draft(self, row: Tag) -> Draft:
        """A private message as far as its row tells: `id` is its own on that board, "" where the page does
        not tell it."""
        return self.draft(row)

    def message_subject(self, tree: Tag) -> str:
        """The subject of the private messages of a page; "" where they have none, or several."""
        return self.title(tree)

    def no_posts(self, page: Response) -> LayoutChanged:
        """The refusal of a page of this platform that has neither posts nor a message."""
        return no_posts(page, self.software, f"adapter {self.name}; {self.tried}")
