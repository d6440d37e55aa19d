"""Games whose messages are read late, at the desk: the same state and the same texts as in time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from knightfall.games import game_ids

sys.path.append(str(Path(__file__).parents[2] / "scripts" / "py"))

from late_mail import late

from long_runs import first


@pytest.mark.parametrize("game", first(0, game_ids()))
def test_a_game_that_is_read_late_ends_as_in_time(game: str, tmp_path: Path) -> None:
    seen = late(game, 3, tmp_path)
    assert seen["closings"] > 1
    assert seen["read late"] > 3
