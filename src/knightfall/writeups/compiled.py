"""The folder where templates of ours stay once they are compiled; without one they are compiled anew."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

_NAMED: ContextVar[Callable[[], Path | None] | None] = ContextVar("_NAMED", default=None)
"""What names the folder, when the first template is wanted."""


def keep_compiled_in(named: Callable[[], Path | None]) -> None:
    """From now on compiled templates are kept in that folder, which only the user may write."""
    _NAMED.set(named)


def compiled_folder() -> Path | None:
    """The folder; None where templates are compiled anew each time."""
    named = _NAMED.get()
    return named() if named else None
