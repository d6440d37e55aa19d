"""Pictures of Knight's Duty: golden boards, a turn of six, and what a picture must not lose.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/pictures, then look at the pictures.
"""

import os
from pathlib import Path

import pytest

from duty_table import knight, play, six_played, table
from knightfall.games.knights_duty import parse_board, printed_board
from knightfall.games.knights_duty.pictures import COLOURS, board_picture, round_pictures
from knightfall.pictures.battlefield import Battlefield, battlefield_scene
from knightfall.pictures.drawing import png, svg
from pictures.svg_alike import difference

GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden" / "pictures"
PICTURES = {
    "duty-board-r4": lambda: board_picture(printed_board("r4-midedge"), "Knight's Duty: the board"),
    "duty-board-r3": lambda: board_picture(printed_board("r3-corners"), "Knight's Duty: the first board"),
    "duty-turn-6-1": lambda: round_pictures(six_played().state)[0],
    "duty-turn-6-2": lambda: round_pictures(six_played().state)[1],
    "duty-turn-6-3": lambda: round_pictures(six_played().state)[2],
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", PICTURES)
def test_the_svg_is_the_golden_one(name: str) -> None:
    page = svg(battlefield_scene(PICTURES[name]()))
    path = GOLDEN / f"{name}.svg"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        path.write_bytes(page)
    assert difference(page, path.read_bytes()) == ""


def test_a_picture_can_be_had_as_png() -> None:
    assert png(battlefield_scene(PICTURES["duty-turn-6-2"]())).startswith(b"\x89PNG")


def texts(field: Battlefield) -> set[str]:
    return {label.text for label in battlefield_scene(field).labels}


def test_a_turn_tells_backwards_where_everybody_stood() -> None:
    pictures = round_pictures(six_played().state)
    first, second, third = (panel for picture in pictures for panel in picture.panels)
    assert [one.title for one in pictures] == [f"Knight's Duty, turn 1, round {n}" for n in (1, 2, 3)]
    assert {p.name: (p.space, p.weapon, p.heart) for p in first.pieces}["Cinder"] == ("C4", "bow", False)
    assert [(p.name, p.fell) for p in second.pieces if p.fell] == [("Elm", True)]
    assert {p.name: p.weapon for p in second.pieces}["Ada"] == "sword"
    assert "Elm" not in {p.name for p in third.pieces}
    assert [step.held for step in third.steps] == [True, True]


def test_every_attack_and_knight_is_named_under_the_board() -> None:
    shown = set.union(*map(texts, round_pictures(six_played().state)))
    assert "Dusk_77 (sword) → Elm: Hit, critically wounded" in shown
    assert "Ada (sword) → Boro: Miss, disarmed" in shown
    assert "Fen, B2, empty hands, Heart up" in shown


def test_knights_who_share_a_space_stand_beside_each_other() -> None:
    state = table({"Ada": "E5", "Boro": knight("E5", None), "Cinder": "A1"}, share_space=True)
    shapes = battlefield_scene(round_pictures(state)[0]).shapes
    discs = {shape.points[0] for shape in shapes if shape.colour in COLOURS.values()}
    assert len(discs) == 3


def test_who_stays_by_his_own_choice_has_no_arrow() -> None:
    before = table({"Ada": "E5", "Boro": "A1"})
    stayed = battlefield_scene(round_pictures(play(before, {"Ada": "1: MOVE STAY", "Boro": "1: MOVE SE"}))[0])
    moved = [shape for shape in stayed.shapes if len(shape.points) == 7]
    assert len(moved) == 1


def test_a_board_of_squares_has_gaps_where_there_is_no_space() -> None:
    own = parse_board("square\n(P) ( ) ( )\n( )     (*)\n( ) ( ) (P)\n")
    scene = battlefield_scene(board_picture(own, "Own"))
    assert len(scene.shapes) == 8
    assert all(len(shape.points) == 4 for shape in scene.shapes)
    assert "B2 ★" in {label.text for label in scene.labels}
