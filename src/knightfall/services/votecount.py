"""The votecount of a thread or a game: counted, laid out, with what stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from shlex import quote

from tabulate import tabulate

from knightfall.config.setup import Setup
from knightfall.engine.json_text import as_object
from knightfall.errors import DecisionNeeded, InputError
from knightfall.forums.base import Site
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect
from knightfall.models import Thread
from knightfall.names import squash
from knightfall.services.count_request import (
    CountRequest,
    ask_of,
    post_parts,
    thread_asked,
    told_in_parts,
)
from knightfall.services.evidence import change_lines, news_of, note_counted
from knightfall.services.guard import released
from knightfall.services.reading import RICH, Source, dialect_of, habits_of
from knightfall.services.session import Copy, Say, Session, journal_of
from knightfall.votes.config import Ask
from knightfall.votes.count import votecount
from knightfall.votes.tally import Doubt, Fix, Uncounted, UncountedReason
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.facts import changes_facts, votecount_json

SHOWN = 12
"""So many lines of one kind are shown; the rest is counted."""

REASONS = {
    UncountedReason.QUOTED: "quoted",
    UncountedReason.SPOILERED: "in a spoiler",
    UncountedReason.CODE: "in code",
    UncountedReason.STRUCK: "struck out",
    UncountedReason.SIGNATURE: "in a signature",
    UncountedReason.NOT_BOLD: "not bold",
    UncountedReason.DEAD_VOTER: "voter is dead",
    UncountedReason.DEAD_TARGET: "target is dead",
    UncountedReason.NOT_A_PLAYER: "not a player",
    UncountedReason.UNKNOWN_NAME: "names nobody",
    UncountedReason.AFTER_HAMMER: "after the hammer",
    UncountedReason.LATE: "after the deadline",
    UncountedReason.MODERATOR_POST: "moderator's post",
    UncountedReason.TALLY_POST: "in a pasted count",
    UncountedReason.EDITED: "edited post",
    UncountedReason.VOID: "void by the rules",
}


def tell_beside(err: Callable[[str], None], count: Votecount) -> None:
    """What was not counted and what only the moderator can decide."""
    missed = [m for m in count.tally.not_counted if m.why is not UncountedReason.MODERATOR_POST]
    news = [m for m in missed if not (m.why is UncountedReason.QUOTED and squash(m.text) in count.said)]
    if news:
        err(f"\nNot counted ({len(news)}):\n{_missed_table(news)}")
    if len(missed) > len(news):
        err(f"\nQuotes of votes that were read where they stand: {len(missed) - len(news)}.")
    questions = count.tally.questions
    if questions:
        raise DecisionNeeded("\n".join(_question_lines(questions)))


def _missed_table(missed: Sequence[Uncounted]) -> str:
    rows = [
        (
            f"#{m.post}",
            short(m.voter, 20),
            REASONS[m.why],
            vote_excerpt(m.text, 30),
        )
        for m in missed[:SHOWN]
    ]
    table = tabulate(rows, tablefmt="plain", disable_numparse=True)
    rest = len(missed) - SHOWN
    return table if rest <= 0 else f"{table}\n… and {rest} more: --json lists them all."


def short(text: str, width: int) -> str:
    """A text cut to so many letters."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def vote_excerpt(text: str, width: int) -> str:
    """A line of a post, cut to the part that looks like its vote."""
    if len(text) <= width:
        return text
    start = max(0, min(text.lower().rfind("vot") - 2, len(text) - width + 1))
    return short(f"…{text[start:]}" if start else text, width)


def _question_lines(questions: Sequence[Doubt]) -> Iterator[str]:
    yield f"{len(questions)} vote(s) need your decision; until then each voter's earlier vote stands."
    for doubt in questions[:SHOWN]:
        fits = " or ".join(doubt.candidates) or "nobody"
        yield f"  #{doubt.post} {doubt.voter} writes “{vote_excerpt(doubt.text, 40)}”: near {fits}."
    if len(questions) > SHOWN:
        yield f"  … and {len(questions) - SHOWN} more: --json lists them all."
    first = questions[0]
    name = first.candidates[0] if first.candidates else "NAME"
    yield f'Decide:  knightfall fix {first.post} --to {quote(name)} --why "…"   (or --ignore)'
    yield f'or in game.toml:  [[fix]]  post = {first.post}, to = "{name}", why = "…"'


