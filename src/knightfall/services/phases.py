"""The phases of a game: opened, extended, stopped and locked, with their deadlines and their posts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from knightfall.config.calendar import Phase, phases, window_of
from knightfall.config.instants import aware
from knightfall.config.setup import Setup, parse_span
from knightfall.engine.game import Announced, Window
from knightfall.engine.journal import Closed, Entry, Extended, Locked, Opened, Record, Stopped
from knightfall.errors import DecisionNeeded, InputError, TimeError
from knightfall.markup import dialects
from knightfall.markup.nodes import Countdown, Text
from knightfall.services.announcements import last_post
from knightfall.services.announcements import parse_post_number as post_number
from knightfall.services.desk import Desk, enter, guarded, publish
from knightfall.services.game_state import RunningGame, begun, holders, refusal_lines, table_of
from knightfall.services.publish import texts_of
from knightfall.services.session import Session, journal_of
from knightfall.votes.rule import Boundary
from knightfall.writeups.facts import local_time
from knightfall.writeups.render import render

_DAYS = "d"
_WEEK = timedelta(days=7)


def parse_instant(text: str, zone: ZoneInfo | None, where: str) -> datetime:
    """“2026-11-25 20:00” in the game's zone, or with an offset, in UTC. Raises TimeError for what is no such
    time, has no zone, or is skipped or repeated by the clocks."""
    said = text.strip()
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        raise TimeError(f"{where} {said}: expected a date and a time, such as “2026-11-25 20:00”.") from None
    if ":" not in said and "T" not in said:
        raise TimeError(f"{where} {said}: a date is a whole day. Say the time, too: “{said} 20:00”.")
    return aware(moment, zone, where)


def checked_future(moment: datetime, now: datetime, zone: ZoneInfo | None, past: bool) -> datetime:
    """The deadline, where it is ahead or the moderator writes down the past. Raises TimeError, with the next
    one on that weekday, else."""
    if moment > now or past:
        return moment
    again = _ahead(moment, now, zone)
    raise TimeError(
        f"Deadline {shown(moment, zone)} was {lasting(now - moment)} ago: now it is {shown(now, zone)}. "
        f'If you meant {again:%a %d %b}: --ends "{again:%Y-%m-%d %H:%M}". To record a past phase add --past.'
    )


def moved(deadline: datetime, by: str, zone: ZoneInfo | None) -> datetime:
    """The deadline so much later: “48h” and “90m” as time passes, “2d” at the same time of day. Raises
    InputError for another span, TimeError where the clocks skip or repeat that time of day."""
    try:
        span = parse_span(by)
    except ValueError as fault:
        raise InputError(f"--by {by}: expected {fault}.") from None
    if not by.endswith(_DAYS):
        return deadline + span
    local = deadline.astimezone(zone or UTC)
    return aware(local.replace(tzinfo=None, fold=0) + span, zone or ZoneInfo("UTC"), f"--by {by}")


def clock_change(deadline: datetime, by: str, zone: ZoneInfo | None) -> Iterator[str]:
    """Where the clocks change on the way: what the other reading of the span would be."""
    span = parse_span(by)
    if zone is None or span % timedelta(days=1):
        return
    later = (deadline + span).astimezone(zone)
    if later.utcoffset() == deadline.astimezone(zone).utcoffset():
        return
    days, hours = f"{span.days}d", f"{span.days * 24}h"
    other, meant = (hours, "so much time passes") if by.endswith(_DAYS) else (days, "the same time of day")
    yield (
        f"The clocks change on the way: {by} ends {shown(moved(deadline, by, zone), zone)}. If you mean that "
        f"{meant}, it is --by {other}."
    )


def shown(moment: datetime, zone: ZoneInfo | None) -> str:
    """“Wed 25 Nov 2026, 20:00 EST”."""
    return local_time(moment, zone or ZoneInfo("UTC"))


def lasting(span: timedelta) -> str:
    """“3 d 4 h”, “6 h 40 min”, “5 min”."""
    minutes = int(span.total_seconds()) // 60
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [f"{days} d"] * bool(days) + [f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest)
    return " ".join(parts[:2]) or "less than a minute"


def _ahead(moment: datetime, now: datetime, zone: ZoneInfo | None) -> datetime:
    """The same weekday and time of day, as soon as it is ahead."""
    local = moment.astimezone(zone or UTC)
    weeks = (now - moment) // _WEEK + 1
    return local + weeks * _WEEK


_SECOND = timedelta(seconds=1)


def deadline_line(deadline: datetime, setup: Setup) -> str:
    """“Deadline Wed 25 Nov 2026, 20:00 EST (UTC-5) = Thu 26 Nov 01:00 UTC. Last counted second: 19:59:59
    (boundary “before”).”"""
    zone = setup.zone or ZoneInfo("UTC")
    there = deadline.astimezone(zone)
    utc = f" ({offset(there)}) = {deadline.astimezone(UTC):%a %d %b %H:%M} UTC" if there.utcoffset() else ""
    return f"Deadline {shown(deadline, zone)}{utc}. {last_second(deadline, setup)}"


def last_second(deadline: datetime, setup: Setup) -> str:
    """The boundary rule in words, for that deadline."""
    boundary = setup.rule.boundary
    if boundary is Boundary.UNTIL_LOCK:
        return f"Posts count until you lock the thread (boundary “{boundary.value}”): knightfall phase lock."
    last = (setup.rule.closes(deadline) - _SECOND).astimezone(setup.zone or UTC)
    return f"Last counted second: {last:%H:%M:%S} (boundary “{boundary.value}”)."


def offset(there: datetime) -> str:
    """“UTC-5”, “UTC+5:30”."""
    minutes = int((there.utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def deadline_post(
    title: str, deadline: datetime | None, before: datetime | None, now: datetime, setup: Setup, dialect: str
) -> str:
    """The post that tells everybody until when a phase lasts; `before` is the deadline that stood so far."""
    facts: dict[str, object] = {
        "title": title,
        "deadline": _facts(deadline, now, setup, dialect) if deadline else None,
        "before": shown(before, setup.zone) if before else None,
    }
    return render("any/deadline", facts, dialect)


def _facts(deadline: datetime, now: datetime, setup: Setup, dialect: str) -> dict[str, object]:
    zone = setup.zone or ZoneInfo("UTC")
    last = (setup.rule.closes(deadline) - _SECOND).astimezone(zone)
    lock = setup.rule.boundary is Boundary.UNTIL_LOCK
    return {
        "instant": deadline.isoformat(),
        "zone": zone.key,
        "words": " = ".join(_words(deadline, zone)),
        "left": None if counts_down(dialect) or deadline <= now else lasting(deadline - now),
        "last": None if lock else f"{last:%H:%M:%S %Z}",
    }


def _words(deadline: datetime, zone: ZoneInfo) -> Iterator[str]:
    yield shown(deadline, zone)
    if deadline.astimezone(zone).utcoffset():
        yield f"{deadline.astimezone(UTC):%a %d %b %H:%M} UTC"


def counts_down(dialect: str) -> bool:
    """Whether the site has a tag that counts down, or shows each reader his own time."""
    words = (Text("then"),)
    writer = dialects.dialect(dialect)
    return writer.write((Countdown(datetime(2026, 1, 1, tzinfo=UTC), "UTC", words),)) != writer.write(words)


ELIMINATION = "elimination"


def day_table(day: int, session: Session) -> RunningGame | None:
    """The begun game whose votes end that day; None where none was begun, or it knows no days. Raises
    DecisionNeeded where another phase is open in it."""
    if not begun(journal_of(session)):
        return None
    table = table_of(session)
    if not any(by_vote(window) for window in _ever(table)):
        return None
    if not is_open(day, table):
        now = ", ".join(window.title for window in table.windows) or "over"
        raise DecisionNeeded(
            f"Day {day} cannot be closed: in the game it is {now}. See knightfall missing, and close that "
            "first: knightfall commit"
        )
    return table


def elsewhere(title: str, session: Session) -> Iterator[str]:
    """Where a begun game is not in the phase of that title: in which one it is."""
    if begun(journal_of(session)):
        windows = table_of(session).windows
        if windows and title not in (window.title for window in windows):
            now = ", ".join(window.title for window in windows)
            yield f"In the game it is {now} still: this deadline is told to people, not to the game."


def by_vote(window: Window) -> bool:
    """A phase that everybody sees and that players end by votes in the thread."""
    return window.kind == "day" and not window.secret and not window.slots


def is_open(day: int, table: RunningGame) -> bool:
    """Whether that day is going on in the game."""
    return any(by_vote(one) and _named(one) == window_of(day) for one in table.windows)


def refuse_untaken(table: RunningGame, closing: Closed, day: int, session: Session) -> None:
    """Raises DecisionNeeded where the game would not take that end of the day."""
    after = table.after(closing, session.clock.now(), session.author)
    if is_open(day, after):
        raise DecisionNeeded("\n".join(("Nothing was closed.", *refusal_lines(after.last_refused))))


def elimination_post(record: Record, table: RunningGame, dialect: str) -> str | None:
    """The post with which the game answered the closing of a day; None where it said nothing."""
    events = tuple(
        event for taken in table.replay.taken if taken.number == record.number for event in taken.events
    )
    fell = tuple(event for event in events if isinstance(event, Announced) and event.kind == ELIMINATION)
    texts = texts_of(table.game.spec.id, fell, dialect, holders(table.journal))
    return next((text.text for text in texts), None)


def _named(window: Window) -> str:
    return window.title.casefold().replace(" ", "-")


def _ever(table: RunningGame) -> tuple[Window, ...]:
    """What is open now; a mafia game at night, or over, has its days all the same."""
    from knightfall.mafia.state import State

    if isinstance(table.state, State):
        return (Window("day", "", (), secret=False),)
    return table.windows


KINDS = ("day", "night")


@dataclass(frozen=True, slots=True)
class Asked:
    """A phase and what was said of it on the command line; "" and None where nothing was said."""

    kind: str
    number: int
    begins: str = ""
    ends: str = ""
    by: str = ""
    post: str | None = None
    past: bool = False
    shorten: bool = False

    @property
    def window(self) -> str:
        """What the phase is called in the journal."""
        return f"{self.kind}-{self.number}"


def open_phase(asked: Asked, desk: Desk) -> None:
    """Opens a phase. Raises DecisionNeeded where it is open or closed already, TimeError for an end that is
    no instant, is over, or lies before its beginning."""
    setup, now = desk.setup, desk.session.clock.now()
    known = _known(asked, setup, desk)
    _refuse_again(known)
    begins = parse_instant(asked.begins, setup.zone, "--at") if asked.begins else None
    ends = _ends(asked, known, setup, now)
    if ends is not None and begins is not None and ends <= begins:
        raise InputError(
            f"--ends {shown(ends, setup.zone)} is not after --at {shown(begins, setup.zone)}: a phase ends "
            "after it begins."
        )
    start = None if asked.post is None else post_number(asked.post)
    for line in elsewhere(known.title, desk.session):
        desk.err(line)
    entry = Opened(asked.window, None if start is None else str(start), ends, begins)
    _done(entry, known.title, ends, None, f"{known.title} is open", setup, desk)


def extend(asked: Asked, desk: Desk) -> None:
    """Gives a phase another deadline. Raises DecisionNeeded where it is closed, InputError where nothing says
    which deadline, or an earlier one is not meant to shorten it."""
    setup, now = desk.setup, desk.session.clock.now()
    known = _known(asked, setup, desk)
    if known.closed is not None:
        raise DecisionNeeded(f'{known.title} is closed. First take that back: knightfall undo --why "…"')
    ends = _extended(asked, known, setup, now)
    before = known.deadline
    if before is not None and ends <= before and not asked.shorten:
        raise InputError(
            f"{shown(ends, setup.zone)} is not later than the deadline that stands, "
            f"{shown(before, setup.zone)}. To shorten {known.title}, say --shorten."
        )
    if before is not None and before < now:
        desk.err(
            f"The old deadline was {lasting(now - before)} ago: what was posted since counts from now on."
        )
    if asked.by and before is not None:
        for line in clock_change(before, asked.by, setup.zone):
            desk.err(line)
    said = f"{known.title} has another deadline"
    _done(Extended(asked.window, ends), known.title, ends, before, said, setup, desk)


def stop(asked: Asked, why: str, desk: Desk) -> None:
    """Stops the clock of a phase, until it is extended. Raises InputError without a reason, or a deadline."""
    setup = desk.setup
    known = _known(asked, setup, desk)
    if not why.strip():
        raise InputError('A clock is stopped for a reason: --why "…". It is kept in the journal.')
    if known.deadline is None:
        raise InputError(f"{known.title} has no deadline: there is no clock to stop.")
    said = f"The clock of {known.title} stands still"
    _done(Stopped(asked.window, why.strip()), known.title, None, known.deadline, said, setup, desk)


def lock(asked: Asked, desk: Desk) -> None:
    """Notes that the thread was locked after a post: none behind it counts for the phase. Raises InputError
    where nobody says which post, and nothing was read."""
    setup = desk.setup
    known = _known(asked, setup, desk)
    post = last_post(setup, desk.session) if asked.post is None else post_number(asked.post)
    if post is None:
        raise InputError("The thread was not read yet. Say after which post it was locked: --post NUMBER")
    record, _ = enter(Locked(asked.window, str(post)), desk)
    desk.err(
        f"{known.title} is locked after post {post}, entry {record.number}: no later post counts for it. "
        f"Next: knightfall phase close --day {asked.number}"
        if asked.kind == "day"
        else f"{known.title} is locked after post {post}, entry {record.number}."
    )


def latest(kind: str, desk: Desk) -> int:
    """The number of the phase that runs, else of the last one of that kind. Raises InputError for none."""
    found = [
        one for one in phases(desk.setup.days, journal_of(desk.session)) if one.window.startswith(f"{kind}-")
    ]
    numbers = {int(one.window.rpartition("-")[2]): one for one in found}
    running = [number for number, phase in numbers.items() if phase.running]
    if not numbers:
        raise InputError(f"No {kind} was opened yet: knightfall phase open {kind} 1 --ends “…”")
    return max(running or numbers)


def _known(asked: Asked, setup: Setup, desk: Desk) -> Phase:
    """What is known of the phase by now. Raises InputError for one of another kind."""
    if asked.kind not in KINDS:
        raise InputError(f"“{asked.kind}” is no phase: expected day or night, then its number.")
    found = phases(setup.days, journal_of(desk.session))
    return next((phase for phase in found if phase.window == asked.window), Phase(asked.window))


def _refuse_again(known: Phase) -> None:
    if known.closed is not None:
        raise DecisionNeeded(f'{known.title} is closed. To open it anew, first knightfall undo --why "…"')
    if known.running:
        kind, _, number = known.window.partition("-")
        raise DecisionNeeded(
            f"{known.title} is open already. Its deadline changes with: knightfall phase extend {kind} "
            f'{number} --ends "…"'
        )


def _ends(asked: Asked, known: Phase, setup: Setup, now: datetime) -> datetime | None:
    """The deadline that was said, else the game file's; a game closes at once what opens until the past."""
    if asked.ends:
        return checked_future(parse_instant(asked.ends, setup.zone, "--ends"), now, setup.zone, asked.past)
    try:
        return known.deadline and checked_future(known.deadline, now, setup.zone, asked.past)
    except TimeError as fault:
        raise TimeError(f"{setup.source}: {fault}") from None


