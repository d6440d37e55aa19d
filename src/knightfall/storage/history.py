"""What did a post say before, and what has become of the posts since they were last read?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from knightfall.posts import Became, PostChange, PostVersion
from knightfall.storage.rows import COLUMNS, instant, moment, post_of
from knightfall.storage.schema import CHANGES, PAGES, POSTS, READS, THREADS


def versions(connection: Connection, url: str, number: int) -> tuple[PostVersion, ...]:
    """All versions of every post that has or had this number, post by post, oldest first."""
    ids = select(POSTS.c.id).join(THREADS).where(THREADS.c.url == url, POSTS.c.number == number)
    own = (POSTS.c.version, POSTS.c.first_seen, POSTS.c.superseded, POSTS.c.sha256)
    page = (PAGES.c.url, PAGES.c.sha256, PAGES.c.server_date, PAGES.c.private)
    query = (
        select(*COLUMNS, *own, *page)
        .select_from(POSTS)
        .join(THREADS)
        .outerjoin(PAGES, PAGES.c.id == POSTS.c.raw)
        .where(THREADS.c.url == url, POSTS.c.id.in_(ids))
    )
    return tuple(map(_version, connection.execute(query.order_by(POSTS.c.id, POSTS.c.version))))


def changes(connection: Connection, url: str, number: int | None = None) -> tuple[PostChange, ...]:
    """What became of posts: in the last read, or of the posts with this number ever since."""
    query = select(CHANGES).join(THREADS).where(THREADS.c.url == url)
    if number is None:
        last = select(func.max(READS.c.id)).join(THREADS).where(THREADS.c.url == url)
        query = query.where(CHANGES.c.read == last.scalar_subquery())
    else:
        ids = select(POSTS.c.id).where(POSTS.c.number == number, POSTS.c.thread == CHANGES.c.thread)
        query = query.where(CHANGES.c.post.in_(ids))
    rows = connection.execute(query.order_by(CHANGES.c.id)).all()
    return tuple(_change(connection, row) for row in rows)


def changes_after(connection: Connection, url: str, after: int) -> tuple[tuple[int, PostChange], ...]:
    """What became of posts of a thread in finished reads, behind the change of that number; each with its
    own."""
    tables = CHANGES.join(READS, READS.c.id == CHANGES.c.read).join(THREADS, THREADS.c.id == CHANGES.c.thread)
    query = select(CHANGES).select_from(tables)
    found = query.where(THREADS.c.url == url, READS.c.finished.is_not(None), CHANGES.c.id > after)
    rows = connection.execute(found.order_by(CHANGES.c.id)).all()
    return tuple((row.id, _change(connection, row)) for row in rows)


def last_change(connection: Connection) -> int:
    """The number of the latest change of any thread; 0 where nothing ever changed."""
    return int(connection.execute(select(func.max(CHANGES.c.id))).scalar() or 0)


def _version(row: Any) -> PostVersion:
    number, first, superseded, sha, url, page_sha, date, private = row[len(COLUMNS) :]
    return PostVersion(
        number, post_of(row), moment(first), instant(superseded), sha, url, page_sha, date, bool(private)
    )


def _change(connection: Connection, row: Any) -> PostChange:
    before = _at_version(connection, row, row.before)
    after = _at_version(connection, row, row.after)
    said = post_of(before) if after is not None and row.after != row.before else None
    now = post_of(after or before)
    return PostChange(Became(row.became), moment(row.at), now, said, instant(row.counted))


def _at_version(connection: Connection, row: Any, version: int | None) -> Sequence[Any] | None:
    query = select(*COLUMNS).where(
        POSTS.c.thread == row.thread, POSTS.c.id == row.post, POSTS.c.version == version
    )
    return connection.execute(query).one_or_none()
