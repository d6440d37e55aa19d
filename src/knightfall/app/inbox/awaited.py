"""Whose message is awaited, how long still, and what if it never comes? And how is he reminded?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.app.inbox.defaults import default_of
from knightfall.app.people.holders import Holders, holders, shown
from knightfall.app.play.table import Table, since_closing, table_of
from knightfall.app.play.texts import PRIVATE, safe_name
from knightfall.app.ports import Ports
from knightfall.app.setup_now import setup_of
from knightfall.core.entries import Extended, Opened, Stopped, Submitted
from knightfall.core.game import SlotId, Told, Window
from knightfall.setups.setup import Setup
from knightfall.storage.drafts import write_draft
from knightfall.writeups.events import private_message

TEMPLATE, SHARED = "reminder_pm", "any"
_HOUR, _MINUTE = timedelta(hours=1), timedelta(minutes=1)
_DAYS = 48


@dataclass(frozen=True, slots=True)
class Awaited:
    """An open window: who has sent nothing since it opened, until when they can (`stopped`: its clock stands
    still), and what happens to who never does."""

    window: Window
    absent: tuple[SlotId, ...]
    until: datetime | None
    stopped: bool
    default: str


def awaited(table: Table) -> tuple[Awaited, ...]:
    """Every open window."""
    records = since_closing(table)
    sent = {record.entry.slot for record in records if isinstance(record.entry, Submitted)}
    return tuple(_awaited(table, window, sent) for window in table.windows)


def missing(folder: Path, ports: Ports) -> str:
    """Whose message is awaited in each open window, with the time left and the default."""
    now, table = ports.clock.now(), table_of(folder, ports)
    held = holders(table.journal)
    return "\n".join(_line(one, held, now) for one in awaited(table)) or "The game is over."


def missing_values(folder: Path, ports: Ports) -> dict[str, object]:
    """{open: [{window, title, until, stopped, missing: names, default}]}."""
    return {
        "open": [
            {
                "window": one.window.kind,
                "title": one.window.title,
                "until": one.until,
                "stopped": one.stopped,
                "missing": list(one.absent),
                "default": one.default,
            }
            for one in awaited(table_of(folder, ports))
        ]
    }


def reminders(folder: Path, ports: Ports) -> tuple[Path, ...]:
    """A reminder for everybody whose message is awaited, as a draft of its own in `private/`. All of a window
    say the same but for the name."""
    table, setup = table_of(folder, ports), setup_of(folder, ports)
    held = holders(table.journal)
    return tuple(
        write_draft(table.folder, PRIVATE, _file(one.window, name), _text(one, slot, name, table, setup))
        for one in awaited(table)
        for slot in one.absent
        for name in (held.get(slot, slot),)
    )


def _awaited(table: Table, window: Window, sent: set[SlotId | None]) -> Awaited:
    absent = tuple(slot for slot in window.slots if slot not in sent)
    until, stopped = _until(table, window)
    return Awaited(window, absent, until, stopped, default_of(table.game.spec.id, window.kind))


def _until(table: Table, window: Window) -> tuple[datetime | None, bool]:
    """As the game says, unless the moderator has said something else since it opened."""
    until, stopped = window.closes, False
    for record in since_closing(table):
        match record.entry:
            case Opened(window=named, until=end) | Extended(window=named, until=end) if _is(named, window):
                until, stopped = end, False
            case Stopped(window=named) if _is(named, window):
                until, stopped = None, True
    return until, stopped


def _is(named: str, window: Window) -> bool:
    return named in (window.kind, window.title.casefold().replace(" ", "-"))


def _line(one: Awaited, held: Holders, now: datetime) -> str:
    ends = f", until {one.until:%d %b %H:%M UTC}, {left(one.until, now)}" if one.until else ""
    ends = ", its clock stands still" if one.stopped else ends
    absent = ", ".join(shown(slot, held) for slot in one.absent)
    waits = f"missing: {absent}" if absent else "nobody is missing"
    default = f"; who sends nothing: {one.default}" if one.absent and one.default else ""
    return f"{one.window.title} ({one.window.kind}{ends}): {waits}{default}."


def left(until: datetime, now: datetime) -> str:
    """“19 h left”, “3 days left”, “25 min left”, “over for 2 h”."""
    span = until - now
    return f"{_long(span)} left" if span > timedelta() else f"over for {_long(-span)}"


def _long(span: timedelta) -> str:
    hours = span // _HOUR
    if hours >= _DAYS:
        return f"{span.days} days"
    return f"{hours} h" if hours else f"{span // _MINUTE} min"


def _file(window: Window, name: str) -> str:
    return f"reminder-{safe_name(window.title.casefold())}-{safe_name(name)}.txt"


def _text(one: Awaited, slot: SlotId, name: str, table: Table, setup: Setup) -> str:
    return private_message(SHARED, Told((slot,), TEMPLATE, dict(_facts(one, name, table, setup))))


def _facts(one: Awaited, name: str, table: Table, setup: Setup) -> Iterator[tuple[str, object]]:
    yield from (("name", name), ("window", one.window.title), ("default", one.default))
    yield "title", setup.title or table.game.spec.name
    yield "until", _clock(one.until, setup) if one.until else None


def _clock(until: datetime, setup: Setup) -> str:
    """Short, so that a public post with the same deadline does not look like words of this PM."""
    return f"{until.astimezone(setup.zone or ZoneInfo('UTC')):%d %b, %H:%M %Z}"
