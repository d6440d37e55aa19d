"""The journal on the disk: what was read and found whole is not read again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.engine.entries import Prodded, Started
from knightfall.errors import Overtaken, StateDamaged
from knightfall.sentence import SlotId
from knightfall.storage.database import update
from knightfall.storage.ledger import HEAD, Ledger

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def filled(path: Path, names: str) -> Ledger:
    ledger = Ledger.open(path)
    for name in names:
        ledger.append(Prodded(SlotId(name)), NOON, "Wren")
    return ledger


def test_what_stands_behind_known_records_is_added_to_them(tmp_path: Path) -> None:
    ledger = filled(tmp_path / "game.db", "abc")
    known = ledger.records()
    assert ledger.records(known) == known
    ledger.append(Prodded(SlotId("d")), NOON, "Wren")
    assert ledger.records(known) == ledger.records()
    assert ledger.records(known)[:3] == known


def test_known_records_of_another_journal_are_not_trusted(tmp_path: Path) -> None:
    known = filled(tmp_path / "one.db", "abc").records()
    other = filled(tmp_path / "other.db", "xyz")
    assert other.records(known) == other.records()
    short = filled(tmp_path / "short.db", "a")
    assert short.records(known) == short.records()


def test_a_record_behind_the_known_ones_that_was_changed_is_found(tmp_path: Path) -> None:
    ledger = filled(tmp_path / "game.db", "abc")
    known = ledger.records()[:2]
    with ledger.database.writing() as connection:
        update(connection, "journal", {"author": "Rook"}, "number = ?", (3,))
    with pytest.raises(StateDamaged, match="Record 3"):
        ledger.records(known)


@pytest.mark.parametrize("expected", [2, 4])
def test_who_knows_fewer_entries_or_more_writes_nothing(tmp_path: Path, expected: int) -> None:
    ledger = filled(tmp_path / "game.db", "abc")
    with pytest.raises(Overtaken):
        ledger.append(Prodded(SlotId("d")), NOON, "Wren", expected)
    assert len(ledger.records()) == 3


@pytest.mark.parametrize("sealed", [True, False])
def test_a_note_on_the_last_entry_that_is_gone_is_missed_where_all_had_one(
    tmp_path: Path, sealed: bool
) -> None:
    ledger = Ledger.open(tmp_path / "game.db")
    ledger.append(Started("votes", (), {}, "", sealed=sealed), NOON, "Wren")
    with ledger.database.writing() as connection:
        connection.execute("DELETE FROM notices WHERE key = ?", (HEAD,))
    if not sealed:
        assert len(ledger.records()) == 1
        return
    with pytest.raises(StateDamaged, match="note on the last entry of the journal was taken away"):
        ledger.records()
