"""The games of a folder, each with its session; a page never looks outside that folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock

from knightfall.services.session import GAME_FILE, Say, Seen, Session
from knightfall.web.kept_threads import KeptThreads

SessionMaker = Callable[[Path | None], Session]
"""The session of a game's folder; None: of a thread alone."""


class UnknownGame(LookupError):
    """There is no game of that name in the folder of games."""


SAMPLES = ".knightfall-samples"
"""The file that marks a folder of samples."""


@dataclass(slots=True)
class GameFolders:
    """The folder in which games are kept, and how a session is made; `only`: the one game that was named."""

    home: Path
    maker: SessionMaker
    only: str = ""
    own_network: SessionMaker | None = None
    """Makes sessions that read forums of this machine and its network, too; None where that cannot be
    allowed, or is so already."""

    reads_own_network: bool = False
    """Whether that was allowed on the page, which holds until the end of the run."""

    _seen: dict[Path, Seen] = field(default_factory=dict)
    _locks: dict[Path, RLock] = field(default_factory=dict)
    _threads: KeptThreads = field(default_factory=KeptThreads)

    @property
    def are_samples(self) -> bool:
        """Whether the folder is one of samples, which is removed when its program ends."""
        return (self.home / SAMPLES).exists()

    @property
    def make(self) -> SessionMaker:
        """Makes the sessions of this run."""
        return self.own_network if self.own_network and self.reads_own_network else self.maker

    def names(self) -> tuple[str, ...]:
        """Every game by the name of its folder."""
        return tuple(sorted(self._names(), key=str.casefold))

    def _names(self) -> Iterator[str]:
        if not self.home.is_dir():
            return
        for child in self.home.iterdir():
            if not child.name.startswith(".") and (child / GAME_FILE).is_file():
                yield child.name

    def folder(self, name: str) -> Path:
        """The folder of a game. Raises UnknownGame for a name that is none of `names`."""
        folder = self.home / name
        # A name is one part of a path, and no hidden one.
        if Path(name).name != name or name.startswith(".") or not name.isprintable():
            raise UnknownGame(name)
        if not (folder / GAME_FILE).is_file():
            raise UnknownGame(name)
        return folder

    def file_text(self, name: str) -> str:
        """The game file of a game as it lies there; "" where it cannot be read."""
        try:
            return (self.folder(name) / GAME_FILE).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def thread_session(self) -> Session:
        """The session of a thread that belongs to no game."""
        return self.make(None)

    def forget(self, name: str) -> None:
        """Keep nothing of a game whose folder was deleted: another one may get its name."""
        folder = self.home / name
        self._seen.pop(folder, None)
        self._locks.pop(folder, None)
        self._threads.forget(folder)

    def session(self, name: str, tell: Say, known: int | None = None) -> Session:
        """A session of the game for one request. `known` is the last entry of the journal on the page that
        was looked at: what was written since is told, and stops what rests on it."""
        folder = self.folder(name)
        made = self.make(folder)
        seen = self._seen.get(folder, Seen()).for_another(tell, known)
        self._seen[folder] = seen
        return replace(made, seen=seen, store=self._threads.store(made.store, folder))

    def lock(self, name: str) -> RLock:
        """Held while a change is made: what is sent twice at once is done one after the other."""
        return self._locks.setdefault(self.folder(name), RLock())
