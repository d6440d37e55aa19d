"""Random play of a vanilla setup meets the chances that are known exactly."""

from __future__ import annotations

import sys
import tomllib
from math import sqrt
from pathlib import Path

import pytest

from long_runs import rows

ROOT = Path(__file__).parents[2]
GAMES = 300


@pytest.mark.parametrize(
    ("players", "mafia", "starts", "exact"),
    rows(1, ((7, 2, "day", 8 / 35), (9, 2, "day", 94 / 315), (9, 2, "night", 0.1562))),
    ids=["5:2", "7:2", "7:2-night"],
)
def test_the_town_wins_as_often_as_is_known(
    players: int, mafia: int, starts: str, exact: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within four standard errors; scripts/balance plays 20,000 games."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "scripts" / "py")])
    from balance import winner

    setup = tomllib.loads((ROOT / "fixtures/setups/vanilla.toml").read_text(encoding="utf-8"))
    setup |= {"starts": starts}
    setup["slots"][0]["count"] = mafia
    won = sum(winner(setup, players, seed) == "town" for seed in range(GAMES))
    assert abs(won / GAMES - exact) < 4 * sqrt(exact * (1 - exact) / GAMES)
