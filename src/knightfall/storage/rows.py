"""Posts as rows of the database, and rows as posts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from sqlite3 import Connection, Row
from typing import Any

from knightfall.models import Post

COLUMNS = (
    "id",
    "number",
    "author",
    "body",
    "author_id",
    "time",
    "approximate",
    "url",
    "edited",
    "edit_note",
    "hidden",
    "zone",
)
"""Of `posts`, in the order of Post's fields."""
POST = ", ".join(f"posts.{name}" for name in COLUMNS)
"""What a query asks for whose rows `post_of` takes."""


def thread_row(connection: Connection, url: str) -> Row | None:
    """The row of the thread with that canonical URL; None where nothing of it was read."""
    found: Row | None = connection.execute("SELECT * FROM threads WHERE url = ?", (url,)).fetchone()
    return found


def row_of(post: Post) -> dict[str, Any]:
    """The columns that a post itself fills."""
    return {
        "id": post.id,
        "number": post.number,
        "author": post.author,
        "author_id": post.author_id,
        "time": seconds(post.time) if post.time else None,
        "approximate": post.approximate,
        "body": post.body,
        "sha256": digest([post.body]),
        "url": post.url,
        "edited": seconds(post.edited) if post.edited else None,
        "edit_note": post.edit_note,
        "hidden": post.hidden,
        "zone": post.zone,
    }


def post_of(row: Any) -> Post:
    """The post of a row that begins with COLUMNS."""
    (identity, number, author, body, author_id, time, approximate, url, edited, note, hidden, zone) = row[:12]
    at, since = instant(time), instant(edited)
    vague, gone = bool(approximate), bool(hidden)
    return Post(identity, number, author, body, author_id, at, vague, url, since, note, gone, zone)


def seconds(at: datetime) -> int:
    """Whole seconds since 1970."""
    return int(at.timestamp())


def instant(stored: int | None) -> datetime | None:
    """The moment of a column that may be empty."""
    return None if stored is None else datetime.fromtimestamp(stored, UTC)


def moment(stored: int) -> datetime:
    """The moment of a column that is never empty."""
    return datetime.fromtimestamp(stored, UTC)


def digest(parts: Iterable[str]) -> str:
    """SHA-256 of texts one after the other, in UTF-8."""
    found = sha256()
    for part in parts:
        found.update(part.encode("utf-8", "replace"))
    return found.hexdigest()
