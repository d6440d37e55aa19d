"""How does an older database become one of today? One numbered step after the other, all or none."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection

from knightfall.errors import StateDamaged
from knightfall.storage.schema import TABLES

CHANGES_AND_READS = (
    "ALTER TABLE threads ADD COLUMN counted_to INTEGER",
    "ALTER TABLE threads ADD COLUMN counted_at INTEGER",
    "ALTER TABLE pages ADD COLUMN headers TEXT",
    "ALTER TABLE pages ADD COLUMN private BOOLEAN DEFAULT 0 NOT NULL",
    "ALTER TABLE pages ADD COLUMN seen_in INTEGER",
    "ALTER TABLE posts ADD COLUMN raw INTEGER",
)

THE_JOURNAL = ()

THE_SEALS = (
    "ALTER TABLE pages ADD COLUMN seal TEXT",
    "ALTER TABLE posts ADD COLUMN seal TEXT",
)
"""What was kept before has none until it is seen again."""

THE_NOTICES = ()

STEPS: tuple[tuple[str, ...], ...] = (CHANGES_AND_READS, THE_JOURNAL, THE_SEALS, THE_NOTICES)
"""The first step leads from schema 1 to schema 2, and so on; new tables are made after them."""

VERSION = len(STEPS) + 1


def migrate(path: Path, connection: Connection) -> None:
    """Brings the database to today's schema; an empty one gets it at once.

    Raises StateDamaged for a file of a newer Knightfall.
    """
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found == VERSION:
        return
    if found > VERSION:
        raise StateDamaged(f"{path} is of a newer Knightfall (schema {found}, here {VERSION}): update.")
    for step in STEPS[found - 1 :] if found else ():
        for statement in step:
            connection.execute(statement)
    make_tables(connection)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def make_tables(connection: Connection) -> None:
    """Makes those that are not there."""
    for table in TABLES:
        for statement in table.making():
            connection.execute(statement)
