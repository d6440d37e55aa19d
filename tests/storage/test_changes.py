"""What became of posts between two reads, and what can be proved of them."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from knightfall.forums.base import Chunk, Response
from knightfall.models import ChangeKind, PostChange
from knightfall.storage.database import VERSION
from knightfall.storage.store import Store
from storage.test_store import AT, URL, chunk, post, save

LATER = AT + timedelta(hours=1)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "game.db")


def read(store: Store, *parts: Chunk, hours: int = 0) -> None:
    """A whole read of these pages."""
    for part in parts:
        save(store, part, AT + timedelta(hours=hours))
    store.finish_read(URL, AT + timedelta(hours=hours))


def told(changes: tuple[PostChange, ...]) -> list[tuple[int, ChangeKind]]:
    return [(change.post.number, change.became) for change in changes]


def test_a_first_read_changes_nothing(store: Store) -> None:
    read(store, chunk(1, post(1), post(2), pages=1))
    assert store.changes(URL) == ()


def test_an_edited_post_a_vanished_one_and_one_that_is_back_are_told_with_what_they_said(
    store: Store,
) -> None:
    read(store, chunk(1, post(1, "Vote: Elm"), post(2), post(3), pages=1))
    read(store, chunk(1, post(1, "Vote: Fen"), post(3), pages=1), hours=1)
    edited, gone = sorted(store.changes(URL), key=lambda change: change.post.number)
    assert edited.before is not None
    assert (edited.before.body, edited.post.body) == ("Vote: Elm", "Vote: Fen")
    assert told((edited, gone)) == [(1, ChangeKind.CHANGED), (2, ChangeKind.VANISHED)]
    read(store, chunk(1, post(1, "Vote: Fen"), post(2), post(3), pages=1), hours=2)
    assert told(store.changes(URL)) == [(2, ChangeKind.RETURNED)]
    assert told(store.changes(URL, 2)) == [(2, ChangeKind.VANISHED), (2, ChangeKind.RETURNED)]


def test_a_post_that_moves_to_another_page_has_not_vanished(store: Store) -> None:
    read(store, chunk(1, post(1), post(2)), chunk(2, post(3)))
    read(store, chunk(1, post(0), post(1)), chunk(2, post(2), post(3)), hours=1)
    assert store.changes(URL) == ()
    found = store.thread(URL)
    assert found is not None
    assert [one.number for one in found.posts] == [0, 1, 2, 3]


def test_a_read_that_broke_off_and_goes_on_is_one_read(store: Store) -> None:
    read(store, chunk(1, post(1), post(2)), chunk(2, post(3)))
    save(store, chunk(1, post(0), post(1)), LATER)
    assert told(store.changes(URL)) == [(2, ChangeKind.VANISHED)]
    read(store, chunk(1, post(0), post(1)), chunk(2, post(2), post(3)), hours=2)
    assert store.changes(URL) == ()


def test_the_same_words_in_another_markup_are_no_change(store: Store) -> None:
    read(store, chunk(1, post(1, '<b class="x">Vote: Elm</b>'), pages=1))
    read(store, chunk(1, post(1, "<b>Vote: Elm</b>"), pages=1), hours=1)
    assert store.changes(URL) == ()
    assert len(store.versions(URL, 1)) == 1


@pytest.mark.parametrize(
    "cite",
    [
        "<cite><span> (<span title='11-18-2026'>{}</span>)</span>Ada Wrote: <a href='#pid3'></a></cite>",
        "<cite><a href='#p3'>Ada</a> wrote: <a href='#p3'>↑</a><div class='responsive-hide'>{}</div></cite>",
        "<cite><a href='#p3'>Quote from: Ada on {}</a></cite>",
    ],
)
def test_a_date_inside_a_quote_is_no_change(store: Store, cite: str) -> None:
    for hours, date in enumerate(("5 minutes ago", "Today at 05:00 PM", "11-18-2026, 06:20 PM")):
        read(store, chunk(1, post(1, f"<blockquote>{cite.format(date)}Hi</blockquote>Ho")), hours=hours)
    assert not store.changes(URL)


def test_bold_taken_away_is_a_change(store: Store) -> None:
    read(store, chunk(1, post(1, "<b>Vote: Elm</b>"), pages=1))
    read(store, chunk(1, post(1, "Vote: Elm"), pages=1), hours=1)
    assert told(store.changes(URL)) == [(1, ChangeKind.CHANGED)]


def test_a_change_of_a_counted_post_says_when_it_was_counted(store: Store) -> None:
    read(store, chunk(1, post(1), post(2), pages=1))
    store.mark_counted(URL, 1, LATER)
    read(store, chunk(1, post(1, "Other"), post(2, "Other"), pages=1), hours=2)
    assert [(change.post.number, change.counted) for change in store.changes(URL)] == [(1, LATER), (2, None)]


def test_a_count_as_of_an_earlier_post_takes_nothing_back(store: Store) -> None:
    read(store, chunk(1, post(1), post(2), pages=1))
    store.mark_counted(URL, 2, AT)
    store.mark_counted(URL, 1, LATER)
    read(store, chunk(1, post(1), post(2, "Other"), pages=1), hours=2)
    assert [change.counted for change in store.changes(URL)] == [AT]


def test_a_version_knows_its_times_its_hashes_and_the_page_it_stood_on(store: Store) -> None:
    page = Response(
        f"{URL}&sid=0123456789abcdef",
        200,
        "<html>raw</html>",
        {"date": "Sat, 21 Nov 2026 11:59:58 GMT"},
        True,
    )
    store.save_page(URL, "phpbb", page, chunk(1, post(1, "one"), pages=1), AT)
    store.finish_read(URL, AT)
    read(store, chunk(1, post(1, "two"), pages=1), hours=1)
    first, second = store.versions(URL, 1)
    assert (first.first_seen, first.superseded, second.superseded) == (AT, LATER, None)
    assert (first.page_url, first.server_date, first.private) == (URL, "Sat, 21 Nov 2026 11:59:58 GMT", True)
    assert (len(first.sha256), len(first.page_sha256 or ""), second.private) == (64, 64, False)


def test_behind_the_place_where_a_read_broke_off_nothing_counts_as_known(store: Store) -> None:
    read(store, chunk(1, post(1), pages=3), chunk(2, post(2), pages=3), chunk(3, post(3), pages=3))
    save(store, chunk(1, post(1), pages=3), LATER)
    found = store.thread(URL)
    assert found is not None
    assert (found.missing, found.whole_to) == (("Pages 2-3 of 3 are missing.",), 1)
    bookmark = store.bookmark(URL)
    assert bookmark is not None
    assert bookmark.page == 1


def test_the_part_before_a_gap_is_whole(store: Store) -> None:
    save(store, chunk(1, post(1), post(2), pages=3))
    save(store, chunk(3, post(5), pages=3))
    found = store.thread(URL)
    assert found is not None
    assert found.whole_to == 2
    save(store, chunk(2, post(3), post(4), pages=3))
    found = store.thread(URL)
    assert found is not None
    assert (found.complete, found.whole_to) == (True, None)


FIRST_SCHEMA = """
CREATE TABLE threads (id INTEGER NOT NULL, url TEXT NOT NULL, platform TEXT NOT NULL, title TEXT NOT NULL,
 pages INTEGER NOT NULL, posts_total INTEGER, PRIMARY KEY (id), UNIQUE (url));
