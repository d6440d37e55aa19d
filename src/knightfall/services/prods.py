"""Reminders to players who are due a prod by the game's rule, as private messages.

A draft for each lies in `private/`. What it says does not change from hour to hour, so that the same reminder
is known again; once it was sent the player is not due any more.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from knightfall.app.count.activity import Activity, Row, activity
from knightfall.app.count.activity_report import NO_RULE
from knightfall.app.count.vc import Wanted
from knightfall.app.diary.journal import journal_of
from knightfall.app.people.dead import begun
from knightfall.app.play.table import table_of
from knightfall.app.play.texts import PRIVATE, safe_name
from knightfall.app.ports import Ports, Progress
from knightfall.app.setup_now import setup_of
from knightfall.core.game import Facts, Told
from knightfall.core.journal import Journal
from knightfall.core.silence import State
from knightfall.errors import InputError
from knightfall.services.pm_batches import PROD, Pm, PmBatch, shuffled
from knightfall.services.pms import slot_id
from knightfall.setups.setup import Setup
from knightfall.storage.drafts import write_draft
from knightfall.writeups.events import private_message
from knightfall.writeups.facts import local_time

TEMPLATE = "prod_pm"
SHARED = "any"
_HOUR = timedelta(hours=1)


def prod_batch(wanted: Wanted, folder: Path, ports: Ports, progress: Progress | None = None) -> PmBatch:
    """The reminders that are due as of what is asked for. Raises InputError where the game has no rule for
    them, and what counting raises."""
    journal, setup = journal_of(ports), setup_of(folder, ports)
    found = activity(replace(wanted, game=folder), ports, progress)
    if found.rule.after is None:
        raise InputError(f"There are no reminders to send. {NO_RULE}")
    due = [row for row in found.rows if row.standing.state is State.DUE]
    pms = tuple(reminder(row, found, setup) for row in due)
    return PmBatch(PROD, f"{found.title} – a reminder", shuffled(pms, _seed(journal, folder, ports)))


def write_drafts(batch: PmBatch, folder: Path) -> None:
    """Each reminder as a file of its own."""
    for pm in batch.pms:
        write_draft(folder, PRIVATE, f"{pm.kind}-{safe_name(pm.slot)}.txt", pm.plain)


def reminder(row: Row, found: Activity, setup: Setup) -> Pm:
    """The reminder to one player, by how he stands."""
    slot, number = slot_id(row.name, setup.roster), row.standing.prods + 1
    event = Told((slot,), TEMPLATE, _facts(row, found, number))
    text = private_message(SHARED, event)
    return Pm(f"{PROD}-{number}", slot, row.name, SHARED, event, text)


def _facts(row: Row, found: Activity, number: int) -> Facts:
    """The facts of `any/prod_pm`: nothing that changes from hour to hour."""
    last = row.last
    return {
        "name": row.name,
        "title": found.title,
        "number": number,
        "most": found.rule.most,
        "grace": f"{found.rule.grace / _HOUR:g} hours" if found.rule.grace else None,
        "last": {
            "number": last.number,
            "time": local_time(last.time, found.zone) if last.time else None,
            "url": last.url,
        }
        if last
        else None,
    }


def _seed(journal: Journal, folder: Path, ports: Ports) -> bytes:
    """The game's secret; a game that is only counted has none, and its prods hide nothing."""
    return table_of(folder, ports).seed if begun(journal) else b""
