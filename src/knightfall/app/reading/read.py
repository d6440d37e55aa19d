"""Where do a thread's posts come from, and how do they get into the evidence?

From the forum (page by page, each kept before the next is asked for), from pages saved in a browser, or from
posts as JSON Lines. `gather` answers for all three; the votecount and everything after it start there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.app.ports import Ports, Progress, Store
from knightfall.errors import EvidenceError, InputError, KnightfallError, SiteRefused
from knightfall.posts import Thread

if TYPE_CHECKING:  # who counts what is kept need not wait for what reads pages
    from knightfall.fetch.reader import Reader

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


def gather(source: Source, ports: Ports, progress: Progress | None = None) -> Thread:
    """The thread of a source. `Thread.missing` says what is not there; such a thread must not be counted.

    Raises InputError, EvidenceError, SiteRefused, StateDamaged and their kinds. Pages that were fetched
    before a failure are kept, and the next read goes on behind them.
    """
    match source:
        case Link(url, again):
            return _from_forum(url, again, ports, progress)
        case Kept(url):
            return _kept(url, ports)
        case SavedPages() | PostLines():
            return _saved(source, ports, progress)


def _all_files(words: Sequence[str]) -> bool:
    return all("://" not in word and Path(word).exists() for word in words)


def _only(words: Sequence[str], what: str) -> str:
    if len(words) > 1:
        raise InputError(f"One {what} at a time; I was given {len(words)}: {', '.join(words)}.")
    return words[0]


def _saved(source: SavedPages | PostLines, ports: Ports, progress: Progress | None) -> Thread:
    from knightfall.fetch.saved import read_html, read_jsonl

    now = ports.clock.now()
    if isinstance(source, PostLines):
        return read_jsonl(source.path, now)
    return read_html(source.paths, now, progress)


def address_of(url: str, ports: Ports) -> str:
    """The one address of a thread, whatever link to it was pasted. Raises what fetching and reading raise."""
    from knightfall.fetch.reader import Reader, canonical_address

    return canonical_address(url, Reader(ports.fetch, ports.clock))


def _from_forum(url: str, again: bool, ports: Ports, progress: Progress | None) -> Thread:
    from knightfall.fetch.conditional import Conditional
    from knightfall.fetch.reader import Reader

    thread = address_of(url, ports)
    store = ports.store(thread)
    reader = Reader(Conditional(ports.fetch, partial(store.kept_page, thread)), ports.clock)
    try:
        return _refreshed(thread, again, reader, store, progress)
    except (SiteRefused, EvidenceError) as error:
        raise _with_kept(error, store.thread(thread)) from error
    finally:
        store.close()


def _kept(url: str, ports: Ports) -> Thread:
    """The thread as it was last read. Raises InputError where it never was."""
    found = _in_store(url, ports)
    if found is not None:
        return found
    thread = address_of(url, ports)
    found = _in_store(thread, ports)
    if found is None:
        raise InputError(f"{thread} was never read on this machine. Leave --stored out to read it.")
    return found


def _in_store(thread: str, ports: Ports) -> Thread | None:
    store = ports.store(thread)
    try:
        return store.thread(thread)
    finally:
        store.close()


def _refreshed(thread: str, again: bool, reader: Reader, store: Store, progress: Progress | None) -> Thread:
    from knightfall.fetch.reader import read_pages

    for page in read_pages(thread, reader, None if again else store.bookmark(thread)):
        store.save_page(thread, page.platform, page.response, page.chunk, page.fetched_at)
        if progress:
            progress(page.chunk.page, page.chunk.pages)
    store.finish_read(thread, reader.clock.now())
    found = store.thread(thread)
    if found is None:
        raise InputError(f"{thread} holds no pages.")
    return found


def _with_kept(error: KnightfallError, kept: Thread | None) -> KnightfallError:
    """The same error; its message also says what was read before it and stays."""
    if kept is None or not kept.posts:
        return error
    span = f"#{kept.posts[0].number} to #{kept.posts[-1].number}"
    return type(error)(f"{error}\nKept from earlier: posts {span}. The next read goes on from there.")
