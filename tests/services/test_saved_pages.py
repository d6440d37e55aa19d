"""Pages saved in a browser are kept with a game, and a day is closed by them, without asking any forum."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knightfall.cli import app
from knightfall.errors import DecisionNeeded, InputError
from knightfall.storage.store import Store

PAGES = Path(__file__).parents[2] / "fixtures" / "demo" / "kettle"
URL = "https://forum.example/viewtopic.php?t=4711"


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a count, in which we stand."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "kettle"
    folder.mkdir()
    (folder / "game.toml").write_text(
        f'schema = 1\n[[thread]]\nurl = "{URL}"\n[[day]]\nnumber = 1\nends = 2024-04-07T20:00:00Z\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(folder)
    return folder


def saved(name: str, folder: Path, *changes: tuple[str, str]) -> str:
    """A page of the sample thread, changed."""
    text = (PAGES / name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")
    return name


def test_pages_are_kept_and_later_ones_added(game: Path) -> None:
    first = run("read", "--from-html", str(PAGES / "day-1.html"))
    assert (first.exit_code, "Posts       11" in first.stdout) == (0, True)
    assert "Clover (3): " in run("vc", "--stored", "--as", "plain", "--at", "11").stdout
    changed = saved("day-2.html", game, ("I am only a townie", "I am no townie"))
    later = run("read", "--from-html", changed)
    assert "Posts       18" in later.stdout
    assert "10" in later.stdout.partition("Complete")[2]
    store = Store.open(game / "game.db")
    assert [len(version.page_sha256 or "") for version in store.versions(URL, 10)] == [64, 64]
    store.close()


def test_of_two_copies_of_a_page_none_is_kept(game: Path) -> None:
    result = run("read", "--from-html", str(PAGES / "day-1.html"), str(PAGES / "day-2.html"))
    assert isinstance(result.exception, InputError)
    assert "are both page 1 of the thread. Give only the newer one." in str(result.exception)
    assert not (game / "game.db").exists()


def test_a_page_without_an_address_is_not_kept(game: Path) -> None:
    canonical = '<link rel="canonical" href="https://forum.example/viewtopic.php?t=4711">'
    result = run("read", "--from-html", saved("day-1.html", game, (canonical, "")))
    assert isinstance(result.exception, InputError)
    assert "does not say which address it was saved from" in str(result.exception)


def test_without_a_game_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("read", "--from-html", str(PAGES / "day-1.html")).exit_code == 0
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_a_thread_says_how_to_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.toml").write_text("schema = 1\n", encoding="utf-8")
    said = str(run("read").exception)
    assert "name the game thread" in said
    assert "Or give the address of a thread" in said


def test_a_day_is_closed_by_what_was_kept(game: Path) -> None:
    assert "never been read" in str(run("phase", "close", "--stored").exception)
    run("read", "--from-html", str(PAGES / "day-1.html"))
    run("fix", "7", "--to", "Clover", "--why", "asked her by PM")
    other = run("phase", "close", "--stored", typed="Alder\n")
    assert isinstance(other.exception, DecisionNeeded)
    closed = run("phase", "close", "--stored", typed="Clover\n")
    assert closed.exit_code == 0, closed.exception
    assert "up to #11, without contacting the forum" in closed.stderr
    assert "Hammer: #9 by Dill on Clover" in closed.stderr
    assert "Clover (4)" in (game / "public/votecount-1.F.txt").read_text(encoding="utf-8")
    assert "closed" in run("log").stdout
