"""Counting the sides."""

from __future__ import annotations

import pytest

from knightfall.games.knight_errant import ROLES
from knightfall.mafia.wins import Count, at_parity, count_sides, in_majority, majority
from salt_harbour import CAST


def test_sides_are_counted_by_card() -> None:
    assert count_sides(ROLES[role] for role in CAST.values()) == Count(town=12, mafia=5, sk=1)


@pytest.mark.parametrize(("alive", "votes"), [(1, 1), (2, 2), (3, 2), (17, 9), (18, 10)])
def test_majority_is_more_than_half(alive: int, votes: int) -> None:
    assert majority(alive) == votes


def test_parity_needs_a_mafioso_and_majority_one_more() -> None:
    assert at_parity(Count(2, 2)) and not in_majority(Count(2, 2))
    assert in_majority(Count(1, 2)) and not in_majority(Count(1, 2, 1))
    assert not at_parity(Count(0, 0))
