"""The phases of a game: opened, extended, stopped, locked; their deadlines, posts and calendar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from knightfall.config.calendar import Phase, phases
from knightfall.config.instants import Side, later, parse_deadline, parse_instant
from knightfall.config.setup import Setup
from knightfall.engine.entries import Closed, Entry, Extended, Locked, Opened, Ruled, Stopped
from knightfall.engine.game import Window, announced
from knightfall.engine.journal import Record, before_entry, instant, standing, window_name
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.spans import format_span, parse_span, time_of_day
from knightfall.errors import DecisionNeeded, InputError, SaidAlready, TimeError
from knightfall.mafia.state import State
from knightfall.markup import dialects
from knightfall.markup.dialects.moments import zone_name
from knightfall.sentence import Way, sentence
from knightfall.services.guard import released
from knightfall.services.journal import REASON
from knightfall.services.now import now_of
from knightfall.services.requests import PhaseRequest, PostOptions
from knightfall.services.running import RunningGame, before, begun, closings, opened_by, tells_instant
from knightfall.services.session import Session, entered_once, in_turn, journal_of
from knightfall.services.threads import kept_thread, speech_of, thread_post
from knightfall.services.window.receipts import Receipt
from knightfall.services.window.turns import NOWHERE, Announcement, announce, enter, last_post
from knightfall.services.window.waiting import pending
from knightfall.storage.drafts import write_public
from knightfall.votes.rule import Boundary
from knightfall.writeups.events import in_zone
from knightfall.writeups.facts import local_time
from knightfall.writeups.render import render_nodes

if TYPE_CHECKING:
    from icalendar import Calendar

KINDS = ("day", "night")
FAR = timedelta(days=60)
"""A deadline further ahead than this is asked about."""
_WEEK = timedelta(days=7)
_BEGINS, _ENDS, _NEXT_ENDS = (Way("field", name=name) for name in ("begins", "ends", "next_ends"))
_LAST_POST = Way("field", name="post", value="NUMBER")
_SECOND = timedelta(seconds=1)


def checked_future(moment: datetime, now: datetime, zone: ZoneInfo | None, past: bool) -> datetime:
    """The deadline, where it is ahead or the moderator writes down the past.

    Raises TimeError else, with the next one on that weekday at that time of day.
    """
    if moment > now or past:
        return moment
    weeks = (now - moment) // _WEEK + 1
    again = moment.astimezone(zone or UTC) + weeks * _WEEK
    raise TimeError(
        sentence(
            "The deadline {deadline} was {span} ago. It is now {now}. If you meant {day}: {ends}. To record "
            "a past phase: {past}.",
            deadline=shown(moment, zone),
            span=format_span(now - moment),
            now=shown(now, zone),
            day=f"{again:%a %d %b}",
            ends=Way("field", name="ends", value=f"{again:%Y-%m-%d} {time_of_day(again)}"),
            past=Way("field", name="past"),
        )
    )


def _checked_near(moment: datetime, now: datetime, zone: ZoneInfo | None, meant: bool) -> datetime:
    """The deadline, where it is not so far ahead that the year may be wrong, or it is meant so. Raises
    DecisionNeeded else."""
    if moment - now <= FAR or meant:
        return moment
    raise DecisionNeeded(
        sentence(
            "The deadline {deadline} is {days} days ahead. Is the year right? If it is: {far}.",
            deadline=shown(moment, zone),
            days=(moment - now).days,
            far=Way("field", name="far"),
        )
    )


def moved(deadline: datetime, by: str, zone: ZoneInfo | None) -> datetime:
    """The deadline so much later: “48h” and “90m” as time passes, “2d” at the same time of day.

    Raises InputError for another span, TimeError where the clocks skip or repeat that time of day.
    """
    field = Way("field", name="by")
    try:
        span = parse_span(by)
    except ValueError as fault:
        raise InputError(
            sentence("{field} {by}: expected {fault}.", field=field, by=by, fault=fault)
        ) from None
    try:
        return later(deadline, span, zone, by)
    except TimeError as fault:
        raise TimeError(sentence("{field} {fault}", field=field, fault=fault)) from None


@dataclass(frozen=True, slots=True, repr=False)
class ClockChange(JsonAnswer):
    """A deadline that was moved over a change of the clocks: by the span `by`, to `ends`. `other` is the same
    span in the other unit, which leads to another instant."""

    by: str
    ends: datetime
    other: str


def clock_change(deadline: datetime, by: str, zone: ZoneInfo | None) -> ClockChange | None:
    """The other reading of a span of whole days where the clocks change on the way, else None."""
    span = parse_span(by)
    if zone is None or span.total % timedelta(days=1):
        return None
    if (deadline + span.total).astimezone(zone).utcoffset() == deadline.astimezone(zone).utcoffset():
        return None
    other = f"{span.total.days * 24}h" if span.days else f"{span.total.days}d"
    return ClockChange(by, moved(deadline, by, zone), other)


def shown(moment: datetime, zone: ZoneInfo | None) -> str:
    """“Wed 25 Nov 2026, 20:00 EST”."""
    return local_time(moment, zone or ZoneInfo("UTC"))


def last_counted(deadline: datetime, setup: Setup) -> datetime | None:
    """The last second that counts, in the game's zone; None where posts count until the thread is locked."""
    if setup.rule.boundary is Boundary.UNTIL_LOCK:
        return None
    return (setup.rule.closes(deadline) - _SECOND).astimezone(setup.zone or ZoneInfo("UTC"))


