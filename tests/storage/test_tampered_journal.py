"""A journal that somebody changed in its database or its export is refused, with exit status 7."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.tampering import KINDS, Tampering, own_hash, played, tamperings
from knightfall.engine.entries import Submitted, encode
from knightfall.engine.journal import Journal, Record, append, verify
from knightfall.errors import StateDamaged
from knightfall.services.journal import line_of, read_records
from knightfall.services.keep.verify import verify_game
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.requests import PostRequest
from knightfall.services.session import journal_of
from knightfall.storage.audit import audit
from knightfall.storage.database import Database
from knightfall.storage.ledger import HEAD, Ledger
from services.journal_folder import run
from web.twins import TWINS, still


def lay(file: Path, journal: Journal, head: Record | None = None) -> None:
    """Put a journal into a database past every check, as anybody can who knows its tables; the note on the
    last record is that of `head` (None: of the last one)."""
    rows = [
        (one.number, one.at.isoformat(), one.author, json.dumps(encode(one.entry), ensure_ascii=False))
        for one in journal
    ]
    last = head or journal[-1]
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("DELETE FROM journal")
        raw.executemany(
            "INSERT INTO journal (number, at, author, entry, before, digest) VALUES (?, ?, ?, ?, ?, ?)",
            [(*row, one.before, one.digest) for row, one in zip(rows, journal, strict=True)],
        )
        raw.execute("UPDATE notices SET words = ? WHERE key = ?", (f"{last.number} {last.digest}", HEAD))


@pytest.fixture(scope="module", params=KINDS)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the journal of a whole game in it; its folder is called as the game is."""
    folder = tmp_path_factory.mktemp("kept") / request.param
    folder.mkdir()
    ledger = Ledger.open(folder / "game.db")
    ledger.extend(played(request.param), 0)
    ledger.close()
    return Path(folder)


def records(file: Path, known: Journal = ()) -> Journal:
    ledger = Ledger.open(file)
    try:
        return ledger.records(known)
    finally:
        ledger.close()


def renumbered(journal: Journal) -> Journal:
    """Records in the order in which they lie, which a table has by their numbers: each with the hash of what
    it says now."""
    return tuple(own_hash(replace(record, number=number)) for number, record in enumerate(journal, start=1))


@pytest.mark.few(2)
def test_whatever_is_done_to_the_records_of_a_database_nobody_opens_it(kept: Path) -> None:
    whole = played(kept.name)
    file = kept / "game.db"

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(tamperings(kept.name), st.booleans(), st.booleans())
    def refused(tampering: Tampering, in_place: bool, with_head: bool) -> None:
        forged = tampering.done() if in_place else renumbered(tampering.done())
        numbers = [one.number for one in forged]
        assume(forged != whole and numbers == sorted(set(numbers)))  # others are no rows of that table
        lay(file, forged, None if with_head else whole[-1])
        with pytest.raises(StateDamaged, match=r"of the journal was changed or damaged|journal was cut"):
            records(file)
        # What was read whole before is not trusted for what lies behind it.
        with pytest.raises(StateDamaged):
            records(file, whole[: tampering.one])

    refused()
    lay(file, whole)
    assert records(file) == whole


def test_a_tampered_database_ends_every_verb_with_status_7(tmp_path: Path) -> None:
    TWINS["kings_court"](tmp_path / "court", 0)
    folder = tmp_path / "court"
    whole = journal_of(still(folder))
    assert run("status", "--game", str(folder)).exit_code == 0
    lay(folder / "game.db", renumbered((*whole[:3], whole[4], whole[3], *whole[5:])))
    for verb in ("status", "log", "missing", "verify", "pm roles", "undo 2", "submit Ada hello"):
        found = run(*verb.split(), "--game", str(folder))
        assert getattr(found.exception, "exit_status", found.exit_code) == 7, verb
    lay(folder / "game.db", whole)
    assert run("status", "--game", str(folder)).exit_code == 0


def test_an_export_that_was_tampered_with_is_not_taken(tmp_path: Path) -> None:
    whole = played("knight_errant")
    file = tmp_path / "journal.jsonl"

    @given(tamperings("knight_errant"))
    def refused(tampering: Tampering) -> None:
        file.write_text("".join(f"{line_of(one)}\n" for one in tampering.done()), encoding="utf-8")
        with pytest.raises(StateDamaged, match="Nothing was imported"):
            read_records(file, drop_torn=False)

    refused()
    file.write_text("".join(f"{line_of(one)}\n" for one in whole), encoding="utf-8")
    assert read_records(file, drop_torn=False).journal == whole


@pytest.fixture
def posted(tmp_path: Path) -> Path:
    """A game of Knight-Errant whose end of the first day went out."""
    folder = tmp_path / "errant"
    TWINS["knight_errant"](folder, 0)
    mark_posted(write_post(PostRequest("end-of-day", stored=True), still(folder)), still(folder))
    return folder


def forged_end(whole: Journal) -> Journal:
    """The journal with another message of the moderator, and all that follows computed anew."""
    [place, *_] = [n for n, one in enumerate(whole) if one.entry == Submitted(None, "no elimination")]
    forged = whole[:place]
    for record in whole[place:]:
        entry = Submitted(None, "eliminate Ada") if record.number == place + 1 else record.entry
        forged = append(forged, entry, record.at, record.author)
    verify(forged)
    return forged


def test_an_end_that_was_computed_anew_is_told_by_the_note_on_the_last_record(posted: Path) -> None:
    whole = journal_of(still(posted))
    lay(posted / "game.db", forged_end(whole), whole[-1])
    with pytest.raises(StateDamaged, match="The journal was cut or changed"):
        journal_of(still(posted))


def test_an_end_that_was_computed_anew_with_its_note_is_told_by_the_posts_that_went_out(posted: Path) -> None:
    assert verify_game(still(posted)).exit_status == 0
    lay(posted / "game.db", forged_end(journal_of(still(posted))))
    found = verify_game(still(posted))
    assert found.exit_status == 1
    assert [one.kind for one in found.different] == ["end-of-day"]


def test_an_audit_names_the_record_that_was_tampered_with(kept: Path) -> None:
    whole, file = played(kept.name), kept / "game.db"
    lay(file, renumbered((*whole[:2], *whole[3:])))
    with closing(Database.open(file)) as database:
        assert "Record 3 of the journal was changed or damaged" in audit(database).faults[0]
    lay(file, whole)
