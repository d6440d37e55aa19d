"""Watch: who visited the target?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from knightfall.engine.game import SlotId
from knightfall.mafia.night import NOBODY, Answer


def callers(visits: Iterable[tuple[SlotId, SlotId]]) -> dict[SlotId, set[SlotId]]:
    """Visited → all visitors, each once."""
    came: dict[SlotId, set[SlotId]] = {}
    for visitor, visited in visits:
        came.setdefault(visited, set()).add(visitor)
    return came


def observe(target: SlotId, unseen: SlotId | None, came: Mapping[SlotId, Collection[SlotId]]) -> Answer:
    """The target's visitors, sorted, without `unseen` (the watcher); "nobody" where there is none."""
    return tuple(sorted(name for name in came.get(target, ()) if name != unseen)) or NOBODY
