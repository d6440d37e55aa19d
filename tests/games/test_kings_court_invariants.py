"""What holds in every match of King's Court, however it is played."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from knightfall.engine.entries import Closed, Submitted
from knightfall.engine.playout import Playout, play
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT, OPTIONS, State
from salt_court import COURT, NOON

RICH: Mapping[str, object] = {"garnets": 20}
HOUSES: tuple[Mapping[str, object], ...] = tuple(
    {**RICH, option.name: value} for option in OPTIONS for value in option.values[1:]
)
SEEDS = range(12)


def played(seed: int, options: Mapping[str, object] = RICH) -> Playout[State]:
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    return play(KINGS_COURT, COURT, options, chance, draw, 2_000)


def check_state(state: State) -> None:
    """Nobody in the court votes or is voted for; tokens and marks are as many as they should be."""
    inside = set(state.court)
    assert not inside & {*state.ballots, *state.ballots.values()}
    assert all(voter != target for voter, target in state.ballots.items())
    assert sum(state.prizes.moe.values()) == len(state.past_kings) <= 4
    assert sum(state.prizes.tol.values()) == tokens_due(state)
    assert state.rules["garnet_floor"] == "none" or min(state.garnets.values()) >= 0
    assert len(set(state.court)) == len(state.court) == len(inside)


def tokens_due(state: State) -> int:
    if state.end is None or state.end.kind == "deathmatch4":
        return 0
    if state.end.kind != "king":
        return 5
    lost = state.phase != "tol" and not state.end.gifted
    return 1 if lost else 3


def check_step(before: State, after: State, entry: object) -> None:
    """Counts are the ballots; gifts move garnets and make none; attempts and the court only grow."""
    if isinstance(entry, Closed) and entry.window == "vote":
        poll = after.pending or after.polls[len(before.polls)]
        assert sum(poll.counts.values()) == len(before.ballots)
        assert min(poll.counts.values(), default=1) > 0
        assert set(poll.missed) == set(before.outside) - set(before.ballots)
    if isinstance(entry, Submitted) and entry.text.startswith("GIVE"):
        assert sum(before.garnets.values()) == sum(after.garnets.values())
    assert after.attempt > before.attempt or after.court[: len(before.court)] == before.court


def check(playout: Playout[State]) -> None:
    assert playout.ended
    assert playout.refused == ()
    for state in playout.states:
        check_state(state)
    for (before, after), record in zip(pairwise(playout.states), playout.journal[1:], strict=True):
        check_step(before, after, record.entry)


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_match_keeps_the_rules(seed: int) -> None:
    check(played(seed))


@pytest.mark.few(3)
@pytest.mark.parametrize("options", HOUSES, ids=lambda options: "-".join(list(map(str, options.items()))[1:]))
def test_a_random_match_keeps_the_rules_with_every_option(options: Mapping[str, object]) -> None:
    check(played(1, options))


def test_a_match_without_any_message_ends_too() -> None:
    state, closed = KINGS_COURT.setup(COURT, {}, SeededRng(b"silence")).state, 0
    draw = SeededRng(b"silence, later")
    while state.phase not in ("dmo", "done"):
        window = KINGS_COURT.windows(state)[0]
        state = KINGS_COURT.close(state, window.kind, window.closes or NOON, draw).state
        closed += 1
    assert closed < 100
