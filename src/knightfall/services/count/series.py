"""How the votes of a thread stood after each of its posts: all days in one pass, for curves and tables."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from knightfall.engine.json_text import JsonAnswer
from knightfall.models import Departure, DepartureKind, Post, Slot, Thread
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, Settled, days_settled
from knightfall.votes.tally import Tally, Vote, as_counted


@dataclass(frozen=True, slots=True)
class StandingWagon:
    """The votes on one `target` (None: no elimination): their `count` by weight, and who votes, in order."""

    target: str | None
    count: int
    voters: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Standings(JsonAnswer):
    """How the votes of a day stood after one post: the living by name, how many votes eliminate an ordinary
    player at once (None: no majority ends the day, or it is not known), the wagons, the biggest first, and
    whether a post up to this one was the hammer."""

    day: int
    post: int
    time: datetime | None
    alive: tuple[str, ...]
    needed: int | None
    wagons: tuple[StandingWagon, ...]
    hammered: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """A row a wagon, for a table: day, post, time, target, votes, needed, alive, voters."""
        return [
            {
                "day": self.day,
                "post": self.post,
                "time": self.time,
                "target": wagon.target,
                "votes": wagon.count,
                "needed": self.needed,
                "alive": len(self.alive),
                "voters": ", ".join(wagon.voters),
            }
            for wagon in self.wagons
        ]


def series_of(thread: Thread, habits: Habits, config: CountConfig) -> tuple[Standings, ...]:
    """How the votes stood after each post of a day, by all that the whole thread tells. Raises what a count
    raises."""
    _, days = days_settled(thread, habits, config, Ask())
    return tuple(point for day in days for point in _day(day, thread.posts))


def _day(settled: Settled, posts: tuple[Post, ...]) -> Iterator[Standings]:
    day, tally, rule = settled.basis.day, settled.counted, settled.rule
    slots = _with_fallen(as_counted(settled.basis.roster.slots, day, tally), tally)
    turns = deque(sorted(post for slot in slots for post in slot.turns if post > day.start))
    moves = deque(tally.history)
    votes: dict[int, Vote] = {}
    alive, wagons = _living(slots, day.start), tuple[StandingWagon, ...]()
    for post in posts:
        if not day.start <= post.number <= tally.at:
            continue
        if turns and turns[0] <= post.number:
            while turns and turns[0] <= post.number:
                turns.popleft()
            alive = _living(slots, post.number)
        if moves and moves[0].post <= post.number:
            while moves and moves[0].post <= post.number:
                move = moves.popleft()
                if move.joined:
                    votes[id(move.vote)] = move.vote
                else:
                    votes.pop(id(move.vote), None)
            wagons = _wagons(votes.values())
        yield Standings(
            day=day.number,
            post=post.number,
            time=post.time,
            alive=alive,
            needed=rule.majority(len(alive)) if rule.hammers(day.number) else None,
            wagons=wagons,
            hammered=tally.hammer is not None and tally.hammer.post <= post.number,
        )


def _with_fallen(slots: tuple[Slot, ...], tally: Tally) -> tuple[Slot, ...]:
    """The slots where whom a day of several eliminations took first is dead from the next post on."""
    fell = {one.target.name: one.post + 1 for one in tally.fallen if one.target is not None}
    return tuple(
        slot.leaving(Departure(DepartureKind.ELIMINATED, fell[slot.name])) if slot.name in fell else slot
        for slot in slots
    )


def _living(slots: tuple[Slot, ...], post: int) -> tuple[str, ...]:
    return tuple(slot.as_of(post).name for slot in slots if slot.alive_at(post))


def _wagons(votes: Iterable[Vote]) -> tuple[StandingWagon, ...]:
    """The wagons of the votes that stand, the biggest first."""
    by_target: dict[str | None, list[Vote]] = {}
    for vote in votes:
        by_target.setdefault(vote.target.name if vote.target else None, []).append(vote)
    found = (
        StandingWagon(
            target,
            sum(vote.weight for vote in on) + (on[0].target.bonus if on[0].target else 0),
            tuple(vote.voter.name for vote in on),
        )
        for target, on in by_target.items()
    )
    return tuple(sorted(found, key=lambda wagon: -wagon.count))