@dataclass(frozen=True, slots=True)
class Counted:
    """A count, and where it came from."""

    count: Votecount
    source: Source
    thread: Thread
    setup: Setup | None
    site: Site


def counted(wanted: CountRequest, session: Session) -> Counted:
    """The count that is asked for, as the moderator may see it."""
    setup, source, thread = thread_asked(wanted, session)
    site = site_of(thread.url or "")
    return Counted(count_of(thread, site, setup, ask_of(wanted, setup), session), source, thread, setup, site)


def count_of(thread: Thread, site: Site, setup: Setup | None, ask: Ask, session: Session) -> Votecount:
    """The count of a thread with what the game's journal adds: its number, and what moved since the one that
    was posted; and who is due a prod, where the latest count is asked for. Raises as `votecount`."""
    count = votecount(thread, habits_of(thread, site), setup, ask, session.clock.now())
    if session.ledger is not None:
        from knightfall.services.publish import numbered

        count = numbered(count, journal_of(session))
    latest = ask.at_post is None and ask.at_time is None
    if setup is not None and setup.prods.after is not None and latest and not setup.votes_apart:
        count = replace(count, due=_due(thread, setup, ask, session))
    return count


def _due(thread: Thread, setup: Setup, ask: Ask, session: Session) -> tuple[str, ...]:
    """Who is due a prod by the game's rule."""
    from knightfall.services.activity import due_names, measured

    return due_names(measured(thread, setup, ask, session.clock.now()))


def run(wanted: CountRequest, session: Session, out: Say, err: Say, copy: Copy | None = None) -> None:
    """Prints the count, and copies it where that is asked for. Raises DecisionNeeded after it where a vote
    waits for the moderator."""
    if wanted.dialect:
        dialect(wanted.dialect)  # an unknown one is told before anything is read
    wanted.look.checked()
    show(counted(wanted, session), wanted, session, out, err, copy)


def show(
    done: Counted, wanted: CountRequest, session: Session, out: Say, err: Say, copy: Copy | None = None
) -> None:
    """Prints a count that was made, and what stands beside it. Raises DecisionNeeded as `run` does."""
    done = with_footnotes(done) if wanted.footnotes else done
    url, seen = done.thread.url, seen_by(wanted.view, done.count)
    news = change_lines(news_of(done.source, url, session), done.thread.platform)
    _told(err, [_read_line(done.thread), *news, *done.count.assumed, *_changed(done.count)])
    if wanted.as_json:
        out(as_object(votecount_json(seen)))
    else:
        speech = dialect_of(wanted.dialect, done.setup, done.site, done.thread.platform)
        parts = post_parts(seen, speech, wanted.look, done.setup, None if wanted.dialect else done.site)
        if wanted.view is View.PUBLIC:
            released("\n\n".join(parts), session, wanted.allow)
        told_in_parts(parts, speech, out, err)
        _sent(done.count, parts, speech, wanted, session, err, copy)
    note_counted(done.source, url, done.count.tally.at, session)
    tell_beside(err, done.count)


def _sent(
    count: Votecount,
    parts: tuple[str, ...],
    speech: str,
    wanted: CountRequest,
    session: Session,
    err: Say,
    copy: Copy | None,
) -> None:
    """The post on its way: on the clipboard, and noted as posted, as far as that is asked for."""
    if copy is not None:
        _copied(parts, speech == RICH, err, copy)
    if wanted.posted:
        from knightfall.services.publish import note_posted, votecount_kind

        kind = votecount_kind(count.day.number)
        noted = note_posted(kind, "\n\n".join(parts), count.tally.at, journal_of(session), session)
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


def _read_line(thread: Thread) -> str:
    first, last = thread.posts[0].number, thread.posts[-1].number
    if not thread.complete:
        return f"Read posts {first}–{last}; nothing is missing up to {thread.whole_to}, which is enough here."
    return f"Read posts {first}–{last}, {thread.pages} page{'s' * (thread.pages > 1)}, complete."


def _told(err: Say, sentences: Sequence[str]) -> None:
    for sentence in sentences:
        err(sentence)
