"""Where do a thread's posts come from, and how do they get into the evidence?

From the forum (page by page, each kept before the next is asked for), from pages saved in a browser, or from
posts as JSON Lines. `gather` answers for all three; the votecount and everything after it start there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from knightfall.app.diary.seen import Seen
from knightfall.errors import EvidenceError, InputError, KnightfallError, SiteRefused
from knightfall.fetch.conditional import Conditional
from knightfall.fetch.ports import Clock, Fetch
from knightfall.fetch.reader import Reader, canonical_address, read_pages
from knightfall.fetch.saved import read_html, read_jsonl
from knightfall.forums.adapter import Bookmark, Chunk, Response
from knightfall.posts import Post, PostChange, PostVersion, Thread

if TYPE_CHECKING:  # who counts without a game need not wait for the journal
    from knightfall.core.entries import Entry
    from knightfall.core.journal import Journal, Record

HOME = "KNIGHTFALL_HOME"
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


class Store(Protocol):
    """The evidence of a game, or of one thread."""

    def save_page(self, url: str, platform: str, response: Response, chunk: Chunk, at: datetime) -> None: ...

    def finish_read(self, url: str, at: datetime) -> None: ...

    def mark_counted(self, url: str, to: int, at: datetime) -> None: ...

    def bookmark(self, url: str) -> Bookmark | None: ...

    def kept_page(self, url: str, page: str) -> Response | None: ...

    def threads(self) -> tuple[str, ...]: ...

    def title(self, url: str) -> str | None: ...

    def thread(self, url: str) -> Thread | None: ...

    def posts_then(self, url: str, at: datetime) -> tuple[Post, ...]: ...

    def versions(self, url: str, number: int) -> tuple[PostVersion, ...]: ...

    def changes(self, url: str, number: int | None = None) -> tuple[PostChange, ...]: ...

    def close(self) -> None: ...


class Ledger(Protocol):
    """The journal of a game."""

    def append(self, entry: Entry, at: datetime, author: str, expected: int | None = None) -> Record: ...

    def extend(self, records: Journal, expected: int) -> None: ...

    def records(self, known: Journal = ()) -> Journal: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """What the verbs need of the world; `store` opens the evidence for a thread's canonical address, `ledger`
    the journal of a game (None: there is no game folder); `author` signs what is written there, `seen` marks
    how far it was read."""

    clock: Clock
    fetch: Fetch
    store: Callable[[str], Store]
    ledger: Callable[[], Ledger] | None = None
    author: str = "moderator"
    seen: Seen = field(default_factory=Seen)


Progress = Callable[[int, int], None]
"""Is told after each page: page number, pages of the thread as far as known."""


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
        case SavedPages(paths):
            return read_html(paths, ports.clock.now())
        case PostLines(path):
            return read_jsonl(path, ports.clock.now())


def evidence_file(thread: str, environment: Mapping[str, str]) -> Path:
    """The database of a thread that belongs to no game folder; KNIGHTFALL_HOME overrides where."""
    name = f"{sha256(thread.encode()).hexdigest()[:16]}.db"
    if environment.get(HOME):
        return Path(environment[HOME]) / "threads" / name
    from platformdirs import user_data_path

    return user_data_path("knightfall") / "threads" / name


def game_database(game: Path) -> Path:
    """The database of a game: of its folder, or beside its game.toml, or named itself."""
    if game.suffix == ".toml":
        return game.parent / "game.db"
    return game if game.suffix == ".db" else game / "game.db"


def _all_files(words: Sequence[str]) -> bool:
    return all("://" not in word and Path(word).exists() for word in words)


def _only(words: Sequence[str], what: str) -> str:
    if len(words) > 1:
        raise InputError(f"One {what} at a time; I was given {len(words)}: {', '.join(words)}.")
    return words[0]


def _from_forum(url: str, again: bool, ports: Ports, progress: Progress | None) -> Thread:
    thread = canonical_address(url, Reader(ports.fetch, ports.clock))
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
    thread = canonical_address(url, Reader(ports.fetch, ports.clock))
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
