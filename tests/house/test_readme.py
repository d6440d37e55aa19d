"""The README is the product's face: what it names is there."""

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from knightfall import errors
from knightfall.cli import app
from knightfall.core.game import SlotId
from knightfall.core.rng import SeededRng
from knightfall.forums import FORUMS
from knightfall.games import GAMES
from knightfall.games.custom_mafia import CUSTOM_MAFIA

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("forum", [forum.name for forum in FORUMS])
def test_every_platform_has_a_row(forum: str) -> None:
    assert f"\n| {forum} |" in README


CASES = [file.stem for file in (ROOT / "fixtures/conformance").glob("*.jsonl")]
GROWN = [game.spec.id for game in GAMES if any(name.startswith(game.spec.id) for name in CASES)]
"""Games with conformance cases: a game that has none, fresh from scripts/new-game, needs no row yet."""


@pytest.mark.parametrize("game", GROWN)
def test_every_game_has_a_row(game: str) -> None:
    assert f"\n| {game} |" in README


def test_every_row_of_the_games_is_a_game_on_board() -> None:
    table = README.partition("\n| game | state |\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (\w+) \|", table, re.MULTILINE)
    assert rows
    assert set(rows) <= {game.spec.id for game in GAMES}
    assert set(GROWN) <= set(rows)


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


SETUPS = [block for block in re.findall(r"```toml\n(.*?)```", README, re.DOTALL) if "[[slots]]" in block]


@pytest.mark.parametrize("setup", SETUPS, ids=range(len(SETUPS)))
def test_every_setup_of_the_readme_can_be_dealt(setup: str) -> None:
    slots = [SlotId(f"P{place}") for place in range(9)]
    state = CUSTOM_MAFIA.setup(slots, {"setup": tomllib.loads(setup)}, SeededRng(b"quay")).state
    assert set(state.cards) == set(slots)
    assert len(SETUPS) == 3
