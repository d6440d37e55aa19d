"""What does `read` read, and where are its pages kept: of which thread, with which game?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from knightfall.app.ports import Ports, Progress
from knightfall.app.reading.read import Link, SavedPages, Source, gather, source_of
from knightfall.app.setup_now import setup_of
from knightfall.errors import InputError
from knightfall.fetch.saved import SavedPage, saved_pages, together
from knightfall.posts import Thread


@dataclass(frozen=True, slots=True)
class WasRead:
    """A thread that was read, and what a later look at it is compared with."""

    thread: Thread
    source: Source


def source_here(
    words: Sequence[str], html: bool, jsonl: bool, again: bool, game: Path | None, ports: Ports
) -> Source:
    """What is named on the command line; in a game's folder, where nothing is, the thread of the game.

    Raises InputError where neither says what to read.
    """
    if words or html or jsonl or game is None or game.suffix == ".db":
        return source_of(words, html, jsonl, again)
    url = setup_of(game, ports).url
    return source_of((url,) if url else (), again=again)


def read(source: Source, game: Path | None, ports: Ports, progress: Progress | None = None) -> WasRead:
    """Reads a thread. Pages saved in a browser are kept with the game, as pages of the forum always are.

    Raises what `gather` raises, and InputError for saved pages that cannot be kept.
    """
    if isinstance(source, SavedPages) and game is not None:
        return _kept(saved_pages(source.paths, ports.clock.now(), progress), ports)
    return WasRead(gather(source, ports, progress), source)


def _kept(pages: Sequence[SavedPage], ports: Ports) -> WasRead:
    """The thread as it is known with these pages; they may hold what only their reader may see."""
    url = together(pages).url
    if url is None:
        raise InputError(
            f"{pages[0].path} does not say which address it was saved from, so it cannot be kept with the "
            "game. Save it in your browser as a web page, or count it alone: knightfall vc --from-html FILE"
        )
    _refuse_twice(pages)
    store, now = ports.store(url), ports.clock.now()
    try:
        for page in pages:
            store.save_page(url, page.platform, replace(page.response, private=True), page.chunk, now)
        store.finish_read(url, now)
        return WasRead(store.thread(url) or together(pages), Link(url))
    finally:
        store.close()


def _refuse_twice(pages: Sequence[SavedPage]) -> None:
    """Of two copies of a page nobody knows which is the newer one."""
    number, times = Counter(page.chunk.page for page in pages).most_common(1)[0]
    if times > 1:
        files = " and ".join(str(page.path) for page in pages if page.chunk.page == number)
        raise InputError(f"{files} are both page {number} of the thread. Give the newer one only.")
