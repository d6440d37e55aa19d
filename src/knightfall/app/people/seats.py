"""Which slot does the moderator mean, does it live, and how many live beside it?"""

from __future__ import annotations

from knightfall.app.count.names import bears, slot_named
from knightfall.app.diary.journal import journal_of
from knightfall.app.people.dead import begun
from knightfall.app.people.entering import Desk
from knightfall.app.play.table import slot_meant, table_of
from knightfall.core.game import SlotId
from knightfall.core.roster import Slot
from knightfall.errors import InputError
from knightfall.services.pms import slot_id as signed_up
from knightfall.setups.setup import Setup


def slot_id(name: str, setup: Setup, desk: Desk) -> SlotId:
    """The slot as the journal calls it: by who signed up. Raises InputError for a name that is nobody's."""
    if begun(journal_of(desk.ports)):
        found = slot_meant(table_of(desk.folder, desk.ports), name)
        if found is None:
            raise InputError("That is you: the moderator has no slot.")
        return found
    return signed_up(slot_named(name, setup.roster), setup.roster)


def seat(name: str, setup: Setup) -> Slot | None:
    """The slot of the player list that has the name; None where there is no list, or not this name."""
    return setup.roster.slot_of(name) if setup.roster else None


def shown_name(slot: SlotId, setup: Setup) -> str:
    """Who holds it now."""
    found = seat(slot, setup)
    return found.name if found else slot


def lives(slot: SlotId, post: int | None, setup: Setup) -> bool:
    """Whether it is alive as of a post (None: now), as far as file and journal say."""
    found = seat(slot, setup)
    if found is None:
        return True
    said = [one for one in setup.changes if one.slot in found.names and not one.name]
    if any(one.post is None for one in said):  # no thread, no posts: the last word counts
        return said[-1].how is None
    if any(name in found.names for _, name in (*setup.fallen, *setup.slain)):
        return bool(found.back)
    return found.alive_at(post) if post is not None else found.left is None


def needed_line(post: int | None, setup: Setup) -> dict[str, int] | None:
    """How many live as of a post and how many votes eliminate then; None where nobody lists the players."""
    if setup.roster is None:
        return None
    alive = sum(lives(SlotId(slot.name), post, setup) for slot in setup.roster.slots)
    return {"alive": alive, "needed": setup.rule.majority(alive)}


def refuse_taken(name: str, slot: SlotId, setup: Setup) -> None:
    """Raises InputError where somebody else plays under the name, or moderates."""
    others = setup.roster.slots if setup.roster else ()
    own = seat(slot, setup)
    taken = next((one for one in others if one is not own and bears(one, name)), None)
    if taken is not None:
        raise InputError(f"“{name}” is a name of {taken.name}: one account can hold one slot only.")
    if name.casefold() in (moderator.casefold() for moderator in setup.moderators):
        raise InputError(f"“{name}” moderates this game and cannot play in it.")
