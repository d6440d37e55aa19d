"""What does a moderator see who asks for a votecount: the post, and beside it what he should look at?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from knightfall.app.count.beside import tell_beside
from knightfall.app.count.look import Look, post_parts, told_in_parts
from knightfall.app.count.moments import parse_at
from knightfall.app.diary.journal import journal_of
from knightfall.app.guarding.outgoing import released
from knightfall.app.plain_values import as_object
from knightfall.app.ports import Copy, Ports, Progress, Say
from knightfall.app.reading.evidence import change_lines, news_of, note_counted
from knightfall.app.reading.habits import habits_of
from knightfall.app.reading.read import Kept, Link, Source, gather, source_of
from knightfall.app.setup_now import setup_of
from knightfall.app.speech import RICH, dialect_of
from knightfall.errors import InputError
from knightfall.forums.adapter import Site
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect
from knightfall.posts import Thread
from knightfall.setups.setup import Setup
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.votes.tally import Fix
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.facts import changes_facts, votecount_json


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line."""

    words: tuple[str, ...] = ()
    html: bool = False
    jsonl: bool = False
    game: Path | None = None
    day: int | None = None
    at: str | None = None
    dialect: str | None = None
    as_json: bool = False
    stored: bool = False
    view: View = View.PUBLIC
    footnotes: bool = False
    posted: bool = False
    look: Look = field(default_factory=Look)
    allow: str = ""
    """Why a public text may give away what the secret guard stops."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A count, and where it came from."""

    count: Votecount
    source: Source
    thread: Thread
    setup: Setup | None
    site: Site


def counted(wanted: Wanted, ports: Ports, progress: Progress | None = None) -> Counted:
    """The count that is asked for, as the moderator may see it."""
    setup, source, thread = thread_asked(wanted, ports, progress)
    site = site_of(thread.url or "")
    return Counted(count_of(thread, site, setup, ask_of(wanted, setup), ports), source, thread, setup, site)


def count_of(thread: Thread, site: Site, setup: Setup | None, ask: Ask, ports: Ports) -> Votecount:
    """The count of a thread with what the game's journal adds: its number, and what moved since the one that
    was posted; and who is due a prod, where the latest count is asked for. Raises as `votecount`."""
    count = votecount(thread, habits_of(thread, site), setup, ask, ports.clock.now())
    if ports.ledger is not None:
        from knightfall.app.count.published import numbered

        count = numbered(count, journal_of(ports))
    latest = ask.at_post is None and ask.at_time is None
    if setup is not None and setup.prods.after is not None and latest and not setup.votes_apart:
        count = replace(count, due=_due(thread, setup, ask, ports))
    return count


def _due(thread: Thread, setup: Setup, ask: Ask, ports: Ports) -> tuple[str, ...]:
    """Who is due a prod by the game's rule."""
    from knightfall.app.count.activity import due_names, measured

    return due_names(measured(thread, setup, ask, ports.clock.now()))


def run(
    wanted: Wanted,
    ports: Ports,
    out: Say,
    err: Say,
    progress: Progress | None = None,
    copy: Copy | None = None,
) -> None:
    """Prints the count, and copies it where that is asked for. Raises DecisionNeeded after it where a vote
    waits for the moderator."""
    if wanted.dialect:
        dialect(wanted.dialect)  # an unknown one is told before anything is read
    wanted.look.checked()
    show(counted(wanted, ports, progress), wanted, ports, out, err, copy)


def show(done: Counted, wanted: Wanted, ports: Ports, out: Say, err: Say, copy: Copy | None = None) -> None:
    """Prints a count that was made, and what stands beside it. Raises DecisionNeeded as `run` does."""
    done = with_footnotes(done) if wanted.footnotes else done
    url, seen = done.thread.url, seen_by(wanted.view, done.count)
    news = change_lines(news_of(done.source, url, ports), done.thread.platform)
    _told(err, [_read_line(done.thread), *news, *done.count.assumed, *_changed(done.count)])
    if wanted.as_json:
        out(as_object(votecount_json(seen)))
    else:
        speech = dialect_of(wanted.dialect, done.setup, done.site, done.thread.platform)
        parts = post_parts(seen, speech, wanted.look, done.setup, None if wanted.dialect else done.site)
        if wanted.view is View.PUBLIC:
            released("\n\n".join(parts), wanted.game, ports, wanted.allow)
        told_in_parts(parts, speech, out, err)
        _sent(done.count, parts, speech, wanted, ports, err, copy)
    note_counted(done.source, url, done.count.tally.at, ports)
    tell_beside(err, done.count)


