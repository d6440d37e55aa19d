"""What a shell completes of a player's line: the sender, then the next word that the game takes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run

RUN = [
    sys.executable,
    "-c",
    "import sys; sys.argv[0] = 'knightfall'; from knightfall.cli import main; main()",
]


def completed(typed: str, folder: Path) -> set[str]:
    """The words that a shell offers behind what is typed."""
    words = typed.split(" ")
    asked = {
        "_KNIGHTFALL_COMPLETE": "complete_bash",
        "COMP_WORDS": f"knightfall {typed}",
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        RUN, env={**os.environ, **asked}, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bout with bids in which Ada plays X."""
    folder = tmp_path_factory.mktemp("lines") / "duel"
    made = run("new", "knight-fight", "Ada", "Boro", "--out", str(folder), "--option", "anomalies=B")
    assert made.exit_code == 0, made.output
    assert run("submit", "Ada", "SIDE: X", "--game", str(folder)).exit_code == 0
    return folder


def test_a_shell_completes_who_sends_a_message(duel: Path) -> None:
    assert completed("submit ", duel) == {"Ada", "Boro", "moderator"}
    assert completed("submit B", duel) == {"Boro"}


def test_a_shell_completes_the_next_word_of_a_line(duel: Path) -> None:
    assert completed("submit Ada ", duel) == {"BID", "RESIGN"}
    assert completed("submit Ada RES", duel) == {"RESIGN"}
    assert {"E4", "D5"} <= completed("submit Ada BID 3: ", duel)
    assert completed("submit moderator FORFEIT ", duel) == {"Ada", "Boro"}


def test_a_shell_is_told_of_no_error(duel: Path, tmp_path: Path) -> None:
    assert completed("submit ", tmp_path) == set()
    assert completed("submit Nobody ", duel) == set()
