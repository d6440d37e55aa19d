"""Boards as SVG, one for each anomaly, compared whole; a trap that was sprung; both players' own in Snapshot.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/pictures, then look at the pictures.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from knightfall.engine.playout import Playout
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_fight import KNIGHT_FIGHT, State
from knightfall.games.knight_fight.options import LETTERS
from knightfall.games.knight_fight.pictures import own_picture, picture
from knightfall.games.knight_fight.record import positions, read, record_of, write
from knightfall.games.knight_fight.state import Bout
from knightfall.games.knight_fight.views import seen_by
from knightfall.pictures.board import Cell, Squares, board_scene
from knightfall.pictures.svg import svg_text
from recorded import recorded
from salt_bout import ADA, BORO, Play

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/pictures"
BOUTS = ("", *LETTERS, "ACS", "ABT")


def recorded_match(letters: str) -> Playout[State]:
    """A random match."""
    options, name = {"anomalies": letters or "none"}, f"match-{letters or 'plain'}"
    chance, draw = SeededRng(b"chance 3"), SeededRng(b"draw 3")
    return recorded(name, KNIGHT_FIGHT, (ADA, BORO), options, chance, draw, 4_000)


def bout_of(letters: str) -> list[Bout]:
    """The positions of a random bout, through its record."""
    done = recorded_match(letters).state.done[0]
    return list(positions(read(write(record_of(done.first, done.bout)))))


def last(letters: str) -> Squares:
    return picture(bout_of(letters)[-1])


def sprung() -> Squares:
    """A bout right after a trap was sprung."""
    play = Play("HS")
    for mover, move, trap in (
        (ADA, "F6>G4", "NO TRAP"),
        (BORO, "G6>E5", "NO TRAP"),
        (ADA, "G4>E3", "TRAP: E3"),
    ):
        play.say(mover, move)
        play.say(BORO if mover == ADA else ADA, trap)
    return picture(play.bout)


def own(slot: str) -> Squares:
    """What a player sees in the middle of a bout under four anomalies, Snapshot among them."""
    playing = [state for state in recorded_match("ACNS").states if state.table is not None]
    return own_picture(seen_by(playing[50], ADA if slot == "Ada" else BORO))


PICTURES: dict[str, Callable[[], Squares]] = {
    **{f"knight-fight-{letters or 'plain'}": partial(last, letters) for letters in BOUTS},
    "knight-fight-H-sprung": sprung,
    **{f"knight-fight-N-{slot}": partial(own, slot) for slot in ("Ada", "Boro")},
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", PICTURES)
def test_the_board_is_that_of_the_golden_file(name: str) -> None:
    page, path = svg_text(board_scene(PICTURES[name]())), GOLDEN / f"{name}.svg"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        path.write_text(page, encoding="utf-8")
    assert page == path.read_text(encoding="utf-8")


def texts(board: Squares) -> list[str]:
    return [label.text for label in board_scene(board).labels]


def test_chips_points_and_the_end_stand_below_the_board() -> None:
    bout = bout_of("ABT")[-1]
    shown = texts(picture(bout))
    assert f"Chips: X {bout.chips[0]}, O {bout.chips[1]}." in shown
    assert f"Points: X {bout.points[0]}, O {bout.points[1]}." in shown
    assert any("wins after" in line for line in shown)


def test_the_key_names_the_signs_that_are_on_the_board_and_no_others() -> None:
    plain = Squares("Plain", ((Cell("X"), Cell()),))
    assert texts(plain)[-1] == "·"
    signs = Squares("Signs", ((Cell("x"), Cell("#"), Cell(latest=True)),))
    said = " ".join(texts(signs)[-4:])
    for sign in ("rame: latest move", "cross: a knight lost there", "small: weakened", "#: manure"):
        assert sign in said
    assert "bar" not in said


def test_a_title_is_data() -> None:
    scene = board_scene(Squares("<Knights & others>", ((Cell("X"), Cell("o")),)))
    page = svg_text(scene)
    assert "<title>&lt;Knights &amp; others&gt;</title>" in page
    assert ElementTree.fromstring(page).tag.endswith("svg")
