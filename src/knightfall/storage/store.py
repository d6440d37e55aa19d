"""The evidence of threads: pages and every version of every post, and what changed between two reads."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from sqlite3 import Connection, Row
from typing import Any

from knightfall.engine.notices import Notice
from knightfall.errors import KnightfallError
from knightfall.forums import html_style_of
from knightfall.forums.addresses import without_session
from knightfall.forums.exchange import Bookmark, Chunk, Response
from knightfall.forums.gaps import missing_pages, missing_posts, whole_to
from knightfall.markup.html import parse_html
from knightfall.models import (
    UNKNOWN_ZONE,
    ChangeKind,
    PageSeen,
    Post,
    PostChange,
    PostId,
    PostVersion,
    Thread,
    own_body,
)
from knightfall.storage import history
from knightfall.storage.checksums import seal_page, seal_posts, seal_thread
from knightfall.storage.database import (
    AMONG,
    DatabasePart,
    among,
    insert,
    insert_all,
    update,
)
from knightfall.storage.links import Links, note_link, rows_kept
from knightfall.storage.recounts import BlockRead, keep_blocks, kept_blocks
from knightfall.storage.rows import POST, digest, moment, post_of, row_of, seconds, thread_row
from knightfall.storage.texts import restored, stored

VALIDATORS = ("etag", "last-modified")
_LAST_COPY = "SELECT id, posts_sha256 FROM pages WHERE thread = ? AND number = ? ORDER BY id DESC LIMIT 1"
# The posts of a page, or of one behind the last, that were there and that the page no longer shows.
# Two queries, for each of which there is an index: SQLite would walk all posts for “page = ? OR page > ?”.
_GONE = f"""
rowid IN (
    SELECT rowid FROM posts WHERE thread = ?1 AND superseded IS NULL AND page = ?2
    UNION ALL SELECT rowid FROM posts WHERE thread = ?1 AND superseded IS NULL AND page > ?3
) AND id NOT IN {AMONG.replace("?", "?4")}
"""
_STANDING = f"thread = ? AND superseded IS NULL AND id IN {AMONG}"
_NEWEST = f"SELECT * FROM posts WHERE thread = ? AND id IN {AMONG} ORDER BY version"
# A post changes with its page, of which there is a new row then; a page that stayed as it was is seen anew.
_MARK = """
SELECT platform, title, threads.pages, posts_total, zone,
    max(pages.id), count(pages.id), max(seen_at), total(seen_in),
    (SELECT total(finished) FROM reads WHERE reads.thread = threads.id)
