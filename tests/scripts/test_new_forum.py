"""scripts/new-forum, run on a copy of the tree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
URL = "https://planks.example/topic/12"
LOOK = """
from knightfall.forums import FORUMS, forum_named, located
from knightfall.forums.base import Response
from knightfall.forums.platforms import PLATFORMS
from knightfall.forums.sites import site_of
forum = forum_named("plank_board")
assert forum is FORUMS[-1], FORUMS
assert PLATFORMS[-1].name == forum.name
assert site_of("https://planks.example/topic/12").platform == forum.name
assert not forum.recognises(Response("", 200, "<html></html>"))
assert forum.locate("https://planks.example/topic/12") is None
import knightfall
print(knightfall.__file__)
"""


class Tree(NamedTuple):
    """A copy of what the script reads and writes, with a forum made in it, and what it said."""

    root: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    root = tmp_path_factory.mktemp("tree")
    for folder in ("src", "scripts"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "fixtures" / "forums").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", root)
    return Tree(root, new_forum(root, "plank_board", URL))


@pytest.fixture
def tree(made: Tree) -> Path:
    return made.root


def python(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with the copy's own package before any installed one."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


def new_forum(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python(tree, "scripts/py/new_forum.py", *words)


def test_a_stub_is_written_registered_and_can_be_imported(made: Tree) -> None:
    tree, done = made
    assert (done.returncode, done.stderr) == (0, "")
    assert "src/knightfall/forums/plank_board.py" in done.stdout
    looked = python(tree, "-c", LOOK)
    assert looked.returncode == 0, looked.stderr
    assert Path(looked.stdout.strip()).is_relative_to(tree)
    assert "game-p1" in (tree / "fixtures/forums/plank_board/README.md").read_text(encoding="utf-8")


def test_the_stub_has_its_entry_point(tree: Path) -> None:
    entries = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    forums = entries["knightfall.forums"]
    assert list(forums.items())[-1] == ("plank_board", "knightfall.forums.plank_board:PLANK_BOARD")


@pytest.mark.long
@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed: types are not checked")
def test_the_stub_satisfies_the_type_checker(tree: Path) -> None:
    checked = python(tree, "-m", "mypy", "src/knightfall/forums/plank_board.py")
    assert checked.returncode == 0, checked.stdout


@pytest.mark.skipif(shutil.which("ruff") is None, reason="ruff is not installed: style is not checked")
def test_what_is_written_is_in_the_houses_style(tree: Path) -> None:
    changed = [f"src/knightfall/forums/{name}.py" for name in ("plank_board", "__init__", "platforms")]
    for command in (["ruff", "check", *changed], ["ruff", "format", "--check", *changed]):
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "usage"),
        (("plank",), "usage"),
        (("Plank-Board", URL), "no id of a platform"),
        (("plank", "planks.example/topic/12"), "no address"),
        (("phpbb", URL), "there already"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_written(tree: Path, words: tuple[str, ...], says: str) -> None:
    before = {file: file.read_bytes() for file in (tree / "src").rglob("*.*") if file.is_file()}
    done = new_forum(tree, *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert {file: file.read_bytes() for file in (tree / "src").rglob("*.*") if file.is_file()} == before


def test_a_second_run_overwrites_nothing(tree: Path) -> None:
    stub = tree / "src" / "knightfall" / "forums" / "plank_board.py"
    mine = stub.read_text(encoding="utf-8") + "# mine\n"
    stub.write_text(mine, encoding="utf-8")
    assert new_forum(tree, "plank_board", URL).returncode == 2
    assert stub.read_text(encoding="utf-8") == mine
