"""Records on the command line: played again, asked for moves, drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.engine.lookup import Answer
from knightfall.errors import InputError
from knightfall.services.games import ask


def replay(record: Path, turn: int | None = None, every: bool = False) -> Answer:
    return ask("knight_fight", "replay", {"record": str(record), "turn": turn, "every": every})


def legal_moves(record: Path) -> Answer:
    return ask("knight_fight", "moves", {"record": str(record)})


BEGUN = "Anomalies: T\nX: C3 D3 E3 G5\nO: G6\n1. X F3 5 s\n"
PAINTED = "Anomalies: CS\nX: f6\nO: G6 H8\nLatest: - H8\nColours: " + " ".join(["RBYRBYRBYRBY"] * 11) + "\n"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "bout.txt"
    path.write_text(BEGUN, encoding="utf-8")
    return path


def test_the_board_after_the_last_turn_with_points_and_who_is_next(record: Path) -> None:
    lines = replay(record).text().splitlines()
    assert lines[0] == "1. X F3 5 s"
    assert lines[4] == " 3  . . X X X X . . . . . ."
    assert lines[-2:] == ["Points: X 2, O 0.", "O to move."]


def test_each_turn_or_one(record: Path) -> None:
    assert replay(record, every=True).text().count("A B C D E F G H I J K L") == 2
    assert "F3" not in replay(record, 0).text()
    with pytest.raises(InputError, match="turn 7 is asked for"):
        replay(record, 7)


def test_legal_moves_and_a_warning(record: Path) -> None:
    assert legal_moves(record).text().startswith("O has 8 legal moves: E5 E7 F4 F8 H4 H8 I5 I7")
    record.write_text("X: C3 D3 E3 H4\nO: G6\n", encoding="utf-8")
    assert "X is one move from four in a row." in legal_moves(record).text()


def test_a_position_of_sickness_and_colours(record: Path) -> None:
    record.write_text(PAINTED, encoding="utf-8")
    said = legal_moves(record).text()
    assert "F6>D5" in said and "X may not place on blue." in said


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture_by_its_ending(record: Path, ending: str) -> None:
    out = record.parent / f"board.{ending}"
    result = CliRunner().invoke(app, ["replay", str(record), "--out", str(out)])
    assert result.exit_code == 0
    assert out.read_bytes()[:4] in (b"<svg", b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("X: F6\nhello", "line 2"),
        ("Horses: F6", "unknown key"),
        ("X: Z9", "no square"),
        ("1. X F6", "OCCUPIED"),
        ("1. X E4\n2. X D7", "out of order"),
        ("1. X", "line 1"),
        ("X: C3 D3 E3 G5\nO: L11\n1. X F3\n2. O J10", "after the end"),
        ("Colours: RBY", "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_said(record: Path, text: str, why: str) -> None:
    record.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        replay(record)


def test_a_missing_file_and_another_ending(record: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        legal_moves(record.parent / "none.txt")
    gif = CliRunner().invoke(app, ["replay", str(record), "--out", str(record.parent / "board.gif")])
    assert isinstance(gif.exception, InputError)
    assert "must end in .svg or .png" in str(gif.exception)


def test_the_bout_that_is_being_played_is_asked_by_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*words: str) -> Result:
        return CliRunner().invoke(app, list(words))

    bout = tmp_path / "bout"
    assert run("new", "knight-fight", "Ada", "Boro", "--out", str(bout)).exit_code == 0
    monkeypatch.chdir(bout)
    assert "No bout has begun" in str(run("moves", ".").exception)
    run("submit", "Ada", "SIDE: X")
    run("submit", "Ada", "F6>E4")
    assert "1. X F6>E4" in run("replay", ".").stdout or "1. X E4" in run("replay", ".").stdout
    assert "O has 8 legal moves" in run("moves", "game.toml").stdout
    run("new", "knights-duty", "Ada", "Boro", "--out", str(tmp_path / "duel"))
    assert "holds a game of Knight's Duty" in str(run("moves", str(tmp_path / "duel")).exception)
