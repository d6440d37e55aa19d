"""`knightfall doctor --support`: all that helps, and nothing that is somebody's secret or name."""

from __future__ import annotations

import json
import shutil
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

import knightfall as kf
from command_line import run
from knightfall.fetch.cookies import parse_cookies
from knightfall.storage.logins import Login, Logins

ROOT = Path(__file__).parents[2]
SETUP = ROOT / "fixtures" / "demo" / "kettle" / "setup.toml"
NAMES = ("Alderwick", "Bryonyfax", "Clovergate", "Dillmoor", "Elderbrook", "Fennelby")
ROLES = ("Goon", "Cop", "Doctor", "Vanilla", "Townie")
SECRETS = ("hunter2", "s3same0pen", "WrenTheMod", "tok-4711", "mailtos", "forum.example/t")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a moderator who has a login, an address of mail with its password, and a site."""
    home = tmp_path / "people" / "wren"
    own, settings = home / "data", home / "settings"
    settings.mkdir(parents=True)
    (settings / "sites.toml").write_text('["boards.example"]\ndialect = "phpbb"\n', encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("KNIGHTFALL_HOME", str(own))
    monkeypatch.setenv("KNIGHTFALL_CONFIG", str(settings))
    monkeypatch.setenv("KNIGHTFALL_MAIL", "mailtos://wren:hunter2@mail.example")
    monkeypatch.setenv("KNIGHTFALL_WEBHOOK", "https://hooks.example/tok-4711")
    cookies = tuple(parse_cookies("sid=s3same0pen", "pasted", "https://forum.example/"))
    Logins(own).keep(Login("forum.example", "WrenTheMod", datetime(2026, 3, 1, tzinfo=UTC), cookies))
    monkeypatch.chdir(home)
    return home


@pytest.fixture
def game(home: Path) -> Path:
    """A game of theirs whose roles are dealt."""
    names = home / "names.txt"
    names.write_text("\n".join(NAMES), encoding="utf-8")
    words = ("custom-mafia", "--setup", str(SETUP), "--players-from", str(names), "--title", "Kettle")
    made = run("new", *words, "--thread", "game=https://forum.example/t?t=7", "--out", str(home / "lane"))
    assert made.exit_code == 0, made.exception
    return home / "lane"


def said(*words: str) -> str:
    return " ".join(run("doctor", *words).stdout.split())


def leaks(text: str, home: Path) -> list[str]:
    return [word for word in (*NAMES, *ROLES, *SECRETS, str(home)) if word in text]


def test_an_install_tells_what_support_would_ask(home: Path) -> None:
    told = json.loads(run("doctor", "--support", "--json").stdout)
    found = {one["what"]: one["says"] for one in told["found"]}
    assert told["exit_status"] == 0
    assert found["Knightfall"].startswith(version("knightfall"))
    assert found["Python"].startswith(".".join(map(str, sys.version_info[:3])))
    assert f"lxml {version('lxml')}" in found["Packages"]
    assert "extra ==" not in found["Packages"] and "hypothesis" not in found["Packages"]
    assert "parquet" in found["Extras"]
    assert "GB free" in found["Your folder"] and found["Your folder"].startswith("~")
    assert found["Own sites"] == "boards.example"
    assert found["Logins"] == "forum.example"
    assert "KNIGHTFALL_MAIL" in found["Variables"]
    assert {"System", "SQLite", "Text", "Time zone", "Settings"} <= {*found}
    assert leaks(json.dumps(told), home) == []


def test_where_there_is_no_game_the_verb_tells_of_the_install(home: Path) -> None:
    assert said() == said("--support")
    assert leaks(said(), home) == []


def test_a_game_tells_its_numbers_and_nobody_in_it(game: Path, home: Path) -> None:
    told = said("--support", "--game", str(game))
    assert "6 players, 1 threads" in told
    assert "entries, and the chain of their hashes holds" in told
    assert leaks(told, home) == []
    assert leaks((game / "game.toml").read_text(encoding="utf-8"), home) != []  # what it could have told


def test_a_game_file_that_is_wrong_is_not_quoted(game: Path, home: Path) -> None:
    file = game / "game.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(f'{text}\n[[roster.extra]]\nrole = "Mafia Goon for {NAMES[0]}"\n', encoding="utf-8")
    told = said("--support", "--game", str(game))
    assert run("doctor", "--support", "--game", str(game)).exit_code == 2
    assert leaks(told, home) == []


def test_damage_is_told_without_names_or_addresses(game: Path, home: Path) -> None:
    shutil.copyfile(game / "game.toml", game / "game.db")
    told = said("--support", "--game", str(game))
    assert run("doctor", "--support", "--game", str(game)).exit_code == 7
    assert "Database" in told
    assert leaks(told, home) == []


def test_sites_that_cannot_be_read_are_told(home: Path) -> None:
    (home / "settings" / "sites.toml").write_bytes(b"\xff[")
    assert "sites.toml cannot be read" in said("--support")


def test_python_has_the_same(game: Path) -> None:
    found = dict(kf.Game.open(game).health(support=True).lines)
    assert found["Journal"].startswith("1 entries")
    assert found["Knightfall"].startswith(version("knightfall"))
