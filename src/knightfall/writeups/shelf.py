"""Where may the templates of ours stay once they are compiled? The shell says; nobody says: nowhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


class Shelf:
    """A folder that is named when the first template is wanted."""

    __slots__ = ("_named",)

    def __init__(self) -> None:
        self._named: Callable[[], Path | None] | None = None

    def keep_in(self, named: Callable[[], Path | None]) -> None:
        """From now on compiled templates are kept in that folder, which only the user may write."""
        self._named = named

    def folder(self) -> Path | None:
        """The folder; None where templates are compiled anew each time."""
        return self._named() if self._named else None


SHELF = Shelf()
"""The one shelf of this process."""
