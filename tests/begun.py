"""Games that were begun already: the first test that asks for one makes its folder, the others get a copy.

Dealing, and writing the first posts and PMs, takes longer than most of what tests do with the game.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from command_line import run
from knightfall.fetch.clock import SystemClock
from knightfall.services.game import new
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import Session

_KEPT: dict[str, Path] = {}
"""What was made → the folder that is copied."""


@cache
def _store() -> TemporaryDirectory[str]:
    """Where folders are kept until the run is over."""
    return TemporaryDirectory(prefix="knightfall-begun-")


def copy_of(what: str, make: Callable[[Path], object], folder: Path) -> Path:
    """A copy, in this folder, of what `make` makes in one of the same name: some texts name it."""
    if (key := f"{what} in {folder.name}") not in _KEPT:
        parent = Path(_store().name) / str(len(_KEPT))
        parent.mkdir()
        make(parent / folder.name)
        _KEPT[key] = parent / folder.name
    return Path(shutil.copytree(_KEPT[key], folder, dirs_exist_ok=True))


def begin(request: NewGameRequest, session: Session) -> None:
    """The game of a request, as services.game.new.begin makes it by the clock of the session."""

    def make(folder: Path) -> None:
        own = replace(session_of(folder), clock=session.clock, author=session.author)
        new.begin(replace(request, folder=folder), own)

    now = "now" if isinstance(session.clock, SystemClock) else session.clock.now()
    asked = replace(request, folder=Path(request.folder.name))
    copy_of(
        f"{asked!r} of {request.seed!r} and {request.salt!r} by {session.author}, {now}", make, request.folder
    )


def new_game(folder: Path, *words: str) -> Path:
    """The game that `knightfall new WORDS --out FOLDER` makes; it is dealt by chance, once."""

    def make(place: Path) -> None:
        result = run("new", *words, "--out", str(place))
        assert result.exit_code == 0, result.output

    return copy_of(f"new {words}", make, folder)
