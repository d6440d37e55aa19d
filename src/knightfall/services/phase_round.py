"""Which round of a beacon what is drawn at the end of a phase waits for: its deadline names it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from knightfall.config.beacons import KnownBeacon, beacon_named
from knightfall.engine.entries import Closed, Extended, Opened, Started, Stopped
from knightfall.engine.fair import AHEAD, promises_rounds
from knightfall.engine.journal import standing
from knightfall.errors import InputError
from knightfall.sentence import Way, sentence
from knightfall.services.fair_deal import promise_of
from knightfall.services.running import RunningGame


@dataclass(frozen=True, slots=True)
class AwaitedRound:
    """A round that is waited for: the title of what ends with it ("" for the deal), the beacon, the round's
    number and when it comes."""

    title: str
    known: KnownBeacon
    number: int
    due: datetime


def phase_round(table: RunningGame) -> AwaitedRound:
    """The first round at the next deadline; where that was set less than ten minutes ahead, the first one ten
    minutes after it was set, so that nobody can set it by a round that they know.

    Raises InputError where the game waits for no rounds, nothing is open, or nothing open has a deadline.
    """
    promise = promise_of(table.journal)
    if promise is None or not promises_rounds(table.journal):
        raise InputError("The game was dealt already, and it waits for no other round.")
    moved = table.replay.pending.until
    ends = [(end, one.title) for one in table.windows if (end := moved.get(one.kind, one.closes))]
    if not ends:
        raise InputError(
            sentence(
                "Nothing that is open has a deadline, and a deadline names the round. Set one first: {open}",
                open=Way("set_deadline", title=table.windows[0].title if table.windows else "night-1"),
            )
        )
    end, title = min(ends)
    known = beacon_named(promise.terms["chance"]["beacon"])
    moves = (Started, Closed, Opened, Extended, Stopped)
    last_set = max(one.at for one in standing(table.journal) if isinstance(one.entry, moves))
    number = known.beacon.first_after(max(end, last_set + AHEAD))
    return AwaitedRound(title, known, number, known.beacon.at(number))
