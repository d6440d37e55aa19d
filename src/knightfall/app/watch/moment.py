"""How does the game stand at one instant: which day is watched, what is open, what was noticed?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.app.diary.journal import journal_of
from knightfall.app.people.dead import begun
from knightfall.app.play.table import table_of
from knightfall.app.ports import Ports
from knightfall.app.setup_now import setup_of
from knightfall.app.watch.which_day import final_key, over, watched
from knightfall.services.awaited import Awaited, awaited
from knightfall.setups.closed import closed_days
from knightfall.setups.setup import Setup
from knightfall.votes.config import DaySetup


@dataclass(frozen=True, slots=True)
class Moment:
    """`day` is watched, its vote may be over; `windows` are open; `known` are the keys of what was noticed,
    `closed` the numbers of days that the moderator closed."""

    at: datetime
    setup: Setup
    day: DaySetup | None
    windows: tuple[Awaited, ...]
    known: frozenset[str]
    closed: frozenset[int]

    @property
    def zone(self) -> ZoneInfo:
        """The moderator's clocks."""
        return self.setup.zone or ZoneInfo("UTC")

    @property
    def over(self) -> bool:
        """Whether the final count of the day is still to be made."""
        day = self.day
        return day is not None and over(day, self.setup.rule, self.at) and final_key(day) not in self.known

    @property
    def left(self) -> float | None:
        """Seconds to the first instant that is too late for a vote."""
        if self.day is None or self.day.deadline is None:
            return None
        return (self.setup.rule.closes(self.day.deadline) - self.at).total_seconds()


def moment_of(folder: Path, known: frozenset[str], ports: Ports) -> Moment:
    """Game file and journal are read anew: the moderator decides while we watch. Raises what that raises."""
    setup, journal, at = setup_of(folder, ports), journal_of(ports), ports.clock.now()
    closed = frozenset(number for number, _ in closed_days(journal))
    windows = awaited(table_of(folder, ports)) if begun(journal) else ()
    day = watched(setup.days, closed, setup.rule, at, known)
    return Moment(at, setup, day, windows, known, closed)
