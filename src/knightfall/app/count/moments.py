"""Which post or moment does the moderator mean by --at?"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from knightfall.errors import TimeError
from knightfall.setups.instants import aware
from knightfall.votes.config import Ask


def parse_at(text: str | None, zone: ZoneInfo | None) -> Ask:
    """A post number, with or without #, or a time; None is the latest post. Raises TimeError for what is
    neither, and for a time that has no zone or is no single instant in `zone`."""
    if text is None:
        return Ask()
    number = text.removeprefix("#")
    if number.isascii() and number.isdigit():
        return Ask(at_post=int(number))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise TimeError(
            f"--at {text}: expected a post number, or a time such as 2026-11-25T20:00:00-05:00."
        ) from None
    return Ask(at_time=aware(moment, zone, "--at"))
