"""When does a thread hold still, so that its posts may decide a day?

When two reads in a row, each of every page and with a pause between them, show the same posts: cross-posts,
late votes and edits made in the last minute are in both by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from knightfall.app.ports import Say
from knightfall.errors import EvidenceError, IncompleteRead
from knightfall.fetch.ports import Clock
from knightfall.posts import Post, PostId, Thread

PAUSE = 60.0
"""Seconds between two reads."""
TRIES = 6
"""So many reads, then the thread is told to be restless."""
SHOWN = 3
"""So many changed posts are named."""

Read = Callable[[], Thread]


@dataclass(frozen=True, slots=True)
class Steady:
    """A thread that two reads showed alike. `began` is when the later of them began: whatever was posted
    before that is in it; `reads` is how many it took."""

    thread: Thread
    began: datetime
    reads: int


@dataclass(frozen=True, slots=True)
class Still:
    """What holding still means: the pause between two reads in seconds, and an instant from which on posts
    do not matter (None: every post does)."""

    pause: float = PAUSE
    until: datetime | None = None


def steady(read: Read, clock: Clock, say: Say, still: Still = Still()) -> Steady:
    """Reads until two reads in a row agree. Raises EvidenceError where they never do, and what `read` raises.

    A thread that changes while it is read does not agree with anything.
    """
    before: Thread | None = None
    told = "it was read but once"
    for number in range(1, TRIES + 1):
        began = clock.now()
        try:
            thread = read()
            changed = tuple(changes(before, thread, still.until)) if before else ()
            if before and not changed:
                return Steady(thread, began, number)
            before, told = thread, _listed(changed)
        except IncompleteRead as error:
            before, told = None, str(error).splitlines()[0]
        if number < TRIES:
            say(f"{_heading(number, told)} Reading every page again in {still.pause:.0f} s.")
            clock.sleep(still.pause)
    raise EvidenceError(
        f"The thread will not hold still: of {TRIES} reads, {still.pause:.0f} s apart, no two agree. "
        f"{told} Lock the thread, then run the same command again."
    )


def changes(before: Thread, after: Thread, until: datetime | None = None) -> Iterator[str]:
    """How the posts that matter differ, one phrase a post: new, gone, or otherwise than before."""
    old, new = _mattering(before, until), _mattering(after, until)
    for identity, post in new.items():
        if identity not in old:
            yield f"#{post.number} by {post.author} is new"
        elif _says(old[identity]) != _says(post):
            yield f"#{post.number} by {post.author} reads otherwise"
    yield from (f"#{post.number} by {post.author} is gone" for key, post in old.items() if key not in new)


def _mattering(thread: Thread, until: datetime | None) -> dict[PostId, Post]:
    return {post.id: post for post in thread.posts if not _too_late(post, until)}


def _too_late(post: Post, until: datetime | None) -> bool:
    """Only what surely is: a time that the page tells roughly proves nothing."""
    return until is not None and post.time is not None and not post.approximate and post.time >= until


def _says(post: Post) -> tuple[int, str, str, bool]:
    return post.number, post.author, post.body, post.hidden


def _listed(changed: tuple[str, ...]) -> str:
    rest = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    return f"{', '.join(changed[:SHOWN])}{rest}." if changed else ""


def _heading(number: int, told: str) -> str:
    return f"Read {number} of at most {TRIES}. {told}" if told else f"Read {number} of at most {TRIES}."
