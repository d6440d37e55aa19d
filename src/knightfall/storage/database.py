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
from typing import Any

from knightfall.errors import IncompleteRead, InputError, KnightfallError, StateDamaged
from knightfall.sentence import Sentence, Way, sentence

KEY = "INTEGER NOT NULL PRIMARY KEY"
NUMBER, TEXT, BYTES, FLAG = "INTEGER NOT NULL", "TEXT NOT NULL", "BLOB NOT NULL", "BOOLEAN NOT NULL"
THE_THREAD = "INTEGER NOT NULL REFERENCES threads (id)"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns with what each holds, in order; an own key of several; its indexes by name and
    columns."""

    name: str
    columns: Mapping[str, str]
    key: str = ""
    indexes: tuple[str, ...] = ()

    def making(self) -> Iterator[str]:
        """The statements that make it where it is not there."""
        lines = [f'"{name}" {holds}' for name, holds in self.columns.items()]
        lines += [f"PRIMARY KEY ({self.key})"] if self.key else []
        yield f"CREATE TABLE IF NOT EXISTS {self.name} ({', '.join(lines)})"
        for index in self.indexes:
            name, _, columns = index.partition(" ")
            yield f"CREATE INDEX IF NOT EXISTS {name} ON {self.name} {columns}"


THREADS = Table(
    "threads",
    {
        "id": KEY,
        "url": "TEXT NOT NULL UNIQUE",
        "platform": TEXT,
        "title": TEXT,
        "pages": NUMBER,
        "posts_total": "INTEGER",
        "counted_to": "INTEGER",
        "counted_at": "INTEGER",
        "zone": "TEXT",
        "seal": "TEXT",
    },
)
"""`counted_to` and `counted_at`: the last post of the latest count, and when that was. `zone` is the one that
the moderator states for the thread's times ("": none), NULL where its posts do not know theirs yet."""

READS = Table(
    "reads",
    {"id": KEY, "thread": THE_THREAD, "began": NUMBER, "finished": "INTEGER", "seal": "TEXT"},
    indexes=("reads_of_thread (thread)",),
)
"""A read that broke off stays open; the next one goes on with it."""

PAGES = Table(
    "pages",
    {
        "id": KEY,
        "thread": THE_THREAD,
        "number": NUMBER,
        "url": TEXT,
        "status": NUMBER,
        "fetched_at": NUMBER,
        "seen_at": NUMBER,
        "server_date": "TEXT",
        "sha256": TEXT,
        "body": BYTES,
        "first_post": "TEXT",
        "posts_sha256": TEXT,
        "headers": "TEXT",
        "private": "BOOLEAN DEFAULT 0 NOT NULL",
        "seen_in": "INTEGER",
        "seal": "TEXT",
    },
    indexes=("pages_of_thread (thread, number)",),
)
"""A page that says what it said before is not kept again: `seen_at` and `seen_in` (the read) move on.

`body` is zlib of UTF-8, `headers` a JSON object; a `private` page was read while logged in: never exported.
`seal`: see `seals`.
"""

POSTS = Table(
    "posts",
    {
        "thread": THE_THREAD,
        "id": TEXT,
        "version": NUMBER,
        "page": NUMBER,
        "number": NUMBER,
        "author": TEXT,
        "author_id": "TEXT",
        "time": "INTEGER",
        "approximate": FLAG,
        "body": TEXT,
        "sha256": TEXT,
        "url": "TEXT",
        "edited": "INTEGER",
        "edit_note": "TEXT",
        "hidden": FLAG,
        "first_seen": NUMBER,
        "superseded": "INTEGER",
        "raw": "INTEGER",
        "seal": "TEXT",
        "zone": "TEXT",
    },
    key="thread, id, version",
    indexes=("posts_in_order (thread, superseded, number)", "posts_of_page (thread, superseded, page)"),
)
"""`page` is where the post stands in the thread, `raw` the row of the page that first showed this version."""

CHANGES = Table(
    "changes",
    {
        "id": KEY,
        "thread": THE_THREAD,
        "read": "INTEGER NOT NULL REFERENCES reads (id)",
        "post": TEXT,
        "became": TEXT,
        "at": NUMBER,
        "before": "INTEGER",
        "after": "INTEGER",
        "counted": "INTEGER",
    },
    indexes=("changes_of_thread (thread, read)",),
)
"""What became of a post between two versions; `counted`: when it had been counted as it stood before."""

