"""The picture of a court.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/pictures, then look at the picture.
"""

import os
from pathlib import Path

from knightfall.games.kings_court import KINGS_COURT, Seats, seats_of
from knightfall.games.kings_court.pictures import court_scene
from knightfall.pictures.drawing import svg
from pictures.svg_alike import difference
from salt_court import ADA, IRIS, Table, seated

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/pictures/court.svg"


def four_rounds() -> Seats:
    table = Table(seated())
    table.vote(Boro="Ada Cinder Dusk Elm", Hollis="Boro Fen Iris", Iris="Juniper Kestrel Lumen")
    table.vote(Cinder="Dusk Elm Fen Ada", Iris="Hollis Juniper Kestrel Lumen", Hollis="Cinder Iris")
    table.close("tie")
    table.elect(IRIS)
    table.elect(ADA)
    return seats_of(table.state)


def test_the_court_stands_first_in_order_of_election_then_who_is_outside() -> None:
    seats = four_rounds()
    assert seats.rounds == (1, 2, 3, 4)
    assert [(seat.name, seat.place) for seat in seats.rows[3:6]] == [
        ("Ada", 4),
        ("Dusk", None),
        ("Elm", None),
    ]
    iris = next(seat for seat in seats.rows if seat.name == IRIS)
    assert [(cell.votes, cell.joins, cell.seated) for cell in iris.cells] == [
        (3, False, False),
        (4, False, False),
        (8, True, False),
        (0, False, True),
    ]


def test_the_picture_is_the_golden_one() -> None:
    page = svg(court_scene(four_rounds()))
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        GOLDEN.write_bytes(page)
    assert difference(page, GOLDEN.read_bytes()) == ""


def test_the_table_in_letters_says_the_same() -> None:
    table = Table(seated())
    table.vote(Boro="Ada Cinder Dusk Elm", Hollis="Boro Fen Iris", Iris="Juniper Kestrel Lumen")
    table.elect(IRIS)
    assert KINGS_COURT.board(table.state, None, {ADA: "Rook (was Ada)"}).splitlines()[:5] == [
        "The court, attempt 1",
        "Seat  Player          R1   R2",
        "1     Boro            4 ◄  ·",
        "2     Iris            3    9 ◄",
        "–     Rook (was Ada)  0    1",
    ]


def test_of_many_rounds_the_table_in_letters_shows_the_latest_that_fit() -> None:
    table = Table(seated(zero_votes="no_election"))
    for _ in range(20):
        table.close("vote")
    text = KINGS_COURT.board(table.state, None, {})
    assert max(map(len, text.splitlines())) <= 80
    assert "R20" in text and "R1 " not in text
    assert "Left out: the first 7 rounds." in text


def test_a_court_before_the_first_round_has_a_picture() -> None:
    scene = court_scene(seats_of(seated()))
    assert {"Ada", "Lumen"} <= {label.text for label in scene.labels}
    assert scene.boxes == ()
