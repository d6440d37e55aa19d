"""Chunks on a Dask cluster: `pip install "knightfall[cluster]"`, then `--scheduler tcp://HOST:8786`.

The workers need the same version of Knightfall. A worker may die and come back: what it had is asked again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from knightfall.errors import InputError

T = TypeVar("T")

RETRIES = 5
"""How often a chunk whose worker died is asked again."""
AHEAD = 4
"""Chunks that wait for each thread of the cluster."""


def on_cluster(function: Callable[..., T], tasks: Iterable[Sequence[Any]], address: str) -> Iterator[T]:
    """The answers of the function to each task's arguments, in the order of the tasks.

    Raises InputError where Dask is not installed or nobody listens at the address.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            'A scheduler needs Dask, which is not installed: pip install "knightfall[cluster]".'
        ) from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as fault:
        raise InputError(f"No Dask scheduler answers at {address}: {fault}.") from None
    with client:
        waiting, asked = iter(tasks), deque[Any]()
        while True:
            # Workers may join and leave, so the number is asked each time.
            room = AHEAD * max(1, sum(client.nthreads().values()))
            for task in islice(waiting, max(0, room - len(asked))):
                asked.append(client.submit(function, *task, pure=False, retries=RETRIES))
            if not asked:
                return
            yield asked.popleft().result()
