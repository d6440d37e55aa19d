"""How is a game's file opened so that two writers wait for each other and damage is told as damage?

WAL with synchronous=FULL: what was reported as kept is on the disk even if the power fails; one fsync a page
is nothing beside the pause between two requests.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import Connection

from knightfall.errors import InputError
from knightfall.storage.faults import named
from knightfall.storage.migrations import make_tables, migrate

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000")


@dataclass(frozen=True, slots=True)
class Database:
    """One file with evidence and journal. Its connections raise StateDamaged where it is not readable.

    `idle` are connections to it that nobody uses at the moment.
    """

    path: Path
    idle: list[Connection] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def open(cls, path: Path) -> Database:
        """Opens the file; where there is none it is made when something is first written."""
        database = cls(path)
        if path.exists():
            database.prepare()
        return database

    def prepare(self) -> None:
        """Makes the file and its tables where they are not there. Raises InputError where that cannot be."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.path.parent} cannot be made: {error.strerror}.") from None
        with self._transaction() as connection:
            migrate(self.path, connection)

    def close(self) -> None:
        """Lets go of the file."""
        while self.idle:
            self.idle.pop().close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for looking, at the file as it is now; to one that is not there yet, an empty one in
        memory."""
        if not self.path.exists():
            with closing(_nothing_kept()) as connection:
                yield connection
            return
        with self._connection() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: all of it or nothing. Who comes second waits at its beginning."""
        if not self.path.exists():
            self.prepare()
        with self._transaction() as connection:
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Waits for the turn at once: a transaction never has to be given up half way."""
        with self._connection("BEGIN IMMEDIATE") as connection:
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _connection(self, begin: str = "BEGIN") -> Iterator[Connection]:
        """One that nobody else has. What is not committed at the end is taken back."""
        with _damage_named(self.path):
            connection = self.idle.pop() if self.idle else _connected(self.path)
            try:
                connection.execute(begin)
                yield connection
            finally:
                connection.rollback()
                self.idle.append(connection)


def _opened(place: Path | str) -> Connection:
    """The driver begins no transactions of its own, so that schema changes are all or nothing too."""
    connection = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


def _connected(path: Path) -> Connection:
    """One that waits for its turn and loses nothing that was confirmed."""
    connection = _opened(path)
    try:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _nothing_kept() -> Connection:
    """An empty database in memory, so that looking makes no file."""
    connection = _opened(":memory:")
    make_tables(connection)
    return connection


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise named(path, error) from error
