"""Nobody else of the machine can open what a game is kept in, whatever the system would allow by itself."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.services.game.new import begin
from knightfall.services.journal import export_journal
from knightfall.services.keep.hand_over import HandOverRequest, hand_over, write_hand_over
from knightfall.services.keep.passport import passport, write_passport
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.storage.drafts import write_draft
from knightfall.storage.store import Store
from salt_harbour import NAMES

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there a file has no such rights")


@pytest.fixture(autouse=True)
def open_to_everybody() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(place: Path) -> dict[str, str]:
    """What of a folder others may open, and how."""
    found = {one: stat.S_IMODE(one.stat().st_mode) for one in (place, *place.rglob("*"))}
    return {one.name: oct(mode) for one, mode in found.items() if mode != (0o700 if one.is_dir() else 0o600)}


def test_a_game_with_its_exports_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "games" / "harbour"
    request = NewGameRequest("knights_duty", NAMES[:4], folder, b"s" * 32, b"t" * 32, "Harbour")
    begin(request, session_of(folder))
    session = session_of(folder)
    export_journal(folder / "out" / "journal.jsonl", session)
    write_hand_over(hand_over(HandOverRequest(), session), folder / "out" / "hand-over.txt")
    write_passport(passport(session, False, ""), folder / "out" / "passport.json")
    assert modes(tmp_path / "games") == {}
    assert {one.name for one in folder.iterdir()} >= {"game.db", "game.toml", "private", "public", "out"}


def test_a_database_and_what_lies_beside_it_is_its_owners_alone(tmp_path: Path) -> None:
    place = tmp_path / "made" / "here"
    with closing(Store.open(place / "game.db")) as store:
        store.keep_marks({"a": "b"}, datetime(2026, 11, 18, tzinfo=UTC))
        assert modes(tmp_path / "made") == {}
        for mode in ("WAL", "DELETE"):
            with store.database.reading() as connection:
                connection.execute("COMMIT")
                connection.execute(f"PRAGMA journal_mode={mode}")
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("UPDATE notices SET told = told + 1")
                # SQLite has a log beside it now.
                assert len([one for one in place.iterdir() if one.name.startswith("game.db")]) > 1
                assert modes(tmp_path / "made") == {}


def test_a_folder_that_had_to_be_made_for_a_text_is_its_owners_alone(tmp_path: Path) -> None:
    write_draft(tmp_path / "far" / "away", "private", "a.txt", "secret")
    write_draft(tmp_path / "far" / "away", "public", "board.svg", b"<svg/>")
    assert modes(tmp_path / "far") == {}


def test_a_folder_that_is_there_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    write_draft(tmp_path / "shared", ".", "a.txt", "x")
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o755


def test_a_session_that_only_looks_makes_no_file(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    assert session.ledger is not None
    with closing(session.ledger()) as ledger:
        assert ledger.records() == ()
    assert list(tmp_path.iterdir()) == []
