"""What the runs of a user remember about no single game: rows in a file that its owner alone may read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from knightfall.storage.drafts import write_draft

T = TypeVar("T")


class OwnList(Generic[T]):
    """The rows of `file` in `folder`, each made by `read` from the JSON object that `written` makes of it. A
    file that cannot be read holds none: nobody is let in by it."""

    def __init__(
        self, folder: Path, file: str, read: Callable[[Any], T], written: Callable[[T], Mapping[str, object]]
    ) -> None:
        self._folder, self._file = folder, file
        self._read, self._written = read, written
        self._lock = Lock()

    def all(self) -> tuple[T, ...]:
        """Every row, oldest first."""
        try:
            found = json.loads((self._folder / self._file).read_text(encoding="utf-8"))
            return tuple(map(self._read, found))
        except (OSError, ValueError, KeyError, TypeError):
            return ()

    def change(self, without: Callable[[T], bool], new: Iterable[T] = ()) -> None:
        """Leave the rows out that are so, and add new ones. Raises InputError where it cannot be written."""
        with self._lock:
            before = self.all()
            after = (*(one for one in before if not without(one)), *new)
            if after != before:
                rows = [dict(self._written(one)) for one in after]
                write_draft(self._folder, ".", self._file, json.dumps(rows, ensure_ascii=False, indent=1))
