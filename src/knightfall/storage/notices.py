"""What was the moderator told of, so that no restart tells it twice, and what waits to be told?

One notice is one row; it is written before it is told, and marked when it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Row
from typing import Any

from knightfall.core.notices import Notice
from knightfall.posts import PostChange
from knightfall.storage import history
from knightfall.storage.database import Database
from knightfall.storage.rows import moment, seconds
from knightfall.storage.schema import NOTICES
from knightfall.storage.statements import insert_all, update


@dataclass(frozen=True, slots=True)
class Notices:
    """The notices in a game's file. Every method raises StateDamaged where the file is not readable."""

    database: Database

    @classmethod
    def open(cls, path: Path) -> Notices:
        """Opens the file; where there is none it is made with the first notice."""
        return cls(Database.open(path))

    def close(self) -> None:
        """Lets go of the file."""
        self.database.close()

    def keep(self, notices: Iterable[Notice]) -> None:
        """Keeps those that are new; one whose key is known is no news."""
        known = self.keys()
        rows = [_row(notice) for notice in notices if notice.key not in known]
        if rows:
            with self.database.writing() as connection:
                insert_all(connection, NOTICES, rows, "OR IGNORE")

    def keys(self) -> frozenset[str]:
        """The keys of all that was ever noticed."""
        with self.database.reading() as connection:
            return frozenset(str(key) for (key,) in connection.execute("SELECT key FROM notices"))

    def waiting(self) -> tuple[Notice, ...]:
        """What was not told yet, in the order in which it was noticed."""
        query = "SELECT * FROM notices WHERE told IS NULL ORDER BY id"
        with self.database.reading() as connection:
            return tuple(map(_notice, connection.execute(query)))

    def told(self, notice: Notice, at: datetime) -> None:
        """It was told: never again."""
        with self.database.writing() as connection:
            update(connection, NOTICES, {"told": seconds(at)}, "key = ?", (notice.key,))

    def mark(self, key: str, words: str, at: datetime) -> None:
        """A note to ourselves under a key, which nobody is told."""
        row = _row(Notice(key, at, words, "")) | {"told": seconds(at)}
        with self.database.writing() as connection:
            insert_all(connection, NOTICES, [row], "OR IGNORE")

    def marked(self, key: str) -> str | None:
        """The words of a note; None where there is none."""
        with self.database.reading() as connection:
            found = connection.execute("SELECT words FROM notices WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found["words"])

    def changes_after(self, url: str, after: int) -> tuple[tuple[int, PostChange], ...]:
        """What became of the posts of a thread behind the change of that number, each with its own."""
        with self.database.reading() as connection:
            return history.changes_after(connection, url, after)

    def last_change(self) -> int:
        """The number of the latest change; 0 where nothing ever changed."""
        with self.database.reading() as connection:
            return history.last_change(connection)


def _row(notice: Notice) -> dict[str, Any]:
    return {
        "key": notice.key,
        "at": seconds(notice.at),
        "words": notice.words,
        "outside": notice.outside,
        "urgent": notice.urgent,
    }


def _notice(row: Row) -> Notice:
    return Notice(row["key"], moment(row["at"]), row["words"], row["outside"], bool(row["urgent"]))
