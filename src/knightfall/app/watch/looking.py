"""What does one look at the game's threads find, and what did it cost?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from knightfall.app.ports import Ports
from knightfall.app.reading.habits import habits_of
from knightfall.app.reading.read import Link, gather
from knightfall.app.watch.sight import Sight, answered_to, moderators_of
from knightfall.errors import InputError
from knightfall.fetch.ports import Fetch
from knightfall.forums.adapter import Request, Response
from knightfall.posts import Thread
from knightfall.setups.setup import Setup
from knightfall.storage.notices import Notices
from knightfall.votes.config import Ask, DaySetup
from knightfall.votes.count import votecount
from knightfall.votes.votecount import Votecount

FOLLOWED = ("game", "vote")
"""Threads in which players vote and ask."""


@dataclass(slots=True)
class Counted:
    """A Fetch that counts the pages that it asked for."""

    fetch: Fetch
    pages: int = 0

    def get(self, request: Request) -> Response:
        """As Fetch.get."""
        self.pages += 1
        return self.fetch.get(request)

    def follow(self, request: Request) -> Response:
        """As Fetch.follow."""
        self.pages += 1
        return self.fetch.follow(request)


def threads_of(setup: Setup) -> tuple[str, ...]:
    """The addresses of the threads to follow, the game's own first."""
    named = (one.url for one in setup.threads if one.role in FOLLOWED)
    return tuple(dict.fromkeys((*((setup.url,) if setup.url else ()), *named)))


def look(
    setup: Setup, day: DaySetup | None, again: bool, ports: Ports, notices: Notices
) -> tuple[Sight, ...]:
    """Each thread as it is now; `again` reads every page of it. Raises what reading and counting raise, but
    for a day that has no posts yet: it has no count."""
    before = notices.last_change()
    return tuple(_seen(url, setup, day, before, again, ports, notices) for url in threads_of(setup))


def sight_of(
    thread: Thread, setup: Setup, before: int, count: Votecount | None, notices: Notices, now: datetime
) -> Sight:
    """A thread that was just read, with what changed in it since watching began; from `before` on where that
    is now."""
    key = f"since {thread.url}"
    if notices.marked(key) is None:
        notices.mark(key, f"{before} {answered_to(thread, moderators_of(setup, thread))}", now)
    since, answered = map(int, (notices.marked(key) or "0 -1").split())
    return Sight(thread, notices.changes_after(thread.url or "", since), answered, count)


def _seen(
    url: str, setup: Setup, day: DaySetup | None, before: int, again: bool, ports: Ports, notices: Notices
) -> Sight:
    thread, now = gather(Link(url, again), ports), ports.clock.now()
    count = _count(thread, setup, day, now) if url == setup.url else None
    return sight_of(thread, setup, before, count, notices, now)


def _count(thread: Thread, setup: Setup, day: DaySetup | None, now: datetime) -> Votecount | None:
    """The count as the moderator may see it; None at night, and before anybody can vote."""
    if day is None and setup.days:
        return None
    try:
        return votecount(thread, habits_of(thread), setup, Ask(day.number if day else None), now)
    except InputError:
        return None


def lasting_ports(ports: Ports) -> tuple[Ports, Counted]:
    """The same ports for a long run, and what counts the pages that go through them. Evidence and journal
    are opened once: a file that is let go is taken up again without preparing everything anew."""
    fetch = Counted(ports.fetch)
    ledger = None if ports.ledger is None else cache(ports.ledger)
    return replace(ports, fetch=fetch, store=cache(ports.store), ledger=ledger), fetch


def pages_of(sights: Iterable[Sight]) -> int:
    """How many pages a whole read of these threads asks for."""
    return sum(_pages(sights))


def _pages(sights: Iterable[Sight]) -> Iterator[int]:
    return (max(sight.thread.pages, 1) for sight in sights)
