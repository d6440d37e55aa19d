"""The watch of a game's thread: begun and stopped on the page, and gone on with after a restart."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from knightfall.errors import InputError, KnightfallError
from knightfall.sentence import sentence
from knightfall.services.session import Session
from knightfall.services.watch.events import DayClosed, Watching, event_words
from knightfall.services.watch.follow import WatchRequest, watch
from knightfall.web.games import GameFolders
from knightfall.web.jobs import Job, Jobs
from knightfall.web.own_list import OwnList
from knightfall.web.ways import in_page_words

FILE = "watched-threads.json"
EVERY = 60.0
"""Seconds between two looks while all is well."""
SOON = 0.3
"""Seconds in which what cannot be watched at all is told at once."""
GOES_ON = "Knightfall was started again, and goes on watching."

NOT_AFTER_RESTART = "The thread is watched, but not any more once Knightfall is started again."


@dataclass(frozen=True, slots=True)
class WatchedThread:
    """A game whose thread is watched, by its folder; the day whose close ends that (None: nobody knows)."""

    folder: str
    day: int | None


class WatchedThreads:
    """The games whose threads are watched on this machine, in a file of `folder`."""

    def __init__(self, folder: Path) -> None:
        self._kept = OwnList(folder, FILE, _watched, asdict)

    def all(self) -> tuple[WatchedThread, ...]:
        """Each of them; none where the file cannot be read."""
        return self._kept.all()

    def remember(self, game: Path, day: int | None) -> None:
        """Note that a game is watched. Raises InputError where it cannot be written."""
        folder = str(game.resolve())
        self._kept.change(lambda one: one.folder == folder, (WatchedThread(folder, day),))

    def forget(self, game: Path) -> None:
        """Note that a game is not watched any more; one that was not is no harm."""
        folder = str(game.resolve())
        self._kept.change(lambda one: one.folder == folder)

    def of(self, game: Path) -> WatchedThread | None:
        """How a game is watched; None where it is not."""
        return next((one for one in self.all() if one.folder == str(game.resolve())), None)


def _watched(one: Any) -> WatchedThread:
    return WatchedThread(str(one["folder"]), None if one["day"] is None else int(one["day"]))


class ThreadWatches:
    """The watches of a run, by the name of the game. One lasts until the moderator stops it or closes its
    day; what lasts when Knightfall ends is remembered, and goes on when it is started again."""

    def __init__(self, games: GameFolders, jobs: Jobs, remembered: WatchedThreads) -> None:
        self._games = games
        self._jobs = jobs
        self._remembered = remembered
        self._watches: dict[str, Job] = {}

    def last(self, name: str) -> Job | None:
        """The watch of a game, ended or not."""
        return self._watches.get(name)

    def running(self, name: str) -> Job | None:
        """The watch of a game that is under way."""
        job = self._watches.get(name)
        return job if job is not None and not job.ended.is_set() else None

    def start(self, name: str, back: str, session: Session) -> Job:
        """Begin to watch."""
        return self._begin(name, back, session, WatchRequest(EVERY, to_close=True))

    def stop(self, name: str) -> None:
        """End the watch of a game and forget it."""
        job = self._watches.get(name)
        if job is not None:
            job.stopping.set()
            job.ended.wait(2)
        self._remembered.forget(self._games.folder(name))

    def end(self) -> None:
        """End every watch, as Knightfall ends; each goes on at the next start."""
        for job in self._watches.values():
            job.stopping.set()

    def go_on(self) -> None:
        """Begin every watch of these games again that lasted when Knightfall ended."""
        for name in (self._games.only,) if self._games.only else self._games.names():
            known = self._remembered.of(self._games.home / name)
            if known is not None and name in self._games.names():
                request = WatchRequest(EVERY, to_close=True, goes_on=True, day=known.day)
                session = self._games.session(name, lambda _: None)
                self._begin(name, f"/games/{quote(name, safe='')}/votes", session, request, patience=0)

    def _begin(
        self, name: str, back: str, session: Session, request: WatchRequest, patience: float = SOON
    ) -> Job:
        folder = self._games.folder(name)

        def work(followed: Session, job: Job) -> str:
            if request.goes_on:
                job.said.append(GOES_ON)
            try:
                for event in watch(request, followed):
                    job.check()
                    job.said.append(in_page_words(event_words(event)))
                    if isinstance(event, Watching):
                        try:
                            self._remembered.remember(folder, event.until)
                        except InputError as fault:
                            job.said.append(sentence("{fault} {after}", fault=fault, after=NOT_AFTER_RESTART))
                    elif isinstance(event, DayClosed):
                        self._remembered.forget(folder)
            except KnightfallError:
                # What cannot mend itself is told on the page, once.
                self._remembered.forget(folder)
                raise
            return back

        job = self._jobs.start("Watching the thread", back, session, work, patience)
        self._watches[name] = job
        return job


def watch_end(job: Job | None) -> str:
    """Why a watch ended by itself; "" where it did not."""
    if job is None or not job.ended.is_set() or job.stopping.is_set():
        return ""
    if job.error is not None:
        return job.error.message if isinstance(job.error, KnightfallError) else str(job.error)
    return job.said[-1] if job.said else ""
