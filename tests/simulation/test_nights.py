"""The compact nights say what the traced resolvers say."""

from __future__ import annotations

import random

import pytest

from long_runs import LONG_JOB
from simulation.compact import BATCH, compared

NIGHTS = 2_000 if LONG_JOB else 500


@pytest.mark.few(2)
@pytest.mark.wider
@pytest.mark.parametrize(
    ("game", "told"), [("custom_mafia", 0.29), ("knight_errant", 0.75), ("empowered", 0.7)]
)
def test_compact_nights_are_those_of_the_traced_resolver(game: str, told: float) -> None:
    """Random nights under random options; `told`: how many have to be told compactly at least."""
    chance = random.Random(23)
    found = [one for _ in range(NIGHTS // BATCH) for one in compared(game, chance)]
    assert [one for one in found if one] == []
    assert found.count(None) > told * len(found)
