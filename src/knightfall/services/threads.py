"""Threads read from a forum, from files or from the store; and the evidence that is kept of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import (
    EvidenceError,
    IncompleteRead,
    InputError,
    KnightfallError,
    SetupError,
    SiteRefused,
)
from knightfall.forums import ORDER, WITHOUT_PAGE, candidates, html_style_of
from knightfall.forums.addresses import require_address
from knightfall.forums.exchange import Request, Response, Site
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import NAMES, base_name, dialect, has_tags, is_dialect, with_tags
from knightfall.markup.html import marked_words, plain_text
from knightfall.models import ChangeKind, PageSeen, PostChange, PostId, PostMark, PostVersion, Thread
from knightfall.sentence import Way, sentence
from knightfall.services.session import Session, Store, journal_of
from knightfall.votes.count import Habits
from knightfall.votes.post_marks import unmarked_numbers

if TYPE_CHECKING:
    from knightfall.config.setup import Setup
    from knightfall.fetch.clock import Fetch
    from knightfall.fetch.reader import Reader
    from knightfall.fetch.saved import SavedPage


LINES = (".jsonl", ".jsonl.gz")


class NeverRead(InputError):
    """No page of the thread is kept on this machine."""


@dataclass(frozen=True, slots=True)
class Link:
    """A thread on a forum. `again`: every page of it, to find edits and deletions; else only what is new.

    Raises InputError for an address that is none.
    """

    url: str
    again: bool = False

    def __post_init__(self) -> None:
        require_address(self.url)


@dataclass(frozen=True, slots=True)
class Kept:
    """What was read of a thread before; the forum is not asked."""

    url: str


@dataclass(frozen=True, slots=True)
class SavedPages:
    """Pages saved in a browser, or folders of them."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class PostLines:
    """Posts as JSON Lines, `.gz` or not."""

    path: Path


@dataclass(frozen=True, slots=True)
class Given:
    """Posts that a program has."""

    thread: Thread


NO_THREAD = sentence("The game has no thread yet. First: {name}.", name=Way("name_thread", role="game"))
NONE_NAMED = sentence(
    "{no_thread} Or give the address of a thread, or {html}, or {jsonl}.",
    no_thread=NO_THREAD,
    html=Way("use_saved"),
    jsonl=Way("use_lines"),
)
TRIES = 4
"""So often a thread that shifts is looked at."""
FEWEST = 3
"""From so many pages behind the first one on, its last page tells whether a thread has shifted."""
OLD = timedelta(minutes=10)
"""A page that was read so long ago may say something else by now."""

Source = Link | Kept | SavedPages | PostLines | Given


def source_of(words: Sequence[str], html: bool = False, jsonl: bool = False, again: bool = False) -> Source:
    """What the words of a command line name: an address, saved pages, or a file of posts.

    Raises InputError where they name nothing, or several things at once.
    """
    if html and jsonl:
        raise InputError(
            sentence(
                "Use {html} or {jsonl}, not both.",
                html=Way("use_saved"),
                jsonl=Way("use_lines"),
            )
        )
    if not words:
        raise InputError(
            sentence(
                "Give the address of a thread, or {html}, or {jsonl}.",
                html=Way("use_saved"),
                jsonl=Way("use_lines"),
            )
        )
    if jsonl or (not html and _all_files(words) and words[0].endswith(LINES)):
        return PostLines(Path(_only(words, "file of posts")))
    if html or _all_files(words):
        return SavedPages(tuple(map(Path, words)))
    return Link(_only(words, "address"), again)


def gather(source: Source, session: Session) -> Thread:
    """The thread of a source. `Thread.missing` says what is not there; such a thread must not be counted.

    Raises InputError, EvidenceError, SiteRefused, StateDamaged and their kinds. Pages that were fetched
    before a failure are kept, and the next read goes on behind them.
    """
    match source:
        case Given(thread):
            return thread
        case Link(url, again):
            return _read_forum(url, again, session)
        case Kept(url):
            return _read_kept(url, session)
        case SavedPages(paths):
            from knightfall.fetch.saved import read_html

            return read_html(paths, session.clock.now(), session.progress, stated_zone(None, session) or None)
        case PostLines(path):
            from knightfall.fetch.saved import read_jsonl

            return read_jsonl(path, session.clock.now(), stated_zone(None, session) or None)


