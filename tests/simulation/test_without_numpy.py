"""An install without the extra `balance`: no simulation, which says what is missing; all else as ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from knightfall.errors import InputError
from knightfall.services.balance import policy_names

ROOT = Path(__file__).parents[2]
SETUP = ROOT / "fixtures/setups/matrix.toml"
MISSING = 'A simulation needs numpy, which is not installed: pip install "knightfall[balance]".'


def bare(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A program that cannot import numpy."""
    code = f'import sys\nsys.modules["numpy"] = None\n{script}'
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)


def knightfall(*words: str) -> subprocess.CompletedProcess[str]:
    return bare("from knightfall.cli import main\nmain()", *words)


def test_everything_is_loaded_without_numpy() -> None:
    script = """
import knightfall as kf
from typer import Context
from typer.main import get_command
from knightfall.cli import app
group = get_command(app)
assert all(getattr(kf, name) is not None for name in kf.__all__)
for verb in group.commands:
    group.get_command(Context(group), verb)
import knightfall.services.balance, knightfall.services.count.recount, knightfall.web.app
"""
    assert bare(script).stderr == ""


@pytest.mark.parametrize(
    "words",
    [["custom-mafia"], [str(SETUP), "--players", "9"], [str(SETUP), "--compare", "knight-errant"]],
    ids=["game", "setup", "compared"],
)
def test_a_simulation_says_in_a_sentence_what_is_missing(words: list[str]) -> None:
    done = knightfall("balance", *words, "--games", "10")
    assert (done.returncode, done.stdout) == (2, "")
    said, _, more = " ".join(done.stderr.split()).partition(" More: ")
    assert said == f"knightfall: {MISSING}"
    assert more.startswith("knightfall help ")


def test_a_program_is_told_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(InputError) as told:
        policy_names()
    assert str(told.value) == MISSING


def test_a_game_that_is_played_by_its_own_rules_is_balanced() -> None:
    done = knightfall("balance", "kings-court", "--games", "2", "--workers", "1", "--json")
    assert '"games": 2' in done.stdout, done.stderr


def test_an_archive_is_counted(tmp_path: Path) -> None:
    line = '{"number": 1, "id": 1, "user": "Ada", "content": "[b]Vote: Boro[/b]", "time": "2026-03-01T10:00"}'
    (tmp_path / "day.jsonl").write_text(f"{line}\n", encoding="utf-8")
    done = knightfall("recount", str(tmp_path), "--workers", "1")
    assert '"thread": "day.jsonl"' in done.stdout, done.stderr
