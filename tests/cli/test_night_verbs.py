"""A night file of common roles: resolved, explained, varied, and a ring of actions put to the moderator."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app

DEMO = Path(__file__).parents[2] / "fixtures" / "demo" / "custom.toml"
RING = """
kind = "custom_mafia"
night = 1
[roles]
Ada = "Town Roleblocker"
Boro = "Mafia Roleblocker"
Fen = "Cop"
Gus = "Tracker"
[actions]
Ada = "block Boro"
Boro = "block Ada"
Fen = "cop Boro"
Gus = "track Ada"
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_the_demo_tells_what_was_turned_and_who_died_of_what() -> None:
    told = run("resolve", str(DEMO)).stdout
    assert "mafia kill Gale → Ada" in told
    assert "Cinder dies: Cinder: heal Boro – weak, and the target is of another side" in told
    assert "Fen is told: cop Boro: Guilty" in told
    assert max(map(len, told.splitlines())) <= 80


def test_why_goes_from_the_stopped_kill_to_the_roleblock() -> None:
    told = run("why", "Ada", str(DEMO)).stdout
    assert "Ada lived" in told
    assert "CM-R4" in told


def test_without_the_doctor_nobody_dies() -> None:
    assert "Cinder lives" in run("whatif", str(DEMO), "remove Cinder:heal").stdout


def test_a_ring_is_a_question_with_every_reading_until_the_file_rules(tmp_path: Path) -> None:
    file = tmp_path / "ring.toml"
    file.write_text(RING, encoding="utf-8")
    asked = run("resolve", str(file))
    assert (asked.exit_code, asked.stdout) == (1, "")
    question = str(asked.exception)
    for line in ("rule 1", "rule 2", "rule 3", "none of them happens", "Fen: cop Boro: Guilty"):
        assert line in question
    file.write_text(RING + '[rulings]\n"Ada:roleblock Boro:roleblock" = "Ada:roleblock"\n', encoding="utf-8")
    assert "roleblock Ada   failed" in run("resolve", str(file)).stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('Fen = "Copp"', "roles.Fen"),
        ("Fen = 3", "roles.Fen: found 3"),
        ('lovers = "Ada"', "lovers: found 'Ada'"),
        ("[rulings]\nring = 3", "rulings.ring: found 3"),
        ("[shots]\nFen = { fly = 1 }", "shots.Fen.fly"),
    ],
    ids=["role", "number", "lovers", "rulings", "shots"],
)
def test_a_wrong_key_is_named(line: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "night.toml"
    text = RING.replace('Fen = "Cop"', line) if line.startswith("Fen") else RING
    text = text.replace("night = 1", f"night = 1\n{line}") if line.startswith("lovers") else text
    file.write_text(text + (line if line.startswith("[") else ""), encoding="utf-8")
    assert told in str(run("resolve", str(file)).exception)
