"""How does the moderator open, extend, stop and lock a phase, each with one entry and one post?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from knightfall.app.calendar.day_table import elsewhere
from knightfall.app.calendar.deadlines import (
    checked_future,
    clock_change,
    lasting,
    moved,
    parse_instant,
    shown,
)
from knightfall.app.calendar.telling import deadline_line, deadline_post
from knightfall.app.diary.journal import journal_of
from knightfall.app.people.entering import Desk, enter, guarded, publish
from knightfall.app.people.moments import last_post, post_number
from knightfall.core.entries import Entry, Extended, Locked, Opened, Stopped
from knightfall.errors import DecisionNeeded, InputError, TimeError
from knightfall.setups.calendar import Phase, phases
from knightfall.setups.setup import Setup

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
    setup, now = desk.setup, desk.ports.clock.now()
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
    for line in elsewhere(known.title, desk.folder, desk.ports):
        desk.err(line)
    entry = Opened(asked.window, None if start is None else str(start), ends, begins)
    _done(entry, known.title, ends, None, f"{known.title} is open", setup, desk)


def extend(asked: Asked, desk: Desk) -> None:
    """Gives a phase another deadline. Raises DecisionNeeded where it is closed, InputError where nothing says
    which deadline, or an earlier one is not meant to shorten it."""
    setup, now = desk.setup, desk.ports.clock.now()
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
    post = last_post(setup, desk.ports) if asked.post is None else post_number(asked.post)
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
        one for one in phases(desk.setup.days, journal_of(desk.ports)) if one.window.startswith(f"{kind}-")
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
    found = phases(setup.days, journal_of(desk.ports))
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
    text = guarded(deadline_post(title, ends, before, desk.ports.clock.now(), setup, speech), desk)
    record, _ = enter(entry, desk)
    desk.err(f'{said}, entry {record.number}. Take it back with: knightfall undo {record.number} --why "…"')
    if ends is not None:
        desk.err(deadline_line(ends, setup))
    publish(f"deadline-{title.lower().replace(' ', '-')}", text, desk, speech)
