"""The check that everything in a game's file is as it was written: file, records, pages and posts."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from sqlite3 import Row

from knightfall.engine.journal import is_sealed
from knightfall.errors import StateDamaged
from knightfall.storage.checksums import broken_seals
from knightfall.storage.database import Database
from knightfall.storage.ledger import Ledger
from knightfall.storage.links import broken_link, rows_kept
from knightfall.storage.rows import moment
from knightfall.storage.store import EVIDENCE

SHOWN = 20
"""So many faults of one kind are told; more say no more."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What was looked at, and in sentences what is not as it was written. `unsealed` rows were kept by an
    older Knightfall: only their texts could be compared. `promised`: the game began in a folder in which all
    has a seal, so nothing may be without."""

    entries: int
    pages: int
    posts: int
    unsealed: int
    faults: tuple[str, ...]
    promised: bool = False


def audit(database: Database) -> Audit:
    """Reads all of the file. Raises nothing for damage: it is what is told."""
    entries, promised, torn = _journal(database)
    pages, posts, others = _Found([]), _Found([]), _Found([])
    faults = [*_file(database), *torn]
    for table, found in (("pages", pages), ("posts", posts), ("threads", others), ("reads", others)):
        try:
            with database.reading() as connection:
                for row, holds in broken_seals(connection, table):
                    found.seen += 1
                    found.unsealed += holds is None
                    whole = _text_holds(table, row) if holds is None else holds
                    if not whole:
                        found.faults.append(f"{_name(table, row)} was changed or damaged.")

        except StateDamaged as damage:
            found.faults.append(damage.message)
        faults += found.faults[:SHOWN]
    unsealed = pages.unsealed + posts.unsealed
    faults += _gone(database, unsealed + others.unsealed, promised)
    return Audit(entries, pages.seen, posts.seen, unsealed, tuple(dict.fromkeys(faults)), promised)


_ROWS = {"threads": "thread", "reads": "read", "pages": "page", "posts": "version of a post"}


def _gone(database: Database, unsealed: int, promised: bool) -> Iterator[str]:
    """Evidence that was kept and is not there any more, and rows whose seals were taken away. `promised`: the
    notes on it cannot be those of an older Knightfall, which wrote none."""
    try:
        with database.reading() as connection:
            noted = connection.execute("SELECT words FROM notices WHERE key = ?", (EVIDENCE,)).fetchone()
            there, broken = rows_kept(connection), broken_link(connection)
            linked = connection.execute("SELECT 1 FROM links LIMIT 1").fetchone() is not None
            kept = json.loads(noted["words"]) if noted is not None else {}
    except (StateDamaged, ValueError, TypeError):
        yield "What is noted of the evidence was changed or damaged."
        return
    if broken:
        yield broken
    if promised and any(there.values()) and not linked:
        yield "The chain of the evidence was taken away."
    if noted is None:
        if promised and (linked or any(there.values())):
            yield "The note on how much evidence there is was taken away."
        if promised and unsealed:
            yield f"{unsealed} rows of the evidence have no seal, and each had one."
        return
    for kind, name in _ROWS.items():
        lost = int(kept.get(kind, 0)) - there[kind]
        if lost:
            many = f"{abs(lost)} {name if abs(lost) == 1 else name.replace('version', 'versions', 1)}"
            many += "" if abs(lost) == 1 or name.startswith("version") else "s"
            how = "gone that had been kept" if lost > 0 else "there that nobody kept"
            yield f"{many} {'is' if abs(lost) == 1 else 'are'} {how}."
    if (promised or kept.get("sealed")) and unsealed:
        yield f"{unsealed} rows of the evidence have no seal, and each had one."


@dataclass(frozen=True, slots=True)
class LastPage:
    """The page that was fetched last: when by our clock, and with which headers (JSON)."""

    url: str
    fetched_at: datetime
    headers: str


def last_page(database: Database) -> LastPage | None:
    """The page whose copy is the newest; None where no page was kept."""
    query = "SELECT url, fetched_at, headers FROM pages ORDER BY id DESC LIMIT 1"
    with database.reading() as connection:
        row = connection.execute(query).fetchone()
    return (
        LastPage(row["url"], moment(row["fetched_at"]), row["headers"] or "{}") if row is not None else None
    )


@dataclass(slots=True)
class _Found:
    """What was seen of a table so far."""

    faults: list[str]
    seen: int = 0
    unsealed: int = 0


def _file(database: Database) -> Iterator[str]:
    """What SQLite itself finds wrong."""
    try:
        with database.reading() as connection:
            told = connection.execute(f"PRAGMA integrity_check({SHOWN})").fetchall()
    except StateDamaged as damage:
        yield damage.message
        return
    yield from (f"{database.path}: {line}." for (line,) in told if line != "ok")


def _journal(database: Database) -> tuple[int, bool, tuple[str, ...]]:
    """How many entries it has, whether its game has to be sealed, and what is wrong with it."""
    try:
        journal = Ledger(database).records()
    except StateDamaged as damage:
        return 0, False, (damage.message,)
    return len(journal), is_sealed(journal), ()


def _text_holds(table: str, row: Row) -> bool:
    """Whether the text of a row without a seal has the hash that was noted with it; threads and reads of an
    older Knightfall have none."""
    if table in ("threads", "reads"):
        return True
    try:
        raw = row["body"]
        body = zlib.decompress(raw) if table == "pages" else str(raw).encode("utf-8", "replace")
    except (zlib.error, TypeError):
        return False
    return bool(sha256(body).hexdigest() == row["sha256"])


def _name(table: str, row: Row) -> str:
    """“Page 3 of thread 1 (https://…)”, “Post 84 (id 1270084, version 2) of thread 1”."""
    if table == "threads":
        return f"What is kept of the thread {row['url']}"
    if table == "reads":
        return f"What is kept of read {row['id']} of thread {row['thread']}"
    if table == "pages":
        return f"Page {row['number']} of thread {row['thread']} ({row['url']})"
    return f"Post {row['number']} (id {row['id']}, version {row['version']}) of thread {row['thread']}"
