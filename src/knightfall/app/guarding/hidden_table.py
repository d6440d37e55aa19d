"""What does a game that was begun hide where it stands? What is over has no secrets left."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from knightfall.app.founding.deal import PRIVATE as DEAL
from knightfall.app.guarding.hidden import Hidden, names_of, private_texts, public_texts
from knightfall.app.play.table import Table
from knightfall.core.entries import Closed, Started, Submitted
from knightfall.core.game import Game, SlotId, noted
from knightfall.core.journal import standing
from knightfall.mafia.state import State
from knightfall.services.night import TOLD_BY_A_DEATH, word
from knightfall.services.roles import card_of
from knightfall.setups.setup import Setup
from knightfall.writeups.guard import Secret, inflected


def of_table(table: Table, setup: Setup) -> Hidden:
    """Of a begun game; what is over has no secrets left."""
    if table.game.outcome(table.state) is not None:
        return Hidden()
    roles = roles_of(table.game, table.state)
    slots: dict[str, tuple[str, ...]] = {slot: names_of(slot, setup) for slot in _slots(table)}
    players = tuple(chain.from_iterable(slots.values()))
    shown = shown_in(table.game, table.state)
    return Hidden(
        cards=tuple(card_of(role, slot, slots[slot], players) for slot, role in roles.items()),
        shown=shown,
        secrets=tuple(_deeds(table, slots, bool(shown))),
        pms=tuple(_pms(table, bool(roles))),
        public=tuple(public_texts(table.folder, table.journal)),
        names=players,
        keys=tuple(_keys(table.folder)),
    )


def roles_of(game: Game[Any], state: Any) -> dict[SlotId, str]:
    """Who still plays, with his role; nobody in a game without roles, or once all were told."""
    table: Mapping[str, Any] = game.view(state, None).facts
    if table.get("ending"):
        return {}
    playing = table.get("alive") or (*table.get("court", ()), *table.get("outside", ()))
    own = {slot: game.view(state, slot).facts.get("role") for slot in playing}
    return {slot: str(role) for slot, role in own.items() if role}


def shown_in(game: Game[Any], state: Any) -> tuple[str, ...]:
    """Roles that everybody has seen: those of the dead; all of them where a game turns no cards up, for its
    rules name them."""
    table: Mapping[str, Any] = game.view(state, None).facts
    if "dead" not in table:
        return tuple(dict.fromkeys(roles_of(game, state).values()))
    return tuple(str(one["role"]) for one in table["dead"])


def _slots(table: Table) -> tuple[SlotId, ...]:
    return next(record.entry.slots for record in table.journal if isinstance(record.entry, Started))


def _deeds(table: Table, slots: Mapping[str, tuple[str, ...]], died: bool) -> Iterator[Secret]:
    """What the living did at night or are about to: a word for it beside the name of who, or to whom."""
    if not isinstance(table.state, State):
        return
    living, public = table.state.living, TOLD_BY_A_DEATH if died else frozenset[str]()
    for actor, verb, targets in dict.fromkeys(_done(table, tuple(slots))):
        if actor in living and verb not in public:
            involved = (actor, *(target for target in targets if target in living))
            near = tuple(name for slot in involved for name in slots.get(slot, (slot,)))
            what = f"what {actor}, who is alive, does at night ({verb})"
            yield from (Secret(form, what, near) for form in inflected(verb))


def _done(table: Table, slots: Sequence[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Actor, verb and targets: of the night that is coming, and of every night that is over."""
    for action in table.state.actions:
        yield action.actor, word(action.ability), tuple(action.targets)
    for sheet in noted(table.replay.events):
        trace: Any = sheet.facts.get("trace", ()) if sheet.kind == "moderator_night" else ()
        for row in trace:
            said = str(row["action"]).split()
            targets = tuple(name for name in slots if name in str(row["action"]))
            verb = " ".join(part for part in said if part.islower() and part not in ("and", "on"))
            yield str(row["actor"]), verb, targets


def _pms(table: Table, roles: bool) -> Iterator[str]:
    """Private texts. In a game without roles a closing shows what was sent, and PMs have the same boards as
    posts: there only what was sent since counts."""
    records = standing(table.journal)
    closed = [record.number for record in records if isinstance(record.entry, Closed)]
    since = 0 if roles or not closed else closed[-1]
    for record in records:
        if isinstance(record.entry, Submitted) and record.entry.slot and record.number > since:
            yield record.entry.text
    yield from private_texts(table.folder, of_entries=roles)


def _keys(home: Path) -> Iterator[Secret]:
    """Seed and salt of the deal: whoever has them knows every card."""
    try:
        deal = json.loads((home / DEAL).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    for name in ("seed", "salt"):
        if isinstance(deal, dict) and isinstance(deal.get(name), str) and deal[name]:
            yield Secret(deal[name], f"the {name} of the deal")
