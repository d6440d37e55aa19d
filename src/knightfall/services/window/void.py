"""Posts that went out and hold no more."""

from __future__ import annotations

from knightfall.engine.entries import Closed, Published, Started, Undone
from knightfall.engine.journal import (
    Journal,
    Record,
    before_entry,
    behind_entry,
    course_of,
    standing,
    undone_numbers,
)
from knightfall.services.running import RunningGame, closings
from knightfall.services.window.receipts import holds, posts_resting_on, stale

CORRECTION = "error"
"""The post that says that something posted does not hold."""
BEFORE_PLAY = frozenset({"signup", "setup", "rules", "opening"})
"""The posts that tell nothing of how the game went."""


def void_posts(table: RunningGame) -> tuple[str, ...]:
    """“dawn 1”: what went out, and rests on an entry that was taken back since, or on what came out otherwise
    since then; no text of its kind went out after that. What would read the same by now holds."""
    journal, gone = table.journal, undone_numbers(table.journal)
    by_number = {record.number: record for record in journal}
    late = course_of(journal).late
    found: dict[str, None] = {}
    for record in standing(journal):
        known, after = (before_entry(journal, record.number + more) for more in (0, 1))
        if isinstance(record.entry, Undone):
            posted = _void_by_undo(by_number[record.entry.entry], known, after, table)
        elif record.number in late:
            now = table.at(known)
            changed = (one for one in stale(now, table.at(after), known) if isinstance(one.entry, Closed))
            posted = posts_resting_on(changed, now)
        else:
            continue
        later = behind_entry(journal, record.number)
        again = {one.entry.kind for one in later if isinstance(one.entry, Published)}
        for one in posted:
            assert isinstance(one.entry, Published)
            stands = one.number not in gone and one.entry.kind not in again
            if stands and not holds(one, table):
                found[f"{one.entry.kind} {one.entry.number}"] = None
    return tuple(found)


def tells_last_closing(post: Record, table: RunningGame) -> bool:
    """Whether a post that holds went out after what was closed last, or when that was closed in the same way
    before: as long as nobody was told in between that it does not hold."""
    journal, last = table.journal, closings(table)[-1]
    if post.number < last.number and len(closings(table.at(before_entry(journal, post.number)))) < len(
        closings(table)
    ):
        return False
    assert isinstance(post.entry, Published)
    name = f"{post.entry.kind} {post.entry.number}"
    corrected = (
        one
        for one in standing(journal)
        if isinstance(one.entry, Published) and one.entry.kind == CORRECTION and one.number > post.number
    )
    return not any(name in void_posts(table.at(before_entry(journal, one.number))) for one in corrected)


def _void_by_undo(taken_back: Record, known: Journal, after: Journal, table: RunningGame) -> Journal:
    """What had gone out and rests on an entry that was taken back then, or on what came out otherwise."""
    posted = tuple(one for one in behind_entry(known, taken_back.number) if tells_play(one))
    if not posted or isinstance(taken_back.entry, Started):
        return ()
    first = taken_back.number if isinstance(taken_back.entry, Closed) else None
    if first is None:
        changed = stale(table.at(known), table.at(after), known)
        first = min((one.number for one in changed), default=known[-1].number)
    return tuple(one for one in posted if one.number > first)


def tells_play(record: Record) -> bool:
    """Whether it is a post that went out and tells how the game goes."""
    return isinstance(record.entry, Published) and record.entry.kind not in BEFORE_PLAY