def counts_posts(title: str) -> bool:
    """Whether posts of the thread are counted in the phase of that title, so that the boundary of the day
    holds. Elsewhere messages are taken, and one at the very instant of the deadline is in time."""
    return title.casefold().startswith("day ")


def has_passed(deadline: datetime, title: str, setup: Setup, now: datetime) -> bool:
    """Whether nothing that is sent now is in time for the phase of that title any more. Where posts count
    until the thread is locked, its deadline passes all the same."""
    if counts_posts(title):
        return setup.rule.closes(deadline) <= now
    return deadline < now


def deadline_post(
    title: str,
    deadline: datetime | None,
    before: datetime | None,
    setup: Setup,
    dialect: str,
    also: Sequence[tuple[str, datetime]] = (),
    late: bool = False,
) -> str:
    """The post that tells everybody until when a phase lasts; `before` is the deadline that stood so far,
    `also` what ends later or earlier with it; `late`: the one before had passed when it was moved."""
    told: dict[str, object] | None = None
    if deadline is not None:
        last = last_counted(deadline, setup)
        told = {
            "instant": deadline,
            "last": f"{last:%H:%M:%S} {zone_name(last)}" if last else None,
            "counts": counts_posts(title),
        }
    facts: dict[str, object] = {
        "title": title,
        "deadline": told,
        "before": shown(before, setup.zone) if before else None,
        "late": late,
        "also": [{"title": name, "instant": until} for name, until in also],
    }
    nodes = in_zone(render_nodes("any/deadline", facts), setup.zone)
    return dialects.dialect(dialect).write(nodes)


