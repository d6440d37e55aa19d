"""The moderator's journal on the disk: written and read with nothing lost and nothing changed.

One entry is one transaction, written behind the last one that anybody wrote: two moderators at once get two
records, one after the other. Whoever says up to which record they read is told when there are more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from sqlite3 import Connection, Row
from typing import Any

from knightfall.engine.entries import Entry, decode, encode
from knightfall.engine.journal import Journal, Record, is_sealed, record_after, verify
from knightfall.errors import Overtaken, StateDamaged
from knightfall.sentence import Way, sentence
from knightfall.storage.database import DatabasePart, insert, insert_all

REPAIR = sentence("Put your last backup or export in its place ({how}).", how=Way("import_journal"))


@dataclass(frozen=True, slots=True)
class Ledger(DatabasePart):
    """The journal in a game's file. Every method raises StateDamaged where the file is not readable."""

    def append(self, entry: Entry, at: datetime, author: str, expected: int | None = None) -> Record:
        """Writes the entry behind the last one and returns its record. Raises Overtaken where `expected`, the
        number of the last record that the writer knows (0: none), is not the last one any more."""
        with self.database.writing() as connection:
            last = _last(connection)
            _refuse_overtaken(last, expected)
            record = record_after(last, entry, at, author)
            insert(connection, "journal", _row(record))
            _note_head(connection, record)
        return record

    def extend(self, records: Journal, expected: int) -> None:
        """Writes records of another copy of this journal behind its own, all or none. Raises Overtaken as
        `append` does, and StateDamaged where they do not follow the last one."""
        with self.database.writing() as connection:
            _refuse_overtaken(_last(connection), expected)
            insert_all(connection, "journal", [_row(record) for record in records])
            verify(_all(connection))
            if records:
                _note_head(connection, records[-1])

    def records(self, known: Journal = ()) -> Journal:
        """All records, oldest first. Raises StateDamaged where one is not as it was written.

        `known` were read and found whole before: only what stands behind them is read and verified, as long
        as the last of them stands where it stood.
        """
        with self.database.reading() as connection:
            found = _all(connection, known[-1].number if known else 0)
            stands = not known or found[:1] == known[-1:]
            if stands:
                _refuse_cut(connection, is_sealed((*known, *found)))
        if not stands:
            return self.records()
        verify(found[1:] if known else found, known[-1] if known else None)
        if not known:
            return found
        return (*known, *found[1:]) if len(found) > 1 else known


def _all(connection: Connection, first: int = 0) -> Journal:
    """Every record from that number on."""
    query = "SELECT * FROM journal WHERE number >= ? ORDER BY number"
    return tuple(map(_record, connection.execute(query, (first,))))


HEAD = "journal head"
"""The key of the note on the last record: its number and digest."""


def _note_head(connection: Connection, record: Record) -> None:
    """Note which record is the last one, so that a journal that was cut is known as such."""
    row = {"key": HEAD, "at": 0, "words": f"{record.number} {record.digest}", "outside": "", "urgent": False}
    insert_all(connection, "notices", [row | {"told": 0}], "OR REPLACE")


def _refuse_cut(connection: Connection, sealed: bool) -> None:
    """Raises StateDamaged where the last record that was written is not the last one that is there, and in a
    game that has to be `sealed` where the note on it is gone."""
    noted = connection.execute("SELECT words FROM notices WHERE key = ?", (HEAD,)).fetchone()
    if noted is None and sealed:
        raise StateDamaged(
            sentence("The note on the last entry of the journal was taken away. {repair}", repair=REPAIR)
        )
    if noted is None:  # an older Knightfall wrote the journal
        return
    query = "SELECT number, digest FROM journal ORDER BY number DESC LIMIT 1"
    number, digest = connection.execute(query).fetchone() or (0, "")
    if str(noted["words"]) != f"{number} {digest}":
        written = str(noted["words"]).partition(" ")[0]
        raise StateDamaged(
            sentence(
                "The journal was cut or changed: entry {written} was written last, and the last one there is "
                "{number}. {repair}",
                written=written,
                number=number or "none",
                repair=REPAIR,
            )
        )


def _refuse_overtaken(last: Record | None, expected: int | None) -> None:
    number = last.number if last else 0
    if expected is not None and number != expected:
        raise Overtaken(f"The journal was read up to entry {expected} and has {number} now.")


def _last(connection: Connection) -> Record | None:
    row = connection.execute("SELECT * FROM journal ORDER BY number DESC LIMIT 1").fetchone()
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


def _record(row: Row) -> Record:
    try:
        entry, at = decode(json.loads(row["entry"])), datetime.fromisoformat(row["at"])
    except (ValueError, TypeError, AttributeError) as error:
        raise StateDamaged(
            sentence(
                "Record {number} of the journal cannot be read: {error}. {repair}",
                number=row["number"],
                error=str(error),
                repair=REPAIR,
            )
        ) from error
    record = Record(row["number"], at, row["author"], entry, row["before"], row["digest"])
    if _row(record) != dict(row):  # what means the same in other letters is a change, too
        raise StateDamaged(
            sentence(
                "Record {number} of the journal was changed or damaged. {repair}",
                number=row["number"],
                repair=REPAIR,
            )
        )
    return record
