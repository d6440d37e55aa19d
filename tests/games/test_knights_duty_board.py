"""Boards of Knight's Duty: the printed ones against published numbers, and a moderator's own."""

from __future__ import annotations

import pytest

from duty_table import CLANS
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.knights_duty import KNIGHTS_DUTY, Board, draw_board, parse_board, printed_board
from knightfall.sentence import SlotId

ADA, BOB, CYD = map(SlotId, ("Ada", "Bob", "Cyd"))
LARGE, SMALL = printed_board("r4-midedge"), printed_board("r3-corners")
SMALL_TEXT = """\
# the first edition's board
hex
      (P) ( ) ( ) (P)
    ( ) ( ) ( ) ( ) ( )
  ( ) ( ) ( ) ( ) ( ) ( )
(P) ( ) ( ) (*) ( ) ( ) (P)
  ( ) ( ) ( ) ( ) ( ) ( )
    ( ) ( ) ( ) ( ) ( )
      (P) ( ) ( ) (P)
"""


def test_the_printed_boards_are_as_the_rulings_say() -> None:
    assert (len(LARGE.spaces), len(SMALL.spaces)) == (61, 37)
    assert LARGE.starts == ("A3", "C7", "G7", "I3", "G1", "C1")
    assert SMALL.starts == ("A1", "A4", "D7", "G4", "G1", "D1")
    assert (LARGE.hills, SMALL.hills) == (frozenset({"E5"}), frozenset({"D4"}))
    assert tuple(LARGE.clan(space) for space in LARGE.starts) == CLANS
    sizes = "".join(str(sum(name[0] == row for name in LARGE.spaces)) for row in "ABCDEFGHI")
    assert sizes == "567898765"


def test_starts_are_four_six_and_eight_apart_and_four_from_the_hill() -> None:
    first = LARGE.distances["A3"]
    assert [first[space] for space in LARGE.starts] == [0, 4, 6, 8, 6, 4]
    assert {LARGE.distances["E5"][space] for space in LARGE.starts} == {4}


@pytest.mark.parametrize("board", [LARGE, SMALL])
def test_distance_is_the_number_of_steps(board: Board) -> None:
    for start in board.spaces:
        seen, edge, far = {start: 0}, [start], 0
        while edge:
            far += 1
            edge = [two for one in edge for two in board.steps[one].values() if two not in seen]
            seen |= dict.fromkeys(edge, far)
        assert seen == board.distances[start]


def test_a_step_and_the_step_back_are_one_space() -> None:
    back = {"E": "W", "W": "E", "NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW"}
    for space, steps in LARGE.steps.items():
        assert all(LARGE.steps[there][back[word]] == space for word, there in steps.items())


def test_an_own_board_written_like_the_small_one_is_the_small_one() -> None:
    own = parse_board(SMALL_TEXT)
    assert (own.starts, own.hills, own.blank) == (SMALL.starts, SMALL.hills, SMALL.blank)
    assert own.distances == SMALL.distances


def test_squares_have_eight_directions_and_gaps_are_no_spaces() -> None:
    own = parse_board("square\n(P) ( ) ( )\n( )     (*)\n( ) ( ) (P)\n")
    assert own.steps["A1"] == {"E": "A2", "S": "B1"}
    assert own.steps["A2"] == {"E": "A3", "W": "A1", "SE": "B2", "SW": "B1"}
    assert own.distances["A1"]["C3"] == 2
    assert draw_board(own, {"B2": "R"}) == ["A  .   .   .", "B  .       R", "C  .   .   ."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "begins with nothing"),
        ("round\n(P) (*) (P)", "begins with “round”; expected a line “hex” or “square”"),
        ("hex", "has no rows"),
        ("square\n(P) (*) [P]", "line 2, column 9: found “[P]”, expected ( ), (P) or (*)"),
        ("hex\n(P) (*)\n(P) ( )", "line 3, column 1: this space stands between two columns"),
        ("square\n(P) (*)\n  (P) ( )", "line 3, column 3: this space stands between two columns"),
        ("square\n(P) (*)", "has 1 starts (P); expected two to six"),
        ("square\n(P) (P) (P) (P) (P) (P) (P) (*)", "has 7 starts"),
        ("square\n(P) ( ) (P)", "has 0 hills (*); expected one"),
        ("square\n(P) (*) (P) (*)", "has 2 hills"),
        ("square\n(P) (*)     (P) ( )", "in pieces: 2 spaces cannot be reached from the hill"),
        ("square\n" + "( )\n" * 25 + "(P)\n(*)\n(P)", "has 28 rows"),
    ],
)
def test_a_board_that_cannot_be_played_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_board(text)
    assert said in str(caught.value)


def test_the_board_and_its_map_go_together() -> None:
    for options in ({"board": "own"}, {"map": SMALL_TEXT}):
        with pytest.raises(InputError):
            KNIGHTS_DUTY.setup([ADA, BOB], options, SeededRng(b""))
    state = KNIGHTS_DUTY.setup([ADA, BOB], {"board": "own", "map": SMALL_TEXT}, SeededRng(b"")).state
    assert state.board.starts == SMALL.starts


def test_more_players_than_starts_are_refused() -> None:
    own = {"board": "own", "map": "square\n(P) (*) (P)"}
    with pytest.raises(InputError, match="2 start spaces for 3 players"):
        KNIGHTS_DUTY.setup([ADA, BOB, CYD], own, SeededRng(b""))
