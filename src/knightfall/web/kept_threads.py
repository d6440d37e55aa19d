"""Threads as they were read last, so that no page reads ten thousand posts that did not change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from knightfall.models import Thread
from knightfall.services.session import Store

MOST = 4
"""So many threads are kept."""


@dataclass(slots=True)
class KeptThreads:
    """The threads that were looked at last, each with the mark by which the evidence tells whether it is
    still so."""

    _threads: OrderedDict[tuple[Path, str], tuple[tuple[object, ...], Thread]] = field(
        default_factory=OrderedDict
    )

    def store(self, opened: Callable[[str], Store], folder: Path) -> Callable[[str], Store]:
        """Opens the same evidence of a game, whose threads are read anew only where something of them was
        written."""

        def open_it(url: str) -> Store:
            return cast("Store", _KeepingStore(opened(url), folder, self))

        return open_it

    def forget(self, folder: Path) -> None:
        """Keep no thread of a game any more."""
        for key in [key for key in self._threads if key[0] == folder]:
            del self._threads[key]

    def thread(self, url: str, store: Store, folder: Path) -> Thread | None:
        """The thread as it stands in the evidence."""
        key, mark = (folder, url), store.thread_mark(url)
        kept = self._threads.get(key)
        if kept is not None and kept[0] == mark:
            return kept[1]
        found = store.thread(url)
        if found is not None:
            self._threads[key] = mark, found
            self._threads.move_to_end(key)
            while len(self._threads) > MOST:
                self._threads.popitem(last=False)
        return found


@dataclass(frozen=True, slots=True)
class _KeepingStore:
    """A store of which `thread` is kept, and all else is asked."""

    of: Store
    folder: Path
    kept: KeptThreads

    def thread(self, url: str) -> Thread | None:
        return self.kept.thread(url, self.of, self.folder)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.of, name)