def stated_zone(thread: str | None, session: Session, pasted: str = "") -> str:
    """The zone that the game file states for the times of a thread, by its canonical address or as `pasted`;
    for None of the thread whose posts are counted. "" where it states none, or there is no game file."""
    if session.game is None or session.game.suffix == ".db" or not session.file.exists():
        return ""
    from knightfall.config.game_file import read_setup

    try:
        setup = read_setup(session.file)
    except SetupError:  # who reads a thread need not have a sound file; who counts is told of it
        return ""
    for one in setup.threads:
        if one.zone:
            known = {one.url, *(forum.start(ref).url for forum, ref in candidates(one.url))}
            if one.url == setup.url if thread is None else known & {thread, pasted}:
                return one.zone
    return ""


def _all_files(words: Sequence[str]) -> bool:
    return all("://" not in word and Path(word).exists() for word in words)


def _only(words: Sequence[str], what: str) -> str:
    if len(words) > 1:
        raise InputError(f"Give one {what} at a time. Found {len(words)}: {', '.join(words)}.")
    return words[0]


def address_of(url: str, session: Session) -> str:
    """The one address of a thread, whatever link to it was pasted. Raises what fetching and reading raise."""
    from knightfall.fetch.reader import Reader, canonical_address

    return canonical_address(url, Reader(session.fetch, session.clock))


def _read_forum(url: str, again: bool, session: Session) -> Thread:
    """The thread as its forum shows it now, with what was read of it before."""
    from knightfall.fetch.client import Conditional
    from knightfall.fetch.reader import Reader, last_posts, read_pages

    thread = address_of(url, session)
    store, zone = session.store(thread), stated_zone(thread, session, url)
    reader = Reader(Conditional(session.fetch, partial(store.kept_page, thread)), session.clock, zone or None)
    try:
        store.restate(thread, zone)
        walked = list[_Walked]()
        foreseen: tuple[PostId, ...] = ()
        # Each page is kept at once: what was read before a failure stays.
        for page in read_pages(thread, reader, None if again else store.bookmark(thread)):
            store.save_page(thread, page.platform, page.response, page.chunk, page.fetched_at)
            walked.append(_Walked(page.response.url, tuple(post.id for post in page.chunk.posts)))
            if session.progress:
                session.progress(page.chunk.page, page.chunk.pages)
            if len(walked) == 1 and page.chunk.pages - page.chunk.page >= FEWEST:
                foreseen = last_posts(page, thread, reader)

        # Where a post was deleted on a page that had been read, the first post of the next one moved to it:
        # then neither shows it, and no total tells. A read of several pages looks for that.
        if len(walked) > 1 and not _held_still(thread, walked, foreseen, reader):
            _look_again(thread, walked, reader, store)
        store.finish_read(thread, session.clock.now())
        store.state_zone(thread, zone)
        found = store.thread(thread)
    except (SiteRefused, EvidenceError) as error:
        kept = store.thread(thread)
        if kept is None or not kept.posts:
            raise
        span = f"#{kept.posts[0].number} to #{kept.posts[-1].number}"
        raise type(error)(
            sentence(
                "{fault}\nKept from earlier: posts {span}. The next read will continue from there.",
                fault=error,
                span=span,
            )
        ) from error
    finally:
        store.close()
    if found is None:
        raise InputError(f"{thread} has no pages.")
    return found


def read_into(url: str, session: Session, other: Session) -> Thread:
    """Read a thread that one session has read for another one, too: page by page as it was seen, and from the
    forum only what was not. Raises as `gather`."""
    thread = known_address(url, session)
    store = session.store(thread)
    try:
        seen = {page.url: page.number for page in store.pages_seen(thread)}
        fetch = _AsSeen(other.fetch, seen, lambda number: store.page_as_seen(thread, number))
        return gather(Link(thread), replace(other, fetch=fetch))
    finally:
        store.close()


@dataclass(frozen=True, slots=True)
class _AsSeen:
    """A Fetch that answers with pages as they were seen; what was not it gets from `fetch`."""

    fetch: Fetch
    numbers: Mapping[str, int]
    page: Callable[[int], Response | None]

    def get(self, request: Request) -> Response:
        """The page as it was seen, else as the forum has it."""
        return self._seen(request) or self.fetch.get(request)

    def follow(self, request: Request) -> Response:
        """The same of a page that nobody named."""
        return self._seen(request) or self.fetch.follow(request)

    def _seen(self, request: Request) -> Response | None:
        number = self.numbers.get(request.url)
        return None if number is None else self.page(number)


