"""The chain over the evidence: each save that added rows seals them together with all that was there before.

A seal of a row alone can be computed anew by whoever changes that row. A link is over what never changes of
the rows that came with it (which post of which page says what, by whom) and over the link before; so who
changes or removes an old row has to compute every later link anew, and the heads in the posts that went out
know them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from sqlite3 import Connection, Row
from types import MappingProxyType

from knightfall.storage.database import DatabasePart, insert

START = "0" * 64
"""What the first link follows."""
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "threads": "id, url",
        "reads": "id, thread, began",
        "pages": "id, thread, number, url, status, fetched_at, private, sha256",
        "posts": "thread, id, version, author, hidden, raw, sha256",
    }
)
"""What a link is over of each table: nothing that a later look at the thread may change."""


@dataclass(frozen=True, slots=True)
class Link:
    """How much evidence there was after a save, when by our clock (seconds), and the digest of all of it."""

    number: int
    at: int
    rows: Mapping[str, int]
    digest: str


NO_LINK = Link(0, 0, MappingProxyType(dict.fromkeys(KINDS, 0)), START)
"""Before anything was kept."""


@dataclass(frozen=True, slots=True)
class Links(DatabasePart):
    """The chain in a game's file. Raises StateDamaged where the file is not readable."""

    def all(self) -> tuple[Link, ...]:
        """Every link, oldest first, after that of no evidence."""
        with self.database.reading() as connection:
            return (NO_LINK, *map(_link, connection.execute("SELECT * FROM links ORDER BY number")))


def rows_kept(connection: Connection) -> dict[str, int]:
    """How many rows there are of each kind of evidence."""
    return {kind: int(connection.execute(f"SELECT COUNT(*) FROM {kind}").fetchone()[0]) for kind in KINDS}


def note_link(connection: Connection, at: int) -> None:
    """Seal what was added since the last link (seconds `at`); without a new row there is no new link."""
    found = connection.execute("SELECT * FROM links ORDER BY number DESC LIMIT 1").fetchone()
    last, now = _link(found) if found is not None else NO_LINK, rows_kept(connection)
    if now == last.rows:
        return
    added: dict[str, list[list[object]]] = {}
    for kind, columns in KINDS.items():
        newest = f"SELECT {columns} FROM {kind} ORDER BY rowid DESC LIMIT ?"
        rows = connection.execute(newest, (max(now[kind] - last.rows[kind], 0),)).fetchall()
        added[kind] = [list(row) for row in reversed(rows)]
    row = {"number": last.number + 1, "at": at, **now, "before": last.digest}
    insert(connection, "links", row | {"digest": _digest(last.number + 1, at, added, last.digest)})


def broken_link(connection: Connection) -> str | None:
    """What is wrong with the chain, in a sentence: the first link that is not over the rows that are there;
    None where it holds, and where an older Knightfall kept all there is."""
    last, rows = NO_LINK, {kind: _rows(connection, kind) for kind in KINDS}
    for found in connection.execute("SELECT * FROM links ORDER BY number"):
        link = _link(found)
        added = {
            kind: [row for _, row in zip(range(link.rows[kind] - last.rows[kind]), told, strict=False)]
            for kind, told in rows.items()
        }
        digest = _digest(last.number + 1, link.at, added, last.digest)
        if (link.number, found["before"], link.digest) != (last.number + 1, last.digest, digest):
            return (
                f"Link {last.number + 1} of the evidence does not hold: a thread, a read, a page or a "
                "post up to it was changed, removed or put in."
            )
        last = link
    if last.number and last.rows != rows_kept(connection):
        return "There is other evidence than the last link of its chain tells."
    return None


def _link(row: Row) -> Link:
    return Link(row["number"], row["at"], {kind: row[kind] for kind in KINDS}, row["digest"])


def _digest(number: int, at: int, added: Mapping[str, list[list[object]]], before: str) -> str:
    text = json.dumps([number, at, added, before], sort_keys=True, separators=(",", ":"), default=str)
    return sha256(text.encode()).hexdigest()


def _rows(connection: Connection, kind: str) -> Iterator[list[object]]:
    """What links are over, in the order in which it was added; the hash of a text is that of the text as it
    lies there now."""
    body = ", body" if "sha256" in KINDS[kind] else ""
    for row in connection.execute(f"SELECT {KINDS[kind]}{body} FROM {kind} ORDER BY rowid"):
        values = list(row)
        if body:
            text = values.pop()
            values[-1] = _hash_of(text) or f"not {values[-1]}"
        yield values


def _hash_of(text: object) -> str:
    """The hash of the text of a post, or of a page, which is packed; "" where it cannot be unpacked."""
    try:
        raw = zlib.decompress(text) if isinstance(text, bytes) else str(text).encode("utf-8", "replace")
    except zlib.error:
        return ""
    return sha256(raw).hexdigest()
