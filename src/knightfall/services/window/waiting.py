"""Whose messages each open window awaits, until when, what happens without them, and reminders for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar
from zoneinfo import ZoneInfo

from knightfall.audience import SECRET, secret_if, secret_where
from knightfall.engine.entries import Extended, Opened, Stopped, Submitted
from knightfall.engine.game import Facts, Refusal, Silence, Told, Window
from knightfall.engine.journal import Journal, instant, standing
from knightfall.engine.json_text import JsonAnswer, plain_value
from knightfall.sentence import SlotId
from knightfall.services.now import as_of, now_of
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.running import RunningGame, closings, holders, shown, since_closing
from knightfall.services.session import Session, journal_of
from knightfall.services.window.unsettled import UNKNOWN as UNKNOWN
from knightfall.services.window.unsettled import LostLine, SentSoFar, sent_so_far
from knightfall.services.window.unsettled import refused_orders as refused_orders
from knightfall.storage.drafts import write_draft
from knightfall.writeups.events import private_message
from knightfall.writeups.journal import is_apart

_SHARED = "any"


@dataclass(frozen=True, slots=True)
class ReminderPm(Facts):
    """A reminder of a message that is awaited, the same for everybody: the title of the `window`, until when,
    what happens to who stays silent (`default`, "" where nothing is said)."""

    kind: ClassVar[str] = "reminder_pm"
    name: str
    window: str
    default: str
    title: str
    until: datetime | None


_DAYS = 48
"""From so many hours on a span is told in days."""


@dataclass(frozen=True, slots=True, repr=False)
class PendingSlot(JsonAnswer):
    """A slot that an open window awaits: what of theirs stands, and the lines that were not taken and not
    settled since. `declined`: they said that they do nothing. `lost` are lines that were taken and do not
    stand; `former` is who sent what stands, where somebody else holds the slot by now."""

    slot: SlotId
    standing: tuple[str, ...]
    refused: tuple[tuple[str, Refusal], ...] = ()
    declined: bool = False
    lost: tuple[LostLine, ...] = ()
    former: str = ""

    @property
    def answered(self) -> bool:
        """Whether something valid is there, or nothing on purpose; a refused message is no answer."""
        return bool(self.standing) or self.declined


@dataclass(frozen=True, slots=True, repr=False)
class PendingWindow(JsonAnswer):
    """An open window: whom it awaits, until when they can send (`stopped`: its clock stands still), and what
    happens to who never does. Whom a secret window awaits tells who may act."""

    window: Window
    slots: tuple[PendingSlot, ...] = field(metadata=secret_where(lambda one: one.window.secret))
    until: datetime | None
    stopped: bool
    silence: Silence | None
    others: tuple[PendingSlot, ...] = field(default=(), metadata=secret_where(lambda one: one.window.secret))
    """Who is not awaited any more, and has sent something that is not settled."""

    @property
    @secret_if(lambda one: one.window.secret)
    def absent(self) -> tuple[SlotId, ...]:
        """Who has sent nothing valid."""
        return tuple(one.slot for one in self.slots if not one.answered)

    @property
    def default(self) -> str:
        """What happens to who is silent, with its ruling; "" where the rules leave it open."""
        if self.silence is None:
            return ""
        return f"{self.silence.text} ({self.silence.ruling})" if self.silence.ruling else self.silence.text

    def to_dict(self) -> dict[str, object]:
        """{window, title, until, stopped, missing: slots}."""
        return {
            "window": self.window.kind,
            "title": self.window.title,
            "until": plain_value(self.until),
            "stopped": self.stopped,
            "missing": list(self.absent),
        }


@dataclass(frozen=True, slots=True, repr=False)
class ReadLate(JsonAnswer):
    """A message that was entered, as entry `entry`, at another time than it was sent."""

    slot: SlotId
    name: str
    entry: int
    sent: datetime
    entered: datetime

    def to_dict(self) -> dict[str, object]:
        """{entry, slot, sent, entered}."""
        return {
            "entry": self.entry,
            "slot": self.slot,
            "sent": plain_value(self.sent),
            "entered": plain_value(self.entered),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Missing(JsonAnswer):
    """Every open window as of `at`, how the slots that are awaited are shown, and the game's zone. `late` are
    messages for them that were read late, those as well that were sent by then and entered since."""

    at: datetime
    windows: tuple[PendingWindow, ...]
    shown: Mapping[SlotId, str]
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    late: tuple[ReadLate, ...] = field(default=(), metadata=SECRET)

    def to_dict(self) -> dict[str, object]:
        """{open: [{window, title, until, stopped, missing: slots, refused: {slot: [{line, code, text}]},
        default}], late: [{entry, slot, sent, entered}]}."""
        return {
            "late": [one.to_dict() for one in self.late],
            "open": [
                {
                    **one.to_dict(),
                    "refused": {
                        slot.slot: [
                            {"line": line, "code": why.code, "text": why.text} for line, why in slot.refused
                        ]
                        for slot in one.slots
                        if slot.refused
                    },
                    "default": one.default,
                }
                for one in self.windows
            ],
        }


def pending(table: RunningGame) -> tuple[PendingWindow, ...]:
    """Every open window of a game, as the game itself says whom it awaits; with whoever else sent something
    that is not settled."""
    records = since_closing(table)
    found = []
    for window in table.windows:
        # It ends as the game says, unless the moderator has said something else: before it opened, or since.
        until, stopped = table.replay.pending.until.get(window.kind) or window.closes, False
        names = (window.kind, window.title.casefold().replace(" ", "-"))
        for record in records:
            match record.entry:
                case Opened(window=named, until=end) | Extended(window=named, until=end) if named in names:
                    until, stopped = end, False
                case Stopped(window=named) if named in names:
                    until, stopped = None, True
        if window.kind not in table.replay.pending.until:  # the game itself knows, and may have moved on
            until, stopped = window.closes, stopped and window.closes is None
        sent = sent_so_far(table, window)
        slots = tuple(
            _of(sent.pop(one.slot, SentSoFar(one.slot)), one.standing)
            for one in table.game.awaits(table.state, window)
        )
        others = tuple(_of(own, ()) for own in sent.values() if own.unsettled and own.slot in window.slots)
        silence = table.game.silence(window.kind)
        found.append(PendingWindow(window, slots, until, stopped, silence, others))
    return tuple(found)


def _of(own: SentSoFar, standing: tuple[str, ...]) -> PendingSlot:
    former = own.former if standing or own.refused else ""
    return PendingSlot(own.slot, standing, tuple(own.refused), own.declined, tuple(own.lost), former)


def missing(session: Session, at: str | None = None) -> Missing:
    """Whose message is awaited in each open window of the game of a folder, as of an entry or a time (None:
    now). Raises TimeError and InputError as `as_of`."""
    then = as_of(at, session)
    now, table = then.clock.now(), now_of(then).running
    windows, held = pending(table), holders(table.journal)
    return Missing(
        now,
        windows,
        {one.slot: shown(one.slot, held) for window in windows for one in window.slots},
        now_of(then).setup.zone or ZoneInfo("UTC"),
        tuple(_read_late(table, journal_of(session), now)),
    )


def _read_late(table: RunningGame, journal: Journal, now: datetime) -> Iterator[ReadLate]:
    """The messages since something was closed last, by then sent at another time than they were entered;
    `journal` holds what was entered since, too."""
    held, closed = holders(table.journal), closings(table)
    since = [record for record in standing(journal) if record.number > len(table.journal)]
    for record in (*since_closing(table), *since):
        entry, sent = record.entry, instant(record)
        if not isinstance(entry, Submitted) or entry.slot is None or not is_apart(sent, record.at):
            continue
        if sent <= now and not (closed and sent <= instant(closed[-1])):
            yield ReadLate(entry.slot, shown(entry.slot, held), record.number, sent, record.at)


def reminders(session: Session) -> tuple[Path, ...]:
    """A reminder for everybody whose message is awaited, as a draft of its own in `private/`.

    All of a window say the same but for the name.
    """
    table, setup = now_of(session).running, now_of(session).setup
    held = holders(table.journal)
    drafts = []
    for one in pending(table):
        for slot in one.absent:
            name = held.get(slot, slot)
            facts = ReminderPm(
                name,
                one.window.title,
                one.silence.text if one.silence else "",
                setup.title or table.game.spec.name,
                one.until,
            )
            text = private_message(_SHARED, Told((slot,), facts), zone=setup.zone)
            drafts.append(write_draft(table.folder, PRIVATE_FOLDER, _reminder_file(one, name), text))
    return tuple(drafts)


def _reminder_file(one: PendingWindow, name: str) -> str:
    return f"reminder-{safe_name(one.window.title.casefold())}-{safe_name(name)}.txt"


def is_reminded(one: PendingWindow, table: RunningGame) -> bool:
    """Whether a reminder lies there for everybody whose message a window awaits."""
    held, place = holders(table.journal), table.folder / PRIVATE_FOLDER
    return all((place / _reminder_file(one, held.get(slot, slot))).exists() for slot in one.absent)


def time_left(until: datetime, now: datetime) -> str:
    """“19 h left”, “3 days 7 h left”, “less than a minute left”, “over for 2 h”."""
    span = abs(until - now)
    hours = span // timedelta(hours=1)
    if hours >= _DAYS:
        rest = hours - 24 * span.days
        told = f"{span.days} days{f' {rest} h' if rest else ''}"
    else:
        minutes = span // timedelta(minutes=1)
        told = f"{hours} h" if hours else f"{minutes} min" if minutes else "less than a minute"
    return f"{told} left" if until > now else f"over for {told}"
