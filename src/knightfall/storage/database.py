"""How is a game's file opened so that two writers wait for each other and damage is told as damage?

WAL with synchronous=FULL: what was reported as kept is on the disk even if the power fails; one fsync a page
is nothing beside the pause between two requests.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError

from knightfall.errors import InputError
from knightfall.storage.faults import named
from knightfall.storage.migrations import migrate
from knightfall.storage.schema import TABLES


@dataclass(frozen=True, slots=True)
class Database:
    """One file with evidence and journal. Its connections raise StateDamaged where it is not readable."""

    path: Path
    engine: Engine

    @classmethod
    def open(cls, path: Path) -> Database:
        """Opens the file; where there is none it is made when something is first written."""
        engine = create_engine(URL.create("sqlite", database=str(path)))
        event.listen(engine, "connect", _settle)
        event.listen(engine, "begin", _begin)
        database = cls(path, engine)
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
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for looking; to a file that is not there yet, an empty one in memory."""
        engine = self.engine if self.path.exists() else _nothing_kept()
        with _damage_named(self.path), engine.connect() as connection:
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
        with (
            _damage_named(self.path),
            self.engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            yield connection


def _nothing_kept() -> Engine:
    """An empty database in memory, so that looking makes no file."""
    engine = create_engine("sqlite://")
    TABLES.create_all(engine)
    return engine


def _settle(connection: Any, _record: object) -> None:
    """The driver begins no transactions of its own, so that schema changes are all or nothing too."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Who writes waits for the turn at once: a transaction never has to be given up half way."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise named(path, error.orig) from error
