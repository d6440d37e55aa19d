"""Can roles be dealt to these names?"""

from __future__ import annotations

from collections.abc import Sequence

from knightfall.core.game import SlotId
from knightfall.errors import InputError


def check_distinct(slots: Sequence[SlotId]) -> None:
    """Raises InputError where two names differ by nothing but capitals."""
    folded = [slot.casefold() for slot in slots]
    if twice := sorted({slot for slot in slots if folded.count(slot.casefold()) > 1}):
        raise InputError(f"Names that stand for two players: {', '.join(twice)}.")
