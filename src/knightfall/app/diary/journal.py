"""How do verbs read and write the journal of a game? It is open for as long as that takes, no longer.

Two moderators may write at once. Nothing of either is lost: who writes second is told what came since he
read, and where his entry rests on how things stood, it is written only if it still means the same.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from knightfall.errors import InputError, Overtaken

if TYPE_CHECKING:  # who counts without a game need not wait for the journal
    from knightfall.app.diary.seen import Seen
    from knightfall.app.ports import Ledger, Ports
    from knightfall.core.entries import Entry
    from knightfall.core.journal import Journal, Record

Again: TypeAlias = "Callable[[Journal], bool]"
"""Whether an entry that was worked out before means the same behind this journal."""


def journal_of(ports: Ports) -> Journal:
    """All that was written in the game's journal; nothing where there is no game."""
    if ports.ledger is None:
        return ()
    ledger = ports.ledger()
    try:
        journal = ports.seen.journal = ledger.records(ports.seen.journal)
    finally:
        ledger.close()
    ports.seen.read(journal)
    return journal


def entered(
    entry: Entry, ports: Ports, otherwise: str, at: datetime | None = None, again: Again | None = None
) -> Record:
    """Writes an entry, now or as of `at`. Raises InputError, saying `otherwise`, where there is no game, and
    Overtaken where it rests on what somebody changed since: by what `again` finds, else by the kinds of what
    was written."""
    if ports.ledger is None:
        raise InputError(otherwise)
    ledger = ports.ledger()
    try:
        if ports.seen.number is None:
            ports.seen.read(ledger.records())
        return _behind(entry, at or ports.clock.now(), ledger, ports, again)
    finally:
        ledger.close()


def rests_on_state(entry: Entry) -> bool:
    """Whether an entry follows from how things stand, and does not only say what somebody said or decided."""
    from knightfall.core import entries as e

    moves = (e.Started, e.Closed, e.Opened, e.Locked, e.Extended, e.Stopped)
    return isinstance(entry, (*moves, e.Replaced, e.Removed, e.Revived))


def _behind(entry: Entry, at: datetime, ledger: Ledger, ports: Ports, again: Again | None) -> Record:
    """Behind all that the moderator knows of, as soon as that is all there is."""
    while True:
        try:
            record = ledger.append(entry, at, ports.author, ports.seen.number)
        except Overtaken:
            _catch_up(entry, ledger.records(), ports.seen, again)
        else:
            _tell_of_clock(record, ports.seen)
            ports.seen.wrote(record)
            return record


def _catch_up(entry: Entry, journal: Journal, seen: Seen, again: Again | None) -> None:
    """Tells what came in between. Raises Overtaken where the entry must not be written behind it."""
    from knightfall.writeups.journal import entry_line

    since = journal[seen.number or 0 :]
    seen.catch_up(journal)
    for record in since:
        seen.tell(f"Meanwhile: {record.number} {record.author}: {entry_line(record.entry)}")
    if not (again(journal) if again else _untouched(entry, since)):
        raise Overtaken(
            f"Nothing was written: “{entry_line(entry)}” was worked out before entry "
            f"{journal[-1].number if journal else 0}, and would not be the same behind it. Look at "
            "knightfall log, then run the command again."
        )


def _untouched(entry: Entry, since: Journal) -> bool:
    """Whether nothing that came since can matter to the entry."""
    from knightfall.core import entries as e

    if isinstance(entry, e.Published):  # its number would be given out twice
        return all(getattr(r.entry, "kind", "") != entry.kind for r in since)
    aside = (e.Delivered, e.Published, e.Prodded, e.Away, e.Ruled)
    return not rests_on_state(entry) or all(isinstance(r.entry, aside) for r in since)


def _tell_of_clock(record: Record, seen: Seen) -> None:
    """A clock that was set back is told of at the first entry that comes out earlier than the one before."""
    if seen.at is not None and record.at < seen.at:
        seen.tell(
            f"The clock of this machine says {record.at:%Y-%m-%d %H:%M:%S %Z}, which is before entry "
            f"{record.number - 1} ({seen.at:%Y-%m-%d %H:%M:%S %Z}). The new entry stands behind it all the "
            "same. Deadlines go by the clock: set it right."
        )