FROM threads LEFT JOIN pages ON pages.thread = threads.id
WHERE threads.url = ? GROUP BY threads.id
"""
_NOTED = "DELETE FROM changes WHERE thread = ? AND read = ? AND post = ? AND became = ?"


def save_page(
    connection: Connection, url: str, platform: str, response: Response, chunk: Chunk, at: int
) -> None:
    """Keep a page of the thread with that canonical URL, its posts, and what became of known ones."""
    # The thread, and the read that the page belongs to: one that broke off goes on.
    told = {
        "platform": platform,
        "title": chunk.title,
        "pages": max(chunk.pages, chunk.page),
        "posts_total": chunk.posts_total,
    }
    known = thread_row(connection, url)
    if known is None:
        thread = insert(connection, "threads", {"url": url, **told, "zone": ""})
    else:
        update(connection, "threads", told, "id = ?", (known["id"],))
        thread = int(known["id"])
    unfinished = open_read(connection, thread)
    read = insert(connection, "reads", {"thread": thread, "began": at}) if unfinished is None else unfinished

    # The row of the page: the last copy of it where that says just as much.
    says = _page_digest(response, chunk)
    last = connection.execute(_LAST_COPY, (thread, chunk.page)).fetchone()
    if last is not None and last["posts_sha256"] == says:
        update(connection, "pages", {"seen_at": at, "seen_in": read}, "id = ?", (last["id"],))
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
        raw = insert(connection, "pages", row)

    # The posts: those that are gone first, so that one that only moved is found again.
    posts = _Posts(connection, thread, read, raw, platform, at)
    gone = posts.retire_absent(chunk)
    posts.save(chunk)
    seal_thread(connection, thread, read)
    seal_page(connection, raw)
    seal_posts(connection, thread, (*gone, *(post.id for post in chunk.posts)))


EVIDENCE = "evidence head"
"""The key of the note on how many rows there are of each kind, and whether each has to have a seal."""


def note_evidence(connection: Connection, fresh: bool) -> None:
    """Note how much evidence there is, so that what is gone is missed; `fresh`: it is the first that is kept,
    so all of it has seals."""
    known = connection.execute("SELECT words FROM notices WHERE key = ?", (EVIDENCE,)).fetchone()
    sealed = fresh or (known is not None and bool(json.loads(known["words"])["sealed"]))
    words = json.dumps({**rows_kept(connection), "sealed": sealed})
    row = {"key": EVIDENCE, "at": 0, "words": words, "outside": "", "urgent": False, "told": 0}
    insert_all(connection, "notices", [row], "OR REPLACE")


def open_read(connection: Connection, thread: int) -> int | None:
    """The read of a thread that is not finished."""
    query = "SELECT id FROM reads WHERE thread = ? AND finished IS NULL"
    found = connection.execute(query, (thread,)).fetchone()
    return None if found is None else int(found["id"])


def _page_digest(response: Response, chunk: Chunk) -> str:
    """A digest of what makes a page another page: its posts, what comes after it, what servers know it by.

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
            self._note(ChangeKind.VANISHED, row, None)
        ids = tuple(str(row["id"]) for row in absent)
        if ids:
            of = (self.thread, among(ids))
            update(self.connection, "posts", {"superseded": self.at}, _STANDING, of)
        return ids

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
                    self._note(ChangeKind.RETURNED, last, last["version"] + (not same))
                elif not same:
                    self._note(ChangeKind.CHANGED, last, last["version"] + 1)

                # The last version is superseded, or learns where the post stands now; its first vague time
                # stays, unless nobody knew its zone.
                told = row if same else {"superseded": last["superseded"] or self.at}
                if same:
                    told = row | {"body": last["body"], "sha256": last["sha256"]}
                    unsure = last["zone"] == UNKNOWN_ZONE != row["zone"]
                    if row["approximate"] and last["time"] is not None and not unsure:
                        told |= {"time": last["time"], "zone": last["zone"]}
                if any(last[name] != value for name, value in told.items()):
                    key = (last["thread"], last["id"], last["version"])
                    update(self.connection, "posts", told, "thread = ? AND id = ? AND version = ?", key)

        insert_all(self.connection, "posts", fresh)

    def _says_the_same(self, known: Row, row: dict[str, Any]) -> bool:
        """True where a reader sees what they saw before: a forum may write one text in several ways."""
        if known["author"] != row["author"] or known["hidden"] != row["hidden"]:
            return False
        if known["sha256"] == row["sha256"]:
            return True
        html_style = html_style_of(self.platform)
        before, now = own_body(known["body"]), own_body(row["body"])
        return parse_html(before, html_style) == parse_html(now, html_style)

    def _only_moved(self, last: Row) -> bool:
        """A post that this same read missed on another page was never gone; takes that note back."""
        noted = (self.thread, self.read, last["id"], ChangeKind.VANISHED.value)
        return bool(self.connection.execute(_NOTED, noted).rowcount)

    def _note(self, became: ChangeKind, row: Row, after: int | None) -> None:
        # When this version was counted, if it was.
        query = "SELECT counted_to, counted_at FROM threads WHERE id = ?"
        to, at = self.connection.execute(query, (self.thread,)).fetchone()
        counted = None if at is None or row["number"] > to or row["first_seen"] > at else int(at)
        change = {
            "thread": self.thread,
            "read": self.read,
            "post": row["id"],
            "became": became.value,
            "at": self.at,
            "before": row["version"],
            "after": after,
            "counted": counted,
        }
        insert(self.connection, "changes", change)


