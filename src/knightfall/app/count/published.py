"""Which texts went out, and what number does the next one bear? Numbers rise only when one is posted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from knightfall.app.diary.journal import entered
from knightfall.app.ports import Ports
from knightfall.core.entries import Published
from knightfall.core.journal import Journal, standing
from knightfall.votes.changes import changes_since
from knightfall.votes.votecount import Votecount


@dataclass(frozen=True, slots=True)
class Due:
    """The next text of a kind: its number, and the last one of that kind that was posted."""

    number: int
    last: Published | None = None


def due(journal: Journal, kind: str) -> Due:
    """What comes next of a kind such as `votecount-1`."""
    posted = [r.entry for r in standing(journal) if isinstance(r.entry, Published) and r.entry.kind == kind]
    return Due(max((entry.number for entry in posted), default=0) + 1, posted[-1] if posted else None)


def votecount_kind(day: int) -> str:
    """What counts of that day are called in the journal."""
    return f"votecount-{day}"


def numbered(count: Votecount, journal: Journal) -> Votecount:
    """The count with its number of the day, and what changed since the last one that was posted."""
    next_one = due(journal, votecount_kind(count.day.number))
    upto = int(next_one.last.upto) if next_one.last and next_one.last.upto else None
    changes = () if upto is None else changes_since(count.tally.history, upto)
    return replace(count, number=next_one.number, changes=changes)


def note_posted(kind: str, text: str, upto: int, journal: Journal, ports: Ports) -> Published:
    """Writes down that a text went out, counted up to that post. Raises InputError without a game."""
    entry = Published(kind, due(journal, kind).number, sha256(text.encode()).hexdigest(), text, str(upto))
    entered(entry, ports, "What was posted is kept with a game: --game FOLDER, or be in the game's folder.")
    return entry
