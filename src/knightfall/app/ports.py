"""What do the verbs need of the world, and where does what they keep lie?

Nothing is loaded with it: who only looks at a journal waits for no reader of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from knightfall.app.diary.seen import Seen

if TYPE_CHECKING:
    from knightfall.core.entries import Entry
    from knightfall.core.journal import Journal, Record
    from knightfall.fetch.ports import Clock, Fetch
    from knightfall.forums.adapter import Bookmark, Chunk, Response
    from knightfall.posts import Post, PostChange, PostVersion, Thread

HOME = "KNIGHTFALL_HOME"


class Store(Protocol):
    """The evidence of a game, or of one thread."""

    def save_page(self, url: str, platform: str, response: Response, chunk: Chunk, at: datetime) -> None: ...

    def finish_read(self, url: str, at: datetime) -> None: ...

    def mark_counted(self, url: str, to: int, at: datetime) -> None: ...

    def bookmark(self, url: str) -> Bookmark | None: ...

    def kept_page(self, url: str, page: str) -> Response | None: ...

    def threads(self) -> tuple[str, ...]: ...

    def title(self, url: str) -> str | None: ...

    def platform(self, url: str) -> str | None: ...

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


Say = Callable[[str], None]


class Copy(Protocol):
    """The clipboard. `copy` puts a text on it (`rich`: as HTML); `pasted` waits until the moderator has
    pasted it and tells whether he wants the next part."""

    def copy(self, text: str, rich: bool) -> None: ...

    def pasted(self) -> bool: ...


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


def game_folder(game: Path) -> Path:
    """The folder of a game that is named by folder, game.toml or database."""
    return game_database(game).parent
