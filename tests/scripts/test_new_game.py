"""scripts/new-game, run on a copy of the tree: what it makes is played, checked and read there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from difflib import ndiff
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
NAME = "plank_game"
RULES, POSTS = f"src/knightfall/games/{NAME}", f"src/knightfall/writeups/templates/{NAME}"
REGISTRY = "src/knightfall/games/__init__.py"
PROJECT = "pyproject.toml"
PROPERTIES = (
    "tests/properties/test_every_game.py",
    "tests/playthroughs/test_playthroughs.py",
    "tests/services/test_rulings.py",
)
RUN = """
import json, sys
from typer.testing import CliRunner
from knightfall.cli import app
import knightfall
told = [CliRunner().invoke(app, words) for words in json.loads(sys.argv[1])]
print(json.dumps([knightfall.__file__, *([one.exit_code, one.stdout, one.stderr] for one in told)]))
"""


class Copy(NamedTuple):
    """A copy of the tree with a new game in it; `before` what its files held without, by path."""

    root: Path
    before: dict[str, bytes]
    said: str


def files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def python(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with the copy's own package before any installed one."""
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    return subprocess.run(
        [sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True, check=False
    )


def new_game(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python(root, "scripts/py/new_game.py", *words)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    root = tmp_path_factory.mktemp("copy")
    for folder in ("src", "scripts", "tests"):
        shutil.copytree(ROOT / folder, root / folder)  # compiled files too: quicker
    shutil.copy(ROOT / "pyproject.toml", root)
    before = files(root)
    done = new_game(root, NAME)
    assert (done.returncode, done.stderr) == (0, "")
    return Copy(root, before, done.stdout)


def test_one_folder_its_templates_and_its_line_are_all_that_is_added(copy: Copy) -> None:
    after = files(copy.root)
    added = {path.rpartition("/")[0] for path in after.keys() - copy.before.keys()}
    assert added == {RULES, POSTS}
    changed = {path for path, text in copy.before.items() if after[path] != text}
    added_lines = {
        REGISTRY: f'+     "{NAME}": "PLANK_GAME",',
        PROJECT: f'+ {NAME} = "knightfall.games.{NAME}.game:PLANK_GAME"',
    }
    assert changed == added_lines.keys()
    for path, line in added_lines.items():
        old, new = (text.decode().splitlines() for text in (copy.before[path], after[path]))
        assert [found for found in ndiff(old, new) if found[0] in "+-?"] == [line]
    assert all(part in copy.said for part in (RULES, POSTS, "PLACES"))


@pytest.mark.long
def test_the_new_game_is_listed_begun_and_played_to_a_post(copy: Copy, tmp_path: Path) -> None:
    table = str(tmp_path / "table")
    place = ("--game", table)
    package, *told = cli(
        copy.root,
        ("games",),
        ("new", "plank-game", "Ada", "Boro", "Cinder", "--out", table),
        ("submit", "Ada", "[b]number 7[/b]", *place),
        ("submit", "Boro", "NUMBER 12", *place),
        ("submit", "Boro", "NUMBER 7", *place),
        ("missing", *place),
        ("submit", "Cinder", "NUMBER 3", *place),
        ("commit", "--yes", "--as", "phpbb", *place),
        ("rulings", NAME, *place),
    )
    assert Path(str(package)).is_relative_to(copy.root)
    assert [status for status, _, _ in told] == [0, 0, 0, 3, 0, 0, 0, 0, 0]
    listed, begun, _, refused, taken, missing, _, closed, rulings = told
    assert re.search(rf"^{NAME} +Plank Game +2-18 ", listed[1], re.MULTILINE)
    assert "Plank Game, 3 players; 1 post in public/" in begun[1]
    assert "Nothing of yours is on file for round 1" in refused[2]
    assert "Refused: “NUMBER 12”: " in refused[2]
    assert "On file for round 1: NUMBER 7." in taken[2]
    assert (
        missing[1].strip() == "Round 1 (round). Missing: Cinder. If nothing is sent: no number, and no point."
    )
    assert "Numbers: 7 (2 times), 3.\n[b]Cinder[/b] alone sent 3 and scores." in closed[1]
    assert not re.search("Ada.*7|Boro.*7", closed[1])
    assert "pg_03 = 3 (default)" in rulings[1]


def cli(root: Path, *commands: tuple[str, ...]) -> list[tuple[int, str, str]]:
    """Exit status, output and asides of each command; first of all where the package is."""
    done = python(root, "-c", RUN, json.dumps(commands))
    assert done.returncode == 0, done.stderr
    told: list[tuple[int, str, str]] = json.loads(done.stdout)
    return told


@pytest.mark.long
def test_what_holds_for_every_game_holds_for_the_new_one(copy: Copy, tmp_path: Path) -> None:
    """In a place of its own for files: pytest tidies up the usual one, which takes its time."""
    quiet = ("-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:randomly", f"--basetemp={tmp_path}")
    done = python(copy.root, "-m", "pytest", *quiet, *PROPERTIES, "-k", NAME, "--color=no", "-rA")
    assert done.returncode == 0, done.stdout
    passed = re.findall(rf"^PASSED (\S+)::(\w+)\[{NAME}", done.stdout, re.MULTILINE)
    assert {path for path, _ in passed} == set(PROPERTIES)
    assert len({test for _, test in passed}) >= 9
    assert " skipped" not in done.stdout


def test_it_is_small_enough_to_be_read_in_one_go(copy: Copy) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((copy.root / RULES).glob("*.py"))]
    assert len(texts) <= 8
    assert sum(bool(line.strip()) for text in texts for line in text.splitlines()) <= 150


@pytest.mark.long
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed: types are not checked")
def test_its_types_are_checked(copy: Copy) -> None:
    checked = python(copy.root, "-m", "mypy", RULES)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.skipif(shutil.which("ruff") is None, reason="ruff is not installed: style is not checked")
def test_what_is_written_is_in_the_houses_style_whatever_its_name(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    for folder in (RULES, POSTS):
        (tmp_path / folder).parent.mkdir(parents=True)
    for file in ("src/knightfall/__init__.py", REGISTRY, "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path / file)
    for name in (NAME, "ox7", "quite_a_lengthy_name"):
        assert new_game(tmp_path, name).returncode == 0
    for words in (("check", "src"), ("format", "--check", "src")):
        done = subprocess.run(["ruff", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "usage"),
        (("one_game", "another"), "usage"),
        (("Plank-Game",), "no id of a game"),
        (("x1",), "no id of a game"),
        (("../plank",), "no id of a game"),
        (("class",), "means something else"),
        (("outcome",), "called Outcome"),
        (("knight_fight",), "games/knight_fight is there already"),
        (("mafia",), "templates/mafia is there already"),
        ((NAME,), f"games/{NAME} is there already"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(copy: Copy, words: tuple[str, ...], says: str) -> None:
    before = files(copy.root)
    done = new_game(copy.root, *words)
    assert done.returncode == 2
    assert re.search(says, done.stderr)
    assert files(copy.root) == before
