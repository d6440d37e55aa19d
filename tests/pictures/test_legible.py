"""Can every board be read on a telephone, 320 dots wide, without colours?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duty_table import knight, six_played, table
from knightfall.games.knights_duty import printed_board
from knightfall.games.knights_duty.pictures import COLOURS, board_picture, round_pictures
from knightfall.pictures.battlefield import battlefield_scene
from knightfall.pictures.board import Cell, Squares, board_scene
from knightfall.pictures.scene import INK, Scene, room_for, wrapped
from pictures.legible import TELEPHONE, contrast, dots, ground
from pictures.test_fight_boards import PICTURES

LEAST_DOTS = 6.0
LEAST_CONTRAST = 4.5
"""What accessibility guidelines ask of small text."""


def long_names() -> Scene:
    """Names of 24 letters, as long as a picture shows them."""
    far = {f"{letter * 23}{number}": f"E{number}" for number, letter in enumerate("ABC", 3)}
    return battlefield_scene(round_pictures(table({**far, "Maimed": knight("A1", "bow", heart=False)}))[0])


SCENES: dict[str, Callable[[], Scene]] = {
    **{name: (lambda of=made: board_scene(of())) for name, made in PICTURES.items()},  # type: ignore[misc]
    "duty-board-r4": lambda: battlefield_scene(board_picture(printed_board("r4-midedge"), "Knight's Duty")),
    "duty-board-r3": lambda: battlefield_scene(board_picture(printed_board("r3-corners"), "Knight's Duty")),
    "duty-turn-6-1": lambda: battlefield_scene(round_pictures(six_played().state)[0]),
    "duty-turn-6-2": lambda: battlefield_scene(round_pictures(six_played().state)[1]),
    "duty-turn-6-3": lambda: battlefield_scene(round_pictures(six_played().state)[2]),
    "duty-long-names": long_names,
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SCENES)
def test_letters_are_large_and_dark_enough_for_a_telephone_without_colours(name: str) -> None:
    scene = SCENES[name]()
    small = {label.text: dots(label, scene) for label in scene.labels if dots(label, scene) < LEAST_DOTS}
    pale = {
        label.text: (label.colour, ground(scene, label))
        for label in scene.labels
        if label.text != "·" and contrast(label.colour, ground(scene, label)) < LEAST_CONTRAST
    }
    assert (small, pale) == ({}, {})


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SCENES)
def test_no_letter_stands_outside_the_picture(name: str) -> None:
    scene = SCENES[name]()
    for label in scene.labels:
        assert 0 < label.y <= scene.height
        assert (
            label.x + 0.5 * room_for(label.text, label.size) * (label.align.value == "center") <= scene.width
        )
        if label.align.value == "left":
            assert label.x + room_for(label.text, label.size) <= scene.width + 1, label.text


def test_every_piece_has_an_edge_that_stands_out_from_every_ground() -> None:
    cells = tuple(Cell(mark, colour) for mark in "XOxo" for colour in ("", "R", "B", "Y"))
    scene = board_scene(Squares("Grounds", (cells,)))
    edges = {line.colour for line in scene.lines if line.marker}
    grounds = {box.colour for box in scene.boxes}
    assert len(grounds) == 4
    assert min(contrast(edge, one) for edge in edges for one in grounds) >= 3


def test_a_red_a_blue_and_a_yellow_square_are_told_apart_by_letters() -> None:
    scene = board_scene(Squares("Colours", ((Cell("", "R"), Cell("", "B"), Cell("", "Y")),)))
    assert {"r", "b", "y"} <= {label.text for label in scene.labels}
    assert "R, b, y: red, blue, yellow." in " ".join(label.text for label in scene.labels)


def test_every_move_and_disc_is_edged_with_ink_so_that_a_light_clan_stands_out() -> None:
    scenes = [SCENES[f"duty-turn-6-{number}"]() for number in (1, 2, 3)]
    coloured = [shape for scene in scenes for shape in scene.shapes if shape.colour in COLOURS.values()]
    assert len(coloured) == 3 + 6 + 1 + 6 + 5 + 0
    assert {shape.edge for shape in coloured} == {INK}


def test_two_who_begin_alike_have_letters_of_their_own() -> None:
    state = table({"Anna_1": "E5", "Anna_2": "A1", "Boro": "C1"})
    shown = {label.text for label in battlefield_scene(round_pictures(state)[0]).labels if label.bold}
    assert {"An1", "An2", "Bor"} <= shown


def test_a_long_line_is_cut_between_words() -> None:
    lines = wrapped("one two three four", room_for("one two"))
    assert lines == ("one two", "three", "four")
    assert TELEPHONE == 320
