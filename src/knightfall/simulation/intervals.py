"""How sure a share of many games is: Wilson's interval, and the intervals of a difference."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Of 95 in a hundred intervals the truth lies within so many standard errors."""


class Share(NamedTuple):
    """A share with its interval: of 95 in a hundred such intervals the true share lies inside."""

    share: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


def wilson(hits: int, games: int, z: float = Z) -> Share:
    """Wilson's score interval of `hits` out of `games`; all of 0 to 1 where there are none."""
    if not games:
        return Share(0.0, 0.0, 1.0)
    share, square = hits / games, z * z
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = z * sqrt(share * (1 - share) / games + square / (4 * games * games)) / (1 + square / games)
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == games else min(1.0, middle + half)
    return Share(share, low, high)


def difference(one: Share, other: Share) -> Share:
    """By how much the first share is above the second, by Newcombe's method from the two intervals."""
    apart = one.share - other.share
    down = sqrt((one.share - one.low) ** 2 + (other.high - other.share) ** 2)
    up = sqrt((one.high - one.share) ** 2 + (other.share - other.low) ** 2)
    return Share(apart, apart - down, apart + up)


def paired_difference(first: int, second: int, games: int, z: float = Z) -> Share:
    """By how much the first share is above the second where both are of the same games: `first` games came
    out so for the first alone, `second` for the second alone.

    The interval is that of Agresti and Min (2005), Wald's with half a game more in each of the four cells;
    all of -1 to 1 where there are no games.
    """
    if not games:
        return Share(0.0, -1.0, 1.0)
    more = games + 2
    middle = (first - second) / more
    half = z * sqrt((first + second + 1) / more - middle * middle) / sqrt(more)
    return Share((first - second) / games, max(-1.0, middle - half), min(1.0, middle + half))
