"""Moves of Knight's Duty: all at once, whoever sits where."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.games.knights_duty import parse_options, printed_board
from knightfall.games.knights_duty.rules import destinations
from knightfall.sentence import SlotId

BOARD = printed_board("r4-midedge")
NAMES = [SlotId(name) for name in ("Ada", "Bob", "Cyd", "Dan", "Eve", "Fay")]
CROWDED = ["E5", *BOARD.steps["E5"].values(), "E3", "E7", "C4"]

Moves = tuple[dict[SlotId, str], dict[SlotId, str]]
"""Where everybody stands, and where who moves wants to go."""

POSITIONS = st.integers(2, 6).flatmap(
    lambda n: st.permutations(CROWDED).map(lambda spaces: dict(zip(NAMES, spaces[:n], strict=False)))
)


@st.composite
def moves(draw: st.DrawFn) -> Moves:
    positions = draw(POSITIONS)
    movers = draw(st.sets(st.sampled_from(sorted(positions))))
    steps = {slot: draw(st.sampled_from(sorted(BOARD.steps[positions[slot]].values()))) for slot in movers}
    return positions, steps


def after(positions: Mapping[SlotId, str], gone: Mapping[SlotId, str]) -> dict[SlotId, str]:
    return {slot: gone.get(slot, space) for slot, space in positions.items()}


@pytest.mark.parametrize(
    "options", [{}, {"swap_places": False}, {"share_space": True}, {"kd_08": "agreement"}]
)
@given(moves(), st.randoms(use_true_random=False))
def test_seats_do_not_matter(options: dict[str, object], moved: Moves, chance: Random) -> None:
    positions, wishes = moved
    rules = parse_options(options)
    order = chance.sample(sorted(positions), len(positions))
    shuffled = {slot: positions[slot] for slot in order}
    again = {slot: wishes[slot] for slot in chance.sample(sorted(wishes), len(wishes))}
    assert destinations(positions, wishes, rules) == destinations(shuffled, again, rules)


@pytest.mark.parametrize("rule", ["all_stay", "agreement", "seat_order"])
@given(moves())
def test_nobody_shares_a_space_and_who_could_go_goes(rule: str, moved: Moves) -> None:
    positions, wishes = moved
    gone = destinations(positions, wishes, parse_options({"kd_08": rule}))
    stands = after(positions, gone)
    assert len(set(stands.values())) == len(stands)
    for slot in wishes.keys() - gone.keys():
        rivals = [one for one in wishes if wishes[one] == wishes[slot]]
        held = any(stands[one] == wishes[slot] for one in positions if one != slot)
        assert len(rivals) > 1 or held


@given(moves())
def test_without_rivals_and_trades_sharing_changes_nothing_for_who_goes(moved: Moves) -> None:
    positions, wishes = moved
    strict = destinations(positions, wishes, parse_options({}))
    shared = destinations(positions, wishes, parse_options({"share_space": True}))
    assert strict.items() <= shared.items()
    assert shared == wishes


def test_by_agreement_the_one_who_does_not_yield_goes() -> None:
    rules = parse_options({"kd_08": "agreement"})
    positions = dict(zip(NAMES, ("E4", "E6", "D4"), strict=False))
    wishes = dict.fromkeys(positions, "E5")
    ada, bob, cyd = positions
    assert destinations(positions, wishes, rules, {bob, cyd}) == {ada: "E5"}
    assert destinations(positions, wishes, rules, {cyd}) == {}
    assert destinations(positions, wishes, rules, {ada, bob, cyd}) == {}


def test_who_waits_for_somebody_who_waits_for_one_that_stays_stays_too() -> None:
    second = next(iter(BOARD.steps["E5"].values()))
    third = next(space for space in BOARD.steps[second].values() if space != "E5")
    ada, bob, cyd = NAMES[:3]
    positions = {ada: "E5", bob: second, cyd: third}
    assert destinations(positions, {ada: second, bob: third}, parse_options({})) == {}
