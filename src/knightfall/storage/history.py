"""Earlier versions of posts, and what has become of the posts since they were last read."""

from __future__ import annotations

from sqlite3 import Connection, Row

from knightfall.models import ChangeKind, PostChange, PostVersion
from knightfall.storage.rows import COLUMNS, POST, instant, moment, post_of, thread_row

# Every version of the posts that have or had a number (NULL: any), with the page that first showed each.
_VERSIONS = f"""
SELECT {POST}, version, first_seen, superseded, posts.sha256, pages.url, pages.sha256, server_date, private
FROM posts LEFT JOIN pages ON pages.id = posts.raw
WHERE posts.thread = :thread
AND (:number IS NULL OR posts.id IN (SELECT id FROM posts WHERE thread = :thread AND number = :number))
ORDER BY posts.id, version
"""
_OF_THREAD = (
    "SELECT changes.* FROM changes JOIN threads ON threads.id = changes.thread WHERE threads.url = :url"
)
_IN_THE_LAST_READ = f"""{_OF_THREAD}
AND read = (SELECT MAX(reads.id) FROM reads WHERE reads.thread = threads.id)
ORDER BY changes.id"""
_OF_NUMBER = f"""{_OF_THREAD} AND post IN
(SELECT posts.id FROM posts WHERE posts.thread = changes.thread AND posts.number = :number)
ORDER BY changes.id"""
# Only finished reads: a post that one page misses may stand on the next, which is not read yet.
_AFTER = f"""{_OF_THREAD} AND changes.id > :after
AND read IN (SELECT reads.id FROM reads WHERE finished IS NOT NULL) ORDER BY changes.id"""


def versions(connection: Connection, url: str, number: int | None) -> tuple[PostVersion, ...]:
    """All versions of every post that has or had this number (None: any), post by post, oldest first."""
    thread = thread_row(connection, url)
    if thread is None:
        return ()
    found = connection.execute(_VERSIONS, {"thread": thread["id"], "number": number})
    read: list[PostVersion] = []
    for row in found:
        number, first, superseded, sha, page, page_sha, date, private = row[len(COLUMNS) :]
        times = moment(first), instant(superseded)
        read.append(PostVersion(number, post_of(row), *times, sha, page, page_sha, date, bool(private)))
    return tuple(read)


def changes(connection: Connection, url: str, number: int | None = None) -> tuple[PostChange, ...]:
    """What became of posts: in the last read, or of the posts with this number ever since."""
    query = _IN_THE_LAST_READ if number is None else _OF_NUMBER
    rows = connection.execute(query, {"url": url, "number": number}).fetchall()
    return tuple(_change(connection, row) for row in rows)


def changes_after(connection: Connection, url: str, after: int) -> tuple[tuple[int, PostChange], ...]:
    """What became of posts of a thread in finished reads, behind the change of that number; each change with
    its own number."""
    rows = connection.execute(_AFTER, {"url": url, "after": after}).fetchall()
    return tuple((row["id"], _change(connection, row)) for row in rows)


def last_change(connection: Connection) -> int:
    """The number of the latest change of any thread; 0 where nothing ever changed."""
    return int(connection.execute("SELECT MAX(id) FROM changes").fetchone()[0] or 0)


def _change(connection: Connection, row: Row) -> PostChange:
    before = _at_version(connection, row, row["before"])
    after = _at_version(connection, row, row["after"])
    said = post_of(before) if after is not None and row["after"] != row["before"] else None
    now = post_of(after or before)
    return PostChange(ChangeKind(row["became"]), moment(row["at"]), now, said, instant(row["counted"]))


def _at_version(connection: Connection, row: Row, version: int | None) -> Row | None:
    query = f"SELECT {POST} FROM posts WHERE thread = ? AND id = ? AND version = ?"
    found: Row | None = connection.execute(query, (row["thread"], row["post"], version)).fetchone()
    return found
