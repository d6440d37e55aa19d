"""How does a game stand at an earlier moment? Ports whose journal ends there and whose clock stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, cast

from knightfall.app.count.moments import parse_at
from knightfall.app.diary.journal import journal_of
from knightfall.app.diary.seen import Seen
from knightfall.app.ports import Ports, Store
from knightfall.core.journal import Journal, Record
from knightfall.errors import InputError
from knightfall.posts import Thread
from knightfall.setups.game_file import read_setup

READ_ONLY = "The past is only looked at: leave --at out to write."


@dataclass(frozen=True, slots=True)
class Past:
    """A journal that ends earlier: it is only read."""

    journal: Journal

    def records(self, known: Journal = ()) -> Journal:  # noqa: ARG002 - it has all of it
        """All of it."""
        return self.journal

    def append(self, *_: object, **__: object) -> Record:
        """Refuses."""
        raise InputError(READ_ONLY)

    def extend(self, *_: object, **__: object) -> None:
        """Refuses."""
        raise InputError(READ_ONLY)

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A clock that stands."""

    at: datetime

    def now(self) -> datetime:
        """Always the same."""
        return self.at

    def elapsed(self) -> float:
        """No time passes."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Nobody waits in the past."""


def ports_then(ports: Ports, journal: Journal, at: datetime) -> Ports:
    """The ports with this journal, at this instant."""
    return replace(ports, ledger=lambda: Past(journal), clock=Standing(at), seen=Seen())


class _Known:
    """The evidence as it was known at an instant, up to a post (None: all); everything else as it is."""

    def __init__(self, store: Store, at: datetime, upto: int | None) -> None:
        self._store, self._at, self._upto = store, at, upto

    def thread(self, url: str) -> Thread | None:
        """The thread as if nothing had come since."""
        found = self._store.thread(url)
        if found is None:
            return None
        known = self._store.posts_then(url, self._at)
        posts = tuple(post for post in known if self._upto is None or post.number <= self._upto)
        return replace(found, posts=posts, missing=(), whole_to=None) if posts else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def evidence_then(ports: Ports, at: datetime, upto: int | None = None) -> Ports:
    """The ports, with the evidence that was known at that instant, up to that post (None: all of it)."""
    return replace(ports, store=lambda thread: cast(Store, _Known(ports.store(thread), at, upto)))


def as_of(at: str | None, game: Path, ports: Ports) -> Ports:
    """The ports as of `--at`: the number of an entry, or a time; None is now. Raises TimeError for what is
    neither, InputError for an entry that there is not."""
    if at is None:
        return ports
    journal = journal_of(ports)
    asked = parse_at(at, read_setup(game).zone if _has_file(game) else None)
    if asked.at_time is not None:
        return ports_then(ports, tuple(_until(journal, asked.at_time)), asked.at_time)
    number = asked.at_post or 0
    if not 1 <= number <= len(journal):
        raise InputError(f"--at {at}: the journal has entries 1 to {len(journal)}. See knightfall log.")
    return ports_then(ports, journal[:number], journal[number - 1].at)


def _until(journal: Journal, moment: datetime) -> Iterable[Record]:
    """The entries before the first one that was written later."""
    return takewhile(lambda record: record.at <= moment, journal)


def _has_file(game: Path) -> bool:
    return (game if game.suffix == ".toml" else game / "game.toml").exists()
