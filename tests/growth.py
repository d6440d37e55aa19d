"""Does work grow with what it is done on, or with its square? No clock of a slow machine has a say in it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time

TIMES = 16
"""The larger size is so many times the smaller."""
LINEAR = 4 * TIMES
"""Below this, work is linear: a busy machine makes 16 no 64, and work that is quadratic takes 256."""
MEASURABLE = 0.005
"""Seconds; what takes less is repeated, and the mean counts."""
TRIES = 3
SOON = 30
"""Seconds of the processor, for what would take hours if nothing stopped it."""


def growth(work: Callable[[int], object], size: int, times: int = TIMES, limit: float = LINEAR) -> float:
    """How many times as long the work takes at so many times the size.

    The work at the larger size has three tries to stay below the limit.
    """
    small = min(_seconds(work, size) for _ in range(TRIES))
    ratio = float("inf")
    for _ in range(TRIES):
        ratio = min(ratio, _seconds(work, size * times) / small)
        if ratio < limit:
            break
    return ratio


def _seconds(work: Callable[[int], object], size: int) -> float:
    """Of the processor, for one run. Garbage is left alone meanwhile: most of it is of other tests."""
    runs, begun = 0, process_time()
    with _no_collection():
        while (taken := process_time() - begun) < MEASURABLE:
            work(size)
            runs += 1
    return taken / runs


@contextmanager
def _no_collection() -> Iterator[None]:
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def soon() -> Iterator[None]:
    """Fails where something that must be stopped was not, or much too late."""
    begun = process_time()
    yield
    assert (taken := process_time() - begun) < SOON, f"It took {taken:.1f} s of the processor."
