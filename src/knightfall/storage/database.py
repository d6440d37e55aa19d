"""The SQLite database of a game: schema, migrations, statements, and faults in words."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import Connection
from types import MappingProxyType
from typing import Any, Self

from knightfall.errors import IncompleteRead, InputError, KnightfallError, StateDamaged
from knightfall.sentence import Sentence, Way, sentence
from knightfall.storage.drafts import own_folder

SCHEMA = """
CREATE TABLE IF NOT EXISTS threads (
    id INTEGER NOT NULL PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    platform TEXT NOT NULL,
    title TEXT NOT NULL,
    pages INTEGER NOT NULL,
    posts_total INTEGER,
    counted_to INTEGER, -- the last post of the latest count
    counted_at INTEGER, -- and when that was
    zone TEXT, -- as the moderator states it ('' for none), NULL where the posts do not know theirs yet
    seal TEXT
);

-- A read that broke off stays open: the next one goes on with it.
CREATE TABLE IF NOT EXISTS reads (
    id INTEGER NOT NULL PRIMARY KEY,
    thread INTEGER NOT NULL REFERENCES threads (id),
    began INTEGER NOT NULL,
    finished INTEGER,
    seal TEXT
);
CREATE INDEX IF NOT EXISTS reads_of_thread ON reads (thread);

-- A page that says what it said before is not kept again: seen_at and seen_in (the read) move on.
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER NOT NULL PRIMARY KEY,
    thread INTEGER NOT NULL REFERENCES threads (id),
    number INTEGER NOT NULL,
    url TEXT NOT NULL,
    status INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    server_date TEXT,
    sha256 TEXT NOT NULL,
    body BLOB NOT NULL, -- zlib of UTF-8
    first_post TEXT,
    posts_sha256 TEXT NOT NULL,
    headers TEXT, -- a JSON object
    private BOOLEAN DEFAULT 0 NOT NULL, -- read while logged in: never exported
    seen_in INTEGER,
    seal TEXT
);
CREATE INDEX IF NOT EXISTS pages_of_thread ON pages (thread, number);

CREATE TABLE IF NOT EXISTS posts (
    thread INTEGER NOT NULL REFERENCES threads (id),
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    page INTEGER NOT NULL, -- where the post stands in the thread
    number INTEGER NOT NULL,
    author TEXT NOT NULL,
    author_id TEXT,
    time INTEGER,
    approximate BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    url TEXT,
    edited INTEGER,
    edit_note TEXT,
    hidden BOOLEAN NOT NULL,
    first_seen INTEGER NOT NULL,
    superseded INTEGER,
    raw INTEGER, -- the row of the page that first showed this version
    seal TEXT,
    zone TEXT,
    PRIMARY KEY (thread, id, version)
);
CREATE INDEX IF NOT EXISTS posts_in_order ON posts (thread, superseded, number);
CREATE INDEX IF NOT EXISTS posts_of_page ON posts (thread, superseded, page);

-- What became of a post between two versions.
CREATE TABLE IF NOT EXISTS changes (
    id INTEGER NOT NULL PRIMARY KEY,
    thread INTEGER NOT NULL REFERENCES threads (id),
    read INTEGER NOT NULL REFERENCES reads (id),
    post TEXT NOT NULL,
    became TEXT NOT NULL,
    at INTEGER NOT NULL,
    "before" INTEGER,
    "after" INTEGER,
    counted INTEGER -- when the post had been counted as it stood before
);
CREATE INDEX IF NOT EXISTS changes_of_thread ON changes (thread, read);

-- How much evidence there was after each save that added some: each link seals what came and the link before.
CREATE TABLE IF NOT EXISTS links (
    number INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    threads INTEGER NOT NULL,
    reads INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    posts INTEGER NOT NULL,
    "before" TEXT NOT NULL,
    digest TEXT NOT NULL
);

-- A chain of records as in engine.journal, only ever added to.
CREATE TABLE IF NOT EXISTS journal (
    number INTEGER NOT NULL PRIMARY KEY,
    at TEXT NOT NULL, -- ISO 8601 with offset
    author TEXT NOT NULL,
    entry TEXT NOT NULL, -- JSON
    "before" TEXT NOT NULL,
    digest TEXT NOT NULL
);