@dataclass(frozen=True, slots=True)
class Notices(DatabasePart):
    """The notices in a game's file. Every method raises StateDamaged where the file is not readable."""

    def keep(self, notices: Iterable[Notice]) -> None:
        """Keep the notices whose keys are new."""
        known = self.keys()
        rows = [_row(notice) for notice in notices if notice.key not in known]
        if rows:
            with self.database.writing() as connection:
                insert_all(connection, "notices", rows, "OR IGNORE")

    def keys(self) -> frozenset[str]:
        """The keys of all that was ever noticed."""
        with self.database.reading() as connection:
            return frozenset(str(key) for (key,) in connection.execute("SELECT key FROM notices"))

    def waiting(self) -> tuple[Notice, ...]:
        """What was not told yet, in the order in which it was noticed."""
        query = "SELECT * FROM notices WHERE told IS NULL ORDER BY id"
        with self.database.reading() as connection:
            return tuple(map(_notice, connection.execute(query)))

    def told(self, notice: Notice, at: datetime) -> None:
        """Note that it was told: it is never told again."""
        with self.database.writing() as connection:
            update(connection, "notices", {"told": seconds(at)}, "key = ?", (notice.key,))

    def mark(self, key: str, words: str, at: datetime) -> None:
        """Keep a note under a key, which nobody is told."""
        with self.database.writing() as connection:
            insert_all(connection, "notices", [_untold(key, words, at)], "OR IGNORE")

    def replace_mark(self, key: str, words: str, at: datetime) -> None:
        """The same, in the place of what was kept under that key before."""
        with self.database.writing() as connection:
            insert_all(connection, "notices", [_untold(key, words, at)], "OR REPLACE")

    def marked(self, key: str) -> str | None:
        """The words of a note; None where there is none."""
        with self.database.reading() as connection:
            found = connection.execute("SELECT words FROM notices WHERE key = ?", (key,)).fetchone()
        return None if found is None else str(found["words"])

    def changes_after(self, url: str, after: int) -> tuple[tuple[int, PostChange], ...]:
        """What became of the posts of a thread behind the change of that number, each with its own."""
        with self.database.reading() as connection:
            return history.changes_after(connection, url, after)

    def last_change(self) -> int:
        """The number of the latest change; 0 where nothing ever changed."""
        with self.database.reading() as connection:
            return history.last_change(connection)


def _row(notice: Notice) -> dict[str, Any]:
    return {
        "key": notice.key,
        "at": seconds(notice.at),
        "words": stored(notice.words),
        "outside": notice.outside,
        "urgent": notice.urgent,
    }


def _untold(key: str, words: str, at: datetime) -> dict[str, Any]:
    """A note that nobody is told of."""
    return _row(Notice(key, at, words, "")) | {"told": seconds(at)}


def _notice(row: Row) -> Notice:
    return Notice(row["key"], moment(row["at"]), restored(row["words"]), row["outside"], bool(row["urgent"]))


