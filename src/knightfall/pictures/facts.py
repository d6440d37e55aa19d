"""How did the wagons of a day grow and shrink, and how many votes did it take?

What players may see: where the rule hides weights, every vote counts one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knightfall.core.roster import Slot
from knightfall.votes.election import Rule
from knightfall.votes.tally import Day, Tally

Steps = tuple[tuple[int, int], ...]
"""(post, value from that post on), posts rising."""


@dataclass(frozen=True, slots=True)
class Wagon:
    """The size of one wagon over the day; `needed` is what it took at the end of the count."""

    target: str
    steps: Steps
    needed: int

    @property
    def final(self) -> int:
        """Its votes at the end of the count."""
        return self.steps[-1][1]

    @property
    def most(self) -> int:
        """The most votes it ever had."""
        return max(size for _, size in self.steps)

    def size_at(self, post: int) -> int:
        """Its votes as of a post."""
        return next((size for at, size in reversed(self.steps) if at <= post), 0)


@dataclass(frozen=True, slots=True)
class Full:
    """The hammer: which wagon was full at which post; `voter` None where a death lowered the threshold."""

    target: str
    voter: str | None
    post: int


@dataclass(frozen=True, slots=True)
class Wagons:
    """All wagons of a day from post `start` to post `end`, the biggest first. `threshold` is the majority as
    deaths change it; it is empty on days that a majority does not end."""

    day: int
    start: int
    end: int
    alive: int
    wagons: tuple[Wagon, ...]
    threshold: Steps
    hammer: Full | None = None


def wagons_of(tally: Tally, day: Day, rule: Rule, slots: Iterable[Slot], nobody: str) -> Wagons:
    """The wagons of a count. `slots`: every player, dead ones too; `nobody` names no elimination."""
    targets = dict.fromkeys(move.vote.target for move in tally.history)
    found = (_wagon(target, tally, rule, nobody) for target in targets)
    ordered = sorted((w for w in found if w.most), key=lambda w: (-w.final, -w.most, w.steps[0]))
    threshold = tuple(_threshold(tuple(slots), rule, day.start, tally.at))
    hammer = tally.hammer
    if hammer is None:
        full = None
    else:
        target = hammer.target.name if hammer.target else nobody
        full = Full(target, hammer.voter.name if hammer.voter else None, hammer.post)

    return Wagons(
        day=day.number,
        start=day.start,
        end=tally.at,
        alive=tally.alive,
        wagons=tuple(ordered),
        threshold=threshold if rule.hammers(day.number) else (),
        hammer=full,
    )


def _wagon(target: Slot | None, tally: Tally, rule: Rule, nobody: str) -> Wagon:
    moves = (move for move in tally.history if move.vote.target == target)
    ordinary = rule.majority(tally.alive)
    needed = rule.needed(tally.alive, target) if rule.show_weights or target is None else ordinary

    # The size after each post that changed it.
    size, steps = 0, dict[int, int]()
    bonus = target.bonus if rule.show_weights and target else 0
    for move in moves:
        weight = move.vote.weight if rule.show_weights else 1
        size += weight if move.joined else -weight
        steps[move.post] = size + bonus if size else 0

    return Wagon(target.name if target else nobody, tuple(steps.items()), needed)


def _threshold(slots: tuple[Slot, ...], rule: Rule, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The majority at the start of the day and wherever a death changes it."""
    deaths = sorted({post for slot in slots for post in slot.turns if start < post <= end})
    before = 0
    for post in (start, *deaths):
        needed = rule.majority(sum(slot.alive_at(post) for slot in slots))
        if needed != before:
            yield post, needed
        before = needed
