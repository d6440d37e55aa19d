"""Chances of mafia games at random that are known exactly, by recursions over the living."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from knightfall.simulation.intervals import wilson

SURE = 4.0
"""Standard errors within which the truth has to lie: of 15,000 seeds one would fail."""


def agrees(hits: int, exact: float, games: int) -> bool:
    """Whether so many hits of so many games are what an exact chance would give."""
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
