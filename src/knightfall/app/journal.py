"""How do verbs read and write the journal of a game? It is open for as long as that takes, no longer."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from knightfall.errors import InputError

if TYPE_CHECKING:  # who counts without a game need not wait for the journal
    from knightfall.app.read import Ports
    from knightfall.core.entries import Entry
    from knightfall.core.journal import Journal, Record


def journal_of(ports: Ports) -> Journal:
    """All that was written in the game's journal; nothing where there is no game."""
    if ports.ledger is None:
        return ()
    ledger = ports.ledger()
    try:
        return ledger.records()
    finally:
        ledger.close()


def entered(entry: Entry, ports: Ports, otherwise: str, at: datetime | None = None) -> Record:
    """Writes an entry, now or as of `at`. Raises InputError, saying `otherwise`, where there is no game."""
    if ports.ledger is None:
        raise InputError(otherwise)
    ledger = ports.ledger()
    try:
        return ledger.append(entry, at or ports.clock.now(), ports.author)
    finally:
        ledger.close()
