"""Players may be called by any word of their game: a name is no word, and a word is no name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import knightfall as kf
from command_line import run

GAMES = {
    "kings_court": 11,
    "knight_errant": 18,
    "empowered": 9,
    "knights_duty": 4,
    "knight_fight": 2,
}


def made(kind: str, players: list[str], folder: Path) -> kf.Game:
    return kf.Game.create(kind, players, folder=folder)


def public_words(folder: Path) -> list[str]:
    """All words of the posts that are ready, each once."""
    said = " ".join(file.read_text(encoding="utf-8") for file in (folder / "public").glob("*.txt"))
    return list(dict.fromkeys(word for word in re.findall(r"[A-Za-z][a-z]{2,}", said)))


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", GAMES)
def test_a_game_is_dealt_to_players_who_are_called_as_words_of_its_posts(kind: str, tmp_path: Path) -> None:
    size = GAMES[kind]
    made(kind, [f"Qz{chr(97 + n)}vx" for n in range(size)], tmp_path / "first")
    words = [word for word in public_words(tmp_path / "first") if not word.startswith("Qz")]
    folded = list({word.casefold(): word for word in words}.values())
    assert len(folded) > size
    # Every word is somebody's name in one of the games: as many games as that takes, and at most a dozen.
    for number, start in enumerate(range(0, min(len(folded), 12 * size), size)):
        names = folded[start : start + size]
        names += [f"Qz{chr(97 + n)}vx" for n in range(size - len(names))]
        made(kind, names, tmp_path / f"of-words-{number}")


def test_a_player_called_as_a_side_is_renamed_and_the_side_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = str(Path("fixtures/demo/kettle/setup.toml").resolve())
    names = ("Town", "parity", "Clover", "Dill", "Elder", "Fennel")
    assert run("new", "custom-mafia", *names, "--setup", setup, "--out", str(tmp_path / "g")).exit_code == 0
    monkeypatch.chdir(tmp_path / "g")
    deal = next(Path("private").glob("*moderator_deal*")).read_text(encoding="utf-8")
    goon = next(name for name in names if re.search(rf"{name}\W+Mafia Goon", deal))
    for old, new in (("Town", "Zed"), ("parity", "Kit")):
        assert run("replace", old, new).exit_code == 0
        assert run("status").exit_code == 0
    called = {"Town": "Zed", "parity": "Kit"}.get(goon, goon)
    assert run("modkill", called, "--why", "x").exit_code == 0
    ending = next(Path("public").glob("*ending.txt")).read_text(encoding="utf-8")
    assert "The Town wins" in ending
    assert "Zed (was Town)" in ending
    assert "The Zed" not in ending
