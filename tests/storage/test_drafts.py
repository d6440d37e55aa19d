"""What a killed program left half written is removed by the next one that writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from knightfall.storage.drafts import sweep, write_draft, write_public
from knightfall.storage.turn import Turn

KILLED = """
import os, signal, sys
from pathlib import Path
from knightfall.storage.drafts import write_draft
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
write_draft(Path(sys.argv[1]), "private", "role-1.txt", "secret")
"""


def hidden(folder: Path) -> list[Path]:
    return [file for file in folder.rglob(".*") if file.is_file()]


def test_a_draft_of_a_killed_program_goes_with_the_next_text(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert len(hidden(tmp_path)) == 1
    assert not (tmp_path / "private" / "role-1.txt").exists()
    write_public(tmp_path, "rules-1.txt", "Rules.")
    assert hidden(tmp_path) == []


def test_a_draft_that_is_being_written_stays(tmp_path: Path) -> None:
    write_draft(tmp_path, "private", "role-1.txt", "secret")
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    (left,) = hidden(tmp_path)
    process = left.name.removesuffix(".draft").rpartition("-")[2]
    mine = left.with_name(left.name.replace(f"-{process}.draft", f"-{os.getpid()}.draft"))
    left.rename(mine)
    sweep(tmp_path)
    assert hidden(tmp_path) == [mine]


def test_whoever_has_the_turn_to_write_clears_up_whatever_comes_of_it(tmp_path: Path) -> None:
    """A verb that is refused writes no text, and an export has its draft in the folder itself."""
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    (left,) = hidden(tmp_path)
    left.rename(tmp_path / left.name)
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert len(hidden(tmp_path)) > 0
    with Turn(tmp_path / "game.db", "Wren"):
        assert hidden(tmp_path) == []
