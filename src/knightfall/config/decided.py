"""A setup with what the journal decided since the file was written."""

from __future__ import annotations

from dataclasses import replace

from knightfall.config.calendar import closed_days, days_of, eliminated
from knightfall.config.game_file import absences_in, changes_in, prods_in
from knightfall.config.setup import Setup
from knightfall.engine.journal import Aliased, Closed, Fixed, Journal, standing
from knightfall.errors import StateDamaged
from knightfall.votes.config import with_changes
from knightfall.votes.tally import Fix

TO = "vote "
NOBODY = "no elimination"
SIGNUP = "signup "
"""Begins a decision on a post of the sign-up thread, which is no vote."""


def decided(setup: Setup, journal: Journal) -> Setup:
    """The setup with what stands in the journal: votes fixed (the latest of a post counts), aliases, days and
    their deadlines, who fell on the days that were closed, and what became of people."""
    decisions: list[Fix] = []
    for record in standing(journal):
        if isinstance(record.entry, Fixed) and not record.entry.reads.startswith(SIGNUP):
            decisions.append(fix_of(record.entry))
    fixes = {fix.post: fix for fix in (*setup.fixes, *decisions)}
    changes = tuple(changes_in(journal))
    aliases: list[tuple[str, str]] = []
    for record in standing(journal):
        if isinstance(record.entry, Aliased):
            aliases.append((record.entry.slot, record.entry.alias))
    fallen: list[tuple[int, str]] = []
    for day, record in closed_days(journal):
        if isinstance(record.entry, Closed):
            fallen.extend((day, name) for name in eliminated(record.entry))
    return replace(
        setup,
        fixes=tuple(fixes.values()),
        aliases=(*setup.aliases, *aliases),
        roster=setup.roster and with_changes(setup.roster, changes),
        days=days_of(setup.days, journal),
        fallen=tuple(fallen),
        changes=changes,
        v_la=(*setup.v_la, *absences_in(journal)),
        prodded=tuple(prods_in(journal, setup.roster)),
    )


def fix_of(entry: Fixed) -> Fix:
    """The decision that an entry holds. Raises StateDamaged where it says nothing that we know."""
    post, reads = int(entry.post), entry.reads
    if reads.startswith(TO):
        return Fix(post, to=reads.removeprefix(TO), why=entry.why)
    if reads == NOBODY:
        return Fix(post, to="", why=entry.why)
    if reads not in ("ignore", "unvote", "count"):
        raise StateDamaged(f"The journal decides on post {entry.post} with the unknown word “{reads}”.")
    return Fix(
        post, ignore=reads == "ignore", unvote=reads == "unvote", count=reads == "count", why=entry.why
    )
