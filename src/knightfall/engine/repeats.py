"""Whether an entry says what the journal says already: a command that is repeated after it was cut off, or a
button that is pressed twice."""

from __future__ import annotations

from datetime import datetime, timedelta

from knightfall.engine.entries import (
    SIGNUP,
    Aliased,
    Away,
    Delivered,
    Entry,
    Fixed,
    Ground,
    Published,
    Roomed,
    Ruled,
    Stopped,
    Submitted,
    Worded,
)
from knightfall.engine.heads import without_line
from knightfall.engine.journal import Journal, Record, standing

_AT_ONCE = timedelta(minutes=1)
"""A message whose time nobody stated was sent so shortly before it was written."""


def repeated(entry: Entry, at: datetime, journal: Journal) -> Record | None:
    """The record that stands and says the same as an entry that is to be written; None where there is none,
    or something was said otherwise since then.

    A decision is the same as the last one on its subject. All else is compared with the last of its kind and
    subject since the game changed, a post since anything that it may tell. Messages at two stated times are
    two; of one whose time nobody stated the words count.
    """
    subject = _subject(entry)
    if subject is None:
        return None
    for record in sorted(standing(journal), key=lambda one: -one.number):
        if _subject(record.entry) == subject:
            return record if _same(record, entry, at) else None
        if _parts(record.entry, entry):
            return None
    return None


def _parts(between: Entry, entry: Entry) -> bool:
    """Whether an entry means something else behind one that came in between."""
    match entry:
        case Fixed() | Aliased() | Ruled():
            return False
        case Published():
            return not isinstance(between, Published | Delivered | Roomed)
        case _:
            return between.ground is Ground.RESTS


def _subject(entry: Entry) -> tuple[object, ...] | None:
    """What an entry is about, so that the next one about it is the same or another; None for one that may be
    written twice, or that the game itself refuses the second time."""
    match entry:
        case Fixed(post=post, reads=reads):
            return Fixed, post, reads.startswith(SIGNUP)
        case Aliased(slot=slot, alias=name):
            return Aliased, slot, name
        case Ruled(question=question):
            return Ruled, question
        case Submitted(slot=slot) | Away(slot=slot) | Worded(slot=slot):
            return type(entry), slot
        case Delivered(kind=kind, slot=slot):
            return Delivered, kind, slot
        case Stopped(window=window):
            return Stopped, window
        case Published(kind=kind):
            return Published, kind
        case _:
            return None


def _same(record: Record, entry: Entry, at: datetime) -> bool:
    before = record.entry
    if isinstance(before, Submitted) and isinstance(entry, Submitted):
        alike = (before.text.strip(), before.post) == (entry.text.strip(), entry.post)
        unstated = _is_unstated(before, record.at) and _is_unstated(entry, at)
        return alike and (unstated or (before.when, before.sent) == (entry.when, entry.sent))
    if isinstance(before, Published) and isinstance(entry, Published):
        # A count of the same posts is the same, whatever number it has.
        alike = (before.upto, before.mark) == (entry.upto, entry.mark)
        counts = before.kind.startswith("votecount-")
        return alike and (counts or without_line(before.text).strip() == without_line(entry.text).strip())
    return before == entry


def _is_unstated(message: Submitted, written: datetime) -> bool:
    said = message.when or message.sent
    return said is None or timedelta(0) <= written - said < _AT_ONCE
