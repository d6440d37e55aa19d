"""Which tables hold a game? Pages as they came, posts in every version that was seen, what changed; the
moderator's journal.

Times are whole seconds since 1970 in UTC. A post has one row a version; the current one has no `superseded`.
How an older file gets here stands in `migrations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

KEY = "INTEGER NOT NULL PRIMARY KEY"
NUMBER, TEXT, BYTES, FLAG = "INTEGER NOT NULL", "TEXT NOT NULL", "BLOB NOT NULL", "BOOLEAN NOT NULL"
THE_THREAD = "INTEGER NOT NULL REFERENCES threads (id)"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns with what each holds, in order; an own key of several; what it is looked up by."""

    name: str
    columns: Mapping[str, str]
    key: str = ""
    index: str = ""

    def making(self) -> Iterator[str]:
        """The statements that make it where it is not there."""
        lines = [f'"{name}" {holds}' for name, holds in self.columns.items()]
        lines += [f"PRIMARY KEY ({self.key})"] if self.key else []
        yield f"CREATE TABLE IF NOT EXISTS {self.name} ({', '.join(lines)})"
        if self.index:
            name, _, columns = self.index.partition(" ")
            yield f"CREATE INDEX IF NOT EXISTS {name} ON {self.name} {columns}"


THREADS = Table(
    "threads",
    {
        "id": KEY,
        "url": "TEXT NOT NULL UNIQUE",
        "platform": TEXT,
        "title": TEXT,
        "pages": NUMBER,
        "posts_total": "INTEGER",
        "counted_to": "INTEGER",
        "counted_at": "INTEGER",
    },
)
"""`counted_to` and `counted_at`: the last post of the latest count, and when that was."""

READS = Table(
    "reads",
    {"id": KEY, "thread": THE_THREAD, "began": NUMBER, "finished": "INTEGER"},
    index="reads_of_thread (thread)",
)
"""A read that broke off stays open; the next one goes on with it."""

PAGES = Table(
    "pages",
    {
        "id": KEY,
        "thread": THE_THREAD,
        "number": NUMBER,
        "url": TEXT,
        "status": NUMBER,
        "fetched_at": NUMBER,
        "seen_at": NUMBER,
        "server_date": "TEXT",
        "sha256": TEXT,
        "body": BYTES,
        "first_post": "TEXT",
        "posts_sha256": TEXT,
        "headers": "TEXT",
        "private": "BOOLEAN DEFAULT 0 NOT NULL",
        "seen_in": "INTEGER",
        "seal": "TEXT",
    },
    index="pages_of_thread (thread, number)",
)
"""A page that says the same as before is not kept again: `seen_at` and `seen_in` (the read) move on.

`body` is zlib of UTF-8, `headers` a JSON object; a `private` page was read while logged in: never exported.
`seal`: see `seals`.
"""

POSTS = Table(
    "posts",
    {
        "thread": THE_THREAD,
        "id": TEXT,
        "version": NUMBER,
        "page": NUMBER,
        "number": NUMBER,
        "author": TEXT,
        "author_id": "TEXT",
        "time": "INTEGER",
        "approximate": FLAG,
        "body": TEXT,
        "sha256": TEXT,
        "url": "TEXT",
        "edited": "INTEGER",
        "edit_note": "TEXT",
        "hidden": FLAG,
        "first_seen": NUMBER,
        "superseded": "INTEGER",
        "raw": "INTEGER",
        "seal": "TEXT",
    },
    key="thread, id, version",
    index="posts_in_order (thread, superseded, number)",
)
"""`page` is where the post stands in the thread, `raw` the row of the page that first showed this version."""

CHANGES = Table(
    "changes",
    {
        "id": KEY,
        "thread": THE_THREAD,
        "read": "INTEGER NOT NULL REFERENCES reads (id)",
        "post": TEXT,
        "became": TEXT,
        "at": NUMBER,
        "before": "INTEGER",
        "after": "INTEGER",
        "counted": "INTEGER",
    },
    index="changes_of_thread (thread, read)",
)
"""What became of a post between two versions; `counted`: when it had been counted as it stood before."""

JOURNAL = Table(
    "journal",
    {"number": KEY, "at": TEXT, "author": TEXT, "entry": TEXT, "before": TEXT, "digest": TEXT},
)
"""A chain of records as in `core.journal`, only ever added to. `at`: ISO 8601 with offset; `entry`: JSON."""

NOTICES = Table(
    "notices",
    {
        "id": KEY,
        "key": "TEXT NOT NULL UNIQUE",
        "at": NUMBER,
        "words": TEXT,
        "outside": TEXT,
        "urgent": FLAG,
        "told": "INTEGER",
    },
)
"""What `watch` noticed, once a `key`, and when it was `told` (NULL: not yet); see `core.notices`."""

TABLES = (THREADS, READS, PAGES, POSTS, CHANGES, JOURNAL, NOTICES)
