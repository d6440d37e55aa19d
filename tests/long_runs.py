"""What the long job alone runs (scripts/test-long), and what a case may take that it does not.

Times are seconds of the processor, those of programs that a case starts and waits for included.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
LONG_JOB = os.environ.get("HYPOTHESIS_PROFILE", "steady") != "steady"
"""Whether this is the long job, by the profile of tests/conftest.py."""
SHORT = 2.0
"""So long a case may take that does not bear the mark `long`."""
_for_all = 0.0


def spent() -> float:
    """What this program has taken so far, but for what it made for all of its cases."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system - _for_all


@contextmanager
def made_for_all() -> Iterator[None]:
    """What is made here is not only for the case that asks for it first."""
    global _for_all
    began = spent()
    try:
        yield
    finally:
        _for_all += spent() - began


def first(few: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of a test: a few of them always, the others in the long job."""
    return [
        value if place < few else pytest.param(value, marks=pytest.mark.long)
        for place, value in enumerate(values)
    ]


def rows(few: int, values: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The same for parameters that are given together."""
    return [
        value if place < few else pytest.param(*value, marks=pytest.mark.long)
        for place, value in enumerate(values)
    ]


def spread(few: int, values: Sequence[T], most: int | None = None) -> Sequence[T]:
    """A few of them, from the first on evenly, for a test that goes through them and bears the mark `wider`;
    `most` of them (None: all) in the long job."""
    return spread_of((most or len(values)) if LONG_JOB else few, values)


def spread_of(few: int, values: Sequence[T]) -> Sequence[T]:
    """So many of them, from the first on evenly."""
    return values[:: max(1, len(values) // few)][:few]
