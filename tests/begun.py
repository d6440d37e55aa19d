"""Games that were begun already: the first test that asks for one makes its folder, the others get a copy.

Dealing, and writing the first posts and PMs, takes longer than most of what tests do with the game. So does
leading it on to a stage that many tests begin at: `copy_of` keeps whatever was made.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from command_line import run
from knightfall.engine.entries import Entry
from knightfall.engine.journal import Journal, Record, append
from knightfall.errors import Overtaken
from knightfall.fetch.clock import SystemClock
from knightfall.services.game import new
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import Session, unseen
from long_runs import made_for_all

_KEPT: dict[str, Path] = {}
"""What was made → the folder that is copied."""
_IN_MEMORY: dict[str, Journal] = {}
"""What was made → its journal, where that lies in no folder."""


@dataclass
class MemoryLedger:
    """A journal that is gone with the test."""

    journal: Journal = ()

    def append(self, entry: Entry, at: datetime, author: str, expected: int | None = None) -> Record:
        if expected is not None and expected != len(self.journal):
            raise Overtaken("somebody wrote")
        self.journal = append(self.journal, entry, at, author)
        return self.journal[-1]

    def extend(self, records: Journal, expected: int) -> None:
        assert expected == len(self.journal)
        self.journal = (*self.journal, *records)

    def records(self, known: Journal = ()) -> Journal:
        assert known == self.journal[: len(known)]
        return self.journal

    def close(self) -> None:
        """Nothing is open."""


@cache
def _store() -> TemporaryDirectory[str]:
    """Where folders are kept until the run is over."""
    return TemporaryDirectory(prefix="knightfall-begun-")


def copy_of(what: str, make: Callable[[Path], object], folder: Path) -> Path:
    """A copy, in this folder, of what `make` makes in one of the same name: some texts name it."""
    if (key := f"{what} in {folder.name}") not in _KEPT:
        with made_for_all():
            parent = Path(mkdtemp(dir=_store().name))
            make(parent / folder.name)
        _KEPT[key] = parent / folder.name
    return Path(shutil.copytree(_KEPT[key], folder, dirs_exist_ok=True))


def copy_with_journal(what: str, make: Callable[[Path, MemoryLedger], object], folder: Path) -> MemoryLedger:
    """The same of a game whose journal lies in memory; returns that."""

    def made(place: Path) -> None:
        ledger = MemoryLedger()
        make(place, ledger)
        _IN_MEMORY[str(place)] = ledger.journal

    copy_of(what, made, folder)
    return MemoryLedger(_IN_MEMORY[str(_KEPT[f"{what} in {folder.name}"])])


def begin(request: NewGameRequest, session: Session) -> None:
    """The game of a request, as services.game.new.begin makes it by the clock of the session."""
    now = "now" if isinstance(session.clock, SystemClock) else session.clock.now()
    asked = replace(request, folder=Path(request.folder.name))
    what = f"{asked!r} of {request.seed!r} and {request.salt!r} by {session.author}, {now}"
    held = session.ledger() if session.ledger else None

    def make(folder: Path, ledger: MemoryLedger | None = None) -> None:
        own = replace(session_of(folder), clock=session.clock, author=session.author)
        if ledger is not None:
            own = replace(own, store=session.store, ledger=lambda: ledger, written=unseen)
        new.begin(replace(request, folder=folder), own)

    if isinstance(held, MemoryLedger):
        held.extend(copy_with_journal(f"{what}, in memory", make, request.folder).journal, 0)
    else:
        copy_of(what, make, request.folder)


def new_game(folder: Path, *words: str) -> Path:
    """The game that `knightfall new WORDS --out FOLDER` makes; it is dealt by chance, once."""

    def make(place: Path) -> None:
        result = run("new", *words, "--out", str(place))
        assert result.exit_code == 0, result.output

    return copy_of(f"new {words}", make, folder)
