"""Simulated chances meet those that are known exactly, and those that others have published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from knightfall.simulation.intervals import wilson
from knightfall.simulation.run import Question, play_chunk

GAMES = 4_000
SURE = 4.0
"""Standard errors within which the truth has to lie: of 15,000 seeds one would fail."""


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


def agrees(hits: int, exact: float, games: int = GAMES) -> bool:
    _, low, high = wilson(hits, games, SURE)
    return low <= exact <= high


@cache
def vanilla(town: int, mafia: int, day: bool) -> Fraction:
    """The town's chance where everybody is eliminated and killed at random (a recursion over the living)."""
    if mafia == 0:
        return Fraction(1)
    if mafia >= town:
        return Fraction(0)
    if not day:
        return vanilla(town - 1, mafia, True)
    hit = Fraction(mafia, town + mafia)
    return hit * vanilla(town, mafia - 1, False) + (1 - hit) * vanilla(town - 1, mafia, False)


TABLES = [(players, mafia) for players in range(3, 21) for mafia in range(1, (players - 1) // 2 + 1)]


@pytest.mark.parametrize("starts", ["day", "night"])
def test_vanilla_tables_of_up_to_twenty_meet_the_recursion(starts: str) -> None:
    far = []
    for players, mafia in TABLES:
        exact = vanilla(players - mafia, mafia, starts == "day")
        hits = town_wins(setup(mafia, starts), players)
        if not agrees(hits, float(exact)):
            far.append((players, mafia, hits / GAMES, float(exact)))
    assert len(TABLES) == 90
    assert far == []


# ── One power role, against a recursion over (Goons, Vanilla Townies, whether the power lives). ────────────


def end(goons: int, townies: int, power: int) -> Fraction | None:
    if goons == 0:
        return Fraction(int(townies + power > 0))
    return Fraction(0) if 2 * goons >= goons + townies + power else None


def vigilante_night(goons: int, townies: int, power: int) -> Iterator[tuple[Fraction, tuple[int, int, int]]]:
    """The mafia kills one who is no mafioso, a Vigilante shoots anybody else at the same time."""
    victims = townies + power
    if not power:
        yield Fraction(1), (goons, townies - 1, 0)
        return
    others = goons + townies
    for kind, number in (("townie", townies), ("power", 1)):
        chance = Fraction(number, victims)
        shot_left = townies - (kind == "townie")
        power_left = int(kind != "power")
        yield chance * Fraction(goons, others), (goons - 1, shot_left, power_left)
        same = 1 if kind == "townie" else 0  # the shot meets who is killed anyway
        yield chance * Fraction(same, others), (goons, shot_left, power_left)
        yield chance * Fraction(townies - same, others), (goons, shot_left - 1, power_left)


def doctor_night(goons: int, townies: int, power: int) -> Iterator[tuple[Fraction, tuple[int, int, int]]]:
    """A Doctor heals anybody else, and the mafia kills one who is no mafioso, perhaps the Doctor."""
    victims = townies + power
    if not power:
        yield Fraction(1), (goons, townies - 1, 0)
        return
    saved = Fraction(townies, victims) * Fraction(1, goons + townies)
    yield saved, (goons, townies, 1)
    yield Fraction(townies, victims) - saved, (goons, townies - 1, 1)
    yield Fraction(1, victims), (goons, townies, 0)


NIGHTS = {"Vigilante": vigilante_night, "Doctor": doctor_night}


@cache
def with_power(role: str, goons: int, townies: int, power: int) -> Fraction:
    """The town's chance at the beginning of a day."""
    if (over := end(goons, townies, power)) is not None:
        return over
    players, total = goons + townies + power, Fraction(0)
    for number, left in (
        (goons, (goons - 1, townies, power)),
        (townies, (goons, townies - 1, power)),
        (power, (goons, townies, power - 1)),
    ):
        if not number:
            continue
        over = end(*left)
        chance = Fraction(number, players)
        if over is not None:
            total += chance * over
            continue
        for share, morning in NIGHTS[role](*left):
            total += chance * share * with_power(role, *morning) if share else 0
    return total


@pytest.mark.parametrize("role", sorted(NIGHTS))
@pytest.mark.parametrize(("players", "mafia"), [(5, 1), (7, 1), (7, 2), (9, 2), (13, 3)])
def test_one_power_role_meets_the_recursion(role: str, players: int, mafia: int) -> None:
    exact = with_power(role, mafia, players - mafia - 1, 1)
    hits = town_wins(setup(mafia, "day", f"Town {role}"), players, games=20_000)
    assert agrees(hits, float(exact), 20_000), (hits / 20_000, float(exact))


@pytest.mark.parametrize(("players", "mafia"), [(3, 1), (8, 2), (12, 4), (20, 5), (20, 3)])
def test_without_night_kills_the_town_wins_as_the_rule_says(players: int, mafia: int) -> None:
    """(N - 2S) / N, the “Nightless Expectation Rule” of the MafiaScum wiki."""
    exact = (players - 2 * mafia) / players
    hits = town_wins(setup(mafia), players, "random:kills_from=99", 20_000)
    assert agrees(hits, exact, 20_000)


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
