"""Is what was kept on the disk even if the power fails? Asked in a program of its own: tests do not wait."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LOGGED, FULL = "wal", "2"
DATABASE = """
import sys
from pathlib import Path
from knightfall.storage.database import Database
with Database.open(Path(sys.argv[1])).writing() as connection:
    print(*(connection.execute(f"PRAGMA {one}").fetchone()[0] for one in ("journal_mode", "synchronous")))
"""
DRAFT = """
import os, sys
from pathlib import Path
from knightfall.storage.drafts import write_public
settled, replaced, sync, replace = [], [], os.fsync, Path.replace
os.fsync = lambda handle: (settled.append(replaced[:]), sync(handle))
Path.replace = lambda file, other: (replaced.append(other), replace(file, other))
write_public(Path(sys.argv[1]), "dawn.txt", "Nobody died.")
print([len(before) for before in settled])
"""


def said(program: str, place: Path) -> str:
    call = [sys.executable, "-c", program, str(place)]
    return subprocess.run(call, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


def test_a_transaction_ends_when_it_is_on_the_disk(tmp_path: Path) -> None:
    assert said(DATABASE, tmp_path / "game.db") == f"{LOGGED} {FULL}"


def test_a_text_is_on_the_disk_before_it_takes_its_name_and_then_the_name_is(tmp_path: Path) -> None:
    assert said(DRAFT, tmp_path) == "[0, 1]"
