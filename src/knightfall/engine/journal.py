"""The journal of a game: entries chained by digest, what stands after undoing, and the order of play.

An entry says what somebody did; a record is an entry in its place, with the hash of the one before. Records
are chained in the order in which they were entered, and played in the order in which what they say happened
(`course_of`): a message belongs to the window that was open when it was sent, whenever it was read.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, TypeAlias

from knightfall.engine.entries import (
    Adopted,
    Aliased,
    Closed,
    Entry,
    Opened,
    Replaced,
    Started,
    Submitted,
    Undone,
    encode,
)
from knightfall.engine.game import Window
from knightfall.errors import StateDamaged

START = "0" * 64
"""What the first record follows."""


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """An entry in its place: number from 1, aware instant, who wrote it, the hash before and its own."""

    number: int
    at: datetime
    author: str
    entry: Entry
    before: str
    digest: str

    def __repr__(self) -> str:
        return f"Record({self.number}, {type(self.entry).__name__}, {self.author})"

    def to_dict(self) -> dict[str, Any]:
        """{number, at, author, entry: its kind, fields, digest}."""
        return {
            "number": self.number,
            "at": self.at.isoformat(),
            "author": self.author,
            **encode(self.entry),
            "digest": self.digest,
        }


Journal: TypeAlias = tuple[Record, ...]


def entry_of(journal: Journal, number: int) -> Record:
    """The record of entry `number`, wherever it stands: a journal may lack what was undone, and be in the
    order of play. Raises StateDamaged where it is not there."""
    here = journal[number - 1 : number] if number > 0 else ()
    if here and here[0].number == number:
        return here[0]
    found = next((record for record in journal if record.number == number), None)
    if found is None:
        raise StateDamaged(f"The journal has no entry {number}.")
    return found


def before_entry(journal: Journal, number: int) -> Journal:
    """The records that were entered before entry `number`, in the order in which they are there."""
    return tuple(record for record in journal if record.number < number)


def behind_entry(journal: Journal, number: int) -> Journal:
    """The records that were entered after entry `number`, in the order in which they are there."""
    return tuple(record for record in journal if record.number > number)


def append(journal: Journal, entry: Entry, at: datetime, author: str) -> Journal:
    """The journal with one more record. Raises ValueError for an instant without a zone."""
    return (*journal, record_after(journal[-1] if journal else None, entry, at, author))


def record_after(last: Record | None, entry: Entry, at: datetime, author: str) -> Record:
    """The record that follows `last` (None: the first). Raises ValueError for an instant without a zone."""
    if at.tzinfo is None:
        raise ValueError("an instant in the journal needs a zone")
    number, before = (last.number + 1, last.digest) if last else (1, START)
    return Record(number, at, author, entry, before, _digest(number, at, author, entry, before))


def verify(journal: Journal, behind: Record | None = None) -> None:
    """Check the chain; `behind` is the record that these follow (None: they are the whole journal).

    Raises StateDamaged at the first record that is not as it was written: its number is not the next one, it
    does not name the hash of the record before it, or its own hash is not that of its content. So a record
    that was cut out, exchanged with another, moved, doubled or changed is found, with whatever hash it has
    been given since, as long as one record behind it is as it was.

    What the chain alone cannot tell is a journal whose whole end, from some record to the very last, was
    computed anew, or cut off. The database knows its last record (`storage.ledger`), and so does each copy;
    and `services.verify` makes every post that went out again: a journal that leads elsewhere gives other
    texts than those that were posted.
    """
    before, first = (behind.digest, behind.number + 1) if behind else (START, 1)
    for number, record in enumerate(journal, start=first):
        digest = _digest(record.number, record.at, record.author, record.entry, record.before)
        if (record.number, record.before, record.digest) != (number, before, digest):
            raise StateDamaged(f"Record {number} of the journal was changed or damaged. Restore a backup.")
        before = digest


def _digest(number: int, at: datetime, author: str, entry: Entry, before: str) -> str:
    parts = [number, at.isoformat(), author, encode(entry), before]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


# ── The order in which a journal is played. ─────────────────────────────────────────────────────────────────


def instant(record: Record) -> datetime:
    """When what a record says happened: when a message was sent, as of when something was closed; of all else
    when it was entered."""
    match record.entry:
        case Submitted(sent=sent, when=when):
            return when or sent or record.at
        case Closed(ended=ended):
            return ended or record.at
    return record.at


@dataclass(frozen=True, slots=True)
class Course:
    """The records that stand, in the order in which they are played. `barred` are the numbers of those that
    wait until what was taken back (`reopened`) is closed again; `late` of the messages that belong before
    something that had been closed when they were entered."""

    records: Journal
    barred: frozenset[int] = frozenset()
    late: frozenset[int] = frozenset()
    reopened: Journal = ()


def standing(journal: Journal) -> Journal:
    """The records that count, those that no undo took back, in the order in which they are played."""
    return course_of(journal).records


def course_of(journal: Journal) -> Course:
    """How a journal is played.

    A message of a player comes before everything that was closed after it was sent, at that very instant
    included, and before the closing of the window that it says it belongs to; among what was sent and done in
    the same window by its instant. A closing comes in the place
    of the one that it stands for. All that the moderator does keeps the order in which it was entered, since
    that is what they looked at; and so does everything in older journals.
    """
    undone = undone_numbers(journal)
    records = tuple(record for record in journal if record.number not in undone) if undone else journal
    if _in_order(records):
        return Course(records)

    # The closings in the order of what they close, and among them those that were taken back and have to be
    # closed again before anything later counts.
    ranks = {record.number: record.number for record in journal}
    for record in journal:
        if isinstance(record.entry, Closed) and record.entry.again:
            ranks[record.number] = ranks.get(record.entry.again, record.entry.again)
    closings = [record for record in records if isinstance(record.entry, Closed)]
    redone = {ranks[record.number] for record in closings}
    lifted = {
        one.entry.entry: one.number for one in records if isinstance(one.entry, Undone) and one.entry.keeps
    }
    open_again = [
        record
        for record in journal
        if record.number in undone
        and record.number in lifted
        and isinstance(record.entry, Closed)
        and ranks[record.number] not in redone
    ]
    closings = sorted((*closings, *open_again), key=lambda one: (ranks[one.number], one.number))
    place = {record.number: index for index, record in enumerate(closings)}
    by_number = {record.number: record for record in journal}
    firsts = [by_number.get(ranks[record.number], record) for record in closings]
    windows = [one.entry.window for one in closings if isinstance(one.entry, Closed)]

    # Each record in its segment: what happened before the first closing, before the second one …
    ends, ranked = list(accumulate(map(instant, closings), max)), [ranks[one.number] for one in closings]
    keys: dict[int, tuple[int, int, datetime, int]] = {}
    latest, began = _EARLIEST, False
    told = adopted_until(journal)
    for record in records:
        entry, number = record.entry, record.number
        if number <= told and number not in place:
            # What was told of a game that was begun elsewhere was so before anything was sent here.
            keys[number] = bisect_left(ranked, number), 0, _EARLIEST, number
            began = True
        elif number in place:
            keys[number] = place[number], 1, _EARLIEST, number
        elif _is_ahead(entry) and number + 1 in place:
            keys[number] = place[number + 1], 1, _EARLIEST, number
        elif is_placed(entry) and began:
            sent = instant(record)
            before = bisect_left(ends, sent)
            while before < len(ends) and ends[before] == sent:
                closing = firsts[before]
                if closing.number > told and not _came_before(closing, record):
                    break
                before += 1
            if isinstance(entry, Submitted) and entry.belongs in windows:
                before = min(before, windows.index(entry.belongs))
            keys[number] = before, 0, sent, number
        else:
            if began:
                latest = max(latest, record.at)
            began = began or isinstance(entry, Started)
            keys[number] = bisect_left(ranked, number), 0, latest, number
    ordered = tuple(sorted(records, key=lambda one: keys[one.number]))

    # What was sent after a closing that has to be done again waits for it, and so does what was done before
    # it was taken back.
    bar = min((place[one.number] for one in open_again), default=len(closings))
    until = max((lifted[one.number] for one in open_again), default=0)
    barred = frozenset(
        one.number
        for one in ordered
        if keys[one.number][0] > bar
        and (is_placed(one.entry) or one.number < until)
        and not isinstance(one.entry, Replaced | Aliased)
    )
    late = frozenset(
        one.number
        for one in ordered
        if is_placed(one.entry)
        and keys[one.number][0] < len(closings)
        and any(closing.number < one.number for closing in closings[keys[one.number][0] :])
    )
    return Course(ordered, barred, late, tuple(open_again))


_EARLIEST = datetime.min.replace(tzinfo=UTC)


def is_placed(entry: Entry) -> bool:
    """Whether an entry has its place by when it happened: a message of a player, not of an older journal."""
    return isinstance(entry, Submitted) and entry.when is not None and entry.slot is not None


def _is_ahead(entry: Entry) -> bool:
    return isinstance(entry, Opened) and entry.ahead


def _came_before(closing: Record, message: Record) -> bool:
    """Whether a closing goes before a message of the same instant: not one at its deadline, for what is sent
    at that very instant is in time; else as they were entered."""
    entry = closing.entry
    return isinstance(entry, Closed) and entry.ended is None and closing.number < message.number


def _in_order(records: Journal) -> bool:
    """Whether records are played in the order in which they stand."""
    last: Record | None = None
    closed = latest = sent = _EARLIEST
    for record in records:
        entry, moment = record.entry, instant(record)
        if isinstance(entry, Undone) and entry.keeps:
            return False
        if isinstance(entry, Closed):
            if entry.again or moment < sent:
                return False
            if moment >= closed:
                last, closed = record, moment
        elif is_placed(entry):
            if moment < closed or moment < latest:
                return False
            if last is not None and moment == closed and not _came_before(last, record):
                return False
            latest = sent = moment
        else:
            latest = max(latest, record.at)
    return True


def start_of(journal: Journal) -> Started | None:
    """The entry that begins the game, as it stands; None where none does."""
    return next((record.entry for record in standing(journal) if isinstance(record.entry, Started)), None)


def is_sealed(journal: Journal) -> bool:
    """Whether a game says of its folder that all in it has a seal, whatever was taken back since."""
    return any(isinstance(record.entry, Started) and record.entry.sealed for record in journal)


def adopted_until(journal: Journal) -> int:
    """The number of the first entry `Adopted`: that and all before it was taken from another's word; 0 where
    the game was begun here."""
    return next((record.number for record in journal if isinstance(record.entry, Adopted)), 0)


def undone_numbers(journal: Journal) -> frozenset[int]:
    """Which records do not count: an undo can itself be undone."""
    gone: set[int] = set()
    for record in reversed(journal):
        if isinstance(record.entry, Undone) and record.number not in gone:
            gone.add(record.entry.entry)
    said_ahead = (one.number for one in journal if isinstance(one.entry, Opened) and one.entry.ahead)
    return frozenset(gone | {number for number in said_ahead if number + 1 in gone})


def window_name(window: Window) -> str:
    """What a phase is called in the journal: “day-2” for the window titled Day 2."""
    return window.title.casefold().replace(" ", "-")
