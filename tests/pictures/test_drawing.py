"""Pictures as files: golden SVGs, small PNGs, the same bytes in every run, names that are nasty.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/pictures, then look at the pictures.
"""

import hashlib
import os
import subprocess
import sys
import warnings
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from PIL import Image

from knightfall.pictures.drawing import png, svg
from knightfall.pictures.scene import cells, shown
from knightfall.pictures.vote_chains import Chain, Chains, Kind, Link, votes_scene
from pictures.days import SIZES, invented
from pictures.drawn import scenes
from pictures.svg_alike import difference

GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden" / "pictures"
NASTY = (
    "<script>alert(1)</script>",
    "[b]ob",
    "$x^{2}_$",
    "日本太郎",
    "שלום",
    "نور",
    "a\u200bb",
    "\u202eevil",
    "\u200b",
    "new\nline",
    "bell\x07",
    "\ud800",
    "\uffff",
    "Z" * 60,
    "&amp;",
    "\\frac{1}",
    "e\u0301\u0302\u0303",
    "🐎 Nag",
)


@pytest.mark.few(7)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["wagons", "votes", "activity"])
def test_the_svg_is_the_golden_one(kind: str, size: int) -> None:
    page = svg(scenes(invented(size))[kind])
    path = GOLDEN / f"{kind}-{size}.svg"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        path.write_bytes(page)
    assert difference(page, path.read_bytes()) == ""


@pytest.mark.few(1)
@pytest.mark.parametrize("size", SIZES)
def test_a_png_is_small_and_no_wider_than_a_screen(size: int) -> None:
    for scene in scenes(invented(size)).values():
        page = png(scene)
        image = Image.open(BytesIO(page))
        assert len(page) < 200_000
        assert image.width <= 1400
        pixel = image.getpixel((1, 1))
        assert isinstance(pixel, tuple)
        assert pixel[:3] == (255, 255, 255)


DIGEST = """
import hashlib
from knightfall.pictures.drawing import svg
from pictures.days import invented
from pictures.drawn import scenes
print(hashlib.sha256(b"".join(svg(scene) for scene in scenes(invented(13)).values())).hexdigest())
"""


@pytest.mark.long
def test_an_svg_is_the_same_byte_for_byte_in_every_run(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nlines.linewidth: 9\n", encoding="utf-8")
    here = b"".join(svg(scene) for scene in scenes(invented(13)).values())
    tests = str(Path(__file__).parents[1])
    surroundings = {**os.environ, "PYTHONPATH": tests, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    there = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env=surroundings,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.strip() == hashlib.sha256(here).hexdigest()
    assert there.stderr == ""


def settings() -> dict[str, object]:
    """All but the backend: whoever asks for that loads pyplot."""
    return {key: matplotlib.rcParams[key] for key in list(matplotlib.rcParams) if key != "backend"}


def test_drawing_leaves_the_settings_of_matplotlib_alone() -> None:
    before = settings()
    svg(scenes(invented(5))["wagons"])
    assert settings() == before
    assert "matplotlib.pyplot" not in sys.modules


def nasty_day() -> Chains:
    links = tuple(Link(Kind.VOTE, name, n) for n, name in enumerate(NASTY))
    return Chains(
        1, 1, 40, tuple(Chain(name, True, links[:2] + links[n : n + 1]) for n, name in enumerate(NASTY))
    )


def test_nasty_names_are_drawn_as_they_are_without_a_warning() -> None:
    scene = votes_scene(nasty_day())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page, image = svg(scene), png(scene)
    texts = [node.text for node in ElementTree.fromstring(page).iter("{http://www.w3.org/2000/svg}text")]
    for name in (
        "<script>alert(1)</script>"[:19] + "…",
        "[b]ob",
        "$x^{2}_$",
        "日本太郎",
        "&amp;",
        "\\frac{1}",
        "🐎 Nag",
    ):
        assert name in texts
    assert b"<script" not in page
    assert image.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", NASTY)
def test_a_name_is_one_line_that_can_be_seen_and_turns_nothing_around(name: str) -> None:
    said = shown(name)
    assert 0 < cells(said) <= 24
    assert not {"\u202e", "\u200b", "\n", "\x07", "\ud800", "\uffff"} & set(said)
    assert said.encode("utf-8")


def test_what_cannot_be_seen_in_a_name_is_told_by_its_number() -> None:
    assert shown("a\u200bb") == "a‹200B›b"
    assert shown("\u202eevil") == "‹202E›evil"
    assert shown("שלום").endswith("\u200e")
