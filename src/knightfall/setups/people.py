"""Who came, left, came back, is away or was prodded, by the moderator's journal?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from knightfall.core.entries import Away, Prodded, Removed, Replaced, Revived
from knightfall.core.journal import Journal, Record, standing
from knightfall.core.roster import How, Roster
from knightfall.core.silence import Absence, Prod
from knightfall.votes.config import Change

HOWS: Mapping[str, How] = {"kill": How.KILLED, "modkill": How.MODKILLED}
"""How a slot left, by the word of the journal; whatever else a game calls it is the moderator's doing."""


def changes_in(journal: Journal) -> Iterator[Change]:
    """All that stands, in the order of the journal."""
    for record in standing(journal):
        change = _change(record)
        if change is not None:
            yield change


def absences_in(journal: Journal) -> Iterator[tuple[str, tuple[Absence, ...]]]:
    """(slot, an absence that it announced), each."""
    for record in standing(journal):
        if isinstance(record.entry, Away):
            first, last = (date.fromisoformat(day) for day in (record.entry.first, record.entry.last))
            yield record.entry.slot, (Absence(first, last),)


def prods_in(journal: Journal, roster: Roster | None) -> Iterator[Prod]:
    """Every prod under the name of who held the slot then; `roster` as the file has it."""
    held: dict[str, str] = {}
    for record in standing(journal):
        match record.entry:
            case Replaced(slot=slot, name=name):
                held[slot] = name
            case Prodded(slot=slot):
                yield Prod(held.get(slot) or _holder(slot, roster), record.at)


def _holder(name: str, roster: Roster | None) -> str:
    slot = roster.slot_of(name) if roster else None
    return slot.name if slot else name


def _change(record: Record) -> Change | None:
    match record.entry:
        case Replaced(slot=slot, name=name, post=post):
            return Change(slot, _number(post), record.at, name)
        case Removed(slot=slot, how=how, post=post):
            return Change(slot, _number(post), record.at, how=HOWS.get(how, How.MODKILLED))
        case Revived(slot=slot, post=post):
            return Change(slot, _number(post), record.at)
    return None


def _number(post: str | None) -> int | None:
    return int(post) if post is not None and post.isascii() and post.isdigit() else None
