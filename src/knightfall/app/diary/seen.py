"""Up to which entry has this run read the journal, and who is told of what was written since?

What a verb computes rests on the first look that it takes, not on a later one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knightfall.core.journal import Journal, Record


def to_nobody(_sentence: str) -> None:
    """Where nobody listens."""


@dataclass(slots=True)
class Seen:
    """A bookmark: `number` of the last entry that is known (0: there was none; None: not looked yet), `at`
    its instant. `held` while a verb computes; its own entry lets go, so that the next look moves it again."""

    tell: Callable[[str], None] = to_nobody
    number: int | None = None
    at: datetime | None = None
    held: bool = False
    journal: Journal = ()
    """What was read and found whole: a later look verifies only what stands behind it."""

    def read(self, journal: Journal) -> None:
        """The journal was looked at; only the first look counts."""
        if not self.held:
            self.catch_up(journal)

    def catch_up(self, journal: Journal) -> None:
        """The moderator knows all of this now."""
        self.number = journal[-1].number if journal else 0
        self.at = journal[-1].at if journal else None
        self.held = True

    def wrote(self, record: Record) -> None:
        """An entry of this run stands in the journal."""
        self.number, self.at, self.held = record.number, record.at, False