MARK = "post mark: "
"""Begins the key of a note on which post a number meant."""
ANSWER = "answer on day "
"""Begins the key of what the moderator answered about a day of a thread."""
SEEN = "seen elsewhere "
"""Begins the key of a note on when the posts of a thread were first seen by another store."""
_SIGHTINGS = """
SELECT threads.url, posts.id, first_seen, substr(posts.sha256, 1, 16)
FROM posts JOIN threads ON threads.id = posts.thread
WHERE superseded IS NULL ORDER BY threads.id, posts.number
"""
_COUNTED = "SELECT url, counted_to, counted_at FROM threads"
_SEEN_THEN = """
UPDATE posts SET first_seen = ?
WHERE thread = ? AND id = ? AND superseded IS NULL AND substr(sha256, 1, 16) = ? AND first_seen > ?
"""
REFUSED = "refused copy "
"""Begins the key of a note on a copy of a page that was older than what was kept."""
_FURTHER = "url = ? AND (counted_to IS NULL OR counted_to <= ?)"
# The versions of posts that stood in the thread at an instant.
_THEN = f"""
SELECT {POST} FROM posts JOIN threads ON threads.id = posts.thread
WHERE threads.url = :url AND first_seen <= :then AND (superseded IS NULL OR superseded > :then)
ORDER BY number
"""
# The latest copy of each page that the thread still has.
_NEWEST_COPIES = """
SELECT thread, number, url, first_post FROM pages WHERE id IN (
    SELECT MAX(pages.id) FROM pages JOIN threads ON threads.id = pages.thread
    WHERE threads.url = ? AND pages.number <= threads.pages GROUP BY pages.number
) ORDER BY number
"""
_LAST_SEEN = """
SELECT pages.number, pages.url, MAX(seen_at) AS seen FROM pages JOIN threads ON threads.id = pages.thread
WHERE threads.url = ? AND pages.number <= threads.pages GROUP BY pages.number ORDER BY pages.number
"""
_PLACED = """
SELECT posts.page, posts.number FROM posts JOIN threads ON threads.id = posts.thread
WHERE threads.url = ? AND superseded IS NULL ORDER BY posts.number
"""
_NOT_AGAIN = """
SELECT threads.url AS thread_url, pages.url, fetched_at, body
FROM pages JOIN threads ON threads.id = pages.thread
WHERE private OR pages.id NOT IN (SELECT MAX(id) FROM pages GROUP BY thread, number)
ORDER BY pages.id
"""
_HAS_COPY = """
SELECT 1 FROM pages WHERE sha256 = ? AND fetched_at = ? AND NOT EXISTS (
    SELECT 1 FROM reads WHERE thread = pages.thread AND finished IS NULL AND began = fetched_at
)
"""
_AS_SEEN = """
SELECT pages.url, status, body, headers, private FROM pages JOIN threads ON threads.id = pages.thread
WHERE threads.url = ? AND pages.number = ? ORDER BY seen_at DESC, pages.id DESC LIMIT 1
"""
_KEPT = """
SELECT pages.url, status, body, headers FROM pages JOIN threads ON threads.id = pages.thread
WHERE threads.url = ? AND NOT private AND pages.url = ? ORDER BY pages.id DESC LIMIT 1
"""
# All pages that are there, and those up to where a read that broke off has come.
_PAGES = "SELECT DISTINCT number FROM pages WHERE thread = :thread"
_REACHED = f"{_PAGES} AND number <= (SELECT MAX(number) FROM pages WHERE seen_in = :read)"


