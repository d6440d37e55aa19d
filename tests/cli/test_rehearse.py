"""`knightfall rehearse`: begins, goes on, and says in a few lines what the players did and what is due."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.cli.ways import in_commands
from knightfall.errors import InputError, StateDamaged
from services.journal_folder import court, run

LINES = 15


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_begins_in_a_folder_of_its_own_and_goes_on_there(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = run("rehearse")
    assert begun.exit_code == 0, begun.output
    assert "cd rehearsal" in begun.stdout
    assert 'title = "Rehearsal"' in (here / "rehearsal/game.toml").read_text("utf-8")
    monkeypatch.chdir(here / "rehearsal")
    for _ in range(3):
        went = run("rehearse")
        assert went.exit_code == 0, went.output
        assert 1 < len(went.stdout.splitlines()) <= LINES
        assert went.stdout.splitlines()[-1].startswith("Next: ")
    counted = run("vc")
    assert "votes need your decision" in str(counted.exception)
    assert "the loud one" in str(counted.exception)
    assert "after the hammer" in counted.output
    assert "Not counted" in counted.output


def test_it_goes_on_in_the_folder_that_is_named(here: Path) -> None:
    assert run("rehearse", "second-try").exit_code == 0
    went = run("rehearse", "second-try")
    assert "In the thread, " in went.stdout
    assert (here / "second-try/private/rehearsal.json").exists()


def test_a_real_game_is_no_rehearsal(here: Path) -> None:
    court(here / "court")
    refused = run("rehearse", "court")
    assert isinstance(refused.exception, InputError)
    assert in_commands(refused.exception.message).endswith("To begin one: knightfall rehearse")


def test_a_torn_record_says_what_to_do(here: Path) -> None:
    run("rehearse")
    (here / "rehearsal/private/rehearsal.json").write_text("{", "utf-8")
    torn = run("rehearse", "rehearsal")
    assert isinstance(torn.exception, StateDamaged)
    assert "Begin another rehearsal" in torn.exception.message
