"""An entry's number is never its place: a journal may lack what was undone, or stand in the order of play."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.engine.journal import before_entry, behind_entry, entry_of, standing
from knightfall.errors import StateDamaged
from knightfall.games import game_ids
from knightfall.services.game.players import modkill, note_absence, replace_player
from knightfall.services.game.undo import undo
from knightfall.services.journal import rule
from knightfall.services.keep.verify import verify_game
from knightfall.services.now import now_of
from knightfall.services.session import journal_of
from services.test_people_posts import AS_IS, begun


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", game_ids())
def test_everything_is_checked_after_something_was_undone_and_somebody_left(
    tmp_path: Path, kind: str
) -> None:
    session = begun(kind, tmp_path / "harbour")
    modkill("Boro", None, "a slip", AS_IS, session)
    undo(journal_of(session)[-1].number, "oops", session)
    modkill("Ada", None, "real", AS_IS, session)
    if now_of(session).running.windows:
        note_absence("Boro", "2026-12-01", AS_IS, session)
        replace_player("Boro", "Zed", None, "", AS_IS, session)
    found = verify_game(session)
    assert found.exit_status == 0, (found.damaged, found.texts, found.missing)


def test_records_are_found_by_number_in_every_order(tmp_path: Path) -> None:
    session = begun("custom_mafia", tmp_path / "harbour")
    for number in range(5):
        rule(f"Question {number}?", "Yes.", "so", session)
    undo(3, "oops", session)
    journal = journal_of(session)
    for filtered in (journal, standing(journal), journal[::-1]):
        for record in filtered:
            assert entry_of(filtered, record.number) == record
            assert {one.number for one in before_entry(filtered, record.number)} == {
                one.number for one in filtered if one.number < record.number
            }
            assert record not in behind_entry(filtered, record.number)
    for number in (0, -1, 3, 99):
        with pytest.raises(StateDamaged, match=f"no entry {number}"):
            entry_of(standing(journal), number)
