"""What was found in the posts of threads, block by block: a memo that may be thrown away at any time.

It is no evidence: its table is made with its first row, whatever the schema's version, and neither export nor
seals know of it. Each row has a checksum of its own, and one that does not fit is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from sqlite3 import Connection

from knightfall.storage.database import insert_all

_TABLE = """
CREATE TABLE IF NOT EXISTS recounts (
    thread TEXT NOT NULL, -- its URL
    reader TEXT NOT NULL, -- what read it
    block INTEGER NOT NULL,
    version TEXT NOT NULL, -- of the code that read it
    bodies TEXT NOT NULL, -- a digest of what was read
    found TEXT NOT NULL, -- what it held
    checksum BLOB NOT NULL,
    PRIMARY KEY (thread, reader, block)
)
"""
MOST_BLOCKS = 400
"""Rows of a file; the latest stay."""
_IS_THERE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'recounts'"
_KEPT = "SELECT block, bodies, found, checksum FROM recounts WHERE thread = ? AND reader = ?"
_TOO_OLD = "DELETE FROM recounts WHERE rowid NOT IN (SELECT rowid FROM recounts ORDER BY rowid DESC LIMIT ?)"


@dataclass(frozen=True, slots=True)
class BlockRead:
    """What a block of posts held, as text, and the digest of their bodies."""

    bodies: str
    found: str


def kept_blocks(connection: Connection, url: str, reader: str) -> Mapping[int, BlockRead]:
    """Block → what that reader found in it."""
    if connection.execute(_IS_THERE).fetchone() is None:
        return {}
    rows = connection.execute(_KEPT, (url, reader))
    return {
        int(block): BlockRead(bodies, found)
        for block, bodies, found, checksum in rows
        if checksum == _checksum(url, reader, block, bodies, found)
    }


def keep_blocks(
    connection: Connection, url: str, reader: str, version: str, blocks: Mapping[int, BlockRead]
) -> None:
    """Keep these blocks in the place of earlier ones; what other versions found goes."""
    connection.execute(_TABLE)
    connection.execute("DELETE FROM recounts WHERE version <> ?", (version,))
    rows = [
        {
            "thread": url,
            "reader": reader,
            "block": number,
            "version": version,
            "bodies": block.bodies,
            "found": block.found,
            "checksum": _checksum(url, reader, number, block.bodies, block.found),
        }
        for number, block in blocks.items()
    ]
    insert_all(connection, "recounts", rows, "OR REPLACE")
    connection.execute(_TOO_OLD, (MOST_BLOCKS,))


def _checksum(*columns: object) -> bytes:
    return sha256("\0".join(map(str, columns)).encode("utf-8", "replace")).digest()
