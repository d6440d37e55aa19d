"""The rulings of a game as a statement of compliance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knightfall.engine.game import Spec
from knightfall.engine.json_text import as_object
from knightfall.errors import InputError, SetupError
from knightfall.games import GAMES
from knightfall.services.game.lookups import rulings


@pytest.mark.parametrize("spec", [game.spec for game in GAMES], ids=lambda spec: spec.id)
def test_every_option_stands_with_its_ruling_in_80_columns(spec: Spec) -> None:
    sheet = json.loads(as_object(rulings(spec.id).to_dict()))["rulings"]
    assert {o["name"] for entry in sheet for o in entry["options"]} == {
        option.name for option in spec.options
    }
    assert all(
        o["chosen"] == o["default"] == spec.begun_with.get(o["name"], o["values"][0])
        for entry in sheet
        for o in entry["options"]
    )
    assert all(len(line) <= 80 for line in str(rulings(spec.id).report().text()).splitlines())


def test_every_game_on_board_has_rulings() -> None:
    assert all(rulings(game.spec.id).rulings for game in GAMES)


@pytest.mark.parametrize(("game", "count"), [("knight-errant", 44), ("empowered", 33)])
def test_every_number_has_its_line_in_order(game: str, count: int) -> None:
    sheet = json.loads(as_object(rulings(game).to_dict()))["rulings"]
    assert [int(entry["ruling"].partition("R")[2]) for entry in sheet] == list(range(1, count + 1))
    assert all(entry["text"].endswith(".") for entry in sheet)


def test_a_folder_shows_what_was_chosen_there(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(
        'schema = 1\n[game]\nkind = "knight_errant"\n[game.options]\nke_r5 = "works"\nsetup = "a1-rd"\n'
    )
    text = str(rulings("Knight-Errant", tmp_path).report().text())
    assert "ke_r5 = works (chosen here); else: fails" in text
    assert "setup = A1-RD (chosen here); else: one of 48" in text
    assert "ke_r2 = simultaneous (default); else: chain" in text
    with pytest.raises(SetupError, match=r"game\.kind: found 'knight_errant', expected 'empowered'"):
        rulings("empowered", tmp_path)


def test_an_option_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(
        'schema = 1\n[game]\nkind = "empowered"\n[game.options]\nem_r32 = "all_hold"\n'
    )
    with pytest.raises(InputError, match="has no option “em_r32”"):
        rulings("empowered", tmp_path)


def test_an_unknown_game_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match="Games that have them: knight_errant"):
        rulings("chess")


def test_what_a_new_game_begins_with_is_told_as_its_default() -> None:
    told = str(rulings("kings-court").report().text())
    assert "first_deadline = from_start (default); else: unset" in told
    assert "seeds = each_attempt (default); else: one" in told
