"""How does the moderator note that PMs were sent, or that their readers confirmed them?"""

from __future__ import annotations

from pathlib import Path

from knightfall.app.count.names import slot_named
from knightfall.app.diary.journal import entered, journal_of
from knightfall.app.letters.ledger import STATES, delivered
from knightfall.app.letters.letters import PROD, batches_for
from knightfall.app.people.dead import begun
from knightfall.app.play.table import slot_meant, table_of
from knightfall.app.ports import Ports
from knightfall.app.setup_now import setup_of
from knightfall.core.entries import Delivered, Prodded
from knightfall.core.game import SlotId
from knightfall.core.journal import Journal, standing
from knightfall.core.roster import Roster
from knightfall.errors import InputError

MARKS = STATES[1:]
NOWHERE = "PMs are sent for a game: --game FOLDER, or run this in the game's folder."


def note(kind: str, slot: SlotId, state: str, digest: str, ports: Ports) -> None:
    """Writes how far a PM has come; a prod that was sent counts as one from now on, if it did not before."""
    entered(Delivered(kind, slot, state, digest), ports, NOWHERE)
    family, _, number = kind.partition("-")
    if state == "sent" and family == PROD and _prods(slot, ports) < int(number):
        entered(Prodded(slot), ports, NOWHERE)


def _prods(slot: SlotId, ports: Ports) -> int:
    """How many prods of the slot stand in the journal."""
    records = standing(journal_of(ports))
    return sum(isinstance(record.entry, Prodded) and record.entry.slot == slot for record in records)


def mark(state: str, names: tuple[str, ...], batch: str | None, folder: Path, ports: Ports) -> str:
    """Notes the state for all who are named, or for nobody: the batch that is named, else, for
    each, the one that was copied last. Raises InputError for a state, a name or a batch that cannot be."""
    if state not in MARKS:
        raise InputError(f"mark {state}: expected {' or '.join(MARKS)}.")
    journal = journal_of(ports)
    slots = tuple(dict.fromkeys(recipient(name, folder, ports) for name in names))
    due = [(slot, *_due(slot, batch, folder, ports)) for slot in slots]
    for slot, kind, digests in due:
        for digest in digests:
            _raise(kind, slot, state, digest, journal, ports)
    return f"{state.capitalize()}: {', '.join(f'{slot} ({kind})' for slot, kind, _ in due)}."


def _raise(kind: str, slot: SlotId, state: str, digest: str, journal: Journal, ports: Ports) -> None:
    """What has come so far already is not noted again; what is confirmed was sent."""
    known = {e.state for _, e in delivered(journal) if (e.kind, e.slot, e.sha256) == (kind, slot, digest)}
    for step in MARKS[: MARKS.index(state) + 1]:
        if not known & set(STATES[STATES.index(step) :]):
            note(kind, slot, step, digest, ports)


def recipient(name: str, folder: Path, ports: Ports) -> SlotId:
    """Whose slot a name means: by the game's own matching where one was begun, else by the player list.
    Raises InputError where it means nobody, or two."""
    if begun(journal_of(ports)):
        slot = slot_meant(table_of(folder, ports), name)
        if slot is None:
            raise InputError("No PM goes to the moderator: name players.")
        return slot
    roster = setup_of(folder, ports).roster
    return slot_id(slot_named(name, roster), roster)


def slot_id(name: str, roster: Roster | None) -> SlotId:
    """The slot that somebody holds, by the name of its first holder."""
    slot = roster.slot_of(name) if roster else None
    return SlotId(slot.holders[0].name if slot else name)


def _due(slot: SlotId, batch: str | None, folder: Path, ports: Ports) -> tuple[str, tuple[str, ...]]:
    """The batch from which something was copied for the slot last, and the texts; where nothing was, the
    latest batch with a text for it. Raises InputError where there is neither."""
    pairs = (*_uncopied(slot, folder, ports), *_copied(slot, ports))
    kinds = [kind for kind, _ in pairs if batch in (None, kind)]
    if not kinds:
        raise InputError(f"There is no PM{f' of {batch}' if batch else ''} for {slot}: nothing was marked.")
    return kinds[-1], tuple(dict.fromkeys(digest for kind, digest in pairs if kind == kinds[-1]))


def _copied(slot: SlotId, ports: Ports) -> tuple[tuple[str, str], ...]:
    """(batch, text) of all that was copied for the slot, oldest first."""
    return tuple((e.kind, e.sha256) for _, e in delivered(journal_of(ports)) if e.slot == slot)


def _uncopied(slot: SlotId, folder: Path, ports: Ports) -> tuple[tuple[str, str], ...]:
    """The same of all that could be, latest last: somebody sent it without a clipboard."""
    if not begun(journal_of(ports)):
        return ()
    found = batches_for(slot, table_of(folder, ports), "")
    return tuple((one.kind, one.sha256) for b in reversed(found) for one in b.letters if one.slot == slot)
