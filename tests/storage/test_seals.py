"""A single changed byte of what is kept is found, wherever it is: in a record, a page or a post."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from knightfall.engine.entries import Drawn, Fixed, Published, Started, Submitted
from knightfall.errors import InputError, Overtaken, StateDamaged
from knightfall.sentence import SlotId
from knightfall.storage.audit import audit
from knightfall.storage.checksums import OVER, broken_seals, seal_of
from knightfall.storage.database import Database
from knightfall.storage.ledger import Ledger
from knightfall.storage.links import Links, broken_link
from knightfall.storage.store import Store
from storage.test_store import AT, URL, chunk, post, save

TABLES = ("journal", "pages", "posts")


def filled(path: Path) -> Path:
    """A file with four records, three pages, and posts of which one was edited and one is gone."""
    store = Store.open(path)
    save(store, chunk(1, post(1, "Vote: Elm"), post(2), pages=2))
    save(store, chunk(2, post(3), pages=2))
    store.finish_read(URL, AT)
    save(store, chunk(1, post(1, "Vote: Zoë"), pages=2), AT + timedelta(hours=1))
    store.close()
    ledger = Ledger.open(path)
    for entry in (
        Submitted(SlotId("Zoë"), "VOTE: Elm\nand more", "7"),
        Fixed("1", "vote Elm", "clear"),
        Drawn("tie", 3),
        Published("votecount-1", 1, "0" * 64, "[b]Elm[/b] (1)", "3"),
    ):
        ledger.append(entry, AT, "Wren")
    ledger.close()
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = filled(tmp_path_factory.mktemp("whole") / "game.db")
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw.execute("PRAGMA journal_mode=DELETE")
    raw.close()
    return path.read_bytes()


def faults(path: Path) -> tuple[str, ...]:
    database = Database.open(path)
    try:
        return audit(database).faults
    finally:
        database.close()


def changed(value: object, place: int, bit: int) -> object:
    """The value with one byte of it changed; a number with one bit."""
    if isinstance(value, int):
        return value ^ (1 << bit)
    data = bytearray(value if isinstance(value, bytes) else str(value).encode())
    data[place % len(data)] ^= 1 << bit
    return bytes(data)


def test_what_was_kept_has_nothing_wrong_with_it(tmp_path: Path) -> None:
    found = audit(Database.open(filled(tmp_path / "game.db")))
    assert (found.entries, found.pages, found.posts, found.unsealed, found.faults) == (4, 3, 4, 0, ())


@pytest.mark.parametrize("table", TABLES)
def test_a_single_changed_byte_is_found_in_every_column_of_every_row(
    whole: bytes, tmp_path: Path, table: str
) -> None:
    path, chance = tmp_path / "game.db", Random(table)
    path.write_bytes(whole)
    database = Database.open(path)
    with sqlite3.connect(path, isolation_level=None) as raw:
        raw.execute("PRAGMA foreign_keys=OFF")
        found = raw.execute(f"SELECT rowid, * FROM {table}")
        names = [column[0] for column in found.description]
        for place, *values in found.fetchall():
            for name, value in zip(names[1:], values, strict=True):
                if value in (None, "") or (table, name) in PLACES:
                    continue
                bit = 6 if name == "id" else chance.randrange(7)
                other = changed(value, chance.randrange(5000), bit)
                put(raw, table, name, place, other, type(value))
                assert audit(database).faults, f"{table}.{name} of row {place}: {value!r} became {other!r}"
                put(raw, table, name, place, value, type(value))
    assert audit(database).faults == ()
    raw.close()


def put(raw: sqlite3.Connection, table: str, name: str, place: int, value: object, kind: type) -> None:
    """The value into the column of a row, as text where it was text, whatever bytes it holds."""
    how = "CAST(? AS TEXT)" if kind is str else "?"
    raw.execute(f'UPDATE {table} SET "{name}" = {how} WHERE rowid = ?', (value, place))


PLACES = {("pages", "id"), ("journal", "number")}
"""Where a row lies; a test of its own moves one."""


@pytest.mark.parametrize(("table", "key"), [("journal", "number"), ("pages", "id")])
def test_a_row_with_another_key_is_found(whole: bytes, tmp_path: Path, table: str, key: str) -> None:
    path = tmp_path / "game.db"
    path.write_bytes(whole)
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA foreign_keys=OFF")
        raw.execute(f"UPDATE {table} SET {key} = {key} + 64 WHERE {key} = 2")
    raw.close()
    assert faults(path)


def test_evidence_of_an_older_knightfall_is_checked_by_its_text(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.db")
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE posts SET seal = NULL")
        raw.execute("UPDATE pages SET seal = NULL")
        raw.execute("DELETE FROM notices WHERE key = 'evidence head'")
        raw.execute("DELETE FROM links")
    raw.close()
    found = audit(Database.open(path))
    assert (found.unsealed, found.faults) == (7, ())
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE posts SET body = 'Vote: Fen' WHERE version = 2")
    raw.close()
    assert faults(path) == ("Post 1 (id 101, version 2) of thread 1 was changed or damaged.",)


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ("DELETE FROM posts WHERE id = '103'", "1 version of a post is gone that had been kept."),
        ("DELETE FROM posts", "4 versions of a post are gone that had been kept."),
        ("DELETE FROM pages WHERE number = 2", "1 page is gone that had been kept."),
        ("DELETE FROM reads", "2 reads are gone that had been kept."),
        ("DELETE FROM threads", "1 thread is gone that had been kept."),
        ("UPDATE posts SET seal = NULL", "4 rows of the evidence have no seal, and each had one."),
        ("UPDATE reads SET seal = NULL", "2 rows of the evidence have no seal, and each had one."),
        ("UPDATE notices SET words = '{' WHERE key = 'evidence head'", "noted of the evidence was changed"),
        (
            "INSERT INTO reads (thread, began) VALUES (1, 1)",
            "1 read is there that nobody kept.",
        ),
    ],
)
def test_evidence_that_is_gone_or_has_lost_its_seal_is_missed(tmp_path: Path, done: str, told: str) -> None:
    path = filled(tmp_path / "game.db")
    assert faults(path) == ()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute(done)
    raw.close()
    assert any(told in fault for fault in faults(path)), faults(path)


def promised(path: Path) -> Path:
    """The same file, with a game that began when all in it had a seal."""
    ledger = Ledger.open(filled(path))
    ledger.append(Started("knight_errant", (SlotId("Zoë"),), sealed=True), AT, "Wren")
    ledger.close()
    return path


NO_NOTE = "DELETE FROM notices WHERE key = 'evidence head'"


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ((NO_NOTE,), "The note on how much evidence there is was taken away."),
        (("DELETE FROM links",), "The chain of the evidence was taken away."),
        ((NO_NOTE, "DELETE FROM links"), "The chain of the evidence was taken away."),
        (
            (NO_NOTE, "UPDATE posts SET seal = NULL"),
            "4 rows of the evidence have no seal, and each had one.",
        ),
        (
            ("DELETE FROM notices WHERE key = 'journal head'",),
            "last entry of the journal was taken away",
        ),
    ],
)
def test_in_a_game_that_began_sealed_no_note_and_no_seal_can_be_missing(
    tmp_path: Path, done: tuple[str, ...], told: str
) -> None:
    path = promised(tmp_path / "game.db")
    assert faults(path) == ()
    with sqlite3.connect(path) as raw:
        for statement in done:
            assert raw.execute(statement).rowcount > 0
    raw.close()
    assert any(told in fault for fault in faults(path)), faults(path)


def test_a_row_whose_seal_was_computed_anew_breaks_the_chain(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.db")
    with sqlite3.connect(path) as raw:
        raw.row_factory = sqlite3.Row
        for table, change in (
            ("posts", "UPDATE posts SET body = 'Vote: Fen' WHERE version = 2"),
            ("pages", "UPDATE pages SET number = 1"),
        ):
            raw.execute("SAVEPOINT whole")
            raw.execute(change)
            for row in raw.execute(f"SELECT rowid AS place, * FROM {table}").fetchall():
                seal = seal_of([row[name] for name in OVER[table]])
                raw.execute(f"UPDATE {table} SET seal = ? WHERE rowid = ?", (seal, row["place"]))
            assert all(holds for _, holds in broken_seals(raw, table))
            assert "of the evidence does not hold" in str(broken_link(raw))
            raw.execute("ROLLBACK TO whole")
        assert broken_link(raw) is None
    raw.close()


def test_rows_that_are_gone_with_the_note_on_them_break_the_chain(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.db")
    with sqlite3.connect(path) as raw:
        raw.execute("DELETE FROM posts WHERE rowid = (SELECT MAX(rowid) FROM posts)")
        raw.execute(NO_NOTE)
    raw.close()
    assert any("Link 3 of the evidence does not hold" in fault for fault in faults(path))


def test_each_save_that_adds_something_is_a_link_and_an_older_file_is_all_sealed_by_its_first(
    tmp_path: Path,
) -> None:
    path = filled(tmp_path / "game.db")
    links = Links.open(path).all()
    assert [dict(link.rows) for link in links] == [
        {"threads": 0, "reads": 0, "pages": 0, "posts": 0},
        {"threads": 1, "reads": 1, "pages": 1, "posts": 2},
        {"threads": 1, "reads": 1, "pages": 2, "posts": 3},
        {"threads": 1, "reads": 2, "pages": 3, "posts": 4},
    ]
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TABLE links")
        raw.execute("PRAGMA user_version = 7")
    raw.close()
    assert faults(path) == ()
    store = Store.open(path)
    save(store, chunk(2, post(3, "Vote: Elm"), pages=2), AT + timedelta(hours=2))
    store.close()
    assert [link.rows["posts"] for link in Links.open(path).all()] == [0, 5]
    assert faults(path) == ()


def test_who_was_overtaken_writes_nothing(tmp_path: Path) -> None:
    ledger = Ledger.open(filled(tmp_path / "game.db"))
    with pytest.raises(Overtaken, match="read up to entry 3 and has 4 now"):
        ledger.append(Drawn("tie", 1), AT, "Pike", expected=3)
    assert len(ledger.records()) == 4
    assert ledger.append(Drawn("tie", 1), AT, "Pike", expected=4).number == 5


def test_records_that_do_not_follow_are_not_taken(tmp_path: Path) -> None:
    here, there = Ledger.open(filled(tmp_path / "a.db")), Ledger.open(filled(tmp_path / "b.db"))
    there.append(Drawn("tie", 1), AT, "Pike")
    last = there.append(Drawn("tie", 2), AT, "Pike")
    with pytest.raises(StateDamaged, match="Record 5"):
        here.extend((last,), 4)
    assert len(here.records()) == 4
    here.extend(there.records()[4:], 4)
    assert here.records() == there.records()


def test_a_full_disk_and_a_read_only_file_are_no_damage(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.db")
    ledger = Ledger.open(path)
    with ledger.database.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(InputError, match=r"the disk is full\. Nothing was written\. Free some space"):
        ledger.append(Submitted(SlotId("Zoë"), "x" * 50_000), AT, "Wren")
    assert len(ledger.records()) == 4
    with ledger.database.reading() as connection:
        connection.execute("PRAGMA query_only = ON")
    with pytest.raises(InputError, match=r"read-only for you\. Nothing was written"):
        ledger.append(Drawn("tie", 1), AT, "Wren")


@pytest.mark.parametrize("column", ["zone", "time", "author", "approximate", "raw", "edit_note"])
def test_a_changed_column_of_a_post_is_found(tmp_path: Path, column: str) -> None:
    path = filled(tmp_path / "game.db")
    with sqlite3.connect(path) as raw:
        assert raw.execute(f"UPDATE posts SET {column} = '7' WHERE version = 1").rowcount
    raw.close()
    assert any("Post 1" in fault for fault in faults(path)), faults(path)


def test_a_seal_from_before_zones_were_sealed_still_holds(tmp_path: Path) -> None:
    path = filled(tmp_path / "game.db")
    with sqlite3.connect(path) as raw:
        raw.row_factory = sqlite3.Row
        for row in raw.execute("SELECT rowid AS place, * FROM posts").fetchall():
            seal = seal_of([row[name] for name in OVER["posts"]])
            raw.execute("UPDATE posts SET seal = ? WHERE rowid = ?", (seal, row["place"]))
    raw.close()
    assert faults(path) == ()
