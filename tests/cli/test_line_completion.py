"""What a shell completes of a player's line: the sender, then the next word that the game takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run

ASK = """
import os, sys
from knightfall.cli import main
sys.argv[0] = "knightfall"
os.environ["_KNIGHTFALL_COMPLETE"] = "complete_bash"
typed = sys.argv[1:]
for line in typed:
    sys.argv[1:] = []
    os.environ |= {"COMP_WORDS": f"knightfall {line}", "COMP_CWORD": str(len(line.split(" ")))}
    try:
        main()
    except SystemExit:
        print("\\f", end="", flush=True)
"""


def completed(folder: Path, *typed: str) -> list[set[str]]:
    """The words that a shell offers behind each of the lines that are typed, asked in one process."""
    done = subprocess.run(
        [sys.executable, "-c", ASK, *typed],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stderr == ""
    return [set(words.split()) for words in done.stdout.split("\f")[:-1]]


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bout with bids in which Ada plays X."""
    folder = tmp_path_factory.mktemp("lines") / "duel"
    made = run("new", "knight-fight", "Ada", "Boro", "--out", str(folder), "--option", "anomalies=B")
    assert made.exit_code == 0, made.output
    assert run("submit", "Ada", "SIDE: X", "--game", str(folder)).exit_code == 0
    return folder


@pytest.mark.long
def test_a_shell_completes_who_sends_a_message_and_the_next_word_of_a_line(duel: Path) -> None:
    lines = ("", "B", "Ada ", "Ada RES", "Ada BID 3: ", "moderator FORFEIT ", "Nobody ")
    everybody, by_letter, verbs, verb, squares, players, nothing = completed(
        duel, *(f"submit {line}" for line in lines)
    )
    assert everybody == {"Ada", "Boro", "moderator"}
    assert by_letter == {"Boro"}
    assert verbs == {"BID", "RESIGN"}
    assert verb == {"RESIGN"}
    assert {"E4", "D5"} <= squares
    assert players == {"Ada", "Boro"}
    assert nothing == set()


def test_a_shell_completes_values_that_are_known(tmp_path: Path) -> None:
    dialects, themes, games, nobody = completed(tmp_path, "vc --as ph", "vc --theme ", "new kn", "submit ")
    assert dialects == {"phpbb"}
    assert {"area", "compact", "table", "ticks", "history"} <= themes
    assert games == {"knight-errant", "knights-duty", "knight-fight"}
    assert nobody == set()  # there is no game here; a shell is told of no error