@dataclass(frozen=True, slots=True)
class _Walked:
    """A page of a read: its address, and the posts that it had."""

    url: str
    posts: tuple[PostId, ...]


def _held_still(thread: str, walked: Sequence[_Walked], foreseen: Sequence[PostId], reader: Reader) -> bool:
    """Whether no post has moved to another page while these were read. `foreseen` are the posts of the last
    page as they were before the second one was read: whatever moves on a page behind the first one moves
    them, too. The first page is looked at once more."""
    from knightfall.fetch.reader import read_page

    first, ends = walked[0], len(foreseen)
    # New posts may have begun another page since.
    if not ends or not any(one.posts[:ends] == tuple(foreseen) for one in walked[-2:]):
        return False
    page = read_page(thread, first.url, reader)
    return tuple(post.id for post in page.chunk.posts)[: len(first.posts)] == first.posts


def _look_again(thread: str, walked: Sequence[_Walked], reader: Reader, store: Store) -> None:
    """Read pages again until each has the posts that it had, and keep them as they are. Raises IncompleteRead
    where they go on changing."""
    from knightfall.fetch.reader import CHANGED, read_page

    # What comes at the end is new and moves nothing: the last page is looked at where another one changed.
    pages = list(walked[:-1])
    for _ in range(TRIES):
        store.doubt_read(thread)
        still = True
        for place, known in enumerate(pages):
            page = read_page(thread, known.url, reader)
            store.save_page(thread, page.platform, page.response, page.chunk, page.fetched_at)
            pages[place] = replace(known, posts=tuple(post.id for post in page.chunk.posts))
            still = still and pages[place].posts[: len(known.posts)] == known.posts
        if still:
            return
        if len(pages) < len(walked):
            pages.append(walked[-1])
    store.doubt_read(thread)
    raise IncompleteRead(CHANGED)


def _read_kept(url: str, session: Session) -> Thread:
    """The thread as it was last read, by its address or by any link to it; the forum is asked only where a
    link does not tell its thread (one to a post, a rewritten one). Raises InputError where it never was."""
    thread = kept_address(url, session)
    if thread is None:
        known = candidates(url)
        if not known or any(ref.id.startswith("p") for _, ref in known):
            thread = address_of(url, session)
    found = _in_store(thread, session) if thread else None
    if found is None:
        raise NeverRead(
            sentence(
                "{thread} has never been read on this machine. To read it: {read}",
                thread=thread or url,
                read=Way("read", url=thread or url),
            )
        )
    return found


def kept_address(url: str, session: Session) -> str | None:
    """The address under which a thread is kept; None where it is not. The forum is not asked: where the links
    of several platforms look like this one, the kept thread is the one that is meant."""
    for address in spellings(url):
        store = session.store(address)
        try:
            if store.platform(address) is not None:
                return address
        finally:
            store.close()
    return None


def spellings(url: str) -> Iterator[str]:
    """An address as it was given, then as each platform writes it: who gives it as it is kept need not wait
    for the readers of all platforms."""
    yield url
    yield from dict.fromkeys(forum.start(ref).url for forum, ref in candidates(url))


def known_address(url: str, session: Session) -> str:
    """The address under which a thread is kept, else the one that its forum tells. Raises as `address_of`."""
    return kept_address(url, session) or address_of(url, session)


def _in_store(thread: str, session: Session) -> Thread | None:
    store = session.store(thread)
    try:
        store.restate(thread, stated_zone(thread, session))
        return store.thread(thread)
    finally:
        store.close()


PLAIN = "plain"
RICH = "ips"
"""The dialect whose editor takes formatted text, not markup."""
_SPOKEN = {
    "invision": "ips",
    "flarum": "nodebb",
    "xenforo1": "xenforo:spoiler,strike",
    "vbulletin3": "vbulletin:post",
}
"""Platforms whose dialect has another name: Invision takes rich text, Flarum the Markdown of NodeBB; the
oldest XenForo and vBulletin have no tables."""


def is_rich(name: str) -> bool:
    """Whether the editor of that dialect's site takes formatted text, not markup."""
    return base_name(name) == RICH


