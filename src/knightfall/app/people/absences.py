"""How does the moderator note that somebody will be away, from which day to which?"""

from __future__ import annotations

from datetime import date

from knightfall.app.people.entering import Desk, enter, guarded, publish
from knightfall.app.people.seats import shown_name, slot_id
from knightfall.core.entries import Away
from knightfall.errors import InputError, TimeError
from knightfall.writeups.render import render

RANGE = ".."


def away(name: str, days: str, desk: Desk) -> None:
    """Notes an absence; both days are part of it, and no prod is due in it. Raises InputError for days that
    are none, TimeError where the game has no zone to have days in."""
    setup = desk.setup
    first, last = parse_days(days)
    if setup.zone is None:
        raise TimeError(
            f"{setup.source}: an absence is told in days, and the game has no zone. Set timezone in [game], "
            "for example “America/New_York”."
        )
    slot = slot_id(name, setup, desk)
    shown = shown_name(slot, setup)
    facts = {"name": shown, "first": f"{first:%d %b %Y}", "last": f"{last:%d %b %Y}"}
    text = guarded(render("any/v_la", facts, desk.speech(setup)), desk)
    record, _ = enter(Away(slot, first.isoformat(), last.isoformat()), desk)
    desk.err(
        f"{shown} is away from {first:%a %d %b} to {last:%a %d %b}, entry {record.number}: no prod is due in "
        "these days."
    )
    publish(f"{record.number:03}-v_la", text, desk, desk.speech(setup))


def parse_days(text: str) -> tuple[date, date]:
    """“2026-11-28..2026-12-01”, or one day. Raises InputError for anything else, and for an end before the
    beginning."""
    begins, _, ends = text.partition(RANGE)
    try:
        first, last = date.fromisoformat(begins.strip()), date.fromisoformat((ends or begins).strip())
    except ValueError:
        raise InputError(
            f"{text}: expected a day, or the first and the last one, such as 2026-11-28..2026-12-01."
        ) from None
    if last < first:
        raise InputError(f"{text}: the last day comes before the first one.")
    return first, last
