"""Which slot does the moderator mean by a name on the command line? He is corrected, never guessed at."""

from __future__ import annotations

from knightfall.core.roster import Roster, Slot
from knightfall.errors import InputError


def slot_named(name: str, roster: Roster | None) -> str:
    """The name of the slot's holder; the name as typed where the game file lists nobody.

    Raises InputError with the nearest names for one that is nobody's, or two slots'.
    """
    if roster is None:
        return name.strip()
    found = next((slot for slot in roster.slots if bears(slot, name)), None)
    if found is not None:
        return found.name
    from rapidfuzz import process  # waited for only by who made a mistake

    near = [known for known, *_ in process.extract(name, [slot.name for slot in roster.slots], limit=3)]
    raise InputError(f"“{name}” is nobody's name here. Nearest: {', '.join(near)}. Write the name in full.")


def bears(slot: Slot, name: str) -> bool:
    """Whether it is one of his names or aliases, whole: a decision is kept for ever."""
    folded = name.strip().casefold()
    return any(known.casefold() == folded for known in (*slot.names, *slot.aliases))