def dialect_of(wanted: str | None, setup: Setup | None, site: Site, platform: str) -> str:
    """The dialect that is wanted, else the site's own, else its platform's, else plain text; with the tags
    that the game file says its board has, else the site.

    Raises InputError for a dialect that is not known, and for a tag of the game file that it cannot write.
    """
    if wanted:
        return dialect(wanted).name
    found = _spoken(setup, site, platform)
    own = setup.tags if setup else None
    tags = site.tags if own is None else own
    if tags is None or not has_tags(base_name(found)):
        return found
    try:
        return with_tags(dialect(base_name(found)), tags).name
    except InputError as fault:
        if own is None or setup is None:  # what a host has beside is no fault of this dialect
            return found
        raise InputError(sentence("{source}: game.{fault}", source=setup.source, fault=fault)) from None


def _spoken(setup: Setup | None, site: Site, platform: str) -> str:
    for name in (setup.site if setup else None, site.dialect):
        if name and is_dialect(name):
            return name
    software = platform.rstrip("0123456789")
    spoken = _SPOKEN.get(platform) or _SPOKEN.get(software, software)
    if base_name(spoken) in NAMES:
        return spoken
    is_ours = platform in ORDER or platform in WITHOUT_PAGE
    return platform if not is_ours and is_dialect(platform) else PLAIN


def speech_of(wanted: str | None, setup: Setup, session: Session) -> str:
    """The dialect that is wanted, else the site's, else that of the thread as it was read; plain text where
    nothing was. Raises InputError for a dialect that we do not know."""
    site = site_of(setup.url or "")
    found = dialect_of(wanted, setup, site, PLAIN)
    if found != PLAIN or wanted or setup.site == PLAIN:
        return found
    if setup.url is None:
        return found
    store = session.store(setup.url)
    try:
        platform = store.platform(setup.url)
    finally:
        store.close()
    if platform is None and (thread := kept_thread(setup, session)):  # it was read by another link
        platform = thread.platform
    return dialect_of(None, setup, site, platform) if platform else found


def kept_thread(setup: Setup, session: Session) -> Thread | None:
    """The game's thread as it was last read; None where it never was, or the game has none."""
    if session.thread is not None:
        return session.thread
    try:
        return gather(Kept(setup.url), session) if setup.url else None
    except InputError:
        return None


def parse_post_number(said: str) -> int:
    """Parse “412” or “#412”. Raises InputError for what is no number of a post."""
    number = said.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(
            f"{said} is not a post number. Use the number that the forum shows, for example 412."
        )
    return int(number)


UNREAD = 50
"""So many posts may have come since the thread was read: a number beyond that is a slip."""


@dataclass(frozen=True, slots=True)
class NamedPost:
    """A post that was named by its number, with its mark as it was read; for one that is not read yet that of
    the last one before it, and None where the thread was never read."""

    number: int
    mark: PostMark | None = None


def thread_post(said: str, setup: Setup, session: Session, unread: int = UNREAD) -> NamedPost:
    """Parse the number of a post of the game's thread as it was read, or of one of the `unread` after it; any
    number where the thread was never read. Raises InputError for what is no number, or no such post."""
    number = parse_post_number(said)
    thread = kept_thread(setup, session)
    if thread is None or not thread.posts:
        return NamedPost(number)
    first, last = thread.posts[0].number, thread.posts[-1].number
    if not first <= number <= last + unread:
        raise InputError(
            sentence(
                "Post {number} is not in the thread, which went from {first} to {last} when it was last "
                "read. To read newer posts: {read}",
                number=number,
                first=first,
                last=last,
                read=Way("read"),
            )
        )
    before = next(post for post in reversed(thread.posts) if post.number <= number)
    if not unread and before.number != number and thread.complete:
        raise InputError(f"Post {number} is not in the thread: the one before it is {before.number}.")
    return NamedPost(number, PostMark.of(before) if unread or before.number == number else None)


def habits_of(thread: Thread, site: Site | None = None) -> Habits:
    """The habits of a thread's site: the one of its address, unless another is given."""
    known = site_of(thread.url or "") if site is None else site
    return Habits(html_style_of(thread.platform), known.forms)


def old_pages(source: Source, thread: str | None, session: Session) -> tuple[PageSeen, ...]:
    """The pages behind a count that were not read of late; none for what never came from a forum."""
    if thread is None or not isinstance(source, (Link, Kept)):
        return ()
    store, now = session.store(thread), session.clock.now()
    try:
        return tuple(page for page in store.pages_seen(thread) if now - page.at >= OLD)
    finally:
        store.close()