@dataclass(frozen=True, slots=True)
class Store(DatabasePart):
    """The evidence in one database file. Every method raises StateDamaged where the file is not readable."""

    def save_page(self, url: str, platform: str, response: Response, chunk: Chunk, at: datetime) -> None:
        """Keeps a page of the thread with that canonical URL and its posts, in one transaction."""
        with self.database.writing() as connection:
            fresh = connection.execute("SELECT 1 FROM threads LIMIT 1").fetchone() is None
            save_page(connection, url, platform, response, chunk, seconds(at))
            note_evidence(connection, fresh)
            note_link(connection, seconds(at))

    def is_sealed(self) -> bool:
        """Whether all that was ever kept here has its seals: true of what nothing was kept in yet."""
        with self.database.reading() as connection:
            known = connection.execute("SELECT words FROM notices WHERE key = ?", (EVIDENCE,)).fetchone()
            if known is None:
                return not any(rows_kept(connection).values())
            return bool(json.loads(known["words"])["sealed"])

    def last_link(self) -> str:
        """The digest of the last link of the evidence, which is of all that was ever kept."""
        return self.links()[-1]

    def links(self) -> tuple[str, ...]:
        """The digests of all links of the evidence, oldest first, after that of no evidence."""
        return tuple(link.digest for link in Links(self.database).all())

    def doubt_read(self, url: str) -> None:
        """The pages that the read under way has seen may not fit together: until they are saved again, or all
        is read anew, the thread is not whole."""
        with self.database.writing() as connection:
            known = thread_row(connection, url)
            read = open_read(connection, int(known["id"])) if known is not None else None
            for (page,) in connection.execute("SELECT id FROM pages WHERE seen_in = ?", (read,)).fetchall():
                update(connection, "pages", {"seen_in": None}, "id = ?", (page,))
                seal_page(connection, page)

    def finish_read(self, url: str, at: datetime) -> None:
        """All pages that there are were read: what is seen otherwise from now on belongs to the next read."""
        with self.database.writing() as connection:
            known = thread_row(connection, url)
            read = open_read(connection, int(known["id"])) if known is not None else None
            if known is not None and read is not None:
                update(connection, "reads", {"finished": seconds(at)}, "id = ?", (read,))
                seal_thread(connection, int(known["id"]), read)
            if known is not None:
                _recall(connection, int(known["id"]), url)

    def restate(self, url: str, zone: str) -> None:
        """Read the times of the thread's posts again, each from the page that showed it, where the zone that
        the moderator states for them ("": none) is another than when they were kept."""
        with self.database.reading() as connection:
            known = thread_row(connection, url)
            if known is None or known["zone"] == zone:
                return
        from knightfall.forums.pages import read_chunk  # nothing else here waits for readers of pages

        with self.database.writing() as connection:
            thread = int(known["id"])
            for page in connection.execute("SELECT * FROM pages WHERE thread = ?", (thread,)).fetchall():
                try:
                    at = moment(page["fetched_at"])
                    chunk = read_chunk(_response(page), page["url"], at, zone or None, known["platform"])[1]
                except KnightfallError:  # it was readable once, by an older Knightfall
                    continue
                for row in map(row_of, chunk.posts):
                    told = {name: row[name] for name in ("time", "approximate", "edited", "zone")}
                    mine = (thread, row["id"], page["id"])
                    update(connection, "posts", told, "thread = ? AND id = ? AND raw = ?", mine)
                seal_posts(connection, thread, [post.id for post in chunk.posts])
            update(connection, "threads", {"zone": zone}, "id = ?", (thread,))
            seal_thread(connection, thread)

    def state_zone(self, url: str, zone: str) -> None:
        """Note that the posts of the thread were read with that zone stated for their times."""
        with self.database.writing() as connection:
            update(connection, "threads", {"zone": zone}, "url = ? AND zone IS NOT ?", (url, zone))
            _seal_row(connection, url)

    def mark_counted(self, url: str, to: int, at: datetime) -> None:
        """The posts up to this number were counted: who changes one of them now changes a counted post.

        A count as of an earlier post takes nothing back.
        """
        if not self.database.path.exists():
            return
        counted = {"counted_to": to, "counted_at": seconds(at)}
        with self.database.writing() as connection:
            update(connection, "threads", counted, _FURTHER, (url, to))
            _seal_row(connection, url)

    def keep_marks(self, marks: Mapping[str, str], at: datetime) -> None:
        """Keeps notes under keys that nothing was kept under before; nobody is told of them."""
        rows = [_untold(f"{MARK}{key}", words, at) for key, words in marks.items()]
        with self.database.writing() as connection:
            insert_all(connection, "notices", rows, "OR IGNORE")

    def kept_marks(self) -> Mapping[str, str]:
        """The notes by their keys."""
        return self._notes(MARK)

    def _notes(self, begun: str) -> dict[str, str]:
        """The notes whose keys begin so, by what follows."""
        query = "SELECT key, words FROM notices WHERE key LIKE ?"
        with self.database.reading() as connection:
            found = connection.execute(query, (f"{begun}%",)).fetchall()
        return {str(row["key"]).removeprefix(begun): str(row["words"]) for row in found}

    def kept_votes(self, url: str, reader: str) -> Mapping[int, BlockRead]:
        """Block → what that reader found in it when it was last read."""
        if not self.database.path.exists():
            return {}
        with self.database.reading() as connection:
            return kept_blocks(connection, url, reader)

    def keep_votes(self, url: str, reader: str, version: str, blocks: Mapping[int, BlockRead]) -> None:
        """Keeps what that reader found in blocks of a thread that was read; of no other thread."""
        if self.platform(url) is None:
            return
        with self.database.writing() as connection:
            keep_blocks(connection, url, reader, version, blocks)

    def was_refused(self, url: str, copy: str, at: datetime) -> bool:
        """Whether that copy of a page was refused before; from now on it was."""
        key = f"{REFUSED}{copy} of {url}"
        known = self._notes(key)
        with self.database.writing() as connection:
            insert_all(connection, "notices", [_untold(key, "older", at)], "OR IGNORE")
        return bool(known)

    def keep_answer(self, url: str, day: int, words: str, at: datetime) -> None:
        """Keeps what the moderator answered about a day of a thread, in the place of an earlier answer."""
        row = _untold(f"{ANSWER}{day} of {url}", words, at)
        with self.database.writing() as connection:
            insert_all(connection, "notices", [row], "OR REPLACE")

    def answers(self, url: str) -> Mapping[int, str]:
        """Day → what was answered about it."""
        if not self.database.path.exists():
            return {}
        found = ((key.partition(" of "), words) for key, words in self._notes(ANSWER).items())
        return {int(day): words for (day, _, thread), words in found if thread == url}

    def threads(self) -> tuple[str, ...]:
        """The canonical URLs of all threads that are kept here."""
        with self.database.reading() as connection:
            return tuple(str(url) for (url,) in connection.execute("SELECT url FROM threads ORDER BY id"))

    def title(self, url: str) -> str | None:
        """What the thread is called, as last seen; None where nothing of it was read."""
        return self._of_thread(url, "title")

    def platform(self, url: str) -> str | None:
        """Which platform the thread was read from; None where nothing of it was."""
        return self._of_thread(url, "platform")

    def _of_thread(self, url: str, column: str) -> str | None:
        with self.database.reading() as connection:
            thread = thread_row(connection, url)
        return None if thread is None else str(thread[column])

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

    def thread_mark(self, url: str) -> tuple[object, ...]:
        """What is another one as soon as anything of what `thread` answers was written; () where nothing of
        the thread was read. The journal and counts leave it as it is."""
        with self.database.reading() as connection:
            row = connection.execute(_MARK, (url,)).fetchone()
        return () if row is None else tuple(row)

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

    def pages_seen(self, url: str) -> tuple[PageSeen, ...]:
        """The pages that the thread has, each as it was last seen, in order."""
        with self.database.reading() as connection:
            rows = connection.execute(_LAST_SEEN, (url,)).fetchall()
            posts: dict[int, list[int]] = {}
            for page, number in connection.execute(_PLACED, (url,)):
                posts.setdefault(page, []).append(number)
        return tuple(
            PageSeen(row["number"], row["url"], moment(row["seen"]), tuple(posts.get(row["number"], ())))
            for row in rows
        )

    def kept_page(self, url: str, page: str) -> Response | None:
        """The latest copy of the page with that URL, if the forum may be asked whether it still holds."""
        with self.database.reading() as connection:
            row = connection.execute(_KEPT, (url, page)).fetchone()
        known_by = json.loads(row["headers"] or "{}") if row is not None else {}
        return _response(row) if any(name in known_by for name in VALIDATORS) else None

    def page_as_seen(self, url: str, number: int) -> Response | None:
        """The latest copy of the page with that number in the thread; None where there is none."""
        with self.database.reading() as connection:
            row = connection.execute(_AS_SEEN, (url, number)).fetchone()
        return None if row is None else replace(_response(row), private=bool(row["private"]))

    def versions(self, url: str, number: int | None = None) -> tuple[PostVersion, ...]:
        """All versions of every post that has or had this number (None: any), post by post, oldest first."""
        with self.database.reading() as connection:
            return history.versions(connection, url, number)

    def changes(self, url: str, number: int | None = None) -> tuple[PostChange, ...]:
        """What became of posts: in the last read, or of the posts with this number ever since."""
        with self.database.reading() as connection:
            return history.changes(connection, url, number)

    def pages_to_hand_over(self) -> Iterator[dict[str, Any]]:
        """The copies of pages that no forum shows again: private ones, and all but the latest of each other
        page; oldest first, each as {thread, url, at, text}."""
        with self.database.reading() as connection:
            for row in connection.execute(_NOT_AGAIN):
                text = zlib.decompress(row["body"]).decode("utf-8")
                at = moment(row["fetched_at"]).isoformat()
                yield {"thread": row["thread_url"], "url": row["url"], "at": at, "text": text}

    def has_copy(self, digest: str, at: datetime) -> bool:
        """Whether the copy of a page with that SHA-256 was kept as it was read at that instant, and the read
        that it was all of came to its end."""
        with self.database.reading() as connection:
            return connection.execute(_HAS_COPY, (digest, seconds(at))).fetchone() is not None

    def sightings(self) -> Iterator[tuple[str, str]]:
        """What was seen and counted of each thread, as a note for another store: the thread's address, and
        JSON {posts: [[id, seconds when it was first seen as it stands, beginning of its text's digest]],
        counted: [up to which post, seconds]}."""
        with self.database.reading() as connection:
            posts: dict[str, list[tuple[str, int, str]]] = {}
            for thread, post, seen, sha in connection.execute(_SIGHTINGS):
                posts.setdefault(thread, []).append((post, seen, sha))
            counted = {url: (to, at) for url, to, at in connection.execute(_COUNTED)}
        for thread, rows in posts.items():
            told = {"posts": rows, "counted": counted[thread]}
            yield thread, json.dumps(told, separators=(",", ":"))

    def note_sightings(self, url: str, words: str, at: datetime) -> None:
        """Keep when posts were first seen by another store: once they are read here they were seen then."""
        with self.database.writing() as connection:
            insert_all(connection, "notices", [_untold(f"{SEEN}{url}", words, at)], "OR REPLACE")
            known = thread_row(connection, url)
            if known is not None:
                _recall(connection, int(known["id"]), url)


