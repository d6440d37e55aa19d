"""Which tables hold a game? Pages as they came, posts in every version that was seen, what changed; the
moderator's journal.

Times are whole seconds since 1970 in UTC. A post has one row a version; the current one has no `superseded`.
How an older file gets here stands in `migrations`.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
)

TABLES = MetaData()

THREADS = Table(
    "threads",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("url", Text, nullable=False, unique=True),
    Column("platform", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("posts_total", Integer),
    Column("counted_to", Integer),
    Column("counted_at", Integer),
)
"""`counted_to` and `counted_at`: the last post of the latest count, and when that was."""

READS = Table(
    "reads",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("thread", ForeignKey(THREADS.c.id), nullable=False),
    Column("began", Integer, nullable=False),
    Column("finished", Integer),
    Index("reads_of_thread", "thread"),
)
"""A read that broke off stays open; the next one goes on with it."""

PAGES = Table(
    "pages",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("thread", ForeignKey(THREADS.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("url", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("fetched_at", Integer, nullable=False),
    Column("seen_at", Integer, nullable=False),
    Column("server_date", Text),
    Column("sha256", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("first_post", Text),
    Column("posts_sha256", Text, nullable=False),
    Column("headers", Text),
    Column("private", Boolean, nullable=False, server_default=false()),
    Column("seen_in", Integer),
    Column("seal", Text),
    Index("pages_of_thread", "thread", "number"),
)
"""A page that says the same as before is not kept again: `seen_at` and `seen_in` (the read) move on.

`body` is zlib of UTF-8, `headers` a JSON object; a `private` page was read while logged in: never exported.
`seal`: see `seals`.
"""

POSTS = Table(
    "posts",
    TABLES,
    Column("thread", ForeignKey(THREADS.c.id), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("page", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("author", Text, nullable=False),
    Column("author_id", Text),
    Column("time", Integer),
    Column("approximate", Boolean, nullable=False),
    Column("body", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("url", Text),
    Column("edited", Integer),
    Column("edit_note", Text),
    Column("hidden", Boolean, nullable=False),
    Column("first_seen", Integer, nullable=False),
    Column("superseded", Integer),
    Column("raw", Integer),
    Column("seal", Text),
    Index("posts_in_order", "thread", "superseded", "number"),
)
"""`page` is where the post stands in the thread, `raw` the row of the page that first showed this version."""

CHANGES = Table(
    "changes",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("thread", ForeignKey(THREADS.c.id), nullable=False),
    Column("read", ForeignKey(READS.c.id), nullable=False),
    Column("post", Text, nullable=False),
    Column("became", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("before", Integer),
    Column("after", Integer),
    Column("counted", Integer),
    Index("changes_of_thread", "thread", "read"),
)
"""What became of a post between two versions; `counted`: when it had been counted as it stood before."""

JOURNAL = Table(
    "journal",
    TABLES,
    Column("number", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("entry", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("digest", Text, nullable=False),
)
"""A chain of records as in `core.journal`, only ever added to. `at`: ISO 8601 with offset; `entry`: JSON."""

NOTICES = Table(
    "notices",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("at", Integer, nullable=False),
    Column("words", Text, nullable=False),
    Column("outside", Text, nullable=False),
    Column("urgent", Boolean, nullable=False),
    Column("told", Integer),
)
"""What `watch` noticed, once a `key`, and when it was `told` (NULL: not yet); see `core.notices`."""
