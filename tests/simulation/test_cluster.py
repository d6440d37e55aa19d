"""A real Dask cluster on this machine: it comes to the totals of one process, and a worker may be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from knightfall.simulation.counts import Counts
from knightfall.simulation.run import CHUNK, Question, Terms, run

distributed = pytest.importorskip(
    "distributed", reason="needs Dask: pip install 'knightfall[cluster]'", exc_type=ImportError
)

NINE = Question("custom_mafia", {}, 9)
GAMES = 40 * CHUNK + 5
"""Enough for tasks of several chunks."""


@contextmanager
def cluster(workers: int) -> Iterator[Any]:
    """A scheduler that listens on TCP, with so many workers, each a process of its own."""
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, protocol="tcp://"
    ) as found:
        yield found


@cache
def alone() -> Counts:
    """The same games on one process."""
    return total(Terms(GAMES, workers=1))


def total(terms: Terms) -> Counts:
    *_, found = run(NINE, terms)
    return found.counts


@pytest.mark.parametrize("workers", [2, 4])
def test_a_cluster_comes_to_the_total_of_one_process(workers: int) -> None:
    with cluster(workers) as dask:
        assert dask.scheduler_address.startswith("tcp://")
        assert total(Terms(GAMES, scheduler=dask.scheduler_address)) == alone()


def test_a_worker_that_joins_over_tcp_comes_to_the_same_total() -> None:
    with cluster(0) as dask:
        address = dask.scheduler_address
        words = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            address,
            "--nthreads",
            "1",
            "--no-nanny",
        ]
        remote = subprocess.Popen([*words, "--no-dashboard"], stderr=subprocess.DEVNULL)
        try:
            assert total(Terms(GAMES, scheduler=address)) == alone()
        finally:
            remote.terminate()
            remote.wait(30)


def test_a_worker_that_is_killed_loses_nothing() -> None:
    with cluster(2) as dask:
        runs = run(NINE, Terms(GAMES, scheduler=dask.scheduler_address))
        first = next(runs)
        assert first.counts.games == CHUNK
        victim = next(iter(dask.workers.values()))
        os.kill(victim.process.pid, signal.SIGKILL)
        *_, found = runs
        assert found.counts == alone()