def _recall(connection: Connection, thread: int, url: str) -> None:
    """Posts that another store saw before, with the same text, were seen then; and counted, as far as it
    counted. What is not read yet is kept for later."""
    noted = connection.execute("SELECT words FROM notices WHERE key = ?", (f"{SEEN}{url}",)).fetchone()
    if noted is None:
        return
    told = json.loads(noted["words"])
    here = {str(post) for (post,) in connection.execute("SELECT id FROM posts WHERE thread = ?", (thread,))}
    earlier = [
        (int(seen), thread, str(post), str(sha), int(seen))
        for post, seen, sha in told["posts"]
        if post in here
    ]
    connection.executemany(_SEEN_THEN, earlier)
    later = [row for row in told["posts"] if row[0] not in here]
    if later:
        words = json.dumps(told | {"posts": later}, separators=(",", ":"))
        update(connection, "notices", {"words": words}, "key = ?", (f"{SEEN}{url}",))
    else:
        connection.execute("DELETE FROM notices WHERE key = ?", (f"{SEEN}{url}",))
    counted = dict(zip(("counted_to", "counted_at"), told["counted"], strict=True))
    update(connection, "threads", counted, "id = ? AND counted_to IS NULL", (thread,))
    _seal_row(connection, url)
    seal_posts(connection, thread, [post for _, _, post, _, _ in earlier])


def _seal_row(connection: Connection, url: str) -> None:
    known = thread_row(connection, url)
    if known is not None:
        seal_thread(connection, int(known["id"]))


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
