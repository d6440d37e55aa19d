"""The check outside the package: the script of the page, run by itself, says what ours says of every game."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from fair_deals import HARMLESS, LIES, VALUE, FairDeal, any_deal, told, village
from long_runs import spread

SCRIPT = Path(__file__).parents[2] / "scripts" / "check-fair.js"
NODE = shutil.which("node") or ""

needs_node = pytest.mark.skipif(not NODE, reason="node is not on this machine: apt-get install nodejs")


def said(folder: Path, made: FairDeal) -> str:
    """What the script says of a game."""
    file = folder / "posts.txt"
    file.write_text(made.text, encoding="utf-8")
    beside = [f"written={made.written.isoformat()}"] if made.written else []
    beside += [f"mirror={made.mirror}"] if made.mirror else []
    ran = subprocess.run([NODE, SCRIPT, *beside, file], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.returncode == (not ran.stdout.startswith("Fair."))
    return ran.stdout.rstrip("\n")


def differing(folder: Path, made: Sequence[tuple[str, FairDeal]]) -> list[str]:
    """Of which games the script says something else than we do."""
    return [name for name, one in made if said(folder, one) != told(one.findings())]


def test_it_is_short() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 40


@needs_node
@pytest.mark.wider
def test_it_says_what_ours_says_of_random_games(tmp_path: Path) -> None:
    games = [(str(number), any_deal(random.Random(number))) for number in spread(4, range(40))]
    for _, made in games:
        made.mirror = VALUE
    assert differing(tmp_path, games) == []
    assert all(said(tmp_path, made).startswith("Fair.") for _, made in games[:2])


@needs_node
@pytest.mark.wider
def test_it_says_what_ours_says_of_every_lie(tmp_path: Path) -> None:
    games = []
    for name, act in spread(8, [*((name, lie[2]) for name, lie in LIES.items()), *HARMLESS.items()]):
        made = village(random.Random(5))
        act(made)
        made.changed = None  # nobody can tell the page
        games.append((name, made))
    assert differing(tmp_path, games) == []


@needs_node
def test_posts_are_read_as_boards_write_them(tmp_path: Path) -> None:
    """The first line of a box of code stands behind its tag."""
    made = village(random.Random(5))
    made.mirror = VALUE
    file = tmp_path / "posts.txt"
    text = made.text.replace("\nValue: ", "\n[code]Value: ").replace("Fair deal", "[code]Fair deal")
    file.write_text(text, encoding="utf-8")
    beside = (f"written={made.written.isoformat()}" if made.written else "", f"mirror={VALUE}")
    ran = subprocess.run([NODE, SCRIPT, *beside, file], capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("Fair.")
