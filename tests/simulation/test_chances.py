"""Simulated chances meet those that are known exactly, and those that others have published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from knightfall.simulation.run import Question, play_chunk
from long_runs import rows, spread
from simulation.chances import NIGHTS, agrees, vanilla, with_power

GAMES = 4_000


def setup(mafia: int, starts: str = "day", *powers: str) -> Mapping[str, Any]:
    """Goons, these roles, and Vanilla Townies."""
    table: dict[str, Any] = {
        "schema": 1,
        "name": "Quarry",
        "starts": starts,
        "slots": [
            {"role": "Mafia Goon", "count": mafia},
            *({"role": power} for power in powers),
            {"role": "Vanilla Townie", "fill": True},
        ],
    }
    return {"setup": table}


def town_wins(options: Mapping[str, Any], players: int, policy: str = "random", games: int = GAMES) -> int:
    counts = play_chunk(Question("custom_mafia", options, players, policy), 23, 0, games)
    assert counts.games == games
    return counts.won["town"]


TABLES = [(players, mafia) for players in range(3, 21) for mafia in range(1, (players - 1) // 2 + 1)]


@pytest.mark.few(1)
@pytest.mark.wider
@pytest.mark.parametrize("starts", ["day", "night"])
def test_vanilla_tables_of_up_to_twenty_meet_the_recursion(starts: str) -> None:
    far = []
    for players, mafia in spread(15, TABLES):
        exact = vanilla(players - mafia, mafia, starts == "day")
        hits = town_wins(setup(mafia, starts), players)
        if not agrees(hits, float(exact), GAMES):
            far.append((players, mafia, hits / GAMES, float(exact)))
    assert len(TABLES) == 90
    assert far == []


@pytest.mark.few(2)
@pytest.mark.parametrize("role", sorted(NIGHTS))
@pytest.mark.parametrize(("players", "mafia"), rows(2, ((9, 2), (13, 3), (5, 1), (7, 1), (7, 2))))
def test_one_power_role_meets_the_recursion(role: str, players: int, mafia: int) -> None:
    exact = with_power(role, mafia, players - mafia - 1, 1)
    hits = town_wins(setup(mafia, "day", f"Town {role}"), players, games=20_000)
    assert agrees(hits, float(exact), 20_000), (hits / 20_000, float(exact))


@pytest.mark.few(2)
@pytest.mark.parametrize(("players", "mafia"), [(3, 1), (8, 2), (12, 4), (20, 5), (20, 3)])
def test_without_night_kills_the_town_wins_as_the_rule_says(players: int, mafia: int) -> None:
    """(N - 2S) / N, the “Nightless Expectation Rule” of the MafiaScum wiki."""
    exact = (players - 2 * mafia) / players
    hits = town_wins(setup(mafia), players, "random:kills_from=99", 20_000)
    assert agrees(hits, exact, 20_000)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("mafia", "players", "starts", "policy", "published"),
    [
        # wiki.mafiascum.net, “Nightless Vanilla”: 4 Goons, 8 Townies, no nights.
        (4, 12, "day", "random:kills_from=99", 1 / 3),
        # The same wiki, “Semi-Nightless”: 2 Goons, 9 Townies, no kill in the nights 1 and 2.
        (2, 11, "day", "random:kills_from=3", 0.4078),
        # The same wiki, “Numbers, Part 1”: vanilla games that begin with a night.
        (1, 8, "night", "random", 0.5429),
        (2, 12, "night", "random", 0.3521),
        (2, 16, "night", "random", 0.4301),
        (3, 20, "night", "random", 0.3066),
    ],
)
def test_published_chances_of_open_setups_are_met(
    mafia: int, players: int, starts: str, policy: str, published: float
) -> None:
    hits = town_wins(setup(mafia, starts), players, policy, 20_000)
    assert agrees(hits, published, 20_000), hits / 20_000
