"""How does the moderator's journal get onto the disk and back, with nothing lost and nothing changed?

One entry is one transaction, written behind the last one that anybody wrote: two moderators at once get two
records, one after the other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from knightfall.core.entries import Entry, decode, encode
from knightfall.core.journal import Journal, Record, record_after, verify
from knightfall.errors import StateDamaged
from knightfall.storage.database import Database
from knightfall.storage.schema import JOURNAL


@dataclass(frozen=True, slots=True)
class Ledger:
    """The journal in a game's file. Every method raises StateDamaged where the file is not readable."""

    database: Database

    @classmethod
    def open(cls, path: Path) -> Ledger:
        """Opens the file; where there is none it is made with the first entry."""
        return cls(Database.open(path))

    def close(self) -> None:
        """Lets go of the file."""
        self.database.close()

    def append(self, entry: Entry, at: datetime, author: str) -> Record:
        """Writes the entry behind the last one and returns its record."""
        with self.database.writing() as connection:
            record = record_after(_last(connection), entry, at, author)
            connection.execute(insert(JOURNAL).values(**_row(record)))
        return record

    def records(self) -> Journal:
        """All records, oldest first. Raises StateDamaged where one is not as it was written."""
        with self.database.reading() as connection:
            rows = connection.execute(select(JOURNAL).order_by(JOURNAL.c.number)).all()
        journal = tuple(map(_record, rows))
        verify(journal)
        return journal


def _last(connection: Connection) -> Record | None:
    row = connection.execute(select(JOURNAL).order_by(JOURNAL.c.number.desc()).limit(1)).one_or_none()
    return _record(row) if row is not None else None


def _row(record: Record) -> dict[str, Any]:
    return {
        "number": record.number,
        "at": record.at.isoformat(),
        "author": record.author,
        "entry": json.dumps(encode(record.entry), ensure_ascii=False),
        "before": record.before,
        "digest": record.digest,
    }


def _record(row: Any) -> Record:
    try:
        entry, at = decode(json.loads(row.entry)), datetime.fromisoformat(row.at)
    except ValueError as error:
        raise StateDamaged(f"Record {row.number} of the journal cannot be read: {error}.") from error
    return Record(row.number, at, row.author, entry, row.before, row.digest)
