"""Track: whom did the target visit?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from knightfall.engine.game import SlotId
from knightfall.mafia.night import NOBODY, Answer


def footsteps(visits: Iterable[tuple[SlotId, SlotId]]) -> dict[SlotId, set[SlotId]]:
    """Visitor → everyone visited, each once."""
    went: dict[SlotId, set[SlotId]] = {}
    for visitor, visited in visits:
        went.setdefault(visitor, set()).add(visited)
    return went


def follow(target: SlotId, went: Mapping[SlotId, Collection[SlotId]]) -> Answer:
    """The names the target visited, sorted; "nobody" where there is none."""
    return tuple(sorted(went.get(target, ()))) or NOBODY
