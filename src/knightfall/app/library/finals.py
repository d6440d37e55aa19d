"""What was the final count of a day that was closed, from the thread as it was last read?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from knightfall.app.closing.final import count_of
from knightfall.app.library.scene import Scene
from knightfall.core.entries import Closed
from knightfall.errors import EvidenceError, InputError
from knightfall.setups.closed import closed_days
from knightfall.votes.tally import Why
from knightfall.votes.votecount import View, Votecount, seen_by

TOO_LATE = frozenset({Why.AFTER_HAMMER, Why.LATE})
"""Votes that came after the end: of the vote, or of the day."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The count with which a day ended, as players may see it, and the posts whose votes came too late."""

    count: Votecount
    void: tuple[int, ...]


def ending_of(scene: Scene, day: int) -> tuple[Ending | None, tuple[str, ...]]:
    """The final count of a day; None and why not, where the thread was not read or cannot be counted."""
    thread = scene.kept()
    if thread is None:
        return None, ("It has no final count: nothing of the game's thread was read (knightfall read).",)
    try:
        count = seen_by(View.PUBLIC, count_of(scene.setup, thread, day, closing(scene, day)))
    except (EvidenceError, InputError) as fault:
        return None, (f"It has no final count: {fault}",)
    late = (missed.post for missed in count.tally.not_counted if missed.why in TOO_LATE)
    return Ending(count, tuple(dict.fromkeys(late))), ()


def closing(scene: Scene, day: int) -> datetime:
    """When the day was closed; now where it was not."""
    named = [record.at for number, record in closed_days(scene.journal) if number == day]
    days = [record.at for record in scene.journal if _closes_day(record.entry)]
    return named[-1] if named else days[day - 1] if day <= len(days) else scene.ports.clock.now()


def _closes_day(entry: object) -> bool:
    """Days are closed one after the other, with or without their number."""
    return isinstance(entry, Closed) and entry.window.partition("-")[0] == "day"
