"""Knightfall reads back what it writes: a thread of its posts counts alike with and without its game file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from knightfall.votes.votecount import Votecount
from long_runs import first
from properties.read_back import SIZES, SPEECHES, VOTES, told_game
from votes.test_houses import counted


@pytest.mark.parametrize("kind", first(1, (VOTES, *(kind for kind in SIZES if kind != VOTES))))
def test_a_thread_of_our_posts_counts_alike_without_its_file(kind: str) -> None:
    assert_counts_alike(kind, 1, "phpbb")


@pytest.mark.long
@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))  # a game is no smaller for a smaller seed
@given(st.sampled_from(tuple(SIZES)), st.integers(0, 10_000), st.sampled_from(SPEECHES))
def test_so_does_any_thread_of_our_posts(kind: str, seed: int, speech: str) -> None:
    assert_counts_alike(kind, seed, speech)


def assert_counts_alike(kind: str, seed: int, speech: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        game = told_game(kind, seed, speech, Path(folder) / "game")
        for at in game.checks:
            assert all_of(game.read(at)) == all_of(game.filed(at)), f"as of #{at}"


def all_of(count: Votecount) -> dict[str, object]:
    """What a count claims, with what the deadline does."""
    cast = sum(wagon.count for wagon in count.tally.wagons)
    enough = count.rule.needed_at_deadline(count.tally.alive, cast, count.day.number)
    return counted(count) | {"at the deadline": (enough, enough and count.rule.tie)}
