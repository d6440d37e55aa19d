"""What holds in every match, whatever anomalies are in force and however it is played."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from knightfall.core.entries import Submitted
from knightfall.core.journal import replay
from knightfall.core.playout import Playout
from knightfall.core.rng import SeededRng
from knightfall.games.knight_fight import KNIGHT_FIGHT, State
from knightfall.games.knight_fight.anomalies import ANOMALIES, in_force
from knightfall.games.knight_fight.anomalies.tic_tac_toe import fresh
from knightfall.games.knight_fight.bout import Bout, Reason
from knightfall.games.knight_fight.options import LETTERS
from knightfall.games.knight_fight.record import positions, read, record_of, write
from salt_bout import ADA, BORO, random_match

SUBSETS = ["".join(chosen) for size in range(8) for chosen in combinations(LETTERS, size)]
PLAYED = [*SUBSETS[:8], *SUBSETS[8:-1:7], SUBSETS[-1]]
"""None, each alone, every seventh other subset, all: `scripts/soak` and `PLAYED = SUBSETS` take them all."""


def check_bout(bout: Bout) -> None:
    """KF-15, KF-19, KF-31, KF-41: chips, manure, weakness and points are what they must be."""
    x, o = bout.knights
    assert not x & o and not bout.manure & bout.taken and not bout.weak & ~bout.taken
    assert sum(bout.chips) == 40 and min(bout.chips) >= 0
    assert min(bout.manure_left) >= 0
    assert bout.manure.bit_count() + sum(bout.manure_left) == 4
    assert not bout.has("T") or bout.points == fresh(bout)
    assert min(bout.reserve) >= 0
    assert not bout.taken & ~bout.rules.board.ground


def check_views(playout: Playout[State]) -> None:
    """What one sends in secret changes nobody else's view while the same windows stay open."""
    for (before, after), record in zip(pairwise(playout.states), playout.journal[1:], strict=True):
        if not isinstance(record.entry, Submitted) or before.table is None or after.table is None:
            continue
        if len(before.table.bout.record) != len(after.table.bout.record):
            continue
        for slot in {None, ADA, BORO} - {record.entry.slot}:
            assert KNIGHT_FIGHT.view(after, slot) == KNIGHT_FIGHT.view(before, slot)


@pytest.mark.parametrize("letters", PLAYED)
def test_a_random_match_ends_replays_and_keeps_every_invariant(letters: str) -> None:
    playout = random_match(letters, seed=len(letters))
    assert playout.ended and playout.refused == ()
    again = replay(playout.journal, KNIGHT_FIGHT, lambda: SeededRng(b"draw %d" % len(letters)))
    assert again.state == playout.state
    for state in playout.states:
        if state.table:
            check_bout(state.table.bout)
    check_views(playout)
    check_records(playout.state)


def check_records(state: State) -> None:
    """Reading a record gives what was written, and playing it again gives the same bout."""
    for done in state.done:
        record = record_of(done.first, done.bout)
        assert read(write(record)) == record
        last = list(positions(record))[-1]
        if done.bout.ended and done.bout.ended.reason is not Reason.CALLED:
            assert replace(done.bout, record=last.record) == last


@pytest.mark.parametrize("letters", ["N", "CN", "HN", "NS", "ANT"])
def test_in_snapshot_hidden_knights_change_no_view(letters: str) -> None:
    """KF-37: of the rival only the latest placement is seen: the others could stand anywhere."""
    checked = 0
    for state in random_match(letters, seed=2).states[::5]:
        if state.table is None or not state.table.bout.last[1]:
            continue
        bout = state.table.bout
        other = replace(bout, knights=(bout.knights[0], bout.last[1] & bout.knights[1]), manure=0)
        other = replace(other, weak=other.weak & bout.knights[0], reserve=bout.reserve)
        hidden = replace(state, table=replace(state.table, bout=other))
        assert KNIGHT_FIGHT.view(hidden, ADA if state.number == 1 else BORO) is not None
        side = next(s for s in (ADA, BORO) if KNIGHT_FIGHT.view(state, s).facts["side"] == "X")
        assert KNIGHT_FIGHT.view(hidden, side) == KNIGHT_FIGHT.view(state, side)
        assert KNIGHT_FIGHT.view(hidden, None) == KNIGHT_FIGHT.view(state, None)
        checked += 1
    assert checked > 5


HOUSE = {
    option.name: option.values[1]
    for option in KNIGHT_FIGHT.spec.options
    if option.name not in ("anomalies", "rows", "cols")
}


@pytest.mark.parametrize("letters", ["ABCHSNT", "ACHS", "BST"])
def test_with_every_option_answered_otherwise_it_ends_too(letters: str) -> None:
    playout = random_match(letters, 3, {**HOUSE, "rows": 8, "cols": 7})
    assert playout.ended and playout.refused == ()
    check_views(playout)


def test_a_small_board_ends_by_the_lack_of_moves() -> None:
    reasons = {
        str(done.bout.ended and done.bout.ended.reason)
        for seed in range(6)
        for letters in ("", "T", "B", "BT")
        for done in random_match(letters, seed, {"rows": 6, "cols": 5}).state.done
    }
    assert {"line", "points", "no_moves", "stuck"} <= reasons


def test_every_anomaly_has_a_letter_and_a_sentence() -> None:
    assert "".join(anomaly.letter for anomaly in ANOMALIES) == LETTERS
    assert in_force(frozenset("TA")) == (ANOMALIES[0], ANOMALIES[-1])
    assert all(anomaly.rule.endswith(".") for anomaly in ANOMALIES)
