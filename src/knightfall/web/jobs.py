"""Long work of the page, such as reading a thread: in a thread of its own, followed, stopped on demand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import token_hex
from threading import Event, Thread
from typing import Any

from knightfall.audience import secret_where
from knightfall.errors import KnightfallError
from knightfall.fetch.clock import Clock
from knightfall.services.session import CountedOnce, ForumDown, ReadAgain, Session, Step, step_words

KEPT = 50
"""So many pieces of work are remembered."""
OF_THE_MOMENT = (CountedOnce, ForumDown, ReadAgain)
"""Steps that say what goes on: they hold no more once the work is done."""
SLICE = 0.25
"""Seconds after which a pause looks whether it is to end."""
BUG = "This is a bug in Knightfall; nothing was lost. What was written so far is saved."


class Stopped(Exception):
    """The moderator stopped the work."""


_WHERE_SECRET = secret_where(lambda job: job.secret)


@dataclass(slots=True)
class Job:
    """A piece of long work: what it does in `title`, how far it has come, and what came of it.

    `page` and `pages` are those of the thread that is read (0: not known yet), or what `unit` says; `said` is
    what it reported; `keeps`: what was done before a stop is kept. `then` is the address to go on at, `back`
    the one to go back to. `secret`: what is read is not for everybody, so neither is how far it has come.
    """

    id: str
    title: str
    back: str
    began: float
    page: int = field(default=0, metadata=_WHERE_SECRET)
    pages: int = field(default=0, metadata=_WHERE_SECRET)
    resting: tuple[float, float] | None = None
    """While it pauses: until when, and for how many seconds in all."""

    sent: tuple[str, list[tuple[str, str]]] | None = None
    """The form by which it was begun, to give it back where it is refused: its address, and its fields."""

    unit: str = "Page"
    keeps: bool = True
    said: list[str] = field(default_factory=list, metadata=_WHERE_SECRET)
    lasting: list[str] = field(default_factory=list, metadata=_WHERE_SECRET)
    """What it reported that still holds once it is done."""

    then: str = ""
    result: Any = None
    error: Exception | None = None
    stopping: Event = field(default_factory=Event)
    ended: Event = field(default_factory=Event)
    secret: bool = False
    seen: bool = False
    """Whether somebody went on to where it led."""

    def left(self, now: float) -> float | None:
        """Seconds that are left by the pages read so far; None where nobody knows."""
        if not self.page or not self.pages or self.pages <= self.page:
            return None
        return (now - self.began) / self.page * (self.pages - self.page)

    def check(self) -> None:
        """Raise Stopped where the moderator stopped it."""
        if self.stopping.is_set():
            raise Stopped


@dataclass(frozen=True, slots=True)
class _JobClock:
    """A clock whose pauses end when the work is stopped."""

    clock: Clock
    job: Job

    def now(self) -> datetime:
        return self.clock.now()

    def elapsed(self) -> float:
        return self.clock.elapsed()

    def sleep(self, seconds: float) -> None:
        until = self.clock.elapsed() + seconds
        self.job.resting = (until, seconds)
        try:
            self._sleep(until, seconds)
        finally:
            self.job.resting = None

    def _sleep(self, until: float, seconds: float) -> None:
        while (left := until - self.clock.elapsed()) > 1e-6:
            self.job.check()
            self.clock.sleep(min(SLICE, left) if seconds < 3600 else left)


def followed(session: Session, job: Job) -> Session:
    """The session whose reading and steps the job follows, and ends when it is stopped."""

    def progress(page: int, pages: int) -> None:
        job.check()
        job.page, job.pages = page, pages

    def report(step: Step) -> None:
        job.check()
        job.said.append(step_words(step))
        if not isinstance(step, OF_THE_MOMENT):
            job.lasting.append(step_words(step))

    return replace(session, clock=_JobClock(session.clock, job), progress=progress, report=report)


class Jobs:
    """The work of this run, by the name of each piece."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def get(self, name: str) -> Job | None:
        """The piece of that name; None where it is not known any more."""
        return self._jobs.get(name)

    def unseen(self, back: str) -> Job | None:
        """The last work that was begun at this address, where nobody saw yet what came of it."""
        last = next((job for job in reversed(self._jobs.values()) if job.back == back), None)
        return None if last is None or last.seen else last

    def start(
        self,
        title: str,
        back: str,
        session: Session,
        work: Callable[[Session, Job], str],
        patience: float,
        secret: bool = False,
        sent: tuple[str, list[tuple[str, str]]] | None = None,
    ) -> Job:
        """Begin work and wait for at most `patience` seconds; `work` returns the address to go on at."""
        job = Job(token_hex(8), title, back, session.clock.elapsed(), secret=secret, sent=sent)
        self._jobs[job.id] = job
        while len(self._jobs) > KEPT:
            self._jobs.popitem(last=False)
        Thread(target=self._run, args=(job, session, work), daemon=True, name=f"job-{job.id}").start()
        job.ended.wait(patience)
        return job

    def _run(self, job: Job, session: Session, work: Callable[[Session, Job], str]) -> None:
        try:
            job.then = work(followed(session, job), job)
        except (KnightfallError, Stopped) as error:
            job.error = error
        except BaseException:
            # The page tells that it is a bug, and Python prints it for this thread.
            job.error = KnightfallError(BUG)
            raise
        finally:
            job.ended.set()
