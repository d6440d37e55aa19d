"""Checksums (seals) over the threads, reads, pages and posts that are stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from sqlite3 import Connection, Row
from types import MappingProxyType

from knightfall.storage.database import AMONG, among

SEAL = "seal"
OVER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "threads": (
            "id",
            "url",
            "platform",
            "title",
            "pages",
            "posts_total",
            "counted_to",
            "counted_at",
            "zone",
        ),
        "reads": ("id", "thread", "began", "finished"),
        "pages": (
            *(
                "id",
                "thread",
                "number",
                "url",
                "status",
                "fetched_at",
                "seen_at",
                "server_date",
                "sha256",
                "body",
            ),
            *("first_post", "posts_sha256", "headers", "private", "seen_in"),
        ),
        "posts": (
            *(
                "thread",
                "id",
                "version",
                "page",
                "number",
                "author",
                "author_id",
                "time",
                "approximate",
                "body",
            ),
            *("sha256", "url", "edited", "edit_note", "hidden", "first_seen", "superseded", "raw"),
        ),
    }
)
"""What a seal of each table is over, in order."""
_LATER: Mapping[str, tuple[str, ...]] = MappingProxyType({"posts": ("zone",)})
"""What came to be sealed later. A seal that is over that as well ends so, and older ones hold as they are."""
_ALL = "+"


def seal_page(connection: Connection, page: int) -> None:
    """Seals the row of a page."""
    _seal(connection, "pages", "id = ?", (page,), ("id",))


def seal_thread(connection: Connection, thread: int, *reads: int) -> None:
    """Seals the row of a thread, and these of its reads."""
    _seal(connection, "threads", "id = ?", (thread,), ("id",))
    for read in reads:
        _seal(connection, "reads", "id = ?", (read,), ("id",))


def seal_posts(connection: Connection, thread: int, posts: Sequence[str]) -> None:
    """Seals every version of these posts."""
    chosen = (thread, among(posts))
    _seal(connection, "posts", f"thread = ? AND id IN {AMONG}", chosen, ("thread", "id", "version"))


def broken_seals(connection: Connection, table: str) -> Iterator[tuple[Row, bool | None]]:
    """Every row of a table, and whether its seal holds; None where it has none."""
    for row in _rows(connection, table, "1 = 1", ()):
        *values, seal = row
        whole = seal is not None and seal.endswith(_ALL)
        told = values if whole else values[: len(OVER[table])]
        yield row, None if seal is None else seal.removesuffix(_ALL) == seal_of(told)


def seal_of(values: Sequence[object]) -> str:
    """The seal that a row must have, by what it is over, in order."""
    return sha256(_encoded(values).encode()).hexdigest()


def _plain(value: object) -> object:
    """Bytes are told from a text by being a list."""
    if isinstance(value, bytes):
        return [sha256(value).hexdigest()]
    raise TypeError(f"{type(value)} is in no column")


_encoded = json.JSONEncoder(separators=(",", ":"), default=_plain).encode


def _seal(
    connection: Connection, table: str, where: str, values: tuple[object, ...], key: tuple[str, ...]
) -> None:
    ending = _ALL if table in _LATER else ""
    sealed = ((row, seal_of(tuple(row)[:-1]) + ending) for row in _rows(connection, table, where, values))
    fresh = [(seal, *(row[k] for k in key)) for row, seal in sealed if seal != row[SEAL]]
    if fresh:
        chosen = " AND ".join(f"{name} = ?" for name in key)
        connection.executemany(f"UPDATE {table} SET {SEAL} = ? WHERE {chosen}", fresh)


def _rows(connection: Connection, table: str, where: str, values: tuple[object, ...]) -> list[Row]:
    """What seals are over and the seal, as they lie in the file."""
    names = ", ".join((*OVER[table], *_LATER.get(table, ()), SEAL))
    return connection.execute(f"SELECT {names} FROM {table} WHERE {where}", values).fetchall()