def _sent(
    count: Votecount,
    parts: tuple[str, ...],
    speech: str,
    wanted: Wanted,
    ports: Ports,
    err: Say,
    copy: Copy | None,
) -> None:
    """The post on its way: on the clipboard, and noted as posted, as far as that is asked for."""
    if copy is not None:
        _copied(parts, speech == RICH, err, copy)
    if wanted.posted:
        from knightfall.app.count.published import note_posted, votecount_kind

        kind = votecount_kind(count.day.number)
        noted = note_posted(kind, "\n\n".join(parts), count.tally.at, journal_of(ports), ports)
        err(f"{count.heading} is noted as posted; the next one will be number {noted.number + 1}.")


def _copied(parts: tuple[str, ...], rich: bool, err: Say, copy: Copy) -> None:
    """One part after the other on the clipboard, as long as the moderator asks for the next."""
    for number, part in enumerate(parts, start=1):
        copy.copy(part, rich)
        err("Copied." if len(parts) == 1 else f"Copied: part {number} of {len(parts)}.")
        if number < len(parts) and not copy.pasted():
            return


def _changed(count: Votecount) -> Iterator[str]:
    """What moved since the last count that was posted, on one line."""
    moves = [
        f"{change['voter']} {change['before'] or '–'} → {change['now'] or '–'} (#{change['post']['number']})"
        for change in changes_facts(count)
    ]
    if moves:
        yield f"Changes since the last posted count: {', '.join(moves)}."


def with_footnotes(done: Counted) -> Counted:
    """The moderator's decisions on posts of this count, with their reasons, under its post."""
    from knightfall.writeups.journal import footnote

    fixes = done.setup.fixes if done.setup else ()
    within = sorted((fix for fix in fixes if _concerns(fix, done.count)), key=lambda fix: fix.post)
    return replace(done, count=replace(done.count, notes=(*done.count.notes, *map(footnote, within))))


def _concerns(fix: Fix, count: Votecount) -> bool:
    return count.day.start <= fix.post <= count.tally.at


def view_of(word: str) -> View:
    """The view of that name. Raises InputError."""
    try:
        return View(word)
    except ValueError:
        raise InputError(f"--view {word}: expected public or mod.") from None


def thread_asked(
    wanted: Wanted, ports: Ports, progress: Progress | None = None
) -> tuple[Setup | None, Source, Thread]:
    """The game file with what was decided since (None: there is none), and the thread that is meant, read."""
    setup = setup_of(wanted.game, ports) if wanted.game else None
    source = source_asked(wanted, setup)
    return setup, source, gather(source, ports, progress)


def source_asked(wanted: Wanted, setup: Setup | None) -> Source:
    """Where the posts come from: what was named, else the thread of the game file."""
    words = wanted.words or ((setup.url,) if setup and setup.url else ())
    source = source_of(words, wanted.html, wanted.jsonl)
    return Kept(source.url) if wanted.stored and isinstance(source, Link) else source


def ask_of(wanted: Wanted, setup: Setup | None) -> Ask:
    """Of which day, and as of when. Raises TimeError as `parse_at` does."""
    return replace(parse_at(wanted.at, setup.zone if setup else None), day=wanted.day)


def _read_line(thread: Thread) -> str:
    first, last = thread.posts[0].number, thread.posts[-1].number
    if not thread.complete:
        return f"Read posts {first}–{last}; nothing is missing up to {thread.whole_to}, which is enough here."
    return f"Read posts {first}–{last}, {thread.pages} page{'s' * (thread.pages > 1)}, complete."


def _told(err: Say, sentences: Sequence[str]) -> None:
    for sentence in sentences:
        err(sentence)
