"""A function on many arguments, on all cores or on a Dask cluster; its answers come in their order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")

RESTARTS = 5
"""How often a pool whose worker died is made again before that is taken for the question's fault."""


def in_order(function: Callable[..., T], tasks: Iterable[Sequence[Any]], workers: int) -> Iterator[T]:
    """The answers of the function to each task's arguments, in the order of the tasks, on so many processes.

    A worker that dies loses nothing: what it had is asked again.
    """
    if workers <= 1:
        for task in tasks:
            yield function(*task)
        return
    waiting = iter(tasks)
    asked: deque[tuple[Sequence[Any], Future[T] | None]] = deque()  # None: a pool is still to be asked
    pool = _pool(workers)
    broken = 0
    try:
        while True:
            asked.extend((fresh, None) for fresh in islice(waiting, 2 * workers - len(asked)))
            if not asked:
                return
            try:
                given = [(task, future or pool.submit(function, *task)) for task, future in asked]
                asked = deque(given)
                answer = given[0][1].result()
            except BrokenProcessPool:
                broken += 1
                if broken > RESTARTS:
                    raise
                pool.shutdown(wait=False, cancel_futures=True)
                pool = _pool(workers)
                asked = deque((task, future if _answered(future) else None) for task, future in asked)
                continue
            asked.popleft()
            broken = 0
            yield answer
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, get_context("spawn"))


def _answered(future: Future[T] | None) -> bool:
    """Whether it was answered before its pool broke."""
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


def spread(
    function: Callable[..., T], tasks: Iterable[Sequence[Any]], workers: int = 0, scheduler: str = ""
) -> Iterator[T]:
    """The answers in order, on so many processes (0: one a core), or by the Dask scheduler at an address."""
    if scheduler:
        from knightfall.simulation.dask_runner import on_cluster  # only with the extra `cluster`

        return on_cluster(function, tasks, scheduler)
    return in_order(function, tasks, workers or os.cpu_count() or 1)
