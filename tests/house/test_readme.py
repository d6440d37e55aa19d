"""The README is the product's face: what it names is there."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from knightfall import errors
from knightfall.cli import app
from knightfall.forums import FORUMS
from knightfall.games import GAMES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("forum", [forum.name for forum in FORUMS])
def test_every_platform_has_a_row(forum: str) -> None:
    assert f"\n| {forum} |" in README


@pytest.mark.parametrize("game", [game.spec.id for game in GAMES])
def test_every_game_has_a_row(game: str) -> None:
    assert f"\n| {game} |" in README


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_readme_and_has_help(command: str) -> None:
    assert f"knightfall {command}" in README
    assert (get_command(app).commands[command].help or "").strip()  # type: ignore[attr-defined]


def test_every_command_line_of_the_readme_is_understood() -> None:
    lines = re.findall(r"^knightfall ([^#\n]+)", README, re.MULTILINE)
    assert lines
    group = get_command(app)
    for line in lines:
        verb, *words = shlex.split(line)
        command = group.commands[verb]  # type: ignore[attr-defined]
        command.make_context(verb, words, resilient_parsing=False).close()


@pytest.mark.parametrize("script", re.findall(r"`?(scripts/[a-z-]+)", README))
def test_every_script_of_the_readme_is_there_and_runnable(script: str) -> None:
    path = ROOT / script
    assert path.exists()
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0


def test_every_exit_status_stands_in_the_readme() -> None:
    statuses = {
        value.exit_status
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.KnightfallError)
    }
    assert [status for status in statuses if f"\n| {status} |" not in README] == []


def test_every_path_of_the_readme_is_there() -> None:
    paths = re.findall(r"`((?:src|fixtures|scripts|votes)/[\w/.-]+?)`", README)
    assert paths
    roots = (ROOT, ROOT / "src" / "knightfall")
    assert [path for path in paths if not any((root / path).exists() for root in roots)] == []
