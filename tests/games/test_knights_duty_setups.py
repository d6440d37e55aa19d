"""The boards of Knight's Duty as `knightfall setups` shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knightfall.engine.json_text import as_object
from knightfall.engine.lookup import Answer
from knightfall.errors import InputError
from knightfall.services.games import ask


def setups(game: str, code: str | None = None) -> Answer:
    return ask(game, "setups", {"code": code})


def test_both_printed_boards_are_shown() -> None:
    text = setups("knights-duty").text()
    assert "r4-midedge: hex, 61 spaces, starts A3 purple, C7 red" in text
    assert "\nD  P   .   .   *   .   .   P\n" in text
    told = json.loads(as_object(setups("knights_duty").to_dict()))
    assert [len(board["spaces"]) for board in told["boards"]] == [61, 37]


def test_an_own_board_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "yard.txt"
    file.write_text("# our yard\nsquare\n(P) ( )\n(*) (P)\n", encoding="utf-8")
    assert setups("knights_duty", str(file)).text().splitlines()[1:] == ["A  P   .", "B  *   P"]


def test_what_is_wrong_with_a_board_is_told_with_file_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "yard.txt"
    file.write_text("square\n(P) (x)\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"yard\.txt: The board, line 2, column 5: found “\(x\)”"):
        setups("knights_duty", str(file))
    with pytest.raises(InputError, match="no text file of that name"):
        setups("knights_duty", "r5")