-- What `watch` noticed, once a key, and when the moderator was told of it (NULL: not yet).
CREATE TABLE IF NOT EXISTS notices (
    id INTEGER NOT NULL PRIMARY KEY,
    "key" TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    words TEXT NOT NULL,
    outside TEXT NOT NULL,
    urgent BOOLEAN NOT NULL,
    told INTEGER
);
"""


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

THE_ZONES = (
    "ALTER TABLE threads ADD COLUMN zone TEXT",
    "ALTER TABLE posts ADD COLUMN zone TEXT",
)

POSTS_BY_PAGE_AND_SEALED_READS = (
    "ALTER TABLE threads ADD COLUMN seal TEXT",
    "ALTER TABLE reads ADD COLUMN seal TEXT",
)

THE_LINKS = ()
"""What was kept before is all sealed by the first link."""

STEPS: tuple[tuple[str, ...], ...] = (
    CHANGES_AND_READS,
    THE_JOURNAL,
    THE_SEALS,
    THE_NOTICES,
    THE_ZONES,
    POSTS_BY_PAGE_AND_SEALED_READS,
    THE_LINKS,
)
"""The first step leads from schema 1 to schema 2, and so on; new tables and indexes are made after them."""

VERSION = len(STEPS) + 1


def migrate(path: Path, connection: Connection) -> None:
    """Brings the database to today's schema; an empty one gets it at once.

    Raises StateDamaged for a file of a newer Knightfall.
    """
    found = _version(connection)
    if found == VERSION:
        return
    if found > VERSION:
        raise StateDamaged(
            f"{path} was written by a newer Knightfall (schema {found}, this one has {VERSION}). "
            "Update Knightfall."
        )
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    there = {str(name) for (name,) in connection.execute(query)}
    for step in STEPS[found - 1 :] if found else ():
        for statement in step:
            if statement.split()[2] in there:  # another is made below, with all its columns
                connection.execute(statement)
    make_tables(connection)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def make_tables(connection: Connection) -> None:
    """Makes those that are not there, in the transaction that is open: `executescript` would end it."""
    for statement in SCHEMA.split(";"):
        connection.execute(statement)


_PRIMARY = 0xFF
"""The part of SQLite's codes that names the kind of error."""
_UNWRITABLE = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_CANTOPEN,
    }
)
_NO_WAL = b"\x01\x01"
"""Bytes 18 and 19 of a file that has no log of its own beside it (SQLite, “Database File Format”, 1.3.3)."""
_READ_ONLY = (
    "{path} cannot be written: the file or its folder is read-only for you. Nothing was "
    "written. Give yourself write access (chmod u+rwX on the folder), or work on a copy."
)
_ADVICE: Mapping[int, str] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: (
            "{path}: the disk is full. Nothing was written. Free some space and try again."
        ),
        sqlite3.SQLITE_IOERR: (
            "{path}: the disk cannot be read or written ({said}). Nothing was written. Free "
            "some space, check the disk and your quota, and try again."
        ),
        sqlite3.SQLITE_BUSY: (
            "{path} is in use: another program has been writing for 10 s. Nothing was written. Try again."
        ),
        sqlite3.SQLITE_READONLY: _READ_ONLY,
        sqlite3.SQLITE_PERM: _READ_ONLY,
        sqlite3.SQLITE_CANTOPEN: (
            "{path} cannot be opened: {said}. Does the folder exist, and can you read and "
            "write in it? (chmod u+rwX)"
        ),
    }
)


def named(path: Path, error: BaseException | None) -> KnightfallError:
    """Our error for one of SQLite's: InputError where the world is in the way, else StateDamaged."""
    if isinstance(error, sqlite3.IntegrityError):  # what was to be written is at fault, not the file
        return IncompleteRead(
            f"What was to be written into {path} does not fit together ({error}). Nothing was written. "
            "Read the thread again."
        )
    code = getattr(error, "sqlite_errorcode", None)
    cut_short = code == sqlite3.SQLITE_IOERR_SHORT_READ
    advice = None if code is None or cut_short else _ADVICE.get(code & _PRIMARY)
    if advice is not None:
        return InputError(advice.format(path=path, said=error))
    return StateDamaged(damage(path, str(error)))


