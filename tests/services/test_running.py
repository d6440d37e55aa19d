"""Where a journal leads is remembered between two looks: as long as it is the same one."""

from __future__ import annotations

from pathlib import Path

from begun import begin
from knightfall.engine.entries import Closed
from knightfall.engine.journal import append
from knightfall.services.machine import session_of
from knightfall.services.now import table_with
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import Seen, journal_of
from services.journal_folder import COURT
from services.voting_day import PLAYERS, voting_day


def test_a_journal_that_was_exchanged_for_one_as_long_is_played_anew(tmp_path: Path) -> None:
    day, seen = voting_day(tmp_path, "custom_mafia"), Seen()
    for name in PLAYERS["custom_mafia"][:2]:
        journal = append(day.ledger.journal, Closed("day", f"eliminate {name}"), day.clock.now(), "Wren")
        assert list(table_with(day.folder, journal, seen).state.left) == [name]


def test_what_was_played_by_another_seed_is_played_anew(tmp_path: Path) -> None:
    cards, seen = [], Seen()
    for name, seed in (("one", b"1" * 32), ("two", b"2" * 32)):
        folder = tmp_path / name
        begin(NewGameRequest("kings_court", COURT, folder, seed, b"salt" * 8), session_of(folder))
        kept = journal_of(session_of(tmp_path / "one"))
        cards.append(table_with(folder, kept, seen).state.deal.roles)
    assert cards[0] != cards[1]