def read_again(thread: str, pages: Sequence[PageSeen], session: Session) -> Thread:
    """The thread, with these pages read again; with all of them where one of these has other posts now.

    Raises as `gather`.
    """
    from knightfall.fetch.client import Conditional
    from knightfall.fetch.reader import Reader, read_page

    store, zone = session.store(thread), stated_zone(thread, session)
    reader = Reader(Conditional(session.fetch, partial(store.kept_page, thread)), session.clock, zone or None)
    try:
        for known in pages:
            page = read_page(thread, known.url, reader)
            # Other posts on it: every page behind it begins with another post than it did.
            if (
                tuple(post.number for post in page.chunk.posts) != known.posts
                or page.chunk.page != known.number
            ):
                return gather(Link(thread, again=True), session)
            store.save_page(thread, page.platform, page.response, page.chunk, page.fetched_at)
            if any(change.became is ChangeKind.VANISHED for change in store.changes(thread)):
                return gather(Link(thread, again=True), session)
        store.finish_read(thread, session.clock.now())
        found = store.thread(thread)
    finally:
        store.close()
    return found or gather(Link(thread), session)


def news_of(source: Source, thread: str | None, session: Session) -> tuple[PostChange, ...]:
    """What the read of a thread just now found changed; nothing for what was not read from its forum."""
    if thread is None or not isinstance(source, Link):
        return ()
    store = session.store(thread)
    try:
        platform = store.platform(thread) or ""
        return tuple(change for change in store.changes(thread) if says_otherwise(change, platform))
    finally:
        store.close()


def says_otherwise(change: PostChange, platform: str) -> bool:
    """Whether a post says anything else than before, or says it in bold or as a vote now: where only links
    and looks differ, as they do to another reader, nobody has changed it."""
    before, now, style = change.before, change.post, html_style_of(platform)
    if before is None or change.became is ChangeKind.VANISHED:
        return True
    if (before.author, before.hidden) != (now.author, now.hidden):
        return True
    return any(read(before.body, style) != read(now.body, style) for read in (plain_text, marked_words))


def versions_of(thread: str, post: int, *, session: Session) -> tuple[PostVersion, ...]:
    """All versions of a post that were seen, oldest first."""
    store = session.store(thread)
    try:
        return store.versions(thread, post)
    finally:
        store.close()


def note_counted(source: Source, thread: str | None, to: int, session: Session) -> None:
    """Write down that posts up to number `to` were counted now: a later change of one is told as such."""
    if thread is None or not isinstance(source, (Link, Kept)):
        return
    store = session.store(thread)
    try:
        store.mark_counted(thread, to, session.clock.now())
    finally:
        store.close()


@dataclass(frozen=True, slots=True, repr=False)
class ThreadRead(JsonAnswer):
    """A thread that was read into the evidence, and what changed in it since it was read before."""

    thread: Thread
    news: tuple[PostChange, ...]
    unmarked: tuple[int, ...] | None = None
    """The numbers by which file and journal of the game mean whichever posts have them; None: unknown."""

    def to_dict(self) -> dict[str, Any]:
        """{platform, title, complete, pages, posts: [each post]}: times in ISO 8601, bodies as readable
        text."""
        thread, html_style = self.thread, html_style_of(self.thread.platform)
        posts = [
            {
                "id": post.id,
                "number": post.number,
                "author": post.author,
                "author_id": post.author_id,
                "time": iso(post.time),
                "approximate": post.approximate,
                "edited": iso(post.edited),
                "hidden": post.hidden,
                "url": post.url,
                "text": plain_text(post.body, html_style),
            }
            for post in thread.posts
        ]
        return {
            "platform": thread.platform,
            "title": thread.title,
            "complete": thread.complete,
            "pages": thread.pages,
            "posts": posts,
        }


def source_here(words: Sequence[str], html: bool, jsonl: bool, again: bool, session: Session) -> Source:
    """What is named on the command line; in a game's folder, where nothing is, the thread of the game.

    Raises InputError where neither says what to read.
    """
    if words or html or jsonl or session.game is None or session.game.suffix == ".db":
        return source_of(words, html, jsonl, again)
    from knightfall.config.game_file import read_setup

    if session.thread is not None:
        return Given(session.thread)
    url = read_setup(session.place).url
    if url is None:
        raise InputError(NONE_NAMED)
    return source_of((url,), again=again)


