"""How is evidence kept so that a crash at any moment loses no page, and every version of a post stays?

One page is one transaction: a page that was reported as kept is kept.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, or_, select, update

from knightfall.forums.adapter import Bookmark, Chunk, Response
from knightfall.forums.whole import missing_pages, missing_posts, whole_to
from knightfall.posts import Post, PostChange, PostId, PostVersion, Thread
from knightfall.storage import history
from knightfall.storage.database import Database
from knightfall.storage.keeping import VALIDATORS, keep, open_read
from knightfall.storage.rows import COLUMNS, post_of, seconds
from knightfall.storage.schema import PAGES, POSTS, READS, THREADS


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
        of_thread = select(THREADS.c.id).where(THREADS.c.url == url).scalar_subquery()
        opened = update(READS).where(READS.c.thread == of_thread, READS.c.finished.is_(None))
        with self.database.writing() as connection:
            connection.execute(opened.values(finished=seconds(at)))

    def mark_counted(self, url: str, to: int, at: datetime) -> None:
        """The posts up to this number were counted: who changes one of them now changes a counted post.

        A count as of an earlier post takes nothing back.
        """
        if not self.database.path.exists():
            return
        further = or_(THREADS.c.counted_to.is_(None), THREADS.c.counted_to <= to)
        counted = update(THREADS).where(THREADS.c.url == url, further)
        with self.database.writing() as connection:
            connection.execute(counted.values(counted_to=to, counted_at=seconds(at)))

    def threads(self) -> tuple[str, ...]:
        """The canonical URLs of all threads that are kept here."""
        with self.database.reading() as connection:
            return tuple(connection.execute(select(THREADS.c.url).order_by(THREADS.c.id)).scalars())

    def title(self, url: str) -> str | None:
        """What the thread is called, as last seen; None where nothing of it was read."""
        with self.database.reading() as connection:
            return connection.execute(select(THREADS.c.title).where(THREADS.c.url == url)).scalar()

    def thread(self, url: str) -> Thread | None:
        """The thread as last seen, with what is missing of it; None where nothing of it was read."""
        with self.database.reading() as connection:
            row = connection.execute(select(THREADS).where(THREADS.c.url == url)).one_or_none()
            if row is None:
                return None
            posts = tuple(map(post_of, connection.execute(_current(row.id, *COLUMNS))))
            known = _known_pages(connection, row.id)
            missing = missing_pages(known, row.pages) or missing_posts(posts, row.posts_total)
            placed = connection.execute(_current(row.id, POSTS.c.page, POSTS.c.number)) if missing else ()
            whole = whole_to(((page, number) for page, number in placed), known) if missing else None
        return Thread(row.platform, row.title, posts, row.pages, url, missing, whole)

    def posts_then(self, url: str, at: datetime) -> tuple[Post, ...]:
        """The posts of the thread as they were known at that instant, in order."""
        then = seconds(at)
        known = (POSTS.c.first_seen <= then, or_(POSTS.c.superseded.is_(None), POSTS.c.superseded > then))
        query = select(*COLUMNS).join(THREADS).where(THREADS.c.url == url, *known)
        with self.database.reading() as connection:
            return tuple(map(post_of, connection.execute(query.order_by(POSTS.c.number))))

    def bookmark(self, url: str) -> Bookmark | None:
        """The last page of the thread up to which all pages are known: a read goes on from there."""
        of_thread = (THREADS.c.url == url, PAGES.c.number <= THREADS.c.pages)
        newest = select(func.max(PAGES.c.id)).join(THREADS).where(*of_thread).group_by(PAGES.c.number)
        query = select(PAGES.c.thread, PAGES.c.number, PAGES.c.url, PAGES.c.first_post)
        last = None
        with self.database.reading() as connection:
            rows = connection.execute(query.where(PAGES.c.id.in_(newest)).order_by(PAGES.c.number)).all()
            known = set(_known_pages(connection, rows[0].thread)) if rows else set()
        for expected, row in enumerate(rows, start=1):
            if row.number != expected or row.number not in known or row.first_post is None:
                break
            last = Bookmark(row.number, row.url, PostId(row.first_post))
        return last

    def kept_page(self, url: str, page: str) -> Response | None:
        """The latest copy of the page with that URL, if the forum may be asked whether it still holds."""
        query = (
            select(PAGES.c.url, PAGES.c.status, PAGES.c.body, PAGES.c.headers)
            .join(THREADS)
            .where(THREADS.c.url == url, PAGES.c.url == page, PAGES.c.private.is_(False))
        )
        with self.database.reading() as connection:
            row = connection.execute(query.order_by(PAGES.c.id.desc()).limit(1)).one_or_none()
        headers = json.loads(row.headers) if row is not None and row.headers else {}
        if row is None or not any(name in headers for name in VALIDATORS):
            return None
        return Response(row.url, row.status, zlib.decompress(row.body).decode("utf-8"), headers)

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
        query = (
            select(PAGES.c.url, PAGES.c.status, PAGES.c.body, PAGES.c.headers)
            .join(THREADS)
            .where(THREADS.c.url == url, PAGES.c.private.is_(False))
        )
        with self.database.reading() as connection:
            for row in connection.execute(query.order_by(PAGES.c.id)):
                text = zlib.decompress(row.body).decode("utf-8")
                yield Response(row.url, row.status, text, json.loads(row.headers or "{}"))


def _current(thread: int, *columns: Any) -> Any:
    where = (POSTS.c.thread == thread, POSTS.c.superseded.is_(None))
    return select(*columns).where(*where).order_by(POSTS.c.number)


def _known_pages(connection: Connection, thread: int) -> tuple[int, ...]:
    """The pages that are there; behind the place where a read broke off they may be out of date."""
    pages = select(PAGES.c.number).where(PAGES.c.thread == thread).distinct()
    unfinished = connection.execute(open_read(thread)).scalar()
    if unfinished is not None:
        reached = select(func.max(PAGES.c.number)).where(PAGES.c.seen_in == unfinished)
        pages = pages.where(PAGES.c.number <= reached.scalar_subquery())
    return tuple(connection.execute(pages).scalars())
