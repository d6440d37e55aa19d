"""The game as it stands is read once for a request, and again as soon as anybody wrote something."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import time_ns

import pytest

from begun import begin
from knightfall.engine.entries import Ruled
from knightfall.errors import DecisionNeeded, StateDamaged
from knightfall.services import session as sessions
from knightfall.services.machine import session_of
from knightfall.services.now import now_of, session_then
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import Seen, Session, entered, game_files, journal_of
from services.journal_folder import COURT

SAID = Ruled("Who begins?", "Ada", "alphabet")
HOUR = 3_600_000_000_001


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "court"
    begin(NewGameRequest("kings_court", COURT, place, b"1" * 32, b"salt" * 8), session_of(place))
    for file in game_files(place):  # written a while ago
        if file.exists():
            os.utime(file, ns=(time_ns() - HOUR, time_ns() - HOUR))
    return place


@contextmanager
def opened(session: Session) -> Iterator[tuple[Session, list[str]]]:
    """The session, and each opening of its journal."""
    times = list[str]()

    def ledger() -> sessions.Ledger:
        assert session.ledger is not None
        times.append("opened")
        return session.ledger()

    yield replace(session, ledger=ledger), times


def test_a_game_is_read_once_however_often_it_is_asked_for(folder: Path) -> None:
    with opened(session_of(folder)) as (session, times):
        first = now_of(session)
        assert first.begun and first.table is first.running and first.setup is now_of(session).setup
        assert now_of(session) is first and journal_of(session) is first.journal
        assert times == ["opened"]
        # Another request takes it over, as long as nobody wrote.
        later = replace(session, seen=session.seen.for_another(lambda _: None, 1))
        assert now_of(later).running is first.running and now_of(later).session is later
        assert times == ["opened"]


def test_what_somebody_else_writes_is_seen_at_the_next_look(folder: Path) -> None:
    session = session_of(folder)
    before = now_of(session)
    record = entered(SAID, session_of(folder))
    assert now_of(session).journal == (*before.journal, record)
    # Who holds on to what stood before has it still.
    assert before.journal == now_of(session).journal[:-1]


def test_an_own_entry_is_seen_at_the_next_look(folder: Path) -> None:
    session = session_of(folder)
    before = len(now_of(session).journal)
    entered(SAID, session)
    assert len(now_of(session).journal) == before + 1
    assert now_of(session).standing[-1].entry == SAID


def test_two_writes_of_the_same_instant_are_both_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, stamps = session_of(folder), ((time_ns(), 1),)
    session = replace(session, written=lambda: stamps)  # as coarse clocks would have it
    monkeypatch.setattr(sessions, "time_ns", lambda: stamps[0][0] + 1)
    for size in range(3):
        number = len(now_of(session).journal)
        assert number == len(session_of_journal(folder)), size
        entered(replace(SAID, question=f"{size}?"), session_of(folder))


@pytest.mark.parametrize("clock", [1_700_000_000_000_000_000, 0], ids=["whole seconds", "no files"])
def test_a_clock_that_tells_no_parts_of_a_second_is_not_relied_on(folder: Path, clock: int) -> None:
    session = replace(session_of(folder), written=lambda: ((clock, 1),))
    before = len(now_of(session).journal)
    entered(SAID, session_of(folder))
    assert len(now_of(session).journal) == before + 1


def session_of_journal(folder: Path) -> tuple[object, ...]:
    """The journal as a new session reads it."""
    return journal_of(session_of(folder))


def test_a_file_that_is_edited_is_read_again_and_says_what_it_says_then(folder: Path) -> None:
    session, file = session_of(folder), folder / "game.toml"
    title = now_of(session).setup.title
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r'title = ".*"', 'title = "Other"', text), encoding="utf-8")
    assert now_of(session).file.title == now_of(session).setup.title == "Other" != title
    file.write_text(text.replace("[[player]]", '[[player]]\nname = "Zed"\n\n[[player]]', 1), encoding="utf-8")
    with pytest.raises(DecisionNeeded, match="does not match the game that was started"):
        _ = now_of(session).running
    file.write_text(text, encoding="utf-8")
    assert now_of(session).running.windows


def test_a_deal_that_is_damaged_meanwhile_is_refused(folder: Path) -> None:
    session = session_of(folder)
    assert now_of(session).running.windows
    (folder / "private" / "deal.json").write_text("{", encoding="utf-8")
    with pytest.raises(StateDamaged, match="was changed or damaged"):
        _ = now_of(session).running


def test_the_past_has_its_own_journal_beside_the_present(folder: Path) -> None:
    session = session_of(folder)
    first = now_of(session).journal
    entered(SAID, session)
    then = session_then(session, first, first[-1].at)
    for _ in range(2):
        assert now_of(then).journal == first
        assert len(now_of(session).journal) == len(first) + 1


def test_without_files_that_tell_it_is_read_for_each_look(folder: Path) -> None:
    with opened(replace(session_of(folder), written=sessions.unseen)) as (session, times):
        assert now_of(session).journal == now_of(session).journal
        assert times == ["opened"] * 2
    assert Seen().stamp is None
