"""What `legal` offers beside the squares: a few bids and a few places for manure, never a flood of lines."""

from __future__ import annotations

from collections import defaultdict

import pytest

from knightfall.engine.game import Message
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.games.knight_fight.board import each, name_of, spread
from salt_bout import ADA, Play, random_match


def offered(letters: str) -> dict[str, set[str]]:
    """By placement, what is said beside it, Ada's first turn."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in KNIGHT_FIGHT.legal(Play(letters).state, ADA):
        bid, _, move = line.rpartition(": ")
        target, _, manure = move.partition(" MANURE ")
        found[target].add(f"{bid} {manure}".strip())
    return found


def test_every_placement_is_offered_with_nothing_something_and_all() -> None:
    bids = offered("B")
    assert all({"BID 0", "BID 20"} <= said for said in bids.values())
    assert {len(said) for said in bids.values()} == {2, 3}


def test_manure_is_offered_where_the_rival_may_jump_next_too() -> None:
    play, places = Play("A"), offered("A")
    rivals = {name_of(square) for square in each(spread(play.bout.knights[1]))}
    near = [target for target, said in places.items() if rivals & said]
    assert len(near) >= len(places) - 1
    assert {len(said) for said in places.values()} <= {2, 3}
    assert any(said - rivals - {""} for said in places.values())


@pytest.mark.parametrize("letters", ["A", "B", "AB", "ABS", "ABCHNST"])
def test_the_lines_are_few_and_each_is_taken(letters: str) -> None:
    states = [state for state in random_match(letters, 2).states if state.table is not None][::40]
    for state in states:
        assert state.table is not None
        for slot in state.slots:
            lines = tuple(KNIGHT_FIGHT.legal(state, slot))
            assert len(lines) == len({*lines}) <= 400
            for line in lines[:: max(1, len(lines) // 6)]:
                at = state.table.turn.since
                step = KNIGHT_FIGHT.submit(
                    state, Message(slot, line, at), Play(letters).draw.at("offers", line)
                )
                assert step.refused == ()