CREATE TABLE pages (id INTEGER NOT NULL, thread INTEGER NOT NULL, number INTEGER NOT NULL, url TEXT NOT NULL,
 status INTEGER NOT NULL, fetched_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, server_date TEXT,
 sha256 TEXT NOT NULL, body BLOB NOT NULL, first_post TEXT, posts_sha256 TEXT NOT NULL, PRIMARY KEY (id),
 FOREIGN KEY(thread) REFERENCES threads (id));
CREATE INDEX pages_of_thread ON pages (thread, number);
CREATE TABLE posts (thread INTEGER NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
 page INTEGER NOT NULL, number INTEGER NOT NULL, author TEXT NOT NULL, author_id TEXT, time INTEGER,
 approximate BOOLEAN NOT NULL,
 body TEXT NOT NULL, sha256 TEXT NOT NULL, url TEXT, edited INTEGER, edit_note TEXT, hidden BOOLEAN NOT NULL,
 first_seen INTEGER NOT NULL, superseded INTEGER, PRIMARY KEY (thread, id, version),
 FOREIGN KEY(thread) REFERENCES threads (id));
CREATE INDEX posts_in_order ON posts (thread, superseded, number);
INSERT INTO threads VALUES (1, 'https://forum.example/viewtopic.php?t=5', 'phpbb', 'A game', 1, 1);
INSERT INTO pages VALUES (1, 1, 1, 'https://forum.example/viewtopic.php?t=5', 200, 1795262400, 1795262400,
 NULL, 'x', x'789c030000000001', '101', 'y');
INSERT INTO posts VALUES (1, '101', 1, 1, 1, 'Ada', NULL, NULL, 0, 'Hello', 'z', NULL, NULL, NULL, 0,
 1795262400, NULL);
PRAGMA user_version = 1;
"""


def columns(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(path) as raw:
        names = [name for (name,) in raw.execute("select name from sqlite_master where type = 'table'")]
        found = {name: raw.execute(f"pragma table_info({name})").fetchall() for name in names}
    return {name: sorted((row[1], row[2], row[3], row[5]) for row in rows) for name, rows in found.items()}


def test_a_database_of_the_first_schema_becomes_one_of_today(tmp_path: Path, store: Store) -> None:
    old = tmp_path / "old.db"
    with sqlite3.connect(old) as raw:
        raw.executescript(FIRST_SCHEMA)
    raw.close()
    found = Store.open(old).thread(URL)
    assert found is not None
    assert [one.body for one in found.posts] == ["Hello"]
    store.database.prepare()
    assert columns(old) == columns(store.database.path)
    with sqlite3.connect(old) as raw:
        assert raw.execute("pragma user_version").fetchone() == (VERSION,)


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old.db"
    with sqlite3.connect(old) as raw:
        raw.executescript(FIRST_SCHEMA)
    raw.close()
    before = columns(old)
    steps = (("ALTER TABLE threads ADD COLUMN counted_to INTEGER",) * 2,)
    monkeypatch.setattr("knightfall.storage.database.STEPS", steps)
    with pytest.raises(Exception, match="duplicate column"):
        Store.open(old)
    assert columns(old) == before
