"""Boards as SVG, one for each anomaly, compared whole."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from knightfall.app.records import picture
from knightfall.games.knight_fight.options import LETTERS
from knightfall.games.knight_fight.record import positions, read, record_of, write
from knightfall.pictures.board import Cell, Squares, board_scene
from knightfall.pictures.svg_text import svg_text
from salt_bout import random_match

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/pictures"


def drawn(letters: str) -> str:
    """The last board of a random bout, through its record."""
    done = random_match(letters, 3).state.done[0]
    return svg_text(board_scene(picture(list(positions(read(write(record_of(done.first, done.bout)))))[-1])))


@pytest.mark.parametrize("letters", ["", *LETTERS, "ACS"])
def test_the_picture_is_that_of_the_golden_file(letters: str) -> None:
    assert drawn(letters) == (GOLDEN / f"knight-fight-{letters or 'plain'}.svg").read_text(encoding="utf-8")


def test_a_picture_is_well_formed_and_fits_a_telephone() -> None:
    root = ElementTree.fromstring(drawn("ACS"))
    assert float(root.attrib["width"]) <= 345
    sizes = [float(text.attrib["font-size"]) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert min(sizes) * 320 / float(root.attrib["width"]) > 9


def test_a_title_is_data() -> None:
    scene = board_scene(Squares("<Knights & others>", ((Cell("X"), Cell("o")),)))
    assert "<title>&lt;Knights &amp; others&gt;</title>" in svg_text(scene)
