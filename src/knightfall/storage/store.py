"""How is evidence kept so that a crash at any moment loses no page, and every version of a post stays?

One page is one transaction: a page that was reported as kept is kept.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection, Row
from typing import Any

from knightfall.forums.adapter import Bookmark, Chunk, Response
from knightfall.forums.whole import missing_pages, missing_posts, whole_to
from knightfall.posts import Post, PostChange, PostId, PostVersion, Thread
from knightfall.storage import history
from knightfall.storage.database import Database
from knightfall.storage.keeping import VALIDATORS, keep, open_read
from knightfall.storage.rows import POST, post_of, seconds, thread_row
from knightfall.storage.schema import READS, THREADS
from knightfall.storage.statements import update

_OPENED = "thread = (SELECT id FROM threads WHERE url = ?) AND finished IS NULL"
_FURTHER = "url = ? AND (counted_to IS NULL OR counted_to <= ?)"
_THEN = f"""
SELECT {POST} FROM posts JOIN threads ON threads.id = posts.thread
WHERE threads.url = :url AND first_seen <= :then AND (superseded IS NULL OR superseded > :then)
ORDER BY number
"""
_NEWEST_COPIES = """
SELECT thread, number, url, first_post FROM pages WHERE id IN (
    SELECT MAX(pages.id) FROM pages JOIN threads ON threads.id = pages.thread
    WHERE threads.url = ? AND pages.number <= threads.pages GROUP BY pages.number
) ORDER BY number
"""
_OPEN_PAGES = """
SELECT pages.url, status, body, headers FROM pages JOIN threads ON threads.id = pages.thread
WHERE threads.url = ? AND NOT private
"""
_PAGES = "SELECT DISTINCT number FROM pages WHERE thread = :thread"
_REACHED = f"{_PAGES} AND number <= (SELECT MAX(number) FROM pages WHERE seen_in = :read)"


@dataclass(frozen=True, slots=True)
class Store:
    """The evidence in one database file. Every method raises StateDamaged where the file is not readable."""

    database: Database

    @classmethod
    def open(cls, path: Path) -> Store:
        """Opens the file; where there is none it is made with the first page."""
        return cls(Database.open(path))

    def close(self) -> None:
        """Lets go of the file."""
        self.database.close()

    def save_page(self, url: str, platform: str, response: Response, chunk: Chunk, at: datetime) -> None:
        """Keeps a page of the thread with that canonical URL and its posts, in one transaction."""
        with self.database.writing() as connection:
            keep(connection, url, platform, response, chunk, seconds(at))

    def finish_read(self, url: str, at: datetime) -> None:
        """All pages that there are were read: what is seen otherwise from now on belongs to the next read."""
        with self.database.writing() as connection:
            update(connection, READS, {"finished": seconds(at)}, _OPENED, (url,))

    def mark_counted(self, url: str, to: int, at: datetime) -> None:
        """The posts up to this number were counted: who changes one of them now changes a counted post.

        A count as of an earlier post takes nothing back.
        """
        if not self.database.path.exists():
            return
        counted = {"counted_to": to, "counted_at": seconds(at)}
        with self.database.writing() as connection:
            update(connection, THREADS, counted, _FURTHER, (url, to))

    def threads(self) -> tuple[str, ...]:
        """The canonical URLs of all threads that are kept here."""
        with self.database.reading() as connection:
            return tuple(str(url) for (url,) in connection.execute("SELECT url FROM threads ORDER BY id"))

    def title(self, url: str) -> str | None:
        """What the thread is called, as last seen; None where nothing of it was read."""
        with self.database.reading() as connection:
            thread = thread_row(connection, url)
        return None if thread is None else str(thread["title"])

    def platform(self, url: str) -> str | None:
        """Which platform the thread was read from; None where nothing of it was."""
        with self.database.reading() as connection:
            thread = thread_row(connection, url)
        return None if thread is None else str(thread["platform"])

    def thread(self, url: str) -> Thread | None:
        """The thread as last seen, with what is missing of it; None where nothing of it was read."""
        with self.database.reading() as connection:
            row = thread_row(connection, url)
            if row is None:
                return None
            posts = tuple(map(post_of, _current(connection, row, POST)))
            known = _known_pages(connection, row["id"])
            missing = missing_pages(known, row["pages"]) or missing_posts(posts, row["posts_total"])
            placed = _current(connection, row, "page, number") if missing else ()
            whole = whole_to(((page, number) for page, number in placed), known) if missing else None
        return Thread(row["platform"], row["title"], posts, row["pages"], url, missing, whole)

    def posts_then(self, url: str, at: datetime) -> tuple[Post, ...]:
        """The posts of the thread as they were known at that instant, in order."""
        with self.database.reading() as connection:
            return tuple(map(post_of, connection.execute(_THEN, {"url": url, "then": seconds(at)})))

    def bookmark(self, url: str) -> Bookmark | None:
        """The last page of the thread up to which all pages are known: a read goes on from there."""
        last = None
        with self.database.reading() as connection:
            rows = connection.execute(_NEWEST_COPIES, (url,)).fetchall()
            known = set(_known_pages(connection, rows[0]["thread"])) if rows else set()
        for expected, (_, number, page, first) in enumerate(rows, start=1):
            if number != expected or number not in known or first is None:
                break
            last = Bookmark(number, page, PostId(first))
        return last

    def kept_page(self, url: str, page: str) -> Response | None:
        """The latest copy of the page with that URL, if the forum may be asked whether it still holds."""
        query = f"{_OPEN_PAGES} AND pages.url = ? ORDER BY pages.id DESC LIMIT 1"
        with self.database.reading() as connection:
            row = connection.execute(query, (url, page)).fetchone()
        known_by = json.loads(row["headers"] or "{}") if row is not None else {}
        return _response(row) if any(name in known_by for name in VALIDATORS) else None

    def versions(self, url: str, number: int) -> tuple[PostVersion, ...]:
        """All versions of every post that has or had this number, post by post, oldest first."""
        with self.database.reading() as connection:
            return history.versions(connection, url, number)

    def changes(self, url: str, number: int | None = None) -> tuple[PostChange, ...]:
        """What became of posts: in the last read, or of the posts with this number ever since."""
        with self.database.reading() as connection:
            return history.changes(connection, url, number)

    def exportable_pages(self, url: str) -> Iterator[Response]:
        """Every kept page that may leave this machine, oldest first: none that was read while logged in."""
        with self.database.reading() as connection:
            yield from map(_response, connection.execute(f"{_OPEN_PAGES} ORDER BY pages.id", (url,)))


def _response(page: Row) -> Response:
    text = zlib.decompress(page["body"]).decode("utf-8")
    return Response(page["url"], page["status"], text, json.loads(page["headers"] or "{}"))


def _current(connection: Connection, thread: Row, columns: str) -> Iterable[tuple[Any, ...]]:
    """These columns of the posts as they stand now, in order; plain tuples, since there are many."""
    cursor = connection.cursor()
    cursor.row_factory = None
    query = f"SELECT {columns} FROM posts WHERE thread = ? AND superseded IS NULL ORDER BY number"
    return cursor.execute(query, (thread["id"],))


def _known_pages(connection: Connection, thread: int) -> tuple[int, ...]:
    """The pages that are there; behind the place where a read broke off they may be out of date."""
    unfinished = open_read(connection, thread)
    query = _PAGES if unfinished is None else _REACHED
    found = connection.execute(query, {"thread": thread, "read": unfinished})
    return tuple(int(number) for (number,) in found)
