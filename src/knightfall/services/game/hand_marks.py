"""Up to which entry a game was handed over to its other moderators: a small file in `private/` keeps it."""

from __future__ import annotations

import json

from knightfall.services.session import Session, journal_of
from knightfall.storage.drafts import write_draft

PRIVATE = "private"
FILE = "handed-over.json"


def note_handed_over(entry: int, digest: str, session: Session) -> None:
    """Note that all up to an entry, by its digest, was handed over."""
    told = {"entry": entry, "digest": digest, "at": session.clock.now().isoformat()}
    write_draft(session.folder, PRIVATE, FILE, json.dumps(told))


def handed_over(session: Session) -> int:
    """Up to which entry the game was handed over; 0 where it never was, or that entry stands no more."""
    try:
        told = json.loads((session.folder / PRIVATE / FILE).read_text(encoding="utf-8"))
        entry, digest = int(told["entry"]), str(told["digest"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0
    journal = journal_of(session)
    return entry if 0 < entry <= len(journal) and journal[entry - 1].digest == digest else 0
