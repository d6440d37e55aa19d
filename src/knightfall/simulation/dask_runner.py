"""Chunks on a Dask cluster, by the extra `cluster` and the address of its scheduler, such as tcp://HOST:8786.

The workers need the same version of Knightfall. A worker may die and come back: what it had is asked again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import Any, TypeVar

from knightfall.errors import InputError
from knightfall.extras import missing_extra

T = TypeVar("T")

RETRIES = 5
"""How often a chunk whose worker died is asked again."""
AHEAD = 4
"""Tasks of the cluster that wait for each of its threads."""
WORTH = 1.0
"""Seconds of work that are worth a task: asking for one costs the scheduler some milliseconds."""
MOST = 100
"""Chunks of one task."""


def on_cluster(function: Callable[..., T], tasks: Iterable[Sequence[Any]], address: str) -> Iterator[T]:
    """The answers of the function to each task's arguments, in the order of the tasks. What is quickly done
    is asked for many at a time.

    Raises InputError where Dask is not installed or nobody listens at the address.
    """
    try:
        from distributed import Client
    except ImportError:
        raise missing_extra("cluster") from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as fault:
        raise InputError(f"No Dask scheduler answers at {address}: {fault}.") from None
    with client:
        waiting, asked, size = iter(tasks), deque[Any](), 1
        while True:
            # Workers may join and leave, so the number is asked each time.
            room = AHEAD * max(1, sum(client.nthreads().values()))
            while len(asked) < room and (batch := list(islice(waiting, size))):
                asked.append(client.submit(several, function, batch, pure=False, retries=RETRIES))
            if not asked:
                return
            took, answers = asked.popleft().result()
            # What is quickly done is asked for several at a time, at most twice as many as before.
            size = max(1, min(MOST, 2 * size, int(WORTH * len(answers) / max(took, 1e-6))))
            yield from answers


def several(function: Callable[..., T], tasks: Sequence[Sequence[Any]]) -> tuple[float, list[T]]:
    """The answers to some tasks, and how many seconds they took."""
    began = perf_counter()
    answers = [function(*task) for task in tasks]
    return perf_counter() - began, answers