def _extended(asked: Asked, known: Phase, setup: Setup, now: datetime) -> datetime:
    """The new deadline: said, or so much after the one that stands."""
    if bool(asked.ends) == bool(asked.by):
        raise InputError('Say until when, or how much longer: --ends "2026-11-27 20:00", or --by 24h.')
    if asked.by:
        if known.deadline is None:
            raise InputError(f"{known.title} has no deadline to count from: say it with --ends.")
        return checked_future(moved(known.deadline, asked.by, setup.zone), now, setup.zone, asked.past)
    return checked_future(parse_instant(asked.ends, setup.zone, "--ends"), now, setup.zone, asked.past)


def _done(
    entry: Entry,
    title: str,
    ends: datetime | None,
    before: datetime | None,
    said: str,
    setup: Setup,
    desk: Desk,
) -> None:
    """Writes the entry and tells it: to the moderator in full, to everybody in a post."""
    speech = desk.speech(setup)
    text = guarded(deadline_post(title, ends, before, desk.session.clock.now(), setup, speech), desk)
    record, _ = enter(entry, desk)
    desk.err(f'{said}, entry {record.number}. Take it back with: knightfall undo {record.number} --why "…"')
    if ends is not None:
        desk.err(deadline_line(ends, setup))
    publish(f"deadline-{title.lower().replace(' ', '-')}", text, desk, speech)
