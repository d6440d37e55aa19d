"""Which wagons would be drawn over each other, and how are their lines and labels kept apart?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knightfall.pictures.facts import Wagon

Stay = tuple[int, int, int]
"""(size, from post, to post): as long as a wagon keeps one size."""


def lanes_of(wagons: Sequence[Wagon], end: int) -> tuple[int, ...]:
    """A lane for each wagon, 0 up: two in one lane never have one size at one time."""
    lanes: list[list[Stay]] = []
    found = []
    for wagon in wagons:
        stays = list(stays_of(wagon, end))
        free = (n for n, taken in enumerate(lanes) if not _clash(stays, taken))
        lane = next(free, len(lanes))
        if lane == len(lanes):
            lanes.append([])
        lanes[lane] += stays
        found.append(lane)
    return tuple(found)


def stays_of(wagon: Wagon, end: int) -> Iterator[Stay]:
    """How long the wagon has which size, where it has one."""
    posts = [post for post, _ in wagon.steps[1:]]
    for (post, size), until in zip(wagon.steps, [*posts, end], strict=True):
        if size:
            yield size, post, until


def spread(wanted: Sequence[float], gap: float, lowest: float) -> tuple[float, ...]:
    """Heights (rising downwards) as near to the wanted ones as `gap` between any two allows, none below
    `lowest`; in the order of `wanted`."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    above = float("-inf")
    for index in order:
        above = placed[index] = max(wanted[index], above + gap)
    below = lowest + gap
    for index in reversed(order):
        below = placed[index] = min(placed[index], below - gap)
    return tuple(placed)


def _clash(stays: Sequence[Stay], taken: Sequence[Stay]) -> bool:
    return any(
        size == other and since <= their_end and their_since <= until
        for size, since, until in stays
        for other, their_since, their_end in taken
    )
