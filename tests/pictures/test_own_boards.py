"""Snapshot: a player's own picture tells nothing that his view does not tell in words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from knightfall.games.knight_fight import State
from knightfall.games.knight_fight.anomalies.snapshot import known
from knightfall.games.knight_fight.board import SIDES, Side, put
from knightfall.games.knight_fight.events import MatchView
from knightfall.games.knight_fight.pictures import own_picture
from knightfall.games.knight_fight.state import Turn, seats
from knightfall.games.knight_fight.views import seen_by
from knightfall.pictures.board import board_scene
from knightfall.pictures.svg import svg_text
from knightfall.sentence import SlotId
from salt_bout import random_match

KINDS: dict[str, tuple[str, dict[str, object]]] = {
    "N": ("N", {}),
    "ACNS": ("ACNS", {}),
    "BHNT": ("BHNT", {}),
    "ABCHNST": ("ABCHNST", {}),
    "passes and points hidden": ("ANT", {"kf_39": "passed", "kf_45": "hidden"}),
}


def playing(kind: str) -> list[State]:
    letters, options = KINDS[kind]
    states = [one for one in random_match(letters, 5, options).states if one.table is not None]
    return states[:: max(1, len(states) // 25)]


def view(state: State, side: Side) -> MatchView:
    return seen_by(state, SlotId(seats(state)[side]))


def page(state: State, side: Side) -> str:
    return svg_text(board_scene(own_picture(view(state, side))))


def blind(state: State, side: Side) -> State:
    """The same position without what this side may not know: other knights and their health, manure that did
    not fall with the rival's latest move, what the rival has on file, hidden points, the record."""
    assert state.table is not None
    bout = state.table.bout
    rival = side.rival
    hidden = replace(
        bout,
        knights=put(bout.knights, rival, bout.knights[rival] & known(bout, side)),
        weak=bout.weak & bout.knights[side],
        manure=bout.last_manure[rival],
        manure_left=put(bout.manure_left, rival, 0),
        record=(),
        illegal=0,
        points=(0, 0) if bout.rules["kf_45"] == "hidden" else bout.points,
    )
    turn = Turn(state.table.turn.since, stand_in=state.table.turn.stand_in, winner=state.table.turn.winner)
    return replace(state, table=replace(state.table, first=hidden, bout=hidden, turn=turn))


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_is_the_same_without_what_the_player_may_not_know(kind: str) -> None:
    changed = 0
    for state in playing(kind):
        for side in SIDES:
            other = blind(state, side)
            assert page(state, side) == page(other, side)
            changed += other != state
    assert changed > 0


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", KINDS)
def test_marks_frame_and_numbers_are_those_of_the_view(kind: str) -> None:
    for state in playing(kind):
        for side in SIDES:
            facts = view(state, side)
            own, playing_now = facts.own, facts.playing
            assert own and playing_now and facts.board
            board = own_picture(facts)
            assert [[(c.mark, c.colour) for c in row] for row in board.rows] == [
                [(c.mark, c.colour) for c in row.cells] for row in facts.board.rows
            ]
            framed = [
                f"{chr(65 + column)}{row + 1}"
                for row, cells in enumerate(board.rows)
                for column, cell in enumerate(cells)
                if cell.latest
            ]
            assert framed == [name for name in [own.rival_last] if name not in (None, "passed")]
            assert not any(cell.won for row in board.rows for cell in row)
            numbers = {int(one) for note in board.notes for one in re.findall(r"\b\d+", note)}
            assert numbers <= {*playing_now.chips, *playing_now.points, own.manure_left}
            squares = {one for note in board.notes for one in re.findall(r"\b[A-L]\d+", note)}
            assert squares <= {own.rival_last}


def test_neither_player_s_picture_has_all_the_rival_s_knights() -> None:
    state = playing("N")[-1]
    assert state.table is not None
    for side in SIDES:
        rivals = sum(
            cell.mark.upper() == side.rival.name for r in own_picture(view(state, side)).rows for cell in r
        )
        assert rivals <= 1 < state.table.bout.knights[side.rival].bit_count()
