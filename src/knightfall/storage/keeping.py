"""How does a page that was read get into the evidence, and which of its posts have changed since?

All inside one transaction of the caller. A post that moved to another page has not changed; one that is gone
from its page has vanished, until another page of the same read shows it.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from hashlib import sha256
from sqlite3 import Connection, Row
from typing import Any

from knightfall.forums import flavour_of
from knightfall.forums.adapter import Chunk, Response
from knightfall.forums.links import without_session
from knightfall.markup.html import parse_html
from knightfall.posts import Became
from knightfall.storage.rows import digest, row_of, thread_row
from knightfall.storage.schema import CHANGES, PAGES, POSTS, READS, THREADS
from knightfall.storage.seals import seal_page, seal_posts
from knightfall.storage.statements import AMONG, among, insert, insert_all, update

VALIDATORS = ("etag", "last-modified")
_LAST_COPY = "SELECT id, posts_sha256 FROM pages WHERE thread = ? AND number = ? ORDER BY id DESC LIMIT 1"
_GONE = f"thread = ? AND (page = ? OR page > ?) AND superseded IS NULL AND id NOT IN {AMONG}"
_NEWEST = f"SELECT * FROM posts WHERE thread = ? AND id IN {AMONG} ORDER BY version"
_NOTED = "DELETE FROM changes WHERE thread = ? AND read = ? AND post = ? AND became = ?"


def keep(connection: Connection, url: str, platform: str, response: Response, chunk: Chunk, at: int) -> None:
    """Keeps a page of the thread with that canonical URL, its posts, and what became of known ones."""
    told = {
        "platform": platform,
        "title": chunk.title,
        "pages": max(chunk.pages, chunk.page),
        "posts_total": chunk.posts_total,
    }
    known = thread_row(connection, url)
    if known is None:
        thread = insert(connection, THREADS, {"url": url, **told})
    else:
        update(connection, THREADS, told, "id = ?", (known["id"],))
        thread = int(known["id"])

    read = _open_read(connection, thread, at)

    # The row of the page: the one of before where it says the same.
    says = _says(response, chunk)
    last = connection.execute(_LAST_COPY, (thread, chunk.page)).fetchone()
    if last is not None and last["posts_sha256"] == says:
        update(connection, PAGES, {"seen_at": at, "seen_in": read}, "id = ?", (last["id"],))
        raw = int(last["id"])
    else:
        body = response.text.encode("utf-8", "replace")
        row = {
            "thread": thread,
            "number": chunk.page,
            "url": without_session(response.url),
            "status": response.status,
            "fetched_at": at,
            "seen_at": at,
            "seen_in": read,
            "server_date": response.headers.get("date"),
            "sha256": sha256(body).hexdigest(),
            "body": zlib.compress(body),
            "first_post": chunk.posts[0].id if chunk.posts else None,
            "posts_sha256": says,
            "headers": json.dumps(dict(response.headers)),
            "private": response.private,
        }
        raw = insert(connection, PAGES, row)

    posts = _Posts(connection, thread, read, raw, platform, at)
    gone = posts.retire_absent(chunk)
    posts.save(chunk)
    seal_page(connection, raw)
    seal_posts(connection, thread, (*gone, *(post.id for post in chunk.posts)))


def open_read(connection: Connection, thread: int) -> int | None:
    """The read of a thread that is not finished."""
    query = "SELECT id FROM reads WHERE thread = ? AND finished IS NULL"
    found = connection.execute(query, (thread,)).fetchone()
    return None if found is None else int(found["id"])


def _open_read(connection: Connection, thread: int, at: int) -> int:
    """The read that broke off, else a new one."""
    known = open_read(connection, thread)
    return insert(connection, READS, {"thread": thread, "began": at}) if known is None else known


def _says(response: Response, chunk: Chunk) -> str:
    """What makes a page another page: its posts, what comes after it, and by what the server would know it.

    A page that came again unchanged (304) must lead on exactly as the one that is kept.
    """
    following = chunk.following.url if chunk.following else ""
    place = (str(chunk.pages), str(chunk.posts_total), following)
    known_by = (response.headers.get(name, "") for name in VALIDATORS)
    posts = (f"{post.id}\0{post.number}\0{post.author}\0{post.body}\0" for post in chunk.posts)
    return digest((*posts, "\0".join((*place, *known_by, str(response.private)))))


@dataclass(frozen=True, slots=True)
class _Posts:
    """The posts of one page on their way into the table; `raw` is the page's row."""

    connection: Connection
    thread: int
    read: int
    raw: int
    platform: str
    at: int

    def retire_absent(self, chunk: Chunk) -> tuple[str, ...]:
        """A post that is no longer on its page is gone, until another page shows it; which ones are."""
        gone = (self.thread, chunk.page, chunk.pages, among(post.id for post in chunk.posts))
        absent = self.connection.execute(f"SELECT * FROM posts WHERE {_GONE}", gone).fetchall()
        for row in absent:
            self._note(Became.VANISHED, row, None)
        update(self.connection, POSTS, {"superseded": self.at}, _GONE, gone)
        return tuple(row["id"] for row in absent)

    def save(self, chunk: Chunk) -> None:
        """Each post as a new version where it says something else than before."""
        # The last version of each of these posts.
        ids = [post.id for post in chunk.posts]
        known = {row["id"]: row for row in self.connection.execute(_NEWEST, (self.thread, among(ids)))}
        fresh: list[dict[str, Any]] = []
        for post in chunk.posts:
            row = row_of(post) | {"thread": self.thread, "page": chunk.page, "superseded": None}
            last = known.get(post.id)
            same = last is not None and self._says_the_same(last, row)
            if not same:
                version = last["version"] + 1 if last else 1
                fresh.append(row | {"version": version, "first_seen": self.at, "raw": self.raw})
            if last is not None:
                # Notes that a known post reads otherwise, or is there again after it was gone.
                gone = last["superseded"] is not None
                returned = gone and not self._only_moved(last)
                if returned:
                    self._note(Became.RETURNED, last, last["version"] + (not same))
                elif not same:
                    self._note(Became.CHANGED, last, last["version"] + 1)

                # The last version is superseded, or learns where the post stands now; its first vague time
                # stays.
                told = row if same else {"superseded": last["superseded"] or self.at}
                if same:
                    told = row | {"body": last["body"], "sha256": last["sha256"]}
                    if row["approximate"] and last["time"] is not None:
                        told |= {"time": last["time"]}
                if any(last[name] != value for name, value in told.items()):
                    key = (last["thread"], last["id"], last["version"])
                    update(self.connection, POSTS, told, "thread = ? AND id = ? AND version = ?", key)

        insert_all(self.connection, POSTS, fresh)

    def _says_the_same(self, known: Row, row: dict[str, Any]) -> bool:
        """Whether a reader sees what he saw: a forum may write the same words differently each time."""
        if known["author"] != row["author"] or known["hidden"] != row["hidden"]:
            return False
        if known["sha256"] == row["sha256"]:
            return True
        flavour = flavour_of(self.platform)
        return parse_html(known["body"], flavour) == parse_html(row["body"], flavour)

    def _only_moved(self, last: Row) -> bool:
        """A post that this same read missed on another page was never gone; takes that note back."""
        noted = (self.thread, self.read, last["id"], Became.VANISHED.value)
        return bool(self.connection.execute(_NOTED, noted).rowcount)

    def _note(self, became: Became, row: Row, after: int | None) -> None:
        change = {
            "thread": self.thread,
            "read": self.read,
            "post": row["id"],
            "became": became.value,
            "at": self.at,
            "before": row["version"],
            "after": after,
            "counted": self._counted(row),
        }
        insert(self.connection, CHANGES, change)

    def _counted(self, row: Row) -> int | None:
        """When this version was counted."""
        counted = "SELECT counted_to, counted_at FROM threads WHERE id = ?"
        to, at = self.connection.execute(counted, (self.thread,)).fetchone()
        return None if at is None or row["number"] > to or row["first_seen"] > at else int(at)
