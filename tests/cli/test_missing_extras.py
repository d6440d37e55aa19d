"""What an install without extras does: it says what to install, and draws boards all the same."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from command_line import run
from knightfall.cli.clipboard import copy
from knightfall.errors import InputError
from knightfall.pictures.scene import Box, Label, Scene, Shape
from knightfall.pictures.svg import svg_text
from knightfall.services.boards import write_scene
from knightfall.services.watch.notify import channels_of

ROOT = Path(__file__).parents[2]
POSTS = tuple(str(ROOT / "fixtures" / "demo" / f"thread-p{number}.html") for number in (1, 2, 3))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of the extras can be imported."""
    monkeypatch.delitem(sys.modules, "knightfall.pictures.drawing", raising=False)
    for name in ("matplotlib", "apprise", "pyperclip"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("bare")
def test_the_clipboard_says_what_to_install() -> None:
    with pytest.raises(InputError, match=r'pip install "knightfall\[clipboard\]"'):
        copy("x")


@pytest.mark.usefixtures("bare")
def test_a_webhook_says_what_to_install() -> None:
    with pytest.raises(InputError, match=r'pip install "knightfall\[notify\]"'):
        channels_of(["webhook"], {"KNIGHTFALL_WEBHOOK": "json://forum.example/a"})


@pytest.mark.usefixtures("bare")
def test_a_desktop_with_a_command_of_its_own_needs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: "notify-send")
    assert [channel.name for channel in channels_of(["desktop"], {})] == ["desktop"]
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(InputError, match=r"knightfall\[notify\]"):
        channels_of(["desktop"], {})


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("game", ["kings-court", "knight-fight", "knights-duty"])
def test_every_board_is_drawn_as_svg(game: str, tmp_path: Path) -> None:
    names = [f"P{number}" for number in range({"kings-court": 11}.get(game, 2))]
    folder, page = tmp_path / "game", tmp_path / "board.svg"
    run("new", game, *names, "--out", str(folder))
    if game == "knight-fight":
        run("submit", "P0", "SIDE: X", "--game", str(folder))
    drawn = run("plot", "board", "--game", str(folder), "--out", str(page))
    assert drawn.exception is None
    assert page.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.usefixtures("bare")
def test_wagons_are_drawn_as_svg_and_a_png_says_what_to_install(tmp_path: Path) -> None:
    page = tmp_path / "wagons.svg"
    assert run("plot", "wagons", "--from-html", *POSTS, "--out", str(page)).exception is None
    assert "</svg>" in page.read_text(encoding="utf-8")
    told = run("plot", "wagons", "--from-html", *POSTS, "--out", str(tmp_path / "wagons.png")).exception
    assert isinstance(told, InputError)
    assert 'pip install "knightfall[pictures]"' in str(told)


@pytest.mark.usefixtures("bare")
def test_a_hatched_picture_says_what_to_install(tmp_path: Path) -> None:
    scene = Scene("Hatched", 10, 10, (Box(0, 0, 5, 5, "#ffffff", hatched=True),))
    with pytest.raises(
        InputError, match=r"needs matplotlib, .*knightfall\[pictures\]\", or have the board as text"
    ):
        write_scene(scene, tmp_path / "activity.svg")


def test_shapes_and_plates_are_drawn_without_matplotlib() -> None:
    shape = Shape(((0, 0), (9, 0), (0, 9)), "#eeeeee", "#111111", 1.2)
    page = svg_text(Scene("Both", 10, 10, labels=(Label(5, 5, "2", plate=True),), shapes=(shape,)))
    assert '<polygon points="0,0 9,0 0,9" fill="#eeeeee" stroke="#111111" stroke-width="1.2"/>' in page
    assert 'fill-opacity="0.85"' in page
