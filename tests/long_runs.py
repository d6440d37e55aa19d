"""What the long job alone runs (scripts/test-long): the same properties over more games and seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")
LONG_JOB = settings().max_examples >= 100
"""Whether this is the long job, by the profile of tests/conftest.py."""


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


def spread(few: int, values: Sequence[T]) -> Sequence[T]:
    """A few of them, from the first on evenly, for a test that goes through them; all in the long job."""
    return values if LONG_JOB else values[:: max(1, len(values) // few)][:few]