def damage(path: Path, said: str) -> Sentence:
    """What is wrong with a file, and how to repair it."""
    return sentence(
        "{path} is damaged: {said}. Move it away and put your last backup or export in its place ({how}), "
        'then read the thread again. To save what can still be read: sqlite3 "{path}" .recover',
        path=path,
        said=said,
        how=Way("import_journal"),
    )


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
            with database.reading() as connection:
                known = _version(connection)
            if known != VERSION:
                database.prepare()
        return database

    def prepare(self) -> None:
        """Makes the file and its tables where they are not there. Raises InputError where that cannot be."""
        try:
            own_folder(self.path.parent)
        except OSError as error:
            raise InputError(f"{self.path.parent} cannot be created: {error.strerror}.") from None
        # SQLite would leave it open to whoever may look into the folder; its own helpers follow the file.
        with suppress(OSError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL, 0o600))
        with self._transaction() as connection:
            migrate(self.path, connection)

    def close(self) -> None:
        """Lets go of the file."""
        while self.idle:
            self.idle.pop().close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for looking, at the file as it is now; to one that is not there yet, an empty one in
        memory. A file that cannot be written, or whose disk is full, is looked at as well."""
        if not self.path.exists():
            with closing(_nothing_kept()) as connection:
                yield connection
            return
        with _damage_named(self.path):
            copy = self._copy_to_look_at()
        if copy is not None:
            with _damage_named(self.path), closing(copy):
                yield copy
            return
        with self._connection() as connection:
            yield connection

    def _copy_to_look_at(self) -> Connection | None:
        """A copy in memory where SQLite cannot open the file, for want of a place for its own helpers; None
        where it can."""
        if self.idle:
            return None
        try:
            self.idle.append(_connected(self.path))
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY not in _UNWRITABLE:
                raise
            copy = _copied(self.path)
            if copy is None:
                raise
            return copy
        return None

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


@dataclass(frozen=True, slots=True)
class DatabasePart:
    """A part of what a game's file keeps. Every method raises StateDamaged where the file is not readable."""

    database: Database

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens the file; where there is none it is made when something is first written."""
        return cls(Database.open(path))

    def close(self) -> None:
        """Lets go of the file."""
        self.database.close()


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


def _copied(path: Path) -> Connection | None:
    """A copy in memory of a file that nobody is writing; None where somebody is, where what was written last
    stands beside it still, or where it cannot be read."""
    beside = path.with_name(f"{path.name}-wal")
    try:
        before = path.stat()
        data = bytearray(path.read_bytes())
        after = path.stat()
        waiting = beside.exists() and beside.stat().st_size
    except OSError:
        return None
    if waiting or before.st_mtime_ns != after.st_mtime_ns or not data:
        return None
    data[18:20] = _NO_WAL
    connection = _opened(":memory:")
    connection.deserialize(bytes(data))
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


AMONG = "(SELECT replace(replace(value, char(1) || '2', char(0)), char(1) || '1', char(1)) FROM json_each(?))"
"""Behind IN: the texts that `among` hands over, however many there are."""

Values = Mapping[str, Any]


def among(texts: Iterable[str]) -> str:
    """The value that AMONG takes. SQLite cuts a text of JSON at a NUL, so that goes in other letters."""
    return json.dumps([text.replace("\x01", "\x011").replace("\0", "\x012") for text in texts])


def insert(connection: Connection, table: str, row: Values) -> int:
    """Adds a row; the number that it got."""
    return int(connection.execute(_inserting(table, tuple(row)), tuple(row.values())).lastrowid or 0)


def insert_all(connection: Connection, table: str, rows: Sequence[Values], known: str = "") -> None:
    """Add rows, all with equal columns; with `known="OR IGNORE"` a row whose key is there stays as it is."""
    if rows:
        names = tuple(rows[0])
        values = ([row[name] for name in names] for row in rows)
        connection.executemany(_inserting(table, names, known), values)


def update(connection: Connection, table: str, told: Values, where: str, of: Sequence[Any]) -> None:
    """Sets columns of the rows that a condition chooses; `of` are the values for its question marks."""
    columns = ", ".join(f'"{name}" = ?' for name in told)
    connection.execute(f"UPDATE {table} SET {columns} WHERE {where}", (*told.values(), *of))


def _inserting(table: str, names: Sequence[str], known: str = "") -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT {known} INTO {table} ({columns}) VALUES ({', '.join('?' * len(names))})"
