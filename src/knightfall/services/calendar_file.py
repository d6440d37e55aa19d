"""The game's phases and deadlines as a file for calendar programs (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
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


def write_calendar(session: Session, allow: str = "") -> tuple[Path, int]:
    """Writes `public/calendar.ics`; returns where it is and how many events it holds. Raises InputError where
    no phase has a time yet, SecretGuard where a title gives something away and `allow` has no reason."""
    setup = setup_of(session)
    known = phases(setup.days, journal_of(session))
    calendar = calendar_of(setup, known, session.clock.now())
    if not calendar.subcomponents:
        raise InputError(
            "No phase has a time yet, so there is nothing to write. Open one: knightfall phase open day 1 "
            '--at "2026-11-18 20:00" --ends "2026-11-25 20:00"'
        )
    released(_words_of(calendar), session, allow)
    text = calendar.to_ical().decode()
    return write_public(session.folder, FILE, text), len(calendar.subcomponents)


def _words_of(calendar: Calendar) -> str:
    """What somebody reads in it, a line each: a file of this kind breaks lines within words."""
    said = (part.get(name) for part in calendar.walk() for name in ("x-wr-calname", "summary", "url"))
    return "\n".join(dict.fromkeys(str(one) for one in said if one is not None))


def calendar_of(setup: Setup, known: tuple[Phase, ...], now: datetime) -> Calendar:
    """The calendar; the same phase keeps its identity when it moves."""
    calendar = Calendar()
    calendar.add("prodid", "-//Knightfall//Calendar of a game//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", _title(setup))
    for phase in known:
        for event in _events(setup, phase, now):
            calendar.add_component(event)
    return calendar


def _events(setup: Setup, phase: Phase, now: datetime) -> Iterator[Event]:
    begins, ends = phase.begins or phase.opened, phase.deadline
    if begins is not None and ends is not None and begins < ends:
        yield _event(setup, phase, "phase", phase.title, begins, now, ends)
    if ends is not None:
        yield _event(setup, phase, "deadline", f"{phase.title} ends", ends, now)


def _event(
    setup: Setup,
    phase: Phase,
    what: str,
    said: str,
    begins: datetime,
    now: datetime,
    ends: datetime | None = None,
) -> Event:
    """A span, or without an end a moment."""
    event = Event()
    own = sha256(f"{setup.url or _title(setup)}|{phase.window}|{what}".encode()).hexdigest()[:32]
    event.add("uid", f"{own}@knightfall")
    event.add("dtstamp", now.astimezone(UTC).replace(microsecond=0))
    event.add("dtstart", begins.astimezone(UTC))
    if ends is not None:
        event.add("dtend", ends.astimezone(UTC))
    event.add("summary", f"{_title(setup)}: {said}")
    event.add("sequence", len(phase.stood))
    if setup.url:
        event.add("url", setup.url)
    return event


def _title(setup: Setup) -> str:
    return setup.title or "Game"