def read(source: Source, session: Session) -> ThreadRead:
    """Read a thread. Pages saved in a browser are kept with the game, as pages of the forum always are.

    Raises what `gather` raises, and InputError for saved pages that cannot be kept.
    """
    if isinstance(source, SavedPages) and session.game is not None:
        thread = _keep_pages(source, session)
        source = Link(thread.url or "")
    else:
        thread = gather(source, session)
    return ThreadRead(thread, news_of(source, thread.url, session), _unmarked(thread, session))


def read_saved(paths: Sequence[Path], url: str, session: Session) -> ThreadRead:
    """Read pages of one of the game's threads that were saved in a browser, and keep them with the game.

    Raises what `read` raises, and InputError for pages of another thread than `url`.
    """
    source = SavedPages(tuple(paths))
    found = gather(source, session).url
    if found is not None and found not in spellings(url):
        raise InputError(
            f"These pages are of the thread {found}, expected {url}. Save the pages of that thread, or "
            "correct its address in the game file."
        )
    return read(source, session)


def _unmarked(thread: Thread, session: Session) -> tuple[int, ...] | None:
    """The post numbers without marks in the game of a thread; None for a thread that is not the game's."""
    if session.game is None or not session.file.exists():
        return None
    from knightfall.config.decided import decided
    from knightfall.config.game_file import read_setup

    try:
        setup = decided(read_setup(session.place), journal_of(session))
    except KnightfallError:  # the thread was read: what is wrong with the game is told elsewhere
        return None
    if setup.url is None or (thread.url != setup.url and thread.url != known_address(setup.url, session)):
        return None
    return unmarked_numbers(setup)


def read_pasted(html: str, session: Session, zone: str = "", address: str = "") -> SavedPage:
    """A page of a thread that was copied in a browser, or its source; `zone` is that of its times where the
    moderator says it, `address` where the browser had it, where that is told. Raises what reading a page
    raises."""
    from knightfall.fetch.saved import pasted_page

    return pasted_page(html, session.clock.now(), zone or None, address)


def _keep_pages(source: SavedPages, session: Session) -> Thread:
    """The thread as it is known with these pages; they may hold what only their reader may see."""
    from knightfall.fetch.saved import saved_pages, together

    zone = stated_zone(None, session)
    pages = saved_pages(source.paths, session.clock.now(), session.progress, zone or None)
    url = together(pages).url
    if url is None:
        raise InputError(
            sentence(
                "{page} does not say which address it was saved from, so it cannot be stored with the game. "
                "Save the page again in your browser as a web page (export a channel of Discord as JSON), or "
                "count it without a game: {count}",
                page=pages[0].name,
                count=Way("count_saved"),
            )
        )
    # Of two copies of a page nobody knows which is the newer one.
    number, times = Counter(page.chunk.page for page in pages).most_common(1)[0]
    if times > 1:
        files = " and ".join(page.name for page in pages if page.chunk.page == number)
        raise InputError(f"{files} are both page {number} of the thread. Give only the newer one.")
    store, now = session.store(url), session.clock.now()
    try:
        refuse_later_part(pages[0], store.thread(url))
        for page in pages:
            store.save_page(url, page.platform, replace(page.response, private=True), page.chunk, now)
        store.finish_read(url, now)
        store.state_zone(url, zone)
        return store.thread(url) or together(pages)
    finally:
        store.close()


def refuse_later_part(page: SavedPage, known: Thread | None) -> None:
    """Raises InputError for an export that leaves out posts which are kept: its own would take their
    place."""
    part, posts = page.chunk.part, page.chunk.posts
    if part is None or not part.cut or known is None or not known.posts or not posts:
        return
    first, begins = known.posts[0], posts[0]
    if (
        first.time
        and begins.time
        and first.time < begins.time
        and first.id not in {post.id for post in posts}
    ):
        raise InputError(
            f"{page.name} begins on {begins.time:%d %b %Y, %H:%M} UTC; what is here of the thread begins on "
            f"{first.time:%d %b %Y, %H:%M}. Export the channel from its beginning, or give all its exports "
            "at once. Nothing was taken."
        )


def incomplete(thread: Thread) -> str:
    """What is missing, and what to do."""
    return " ".join((*thread.missing, "This is not the whole thread. Add the missing pages and read again."))


def iso(at: datetime | None) -> str | None:
    """An instant in ISO 8601."""
    return at.isoformat().replace("+00:00", "Z") if at else None