@dataclass(frozen=True, slots=True, repr=False)
class PhaseChange(JsonAnswer):
    """A phase that was opened, extended or stopped: its entry, its deadline and the one that stood before,
    the post that tells everybody, and what a begun game answers (None: none was begun).

    `elsewhere` are the windows of the begun game where it is in another phase; `overdue` is how long ago the
    deadline was that was extended; `also` are other windows that end at another time by it, and when;
    `clocks` tells of a change of the clocks on the way.
    """

    title: str
    record: Record
    deadline: datetime | None
    before: datetime | None
    setup: Setup = field(repr=False)
    post: Announcement
    receipt: Receipt | None
    elsewhere: tuple[str, ...] = ()
    overdue: timedelta | None = None
    clocks: ClockChange | None = None
    also: tuple[tuple[str, datetime], ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class PhaseLock(JsonAnswer):
    """A thread that was locked for a phase: behind that post nothing counts for it."""

    kind: str
    number: int
    post: int
    record: Record
    receipt: Receipt | None


@in_turn
def open_phase(request: PhaseRequest, options: PostOptions, session: Session) -> PhaseChange:
    """Open a phase, with the deadline that was said or the game file's.

    Raises DecisionNeeded where it is open or closed already, and without a deadline where the begun game is
    in another phase; TimeError for an end that is no instant or is over, InputError for one before its
    beginning.
    """
    setup, now = now_of(session).setup, session.clock.now()
    if request.kind not in KINDS or request.number is None:
        raise InputError(
            f"“{request.kind}” is not a phase that can be opened. Expected day or night, then its number."
        )
    known = phase_of(request, setup, session)
    if is_over(known, session):
        raise DecisionNeeded(
            sentence(
                "{phase} is closed. To open it again: {undo}",
                phase=known.title,
                undo=_undo_of(known, session),
            )
        )
    _refuse_out_of_turn(request, known, setup, session)
    if known.running:
        raise DecisionNeeded(
            sentence(
                "{phase} is open already. To change its deadline: {extend}",
                phase=known.title,
                extend=Way("extend", kind=request.kind, number=request.number, ends="…"),
            )
        )
    past = Side.BEHIND if request.past else None
    begins = (
        parse_instant(request.begins, now, setup.zone, _BEGINS, past or Side.EITHER)
        if request.begins
        else None
    )
    if request.ends:
        ends = parse_deadline(request.ends, now, setup.zone, _ENDS, past or Side.AHEAD)
        deadline: datetime | None = _checked_near(
            checked_future(ends, now, setup.zone, request.past), now, setup.zone, request.far
        )
    else:
        # A game closes at once what opens until the past, so the game file's deadline must be ahead, too.
        try:
            deadline = known.deadline and checked_future(known.deadline, now, setup.zone, request.past)
        except TimeError as fault:
            raise TimeError(sentence("{source}: {fault}", source=setup.source, fault=fault)) from None
    if deadline is not None and begins is not None and deadline <= begins:
        raise InputError(
            sentence(
                "{ends} {deadline} is not after {begins} {beginning}. A phase must end after it begins.",
                ends=_ENDS,
                deadline=shown(deadline, setup.zone),
                begins=_BEGINS,
                beginning=shown(begins, setup.zone),
            )
        )
    named = None if request.post is None else thread_post(request.post, setup, session)

    # The begun game may be in another phase: then the deadline counts from when this one opens there.
    elsewhere = _refuse_overlap(known, deadline, setup, session)
    if elsewhere and deadline is None:
        raise DecisionNeeded(
            sentence(
                "{phase} has not begun: {open} is open in the game. Close that first. To say now when "
                "{phase} will end: {ends}",
                phase=known.title,
                open=" and ".join(elsewhere),
                ends=Way("set_deadline", title=known.title.casefold()),
            )
        )
    start, mark = (None, None) if named is None else (str(named.number), named.mark)
    entry = Opened(request.window, start, deadline, begins, mark)
    change = _changed(entry, known.title, deadline, None, options, session)
    return replace(change, elsewhere=elsewhere)


def check_ends(text: str, session: Session) -> datetime:
    """The deadline of what opens next, looked at before something is closed. Raises InputError where nobody
    knows what opens, TimeError for what is no time or is over, DecisionNeeded for one so far ahead that the
    year may be wrong."""
    if not begun(journal_of(session)):
        raise InputError(
            sentence(
                "{next_ends} needs a game that Knightfall runs. Here, give the next day its deadline when it "
                "begins: {begin}",
                next_ends=_NEXT_ENDS,
                begin=Way("set_deadline", title="day N"),
            )
        )
    zone, now = now_of(session).setup.zone, session.clock.now()
    ends = parse_deadline(text, now, zone, _NEXT_ENDS)
    return _checked_near(checked_future(ends, now, zone, False), now, zone, False)


def left_out(session: Session) -> str:
    """Why what a closing opened did not get the deadline that was said with it."""
    window = opened_by(now_of(session).running)
    if window is None:
        return "The game is over, so nothing else opens."
    return f"{window.title} ends at its own time by the rules, so the deadline was not used."


@dataclass(frozen=True, slots=True)
class NextPhase:
    """What a closing opened, with the deadline that was said for it; `told` where the posts of the closing
    tell it by themselves."""

    change: PhaseChange
    told: bool


def next_phase(opened: Record, options: PostOptions, session: Session) -> NextPhase:
    """What the closing behind the entry `opened` has opened, and the post that tells everybody until when it
    lasts. Raises SecretGuard where a title gives something away and `allow` has no reason."""
    entry = opened.entry
    assert isinstance(entry, Opened)
    setup, journal, table = now_of(session).setup, journal_of(session), now_of(session).running
    title = next(one.title for one in table.windows if window_name(one) == entry.window)
    known = phases(now_of(session).file.days, before_entry(journal, opened.number))
    before = next((one.deadline for one in known if one.window == entry.window), None)
    speech = speech_of(options.dialect, setup, session)
    post = deadline_post(title, entry.until, before, setup, speech)
    kept = announce(_file_name(opened, title), released(post, session, options.allow), speech, session)
    change = PhaseChange(title, opened, entry.until, before, setup, kept, None)
    closed = (taken for taken in table.replay.taken if taken.number == opened.number + 1)
    posts = (event.facts for taken in closed for event in announced(taken.events))
    told = entry.until is not None and any(tells_instant(facts, entry.until) for facts in posts)
    return NextPhase(change, told)


@in_turn
def extend(request: PhaseRequest, options: PostOptions, session: Session, why: str = "") -> PhaseChange:
    """Give a phase, or an open window of the game, another deadline; `why` is kept in the journal. One whose
    deadline has passed goes on, for a reason.

    Raises DecisionNeeded where it is closed, InputError where nothing says which deadline, an earlier one is
    not meant to shorten it, or one that has passed is moved without a reason.
    """
    setup, now = now_of(session).setup, session.clock.now()
    known = phase_of(request, setup, session)
    if is_over(known, session):
        raise DecisionNeeded(
            sentence(
                "{phase} is closed. To change its deadline, first: {undo}",
                phase=known.title,
                undo=_undo_of(known, session),
            )
        )
    if begun(journal_of(session)):
        _refuse_out_of_turn(request, known, setup, session)
    if bool(request.ends) == bool(request.by):
        raise InputError(
            sentence(
                "Give the new deadline, or how much longer: {ends} or {by}",
                ends=Way("field", name="ends", value="2026-11-27 20:00"),
                by=Way("field", name="by", value="24h"),
            )
        )
    before = known.deadline
    if request.ends:
        side = Side.BEHIND if request.past else Side.AHEAD
        ends = parse_deadline(request.ends, now, setup.zone, _ENDS, side)
    elif before is None:
        stops = (record.entry for record in standing(journal_of(session)))
        paused = any(isinstance(entry, Stopped) and entry.window == known.window for entry in stops)
        state = "is paused" if paused else "has no deadline yet"
        raise InputError(
            sentence(
                "{phase} {state}, so {by} cannot be used. Use {ends}.",
                phase=known.title,
                state=state,
                by=Way("field", name="by"),
                ends=_ENDS,
            )
        )
    else:
        ends = moved(before, request.by, setup.zone)
        _refuse_moved_so(known, request.by, setup, session)
    ends = checked_future(ends, now, setup.zone, request.past)
    ends = _checked_near(ends, now, setup.zone, request.far)
    if before is not None and ends <= before and not request.shorten:
        raise InputError(
            sentence(
                "{ends} is not later than the current deadline, {before}. To shorten {phase}: {shorten}.",
                ends=shown(ends, setup.zone),
                before=shown(before, setup.zone),
                phase=known.title,
                shorten=Way("field", name="shorten"),
            )
        )
    _refuse_overlap(known, ends, setup, session)
    late = before is not None and has_passed(before, known.title, setup, now)
    if late and before is not None and not why.strip():
        raise InputError(
            sentence(
                "The deadline of {phase}, {before}, has passed. To move it now, say why: {why}. It is kept "
                "in the log, and what was sent since then will count.",
                phase=known.title,
                before=shown(before, setup.zone),
                why=Way("field", name="why"),
            )
        )
    # The reason goes before, so that what is taken back first is the extension.
    if why.strip():
        answer = f"{shown(ends, setup.zone)} instead of {shown(before, setup.zone) if before else 'none'}"
        entered_once(Ruled(f"Has {known.title} another deadline?", answer, why.strip()), session, NOWHERE)
    change = _changed(Extended(known.window, ends), known.title, ends, before, options, session, late)
    return replace(
        change,
        overdue=now - before if late and before is not None else None,
        clocks=clock_change(before, request.by, setup.zone) if request.by and before is not None else None,
    )


@in_turn
def stop(request: PhaseRequest, why: str, options: PostOptions, session: Session) -> PhaseChange:
    """Stop the clock of a phase, until it is extended. Raises InputError without a reason, or a deadline."""
    known = phase_of(request, now_of(session).setup, session)
    if not why.strip():
        raise InputError(
            sentence("Give a reason for the pause: {why}. It is kept in the journal.", why=REASON)
        )
    if known.deadline is None:
        raise InputError(f"{known.title} has no deadline, so there is nothing to pause.")
    entry = Stopped(known.window, why.strip())
    return _changed(entry, known.title, None, known.deadline, options, session)


@in_turn
def lock(request: PhaseRequest, session: Session) -> PhaseLock:
    """Note that the thread was locked after a post: none behind it counts for the phase.

    Without a number it is the phase that runs. Raises InputError where nobody says which post, and nothing
    was read.
    """
    setup = now_of(session).setup
    number = latest(request.kind, session) if request.number is None else request.number
    request = replace(request, number=number)
    known = phase_of(request, setup, session)
    if is_over(known, session):
        raise DecisionNeeded(
            sentence(
                "{phase} is closed, so there is nothing to lock. To open it again: {undo}",
                phase=known.title,
                undo=_undo_of(known, session),
            )
        )
    post = last_post(setup, session) if request.post is None else thread_post(request.post, setup, session)
    if post is None:
        raise InputError(
            sentence(
                "The thread has not been read yet. After which post was it locked? Say {post}",
                post=_LAST_POST,
            )
        )
    days = [one.entry for one in standing(journal_of(session)) if isinstance(one.entry, Closed)]
    counted = max((day.mark.number for day in days if day.mark is not None), default=None)
    if counted is not None and post.number <= counted:
        raise DecisionNeeded(
            sentence(
                "No post of {phase} has been read yet: post {number} was counted for the day before. First: "
                "{read}. Or say after which post it was locked: {post}",
                phase=known.title,
                number=post.number,
                read=Way("read"),
                post=_LAST_POST,
            )
        )
    _refuse_before(known, post.number, setup, session)
    entry = Locked(request.window, str(post.number), post.mark)
    record, receipt = enter(entry, speech_of(None, setup, session), session)
    return PhaseLock(request.kind, number, post.number, record, receipt)


def _refuse_before(known: Phase, number: int, setup: Setup, session: Session) -> None:
    """Raise DecisionNeeded for a post that was made before the phase before was closed."""
    closed = closings(now_of(session).running) if begun(journal_of(session)) else ()
    thread = kept_thread(setup, session) if closed else None
    when = next((post.time for post in thread.posts if post.number == number), None) if thread else None
    if when is not None and when < instant(closed[-1]):
        raise DecisionNeeded(
            sentence(
                "No post of {phase} has been read yet: post {number} was made before what came before it was "
                "closed. First: {read}. Or say after which post it was locked: {post}",
                phase=known.title,
                number=number,
                read=Way("read"),
                post=_LAST_POST,
            )
        )


def latest(kind: str, session: Session) -> int:
    """The number of the phase that runs, else of the last one of that kind. Raises InputError for none."""
    found = [
        one
        for one in phases(now_of(session).setup.days, journal_of(session))
        if one.window.startswith(f"{kind}-")
    ]
    numbers = {int(one.window.rpartition("-")[2]): one for one in found}
    running = [number for number, phase in numbers.items() if phase.running]
    if not numbers:
        raise InputError(
            sentence(
                "No {kind} has been opened yet. Open one: {open}",
                kind=kind,
                open=Way("open_phase", kind=kind, number=1, ends="…"),
            )
        )
    return max(running or numbers)


def phase_of(request: PhaseRequest, setup: Setup, session: Session) -> Phase:
    """What is known of the phase by now, with the deadline of the game where it is an open window of one.

    Raises InputError for a kind of nothing that is open.
    """
    journal = journal_of(session)
    open_ = pending(now_of(session).running) if begun(journal) else ()
    wanted = request.kind.strip().casefold()
    if request.number is not None:
        wanted = request.window.casefold()
    meant = [one for one in open_ if wanted in (one.window.kind, *_names(one.window))]
    if request.number is None and not meant and request.kind in KINDS:
        return phase_of(replace(request, number=latest(request.kind, session)), setup, session)
    if not meant and (request.kind not in KINDS or request.number is None):
        titles = ", ".join(f"{one.window.kind} ({one.window.title})" for one in open_)
        if begun(journal) and not open_:
            raise InputError(
                sentence(
                    "The game is over, so no phase is open. Its last post: {post}",
                    post=Way("draft_post", kind="endgame"),
                )
            )
        known = f"open now: {titles}" if titles else "expected day or night, then its number"
        if request.number is not None and request.kind in (one.window.kind for one in open_):
            raise InputError(f"“{request.kind} {request.number}” is not open: {known}.")
        raise InputError(f"“{request.kind}” is not a phase: {known}.")

    # What the journal says of it goes before the game's own clock.
    window = window_name(meant[0].window) if meant else request.window
    found = phases(setup.days, journal)
    phase = next((phase for phase in found if phase.window == window), Phase(window))
    if not meant:
        return phase
    until = None if meant[0].stopped else meant[0].until or phase.deadline
    return replace(phase, deadline=until, named=meant[0].window.title)


def is_over(phase: Phase, session: Session) -> bool:
    """Whether the phase was closed: by what the journal says of it, or by the begun game."""
    if phase.closed is not None or not begun(journal_of(session)):
        return phase.closed is not None
    here = {window_name(one) for one in now_of(session).running.windows}
    return phase.window not in here and _closing_of(phase, session) is not None


def _closing_of(phase: Phase, session: Session) -> Record | None:
    """The entry with which a phase was closed; None while it runs, and before."""
    records = [one for one in standing(journal_of(session)) if isinstance(one.entry, Closed)]
    for record in reversed(records):
        assert isinstance(record.entry, Closed)
        if record.entry.window == phase.window:
            return record
        if begun(journal_of(session)):
            then = before(now_of(session).running, record.number)
            if phase.window in (window_name(one) for one in then.windows if one.kind == record.entry.window):
                return record
    return None


def _undo_of(phase: Phase, session: Session) -> Way:
    """What opens a closed phase again: the last entry may be another one by now."""
    closing = _closing_of(phase, session)
    return Way("undo", entry=closing.number) if closing else Way("undo")


def _names(window: Window) -> tuple[str, str]:
    return window.title.casefold(), window_name(window)


def _refuse_out_of_turn(request: PhaseRequest, known: Phase, setup: Setup, session: Session) -> None:
    """Raises DecisionNeeded where the phase is neither open in the game nor the one that comes next; without
    a game, where it would leave out others."""
    journal = journal_of(session)
    if begun(journal):
        table = now_of(session).running
        if not table.windows:
            raise DecisionNeeded(
                sentence(
                    "The game is over, so no phase can be opened. Its last post: {post}",
                    post=Way("draft_post", kind="endgame"),
                )
            )
        allowed = [window_name(one) for one in table.windows]
        following = _next_phase(table)
        if known.window in allowed or known.window == following:
            return
        now = ", ".join(one.title for one in table.windows)
        after = f", and next comes {following.replace('-', ' ')}" if following else ""
        raise DecisionNeeded(f"{known.title} cannot be opened: the game is in {now}{after}.")
    numbers = [
        int(n) for one in phases(setup.days, journal) if (n := one.window.rpartition("-")[2]).isdigit()
    ]
    if numbers and (request.number or 0) > max(numbers) + 1:
        raise DecisionNeeded(
            f"{known.title} cannot be opened: the last one known is number {max(numbers)}, so the "
            f"next one is number {max(numbers) + 1} at most."
        )


def _refuse_moved_so(known: Phase, by: str, setup: Setup, session: Session) -> None:
    """Raise SaidAlready where the last entry moved the deadline by just as much: a command that was cut off
    and is repeated says no other thing than one that is meant once more."""
    *earlier, last = journal_of(session) or (None,)
    if last is None or not isinstance(last.entry, Extended) or last.entry.window != known.window:
        return
    then = phases(now_of(session).file.days, tuple(one for one in earlier if one is not None))
    before = next((one.deadline for one in then if one.window == known.window), None)
    if before is not None and moved(before, by, setup.zone) == last.entry.until:
        raise SaidAlready(
            sentence(
                "Entry {number} moved the deadline of {phase} by {by} already, to {until}. To move it once "
                "more, give the new deadline: {ends}",
                number=last.number,
                phase=known.title,
                by=by,
                until=shown(last.entry.until, setup.zone),
                ends=_ENDS,
            )
        )


def _refuse_overlap(
    known: Phase, deadline: datetime | None, setup: Setup, session: Session
) -> tuple[str, ...]:
    """The windows that are open in the begun game, where this phase is none of them. Raises TimeError where
    it would end before one of them does."""
    open_ = pending(now_of(session).running) if begun(journal_of(session)) else ()
    if any(window_name(one.window) == known.window for one in open_):
        return ()
    for one in open_:
        if deadline is not None and one.until is not None and deadline <= one.until:
            raise TimeError(
                f"{known.title} would end {shown(deadline, setup.zone)}, and {one.window.title}, which comes "
                f"before it, ends {shown(one.until, setup.zone)}."
            )
    return tuple(one.window.title for one in open_)


def _next_phase(table: RunningGame) -> str:
    """The phase after the open one in a game with days and nights; "" in others."""
    if not isinstance(table.state, State):
        return ""
    first = table.state.night_first
    match table.state.phase.name:
        case "DAY":
            return f"night-{table.state.number + first}"
        case "NIGHT":
            return f"day-{table.state.number + (not first)}"
    return "night-1" if first else "day-1"


def _moved_too(entry: Entry, title: str, session: Session) -> tuple[tuple[str, datetime], ...]:
    """The other open windows of the game whose deadline changes with an entry, and to when: those to come."""
    if not isinstance(entry, Extended) or not begun(journal_of(session)):
        return ()
    table, now = now_of(session).running, session.clock.now()
    known = {window.title: window.closes for window in table.windows}
    return tuple(
        (window.title, window.closes)
        for window in table.after(entry, now, session.author).windows
        if window.closes is not None and window.closes > now
        if window.title != title and known.get(window.title, window.closes) != window.closes
    )


def _changed(
    entry: Entry,
    title: str,
    deadline: datetime | None,
    before: datetime | None,
    options: PostOptions,
    session: Session,
    late: bool = False,
) -> PhaseChange:
    """Write the entry, and keep the post that tells everybody; it is read for secrets before."""
    setup = now_of(session).setup
    speech = speech_of(options.dialect, setup, session)
    also = _moved_too(entry, title, session)
    post = deadline_post(title, deadline, before, setup, speech, also, late)
    text = released(post, session, options.allow)
    record, receipt = enter(entry, speech, session, options.allow)
    kept = announce(_file_name(record, title), text, speech, session)
    return PhaseChange(title, record, deadline, before, setup, kept, receipt, also=also)


def _file_name(record: Record, title: str) -> str:
    """What the post of a deadline is called in `public/`: “003-deadline-turn-1”."""
    return f"{record.number:03}-deadline-{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')}"


FILE = "calendar.ics"


@dataclass(frozen=True, slots=True, repr=False)
class CalendarFile(JsonAnswer):
    """A calendar that was written, and how many events it holds."""

    file: Path
    events: int


def write_calendar(session: Session, allow: str = "") -> CalendarFile:
    """Write `public/calendar.ics`.

    Raises InputError where no phase has a time yet, SecretGuard where a title gives something away and
    `allow` has no reason.
    """
    setup = now_of(session).setup
    known = phases(setup.days, journal_of(session))
    calendar = calendar_of(setup, known, session.clock.now())
    if not calendar.subcomponents:
        raise InputError(
            sentence(
                "No phase has a time yet, so the calendar would be empty. Open one: {open}",
                open=Way("open_phase", kind="day", number=1, at="2026-11-18 20:00", ends="2026-11-25 20:00"),
            )
        )
    # What somebody reads in it, a line each: a file of this kind breaks lines within words.
    said = (part.get(name) for part in calendar.walk() for name in ("x-wr-calname", "summary", "url"))
    released("\n".join(dict.fromkeys(str(one) for one in said if one is not None)), session, allow)
    file = write_public(session.folder, FILE, calendar.to_ical().decode())
    return CalendarFile(file, len(calendar.subcomponents))


def calendar_of(setup: Setup, known: tuple[Phase, ...], now: datetime) -> Calendar:
    """The calendar of all spans and deadlines; the same phase keeps its identity when it moves."""
    from icalendar import Calendar, Event

    title = setup.title or "Game"
    calendar = Calendar()
    calendar.add("prodid", "-//Knightfall//Calendar of a game//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", title)

    def add(phase: Phase, what: str, said: str, begins: datetime, ends: datetime | None = None) -> None:
        """A span, or without an end a moment."""
        own = sha256(f"{setup.url or title}|{phase.window}|{what}".encode()).hexdigest()[:32]
        event = Event()
        event.add("uid", f"{own}@knightfall")
        event.add("dtstamp", now.astimezone(UTC).replace(microsecond=0))
        event.add("dtstart", begins.astimezone(UTC))
        if ends is not None:
            event.add("dtend", ends.astimezone(UTC))
        event.add("summary", f"{title}: {said}")
        event.add("sequence", len(phase.stood))
        if setup.url:
            event.add("url", setup.url)
        calendar.add_component(event)

    for phase in known:
        begins, ends = phase.begins or phase.opened, phase.deadline
        if begins is not None and ends is not None and begins < ends:
            add(phase, "phase", phase.title, begins, ends)
        if ends is not None:
            add(phase, "deadline", f"{phase.title} ends", ends)
    return calendar
