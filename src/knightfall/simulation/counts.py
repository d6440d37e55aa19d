"""What is counted of many games: whole numbers that add up, however the games were shared out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Counts:
    """Sums over games.

    `won`: result → games ("nobody" for a draw, or where a game did not end). `also`: alignment → games in
    which one of it won along. `ends`: "day 3" → result → games. `dealt`, `alive`, `carried`: role → cards
    dealt, cards alive at the end, cards whose side won. `fell`: role → result → games in which one died in
    the first night. `left` is how many lived at the end, over all games;
    `nights` how many were played, `traced` how many of them by the traced resolver.
    """

    games: int = 0
    nights: int = 0
    traced: int = 0
    left: int = 0
    won: Counter[str] = field(default_factory=Counter)
    also: Counter[str] = field(default_factory=Counter)
    ends: dict[str, Counter[str]] = field(default_factory=dict)
    dealt: Counter[str] = field(default_factory=Counter)
    alive: Counter[str] = field(default_factory=Counter)
    carried: Counter[str] = field(default_factory=Counter)
    fell: dict[str, Counter[str]] = field(default_factory=dict)

    def ended(self, when: str, result: str, games: int) -> None:
        """So many games ended then so."""
        if games:
            self.games += games
            self.won[result] += games
            self.ends.setdefault(when, Counter())[result] += games

    def add(self, other: Counts) -> None:
        """Take over the sums of other games."""
        self.games += other.games
        self.nights += other.nights
        self.traced += other.traced
        self.left += other.left
        for mine, theirs in (
            (self.won, other.won),
            (self.also, other.also),
            (self.dealt, other.dealt),
            (self.alive, other.alive),
            (self.carried, other.carried),
        ):
            mine.update(theirs)
        for sums, more in ((self.ends, other.ends), (self.fell, other.fell)):
            for name, results in more.items():
                sums.setdefault(name, Counter()).update(results)

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it; `counts_from` reads it back."""
        return {
            "games": self.games,
            "nights": self.nights,
            "traced": self.traced,
            "left": self.left,
            "won": dict(self.won),
            "also": dict(self.also),
            "ends": {when: dict(results) for when, results in self.ends.items()},
            "dealt": dict(self.dealt),
            "alive": dict(self.alive),
            "carried": dict(self.carried),
            "fell": {role: dict(results) for role, results in self.fell.items()},
        }


def counts_from(given: Mapping[str, Any]) -> Counts:
    """Read what `Counts.to_dict` wrote."""
    return Counts(
        given["games"],
        given["nights"],
        given["traced"],
        given["left"],
        Counter(given["won"]),
        Counter(given["also"]),
        {when: Counter(results) for when, results in given["ends"].items()},
        Counter(given["dealt"]),
        Counter(given["alive"]),
        Counter(given["carried"]),
        {role: Counter(results) for role, results in given.get("fell", {}).items()},
    )


@dataclass(slots=True)
class PairCounts:
    """Sums over games of two setups that were played with common random numbers. `joint`: how the first
    ended → how the second ended → games."""

    first: Counts = field(default_factory=Counts)
    second: Counts = field(default_factory=Counts)
    joint: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Pairs of games."""
        return self.first.games

    def alone(self, result: str) -> tuple[int, int]:
        """In how many pairs only the first game ended so, and in how many only the second."""
        both = self.joint.get(result, Counter[str]())[result]
        return self.first.won[result] - both, self.second.won[result] - both

    def pair(self, first: Iterable[str], second: Iterable[str]) -> None:
        """Count how games that were played with common random numbers ended, in the same order."""
        for one, other in zip(first, second, strict=True):
            self.joint.setdefault(one, Counter())[other] += 1

    def add(self, other: PairCounts) -> None:
        """Take over the sums of other games."""
        self.first.add(other.first)
        self.second.add(other.second)
        for result, results in other.joint.items():
            self.joint.setdefault(result, Counter()).update(results)

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it; `pair_counts_from` reads it back."""
        joint = {result: dict(results) for result, results in self.joint.items()}
        return {"first": self.first.to_dict(), "second": self.second.to_dict(), "joint": joint}


def pair_counts_from(given: Mapping[str, Any]) -> PairCounts:
    """Read what `PairCounts.to_dict` wrote."""
    joint = {result: Counter(results) for result, results in given["joint"].items()}
    return PairCounts(counts_from(given["first"]), counts_from(given["second"]), joint)
