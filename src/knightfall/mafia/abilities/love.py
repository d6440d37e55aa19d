"""Love: who dies of another's death?"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from knightfall.engine.game import SlotId


def bereaved(
    lovers: Iterable[frozenset[SlotId]], dead: Collection[SlotId], living: Collection[SlotId]
) -> list[tuple[SlotId, SlotId]]:
    """Each living lover of a dead one, with the first he lost, sorted; who dies takes others along."""
    lost = {SlotId(slot): slot for slot in dead}
    fresh = True
    while fresh:
        fresh = False
        for group in lovers:
            gone = sorted(slot for slot in group if slot in lost)
            left = [slot for slot in group if gone and slot in living and slot not in lost]
            lost |= dict.fromkeys(left, gone[0] if gone else SlotId(""))
            fresh |= bool(left)
    return sorted((slot, of) for slot, of in lost.items() if slot not in dead)
