"""`knightfall put-away`: a game that is put away, brought back, and deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from begun import new_game
from command_line import run
from knightfall.errors import InputError
from knightfall.services.game.shelf import is_put_away


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    return new_game(tmp_path / "duel", "knight-fight", "Ada", "Boro")


def test_a_game_is_put_away_and_brought_back_by_one_verb(duel: Path) -> None:
    assert run("put-away", "--game", str(duel)).stdout == "duel is put away.\n"
    assert is_put_away(duel)
    assert run("put-away", "--back", "--game", str(duel)).stdout == "duel is listed again.\n"
    assert not is_put_away(duel)


def test_a_game_is_deleted_where_its_name_is_typed_and_its_owners_files_stay(duel: Path) -> None:
    (duel / "notes.txt").write_text("mine", encoding="utf-8")
    refused = run("put-away", "--delete", "dual", "--game", str(duel))
    assert isinstance(refused.exception, InputError)
    assert "You typed “dual”, expected duel. Nothing was deleted." in str(refused.exception)
    both = run("put-away", "--back", "--delete", "duel", "--game", str(duel))
    assert isinstance(both.exception, InputError)
    assert (duel / "game.db").exists()
    done = run("put-away", "--delete", "duel", "--game", str(duel))
    assert done.exit_code == 0
    assert "duel is deleted." in done.stdout
    assert "stay: notes.txt" in done.stderr
    assert [one.name for one in duel.iterdir()] == ["notes.txt"]
