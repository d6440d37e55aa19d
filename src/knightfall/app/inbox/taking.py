"""What becomes of each message that was found: is it taken, was it before, does it come too late?

One message is one entry, whole. A message that was taken is never taken again; one that comes too late, was
changed since, or has no sender is told and not taken. What holds no command of the game is talk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from knightfall.app.inbox.mail import Mail
from knightfall.app.play.table import Table, before, closings
from knightfall.app.ports import Progress
from knightfall.core.commands import lines_of
from knightfall.core.entries import Entry, Submitted
from knightfall.core.game import Message, Refusal, SlotId
from knightfall.core.journal import Record, standing
from knightfall.core.rng import SeededRng

UNKNOWN = "UNKNOWN_COMMAND"
"""How every game answers a line that is no command."""
_NONSENSE = "qzxqzx"
_LOOK_BACK = 3
"""So many closings ago nobody asks any more why something was not taken."""


class Became(Enum):
    """What became of a message."""

    TAKEN = "taken"
    LATE = "late"
    UNREAD = "unread"
    """In time, but what it was for was closed before anybody read it."""
    EARLY = "early"
    """Before what is open now was opened, by itself."""
    EDITED = "edited"
    KNOWN = "known"
    UNDONE = "undone"
    TALK = "talk"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Case:
    """A message and what became of it: `entry` its number in the journal (0: none), `window` what it was for,
    `after` the table with it where it was taken."""

    mail: Mail
    became: Became
    entry: int = 0
    window: str = ""
    after: Table | None = None


Write = Callable[[Table, Entry, datetime], Table]
"""Puts an entry behind the journal of a table, for good or only to see."""
Seen = Callable[[Case], None]


@dataclass(slots=True)
class Desk:
    """Where messages are taken, one after the other; `table` is the game with those taken so far."""

    table: Table
    now: datetime
    write: Write
    closed: tuple[Record, ...] = field(init=False)
    known: Mapping[str, Record] = field(init=False)
    undone: Mapping[str, Record] = field(init=False)

    def __post_init__(self) -> None:
        counts = {record.number for record in standing(self.table.journal)}
        self.closed = closings(self.table)
        self.known = _by_ref(record for record in self.table.journal if record.number in counts)
        self.undone = _by_ref(record for record in self.table.journal if record.number not in counts)

    def take(self, mails: Collection[Mail], seen: Seen, progress: Progress | None = None) -> tuple[Case, ...]:
        """In the order in which they were sent; each is told at once."""
        cases = list[Case]()
        for mail in sorted(mails, key=lambda one: one.at or self.now):
            cases.append(self._one(mail))
            seen(cases[-1])
            if progress:
                progress(len(cases), len(mails))
        return tuple(cases)

    def _one(self, mail: Mail) -> Case:
        if mail.ref in self.known:
            return _again(mail, self.known[mail.ref])
        if mail.ref in self.undone and _text(self.undone[mail.ref]) == mail.text:
            return Case(mail, Became.UNDONE, self.undone[mail.ref].number)
        if self._opened and mail.at and mail.at <= self._opened:
            return self._of_the_past(mail)
        if mail.question:
            return Case(mail, Became.QUESTION)
        return self._tried(mail) if lines_of(mail.text) else Case(mail, Became.TALK)

    @property
    def _opened(self) -> datetime | None:
        """Since when what is open now has been open."""
        opens = [window.opens for window in self.table.windows if window.opens]
        known = (*(record.at for record in self.closed[-1:]), *([min(opens)] if opens else ()))
        return max(known, default=None)

    def _tried(self, mail: Mail) -> Case:
        at = max(min(mail.at or self.now, self.now), self.table.journal[-1].at)
        entry = Submitted(mail.slot, mail.text, mail.ref)
        after = self.table.after(entry, at, "")
        number = after.journal[-1].number
        own = [taken for taken in after.replay.taken if taken.number == number]
        if len(own[-1].refused) < len(lines_of(mail.text)):
            return self._entered(mail, entry, at)
        if _is_talk(own[-1].refused):
            return Case(mail, Became.TALK)
        if listens(after, mail.slot, at):
            return self._entered(mail, entry, at)
        ended = self.table if len(own) > 1 else self._before_the_last()
        return self._late(mail, ended, Became.LATE)

    def _entered(self, mail: Mail, entry: Entry, at: datetime) -> Case:
        self.table = self.write(self.table, entry, at)
        return Case(mail, Became.TAKEN, self.table.journal[-1].number, after=self.table)

    def _before_the_last(self) -> Table | None:
        return before(self.table, self.closed[-1].number) if self.closed else None

    def _of_the_past(self, mail: Mail) -> Case:
        """Posted before what is open now was opened, and never taken."""
        recent = self.closed[-_LOOK_BACK:]
        ended = next((record for record in recent if mail.at and mail.at <= record.at), None)
        too_old = len(self.closed) > _LOOK_BACK and mail.at and mail.at <= self.closed[-_LOOK_BACK - 1].at
        if too_old or mail.question:
            return Case(mail, Became.TALK)
        if ended is None:
            return self._late(mail, self.table, Became.EARLY)
        return self._late(mail, before(self.table, ended.number), Became.UNREAD, ended.number)

    def _late(self, mail: Mail, ended: Table | None, became: Became, entry: int = 0) -> Case:
        """Too late for what was open then; talk where the game would not have understood it then, either."""
        if ended is None or not _understood(ended, mail, mail.at or self.now):
            return Case(mail, Became.TALK)
        window = next((one.title for one in ended.windows if mail.slot in one.slots), ended.windows[0].title)
        return Case(mail, became, entry, window)


def listens(table: Table, slot: SlotId | None, at: datetime) -> bool:
    """Whether the game takes messages of that slot at all where it stands."""
    return _is_talk(_refused(table, slot, _NONSENSE, at))


def _understood(table: Table, mail: Mail, at: datetime) -> bool:
    if not table.windows or not listens(table, mail.slot, at):
        return False
    refused = _refused(table, mail.slot, mail.text, at)
    return len(refused) < len(lines_of(mail.text)) or not _is_talk(refused)


def _refused(table: Table, slot: SlotId | None, text: str, at: datetime) -> tuple[tuple[str, Refusal], ...]:
    return table.game.submit(table.state, Message(slot, text, at), SeededRng(b"")).refused


def _is_talk(refused: tuple[tuple[str, Refusal], ...]) -> bool:
    return bool(refused) and all(why.code == UNKNOWN for _, why in refused)


def _again(mail: Mail, record: Record) -> Case:
    became = Became.KNOWN if _text(record) == mail.text else Became.EDITED
    return Case(mail, became, record.number)


def _by_ref(records: Iterable[Record]) -> dict[str, Record]:
    return {
        record.entry.post: record
        for record in records
        if isinstance(record.entry, Submitted) and record.entry.post
    }


def _text(record: Record) -> str:
    return record.entry.text if isinstance(record.entry, Submitted) else ""
