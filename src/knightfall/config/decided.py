"""A setup with what the journal decided since the file was written: votes, people, days and prods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from knightfall.config.calendar import bound_by, closed_days, days_of
from knightfall.config.setup import Setup
from knightfall.engine.commands import NO_ELIMINATION
from knightfall.engine.entries import (
    SIGNUP,
    Aliased,
    Away,
    Closed,
    Fixed,
    Prodded,
    Removed,
    Replaced,
    Revived,
)
from knightfall.engine.journal import Journal, standing
from knightfall.engine.prods import Absence, Prod
from knightfall.errors import StateDamaged
from knightfall.models import DepartureKind, Roster, Slot
from knightfall.votes.config import RosterChange, with_changes
from knightfall.votes.tally import Fix

TO = "vote "


def decided(setup: Setup, journal: Journal) -> Setup:
    """The setup with what stands in the journal: votes fixed (the latest of a post counts), aliases, days and
    their deadlines, who fell on the days that were closed, and what became of people."""
    fixes: dict[object, Fix] = {fix.post: fix for fix in setup.fixes}
    aliases: list[tuple[str, str]] = []
    absences: list[tuple[str, tuple[Absence, ...]]] = []
    for record in standing(journal):
        match record.entry:
            case Fixed(reads=reads) as entry if not reads.startswith(SIGNUP):
                fix = replace(fix_of(entry), bound=bound_by(record))
                # The latest of a post counts; two posts may have had one number.
                post: object = fix.bound.mark.id if fix.bound else fix.post
                fixes.pop(post, None)
                fixes[post] = fix
            case Aliased(slot=slot, alias=alias):
                aliases.append((slot, alias))
            case Away(slot=slot, first=first, last=last):
                absences.append((slot, (Absence(date.fromisoformat(first), date.fromisoformat(last)),)))
    changes = tuple(changes_in(journal))
    fallen: list[tuple[int, str]] = []
    for day, record in closed_days(journal):
        if isinstance(record.entry, Closed):
            fallen.extend((day, name) for name in record.entry.eliminated)
    return replace(
        setup,
        fixes=tuple(fixes.values()),
        aliases=(*setup.aliases, *aliases),
        roster=setup.roster and with_changes(setup.roster, changes),
        listed=setup.roster,
        days=days_of(setup.days, journal),
        fallen=tuple(fallen),
        changes=changes,
        v_la=(*setup.v_la, *absences),
        prodded=tuple(prods_in(journal, setup.roster)),
    )


def fix_of(entry: Fixed) -> Fix:
    """The decision that an entry holds. Raises StateDamaged where it says nothing that we know."""
    post, reads = int(entry.post), entry.reads
    if reads.startswith(TO):
        return Fix(post, to=reads.removeprefix(TO), why=entry.why)
    if reads == NO_ELIMINATION:
        return Fix(post, to="", why=entry.why)
    if reads not in ("ignore", "unvote", "count"):
        raise StateDamaged(f"The journal decides on post {entry.post} with the unknown word “{reads}”.")
    return Fix(
        post, ignore=reads == "ignore", unvote=reads == "unvote", count=reads == "count", why=entry.why
    )


_DEPARTURES: Mapping[str, DepartureKind] = {
    "kill": DepartureKind.KILLED,
    "modkill": DepartureKind.MODKILLED,
}
"""How a slot left, by the word of the journal; whatever else a game calls it is the moderator's doing."""


def changes_in(journal: Journal) -> Iterator[RosterChange]:
    """What became of people, all that stands, in the order of the journal."""
    for record in standing(journal):
        entry = record.entry
        if isinstance(entry, Replaced | Removed | Revived):
            digits = entry.post or ""
            post = int(digits) if digits.isascii() and digits.isdigit() else None
            bound = bound_by(record)
            if isinstance(entry, Replaced):
                yield RosterChange(entry.slot, post, record.at, entry.name, bound=bound)
            elif isinstance(entry, Removed):
                how = _DEPARTURES.get(entry.how, DepartureKind.MODKILLED)
                yield RosterChange(entry.slot, post, record.at, how=how, bound=bound)
            else:
                yield RosterChange(entry.slot, post, record.at, bound=bound)


def prods_in(journal: Journal, roster: Roster | None) -> Iterator[Prod]:
    """Every prod under the name of who held the slot then; `roster` as the file has it."""
    held: dict[str, str] = {}
    for record in standing(journal):
        match record.entry:
            case Replaced(slot=slot, name=name):
                held[slot] = name
            case Prodded(slot=slot):
                filed = roster.slot_of(slot) if roster else None
                yield Prod(held.get(slot) or (filed.name if filed else slot), record.at)


_KINDS: Mapping[str, DepartureKind] = {kind.value: kind for kind in DepartureKind}
"""How a slot left, by the word of a game."""
_WHEN = re.compile(r"(day|night) ([0-9]+)")


@dataclass(frozen=True, slots=True)
class FiledDeath:
    """A slot that the game took from the living: `when` and `how` in the game's words, as “night 2”; `at` the
    instant, of a death by day in a message."""

    slot: str
    when: str
    how: str = ""
    at: datetime | None = None


def with_deaths(setup: Setup, deaths: Iterable[FiledDeath], night_first: bool = False) -> Setup:
    """The setup in which they are dead. `night_first`: in this game night 1 comes before day 1. Whom a closed
    day eliminated, or the moderator took out, is dead by those entries already."""
    known = {name for _, name in setup.fallen} | {change.slot for change in setup.changes if change.how}
    fallen: list[tuple[int, str]] = []
    slain: list[tuple[int, str]] = []
    shot: list[RosterChange] = []
    for death in deaths:
        found = _WHEN.fullmatch(death.when)
        if found is None:
            continue
        by_day = found[1] == "day"
        # Whom a tie took, or a day that was closed without its thread, stands in no entry by name.
        if by_day and death.how == DepartureKind.ELIMINATED.value and death.slot not in known:
            fallen.append((int(found[2]), death.slot))
        elif by_day and death.at is not None and death.slot not in known:
            how = _KINDS.get(death.how, DepartureKind.KILLED)
            shot.append(RosterChange(death.slot, None, death.at, how=how))
        elif not by_day or death.slot not in known:
            slain.append((int(found[2]) - (night_first and not by_day), death.slot))
    return replace(
        setup, fallen=(*setup.fallen, *fallen), slain=tuple(slain), changes=(*setup.changes, *shot)
    )


def lives(slot: Slot, post: int | None, setup: Setup) -> bool:
    """Whether a slot is alive as of a post (None: now), as far as file and journal say."""
    said = [one for one in setup.changes if one.slot in slot.names and not one.name]
    if any(one.post is None for one in said):  # no thread, no posts: the last word counts
        return said[-1].how is None
    if any(name in slot.names for _, name in (*setup.fallen, *setup.slain)):
        return bool(slot.back)
    return slot.alive_at(post) if post is not None else slot.left is None
