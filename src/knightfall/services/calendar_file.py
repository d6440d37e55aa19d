"""The game's phases and deadlines as a file for calendar programs (RFC 5545)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from icalendar import Calendar, Event

from knightfall.config.calendar import Phase, phases
from knightfall.config.setup import Setup
from knightfall.errors import InputError
from knightfall.services.game_state import setup_of
from knightfall.services.guard import released
from knightfall.services.session import Session, journal_of
from knightfall.storage.drafts import write_public

FILE = "calendar.ics"


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """A calendar that was written, and how many events it holds."""

    file: Path
    events: int


def write_calendar(session: Session, allow: str = "") -> CalendarFile:
    """Write `public/calendar.ics`.

    Raises InputError where no phase has a time yet, SecretGuard where a title gives something away and
    `allow` has no reason.
    """
    setup = setup_of(session)
    known = phases(setup.days, journal_of(session))
    calendar = calendar_of(setup, known, session.clock.now())
    if not calendar.subcomponents:
        raise InputError(
            "No phase has a time yet, so there is nothing to write. Open one: knightfall phase open day 1 "
            '--at "2026-11-18 20:00" --ends "2026-11-25 20:00"'
        )
    # What somebody reads in it, a line each: a file of this kind breaks lines within words.
    said = (part.get(name) for part in calendar.walk() for name in ("x-wr-calname", "summary", "url"))
    released("\n".join(dict.fromkeys(str(one) for one in said if one is not None)), session, allow)
    file = write_public(session.folder, FILE, calendar.to_ical().decode())
    return CalendarFile(file, len(calendar.subcomponents))


def calendar_of(setup: Setup, known: tuple[Phase, ...], now: datetime) -> Calendar:
    """The calendar of all spans and deadlines; the same phase keeps its identity when it moves."""
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
