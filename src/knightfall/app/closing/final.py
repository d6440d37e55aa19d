"""What is the count that a day ends with, and where is it kept?

Only a thread that holds still is counted here; see `steady`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from knightfall.app.closing.steady import Read, Still, steady
from knightfall.app.count.look import Look, post_parts
from knightfall.app.count.vc import Counted
from knightfall.app.ports import Ports, Progress, Say, game_folder
from knightfall.app.reading.evidence import note_counted
from knightfall.app.reading.habits import habits_of
from knightfall.app.reading.read import Kept, Link, gather
from knightfall.app.speech import dialect_of
from knightfall.errors import InputError
from knightfall.forums.sites import site_of
from knightfall.posts import Thread
from knightfall.setups.setup import Setup
from knightfall.storage.drafts import write_public
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.votes.election import Boundary
from knightfall.votes.tally import Fix
from knightfall.votes.votecount import View, Votecount, seen_by


@dataclass(frozen=True, slots=True)
class Final:
    """A final count, as the moderator may see it; `recount` counts the same thread with more decisions."""

    done: Counted
    recount: Callable[[tuple[Fix, ...]], Votecount]


def final_count(setup: Setup, day: int | None, pause: float, ports: Ports, say: Say, read: Read) -> Final:
    """The count of a day (None: the latest) when the thread holds still; tells how that comes about.

    Raises EvidenceError where it does not, and what reading and counting raise.
    """
    until = deadlines_past(setup, day)
    found = steady(read, ports.clock, say, Still(pause, until))
    say(f"Stable: two reads of all {len(found.thread.posts)} posts agree, {pause:.0f} s apart.")
    count = count_of(setup, found.thread, day, found.began)
    done = Counted(count, Link(url_of(setup)), found.thread, setup, site_of(found.thread.url or ""))
    note_counted(done.source, found.thread.url, count.tally.at, ports)
    return Final(done, partial(_decided, setup, found.thread, day, found.began))


def kept_count(setup: Setup, day: int | None, ports: Ports, say: Say) -> Final:
    """The final count of a day from what was read before: for threads that only your browser may read.

    Raises InputError where nothing was, and what counting raises.
    """
    source = Kept(url_of(setup))
    thread, now = gather(source, ports), ports.clock.now()
    say(
        f"Counted as it was read before, as far as #{thread.posts[-1].number}; the forum was not asked. Were "
        "its pages saved after you locked the thread?"
    )
    done = Counted(count_of(setup, thread, day, now), source, thread, setup, site_of(thread.url or ""))
    note_counted(source, thread.url, done.count.tally.at, ports)
    return Final(done, partial(_decided, setup, thread, day, now))


def count_of(setup: Setup, thread: Thread, day: int | None, as_of: datetime) -> Votecount:
    """The final count of what stands in a thread, as of an instant."""
    count = votecount(thread, habits_of(thread), setup, Ask(day), as_of)
    return replace(count, final=True)


def _decided(
    setup: Setup, thread: Thread, day: int | None, as_of: datetime, fixes: tuple[Fix, ...]
) -> Votecount:
    return count_of(replace(setup, fixes=(*setup.fixes, *fixes)), thread, day, as_of)


def every_page(setup: Setup, ports: Ports, progress: Progress | None = None) -> Read:
    """Reads the game's thread anew from its first page to its last."""
    return partial(gather, Link(url_of(setup), again=True), ports, progress)


def url_of(setup: Setup) -> str:
    """The address of the game's thread. Raises InputError where the game file has none."""
    if setup.url is None:
        raise InputError(
            f'{setup.source}: no thread with role = "game". The end of a day is read from the forum itself: '
            'add  [[thread]]  url = "https://…"'
        )
    return setup.url


def deadlines_past(setup: Setup, day: int | None) -> datetime | None:
    """The first instant that is too late for the day (None: for every day of the file); None where posts
    count until the moderator locks, or a day has no deadline."""
    days = [one for one in setup.days if day in (None, one.number)]
    ends = [setup.rule.closes(one.deadline) for one in days if one.deadline]
    locks = setup.rule.boundary is Boundary.UNTIL_LOCK
    return max(ends) if ends and len(ends) == len(days) and not locks else None


def final_text(done: Counted, dialect: str | None = None) -> str:
    """The post with the final count, as players may see it, in a dialect (None: the site's own)."""
    seen = seen_by(View.PUBLIC, done.count)
    speech = dialect_of(dialect, done.setup, done.site, done.thread.platform)
    site = None if dialect else done.site
    return "\n\n".join(post_parts(seen, speech, Look(), done.setup, site))


def keep_final(done: Counted, text: str, game: Path) -> Path:
    """Writes the post into the game's folder. Raises InputError where that cannot be."""
    return write_public(game_folder(game), f"votecount-{done.count.day.number}.F.txt", text)
