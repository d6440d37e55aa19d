"""Whose messages each open window awaits, until when, what happens without them, and reminders for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from knightfall.engine.game import SlotId, Told, Window
from knightfall.engine.journal import Extended, Opened, Stopped, Submitted
from knightfall.services.game_state import RunningGame, holders, setup_of, shown, since_closing, table_of
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.session import Session
from knightfall.storage.drafts import write_draft
from knightfall.writeups.events import private_message

_TEMPLATE, _SHARED = "reminder_pm", "any"
_DAYS = 48
"""From so many hours on a span is told in days."""

_IDLE_NIGHT = {"night": "no action"}
# The same for every player of a window, so that no reminder tells what somebody can do.
_DEFAULTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "knight_errant": _IDLE_NIGHT,
        "empowered": {"choosing": "none: the moderator asks again (EM-R29)", **_IDLE_NIGHT},
        "custom_mafia": _IDLE_NIGHT,
        "kings_court": {
            "vote": "no vote, and a garnet less (KC-06)",
            "tie": "one of the tied is drawn (KC-10)",
            "shop": "nothing is bought",
        },
        "knights_duty": {
            "setup": "a sword, on the first free start (KD-27, KD-28)",
            "turn": "three passes (KD-25)",
        },
        "knight_fight": {
            "side": "X (KF-03)",
            "bids": "a bid of 0 without a move (KF-22)",
            "turn": "the rival moves instead, or a move is drawn (KF-09)",
            "stand_in": "a legal move is drawn (KF-09)",
            "trap": "no trap (KF-27)",
        },
    }
)


@dataclass(frozen=True, slots=True)
class Awaited:
    """An open window: who has sent nothing since it opened, until when they can (`stopped`: its clock stands
    still), and what happens to who never does."""

    window: Window
    absent: tuple[SlotId, ...]
    until: datetime | None
    stopped: bool
    default: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Every open window as of `at`, and how the slots that are awaited are shown."""

    at: datetime
    windows: tuple[Awaited, ...]
    shown: Mapping[SlotId, str]

    def to_dict(self) -> dict[str, object]:
        """{open: [{window, title, until, stopped, missing: slots, default}]}."""
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
                for one in self.windows
            ]
        }


def default_of(game: str, window: str) -> str:
    """What happens to a player who sends nothing, and by which ruling; "" where the rules leave it open."""
    return _DEFAULTS.get(game, {}).get(window, "")


def awaited(table: RunningGame) -> tuple[Awaited, ...]:
    """Every open window of a game."""
    records = since_closing(table)
    sent = {record.entry.slot for record in records if isinstance(record.entry, Submitted)}
    found = []
    for window in table.windows:
        absent = tuple(slot for slot in window.slots if slot not in sent)
        # It ends as the game says, unless the moderator has said something else since it opened.
        until, stopped = window.closes, False
        names = (window.kind, window.title.casefold().replace(" ", "-"))
        for record in records:
            match record.entry:
                case Opened(window=named, until=end) | Extended(window=named, until=end) if named in names:
                    until, stopped = end, False
                case Stopped(window=named) if named in names:
                    until, stopped = None, True
        found.append(Awaited(window, absent, until, stopped, default_of(table.game.spec.id, window.kind)))
    return tuple(found)


def missing(session: Session) -> Missing:
    """Whose message is awaited in each open window of the game of a folder."""
    now, table = session.clock.now(), table_of(session)
    windows, held = awaited(table), holders(table.journal)
    return Missing(now, windows, {slot: shown(slot, held) for one in windows for slot in one.absent})


def reminders(session: Session) -> tuple[Path, ...]:
    """A reminder for everybody whose message is awaited, as a draft of its own in `private/`.

    All of a window say the same but for the name.
    """
    table, setup = table_of(session), setup_of(session)
    held = holders(table.journal)
    drafts = []
    for one in awaited(table):
        # Short, so that a public post with the same deadline does not look like words of this PM.
        zone = setup.zone or ZoneInfo("UTC")
        until = f"{one.until.astimezone(zone):%d %b, %H:%M %Z}" if one.until else None
        for slot in one.absent:
            name = held.get(slot, slot)
            facts = {
                "name": name,
                "window": one.window.title,
                "default": one.default,
                "title": setup.title or table.game.spec.name,
                "until": until,
            }
            text = private_message(_SHARED, Told((slot,), _TEMPLATE, facts))
            file = f"reminder-{safe_name(one.window.title.casefold())}-{safe_name(name)}.txt"
            drafts.append(write_draft(table.folder, PRIVATE_FOLDER, file, text))
    return tuple(drafts)


def time_left(until: datetime, now: datetime) -> str:
    """“19 h left”, “3 days left”, “25 min left”, “over for 2 h”."""
    span = abs(until - now)
    hours = span // timedelta(hours=1)
    if hours >= _DAYS:
        told = f"{span.days} days"
    else:
        told = f"{hours} h" if hours else f"{span // timedelta(minutes=1)} min"
    return f"{told} left" if until > now else f"over for {told}"
