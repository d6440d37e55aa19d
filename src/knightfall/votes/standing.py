"""Which votes stand, and since when has each wagon had its size?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from knightfall.core.roster import Slot


@dataclass(frozen=True, slots=True)
class Vote:
    """A standing vote. `target` None is no elimination; `rule` is how the name was matched and `score` how
    surely (1.0: certain); `weight` is what the vote counts."""

    voter: Slot
    target: Slot | None
    post: int
    text: str
    rule: str
    weight: int = 1
    time: datetime | None = None
    url: str | None = None
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Wagon:
    """The votes on one target in order of voting.

    `count` is by weight, with the target's bonus votes. `since` is the post from which on the wagon has had
    at least its present size without a break, `first` the post at which it first had it, `held` the post
    from which on it has had as many voters as now.
    """

    target: Slot | None
    votes: tuple[Vote, ...]
    count: int
    needed: int
    since: int
    first: int
    held: int


@dataclass(frozen=True, slots=True)
class Move:
    """A vote that came to stand (`joined`), or ceased to: moved, taken back, or by a death.

    `post` is where that happened; for a vote that came it is the vote's own.
    """

    vote: Vote
    joined: bool
    post: int


class Standing:
    """The votes that stand at one moment of a count; it is changed as the count goes on."""

    def __init__(self) -> None:
        self._votes: dict[str, list[Vote]] = {}
        self._moves: list[Move] = []
        self._sizes: dict[str | None, list[int]] = {}
        self._firsts: dict[str | None, list[int]] = {}
        self._heads: dict[str | None, list[int]] = {}

    def of(self, voter: Slot) -> tuple[Vote, ...]:
        """His standing votes, oldest first."""
        return tuple(self._votes.get(voter.name, ()))

    def voters(self) -> frozenset[str]:
        """The names of all who have a vote standing."""
        return frozenset(name for name, votes in self._votes.items() if votes)

    def size(self, target: Slot | None) -> int:
        """The weight of the wagon on a target, bonus votes included; 0 where nobody votes for it."""
        sizes = self._sizes.get(_key(target))
        return len(sizes) + (target.bonus if target else 0) if sizes else 0

    def place(self, vote: Vote, capacity: int) -> None:
        """Lets a vote stand. Where the voter has no room for it, his oldest votes make room."""
        mine = self._votes.setdefault(vote.voter.name, [])
        while mine and sum(max(v.weight, 1) for v in mine) + max(vote.weight, 1) > max(capacity, vote.weight):
            self._leave(mine.pop(0), vote.post)
        mine.append(vote)
        self._moves.append(Move(vote, True, vote.post))
        sizes = self._sizes.setdefault(_key(vote.target), [])
        firsts = self._firsts.setdefault(_key(vote.target), [])
        self._heads.setdefault(_key(vote.target), []).append(vote.post)
        sizes.extend([vote.post] * vote.weight)
        firsts.extend([vote.post] * (len(sizes) - len(firsts)))

    def withdraw(self, voter: str, post: int, target: Slot | None = None) -> None:
        """Takes his votes back at `post`: those on `target`, or all of them."""
        gone = [vote for vote in self._votes.get(voter, ()) if target is None or vote.target == target]
        for vote in gone:
            self._votes[voter].remove(vote)
            self._leave(vote, post)

    def drop_the_dead(self, post: int) -> None:
        """Votes by and for everybody who is dead at `post` go."""
        for voter, votes in self._votes.items():
            for vote in [v for v in votes if _touches_dead(v, post)]:
                self._votes[voter].remove(vote)
                self._leave(vote, post)

    def targets(self) -> tuple[Slot | None, ...]:
        """Everybody with a wagon, in the order of their oldest votes."""
        votes = sorted((vote for votes in self._votes.values() for vote in votes), key=lambda vote: vote.post)
        return tuple({_key(vote.target): vote.target for vote in votes}.values())

    def wagon(self, target: Slot | None, needed: int) -> Wagon:
        """The wagon on a target that somebody votes for."""
        votes = [v for votes in self._votes.values() for v in votes if _key(v.target) == _key(target)]
        ordered = tuple(sorted(votes, key=lambda vote: vote.post))
        sizes = self._sizes.get(_key(target)) or [ordered[0].post]  # voteless votes alone weigh nothing
        first = (self._firsts.get(_key(target)) or sizes)[len(sizes) - 1]
        held = self._heads[_key(target)][-1]
        return Wagon(target, ordered, self.size(target), needed, sizes[-1], first, held)

    def moves(self) -> tuple[Move, ...]:
        """Every vote that came to stand or ceased to, in order."""
        return tuple(self._moves)

    def _leave(self, vote: Vote, post: int) -> None:
        self._moves.append(Move(vote, False, post))
        self._heads[_key(vote.target)].pop()
        if vote.weight:
            del self._sizes[_key(vote.target)][-vote.weight :]


def _key(target: Slot | None) -> str | None:
    return target.name if target else None


def _touches_dead(vote: Vote, post: int) -> bool:
    return not vote.voter.alive_at(post) or (vote.target is not None and not vote.target.alive_at(post))


def by_size(wagons: Iterable[Wagon]) -> tuple[Wagon, ...]:
    """The biggest first; of one size, who has held it longest without a break."""
    return tuple(sorted(wagons, key=lambda wagon: (-wagon.count, wagon.since)))