JOURNAL = Table(
    "journal",
    {"number": KEY, "at": TEXT, "author": TEXT, "entry": TEXT, "before": TEXT, "digest": TEXT},
)
"""A chain of records as in `core.journal`, only ever added to. `at`: ISO 8601 with offset; `entry`: JSON."""

NOTICES = Table(
    "notices",
    {
        "id": KEY,
        "key": "TEXT NOT NULL UNIQUE",
        "at": NUMBER,
        "words": TEXT,
        "outside": TEXT,
        "urgent": FLAG,
        "told": "INTEGER",
    },
)
"""What `watch` noticed, once a `key`, and when it was `told` (NULL: not yet); see `core.notices`."""

TABLES = (THREADS, READS, PAGES, POSTS, CHANGES, JOURNAL, NOTICES)


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

STEPS: tuple[tuple[str, ...], ...] = (
    CHANGES_AND_READS,
    THE_JOURNAL,
    THE_SEALS,
    THE_NOTICES,
    THE_ZONES,
    POSTS_BY_PAGE_AND_SEALED_READS,
)
"""The first step leads from schema 1 to schema 2, and so on; new tables and indexes are made after them."""

VERSION = len(STEPS) + 1


def migrate(path: Path, connection: Connection) -> None:
    """Brings the database to today's schema; an empty one gets it at once.

    Raises StateDamaged for a file of a newer Knightfall.
    """
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found == VERSION:
        return
    if found > VERSION:
        raise StateDamaged(
            f"{path} was written by a newer Knightfall (schema {found}, this one has {VERSION}). "
            "Update Knightfall."
        )
    query = "SELECT name FROM sqlite_master WHERE type = 'table'"
    later = {table.name for table in TABLES} - {str(name) for (name,) in connection.execute(query)}
    for step in STEPS[found - 1 :] if found else ():
        for statement in step:
            if statement.split()[2] not in later:  # such a table is made below, with all its columns
                connection.execute(statement)
    make_tables(connection)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def make_tables(connection: Connection) -> None:
    """Makes those that are not there."""
    for table in TABLES:
        for statement in table.making():
            connection.execute(statement)


_PRIMARY = 0xFF
"""The part of SQLite's codes that names the kind of error."""
_READ_ONLY = (
    "{path} cannot be written: the file or its folder is read-only for you. Nothing was "
    "written. Give yourself write access (chmod u+rwX on the folder), or work on a copy."
)
_ADVICE: Mapping[int, str] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: (
            "{path}: the disk is full. Nothing was written. Free some space and run the command again."
        ),
        sqlite3.SQLITE_IOERR: (
            "{path}: the disk cannot be read or written ({said}). Nothing was written. Free "
            "some space, check the disk and your quota, and run the command again."
        ),
        sqlite3.SQLITE_BUSY: (
            "{path} is in use: another program has been writing for 10 s. Nothing was written. "
            "Run the command again."
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
            database.prepare()
        return database

    def prepare(self) -> None:
        """Makes the file and its tables where they are not there. Raises InputError where that cannot be."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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


AMONG = "(SELECT replace(replace(value, char(1) || '2', char(0)), char(1) || '1', char(1)) FROM json_each(?))"
"""Behind IN: the texts that `among` hands over, however many there are."""

Values = Mapping[str, Any]


def among(texts: Iterable[str]) -> str:
    """The value that AMONG takes. SQLite cuts a text of JSON at a NUL, so that goes in other letters."""
    return json.dumps([text.replace("\x01", "\x011").replace("\0", "\x012") for text in texts])


def insert(connection: Connection, table: Table, row: Values) -> int:
    """Adds a row; the number that it got."""
    return int(connection.execute(_inserting(table, tuple(row)), tuple(row.values())).lastrowid or 0)


def insert_all(connection: Connection, table: Table, rows: Sequence[Values], known: str = "") -> None:
    """Add rows, all with equal columns; with `known="OR IGNORE"` a row whose key is there stays as it is."""
    if rows:
        names = tuple(rows[0])
        values = ([row[name] for name in names] for row in rows)
        connection.executemany(_inserting(table, names, known), values)


def update(connection: Connection, table: Table, told: Values, where: str, of: Sequence[Any]) -> None:
    """Sets columns of the rows that a condition chooses; `of` are the values for its question marks."""
    columns = ", ".join(f'"{name}" = ?' for name in told)
    connection.execute(f"UPDATE {table.name} SET {columns} WHERE {where}", (*told.values(), *of))


def _inserting(table: Table, names: Sequence[str], known: str = "") -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT {known} INTO {table.name} ({columns}) VALUES ({', '.join('?' * len(names))})"
