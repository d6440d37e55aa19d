"""Who holds the slots of a begun game, and how is a slot that changed hands called in posts?

The game itself knows a slot by who signed up; letters go to who holds it now, and posts name both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from knightfall.core.entries import Replaced
from knightfall.core.game import Announced, SlotId
from knightfall.core.journal import Journal, standing

Holders = Mapping[SlotId, str]


def holders(journal: Journal) -> dict[SlotId, str]:
    """Slot → who holds it now, of those that changed hands."""
    entries = (record.entry for record in standing(journal))
    return {entry.slot: entry.name for entry in entries if isinstance(entry, Replaced)}


def shown(slot: SlotId, held: Holders) -> str:
    """The holder's name, and whose slot it was where that is not the same: “Rook (was Lumen)”."""
    now = held.get(slot, slot)
    return now if now == slot else f"{now} (was {slot})"


def renamed(event: Announced, held: Holders) -> Announced:
    """The announcement with every name as it is shown now."""
    if not held:
        return event
    names = {str(slot): shown(slot, held) for slot in held}
    return replace(event, facts=_renamed(event.facts, names))


def _renamed(facts: Any, names: Mapping[str, str]) -> Any:
    """Names stand by themselves in facts, at any depth; words of sentences are not touched."""
    match facts:
        case str():
            return names.get(facts, facts)
        case Mapping():
            return {_renamed(key, names): _renamed(value, names) for key, value in facts.items()}
        case list() | tuple():
            return type(facts)(_renamed(one, names) for one in facts)
    return facts
