"""Who is reminded to post: a draft for each, and whose prod counts from now on?"""

from __future__ import annotations

from collections.abc import Iterator

from knightfall.app.count.activity import Activity, Row, activity
from knightfall.app.count.activity_report import rule_sentence
from knightfall.app.count.vc import Wanted
from knightfall.app.people.entering import Desk, enter, guarded, publish
from knightfall.app.people.seats import lives, shown_name, slot_id
from knightfall.app.play.texts import PRIVATE
from knightfall.app.ports import game_folder
from knightfall.core.entries import Prodded
from knightfall.core.game import SlotId
from knightfall.core.silence import State
from knightfall.errors import InputError
from knightfall.services.pm_batches import PROD, PmBatch
from knightfall.services.prods import reminder, write_drafts
from knightfall.setups.setup import Setup
from knightfall.writeups.render import render


def prodded(names: tuple[str, ...], only_draft: bool, desk: Desk) -> None:
    """Drafts a reminder for each who is named, else for all who are due by the rule, from the thread as it
    was last read; but for mere drafts each is an entry. Raises InputError where nobody is due, or one is
    dead."""
    setup = desk.setup
    if setup.url is None:
        raise InputError(
            f"{setup.source} names no thread, so nobody's silence can be told. Add it:  [[thread]]  "
            'url = "https://…"'
        )
    found = activity(Wanted(game=desk.folder, stored=True), desk.ports)
    rows = tuple(_named(names, found, setup, desk)) if names else _due(found, setup)
    pms = tuple(reminder(row, found, setup) for row in rows)
    write_drafts(PmBatch(PROD, "", pms), game_folder(desk.folder))
    desk.err(f"Drafts as of post {found.at.number}, in {PRIVATE}/: {', '.join(row.name for row in rows)}.")
    if only_draft:
        desk.err("Nobody was prodded yet: without --draft it counts as sent.")
        return
    text = guarded(render("any/prodded", {"number": len(rows)}, desk.speech(setup)), desk)
    numbers = [enter(Prodded(pm.slot), desk)[0].number for pm in pms]
    desk.err(f"Prodded: {', '.join(row.name for row in rows)} (entry {', '.join(map(str, numbers))}).")
    publish(f"{numbers[0]:03}-prodded", text, desk, desk.speech(setup))


def _due(found: Activity, setup: Setup) -> tuple[Row, ...]:
    rows = (row for row in found.rows if row.standing.state is State.DUE)
    due = tuple(row for row in rows if lives(SlotId(row.name), None, setup))
    if not due:
        raise InputError(
            f"Nobody is due a prod as of post {found.at.number}. {rule_sentence(found.rule)} Name somebody "
            "to prod him all the same."
        )
    return due


def _named(names: tuple[str, ...], found: Activity, setup: Setup, desk: Desk) -> Iterator[Row]:
    rows = {row.name: row for row in found.rows}
    for name in dict.fromkeys(names):
        slot = slot_id(name, setup, desk)
        row = rows.get(shown_name(slot, setup))
        if row is None or not lives(slot, None, setup):
            raise InputError(f"{name} is not among the living as of post {found.at.number}: nobody to prod.")
        yield row
