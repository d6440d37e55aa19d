"""A thread of 200 pages: memory stays flat, progress is told, a second read asks for one page."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fetch.loopback import StillClock, client, serving
from fetch.threads import PER_PAGE, Forum, thread
from knightfall.services.session import Session
from knightfall.services.threads import Link, gather
from knightfall.storage.store import Store

PAGES = 200
WATCHED = 150
"""From this page on memory is measured: watching is slow."""
KEPT = 300_000
"""Bytes that the 50 pages after it may leave behind: the ids of what was seen, and no page."""
MOST = 5_000_000
"""Bytes that may be held at any moment: the tree of a page, and no second one."""


@dataclass
class Memory:
    """What the last pages left behind, and held at most; the progress that was told."""

    kept: int = 0
    most: int = 0
    told: list[tuple[int, int]] = field(default_factory=list)

    def __call__(self, page: int, pages: int) -> None:
        self.told.append((page, pages))
        if page == WATCHED:
            gc.collect()
            tracemalloc.start()
        if page == PAGES:
            self.most = tracemalloc.get_traced_memory()[1]
            gc.collect()
            self.kept = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()


@pytest.mark.long
def test_a_thread_of_200_pages_is_read_with_flat_memory_and_a_second_read_asks_for_one(
    tmp_path: Path,
) -> None:
    clock, memory = StillClock(), Memory()
    session = Session(clock, client(clock, delay=0), lambda _thread: Store.open(tmp_path / "a.db"))
    told = replace(session, progress=memory)
    with serving(Forum(thread(PAGES * PER_PAGE))) as server:
        link = Link(server.root + "viewtopic.php?t=5")
        first = gather(link, told)
        assert len(server.asked) == PAGES + 2  # the last is looked at beforehand, the first once more
        server.asked.clear()
        second = gather(link, session)
        assert len(server.asked) == 1
    assert memory.told == [(page, PAGES) for page in range(1, PAGES + 1)]
    assert memory.kept < KEPT
    assert memory.most < MOST
    assert first == second
    assert len(first.posts) == PAGES * PER_PAGE
