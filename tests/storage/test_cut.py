"""What was cut or changed by hand is found: a journal's end, all of it, what is kept of threads and reads."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from knightfall.engine.entries import Fixed
from knightfall.errors import StateDamaged
from knightfall.storage.database import Database
from knightfall.storage.ledger import Ledger
from storage.test_seals import faults, filled
from storage.test_store import AT


def changed(folder: Path, statement: str) -> Path:
    path = filled(folder / "game.db")
    with sqlite3.connect(path) as raw:
        assert raw.execute(statement).rowcount > 0
    raw.close()
    return path


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM journal WHERE number = (SELECT MAX(number) FROM journal)",
        "DELETE FROM journal WHERE number > 1",
        "DELETE FROM journal",
    ],
)
def test_a_journal_that_was_cut_is_damage_and_nothing_is_counted_without_it(
    tmp_path: Path, statement: str
) -> None:
    path = changed(tmp_path, statement)
    assert "entry 4 was written last" in faults(path)[0]
    ledger = Ledger(Database.open(path))
    with pytest.raises(StateDamaged, match="The journal was cut"):
        ledger.records()
    ledger.close()


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(("threads", name) for name in ("platform", "title", "pages", "posts_total", "zone")),
        *(("threads", name) for name in ("counted_to", "counted_at")),
        *(("reads", name) for name in ("began", "finished")),
    ],
)
def test_a_value_of_a_thread_or_a_read_that_was_changed_is_found(
    tmp_path: Path, table: str, column: str
) -> None:
    path = changed(tmp_path, f"UPDATE {table} SET {column} = 77")
    assert [fault for fault in faults(path) if fault.startswith("What is kept of")]


def test_a_journal_that_goes_on_after_an_older_knightfall_is_whole(tmp_path: Path) -> None:
    path = changed(tmp_path, "DELETE FROM notices WHERE key = 'journal head'")
    assert faults(path) == ()
    ledger = Ledger(Database.open(path))
    ledger.append(Fixed("1", "ignore", "clear"), AT, "Wren")
    assert len(ledger.records()) == 5
    ledger.close()
