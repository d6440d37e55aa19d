"""Reading a thread: from its forum, from saved pages, from what was kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.errors import EvidenceError, InputError, SiteRefused
from knightfall.forums import ORDER, WITHOUT_PAGE, html_style_of
from knightfall.forums.base import Site
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import NAMES, dialect, is_dialect
from knightfall.models import Thread
from knightfall.services.session import Session
from knightfall.votes.count import Habits

if TYPE_CHECKING:
    from knightfall.config.setup import Setup


LINES = (".jsonl", ".jsonl.gz")


@dataclass(frozen=True, slots=True)
class Link:
    """A thread on a forum. `again`: every page of it, to find edits and deletions; else only what is new."""

    url: str
    again: bool = False


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


Source = Link | Kept | SavedPages | PostLines


def source_of(words: Sequence[str], html: bool = False, jsonl: bool = False, again: bool = False) -> Source:
    """What the words of a command line name: an address, saved pages, or a file of posts.

    Raises InputError where they name nothing, or several things at once.
    """
    if html and jsonl:
        raise InputError("--from-html and --from-jsonl exclude each other.")
    if not words:
        raise InputError("Give the address of a thread, or --from-html FILE..., or --from-jsonl FILE.")
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
        case Link(url, again):
            return _read_forum(url, again, session)
        case Kept(url):
            return _read_kept(url, session)
        case SavedPages(paths):
            from knightfall.fetch.saved import read_html

            return read_html(paths, session.clock.now(), session.progress)
        case PostLines(path):
            from knightfall.fetch.saved import read_jsonl

            return read_jsonl(path, session.clock.now())


def _all_files(words: Sequence[str]) -> bool:
    return all("://" not in word and Path(word).exists() for word in words)


def _only(words: Sequence[str], what: str) -> str:
    if len(words) > 1:
        raise InputError(f"One {what} at a time; I was given {len(words)}: {', '.join(words)}.")
    return words[0]


def address_of(url: str, session: Session) -> str:
    """The one address of a thread, whatever link to it was pasted. Raises what fetching and reading raise."""
    from knightfall.fetch.reader import Reader, canonical_address

    return canonical_address(url, Reader(session.fetch, session.clock))


def _read_forum(url: str, again: bool, session: Session) -> Thread:
    """The thread as its forum shows it now, with what was read of it before."""
    from knightfall.fetch.client import Conditional
    from knightfall.fetch.reader import Reader, read_pages

    thread = address_of(url, session)
    store = session.store(thread)
    reader = Reader(Conditional(session.fetch, partial(store.kept_page, thread)), session.clock)
    try:
        # Each page is kept at once: what was read before a failure stays.
        for page in read_pages(thread, reader, None if again else store.bookmark(thread)):
            store.save_page(thread, page.platform, page.response, page.chunk, page.fetched_at)
            if session.progress:
                session.progress(page.chunk.page, page.chunk.pages)
        store.finish_read(thread, session.clock.now())
        found = store.thread(thread)
    except (SiteRefused, EvidenceError) as error:
        kept = store.thread(thread)
        if kept is None or not kept.posts:
            raise
        span = f"#{kept.posts[0].number} to #{kept.posts[-1].number}"
        raise type(error)(
            f"{error}\nKept from earlier: posts {span}. The next read goes on from there."
        ) from error
    finally:
        store.close()
    if found is None:
        raise InputError(f"{thread} holds no pages.")
    return found


def _read_kept(url: str, session: Session) -> Thread:
    """The thread as it was last read, by its address or by any link to it. Raises InputError where it never
    was."""
    found = _in_store(url, session)
    if found is not None:
        return found
    thread = address_of(url, session)
    found = _in_store(thread, session)
    if found is None:
        raise InputError(f"{thread} was never read on this machine. Leave --stored out to read it.")
    return found


def _in_store(thread: str, session: Session) -> Thread | None:
    store = session.store(thread)
    try:
        return store.thread(thread)
    finally:
        store.close()


PLAIN = "plain"
RICH = "ips"
"""The dialect whose editor takes formatted text, not markup."""
_SPOKEN = {"invision": "ips", "flarum": "nodebb"}
"""Platforms whose dialect has another name: Invision takes rich text, Flarum the Markdown of NodeBB."""


def dialect_of(wanted: str | None, setup: Setup | None, site: Site, platform: str) -> str:
    """The dialect that is wanted, else the site's own, else its platform's, else plain text."""
    if wanted:
        return dialect(wanted).name
    for name in (setup.site if setup else None, site.dialect):
        if name and is_dialect(name):
            return name
    software = platform.rstrip("0123456789")
    spoken = _SPOKEN.get(software, software)
    if spoken in NAMES:
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
    try:
        return gather(Kept(setup.url), session) if setup.url else None
    except InputError:
        return None


def habits_of(thread: Thread, site: Site | None = None) -> Habits:
    """The habits of a thread's site: the one of its address, unless another is given."""
    known = site_of(thread.url or "") if site is None else site
    return Habits(html_style_of(thread.platform), known.forms)
