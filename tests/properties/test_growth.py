"""Is work told apart that grows with its input from work that grows with the square of it?"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

import growth as measure
from growth import LINEAR, growth, soon
from long_runs import first


def linear(size: int) -> int:
    return sum(range(size * 500))


def quadratic(size: int) -> int:
    return sum(linear(size) for _ in range(size))


def nearly_linear(size: int) -> list[int]:
    return sorted(range(size * 500), key=lambda number: -number)


def with_a_square_that_weighs_less(size: int) -> int:
    """At the smaller size, half of the work still is linear."""
    return linear(size * 10) + quadratic(size)


@pytest.mark.parametrize("work", [linear, nearly_linear])
def test_linear_work_is_known_as_such(work: Callable[[int], object]) -> None:
    assert growth(work, 10) < LINEAR


@pytest.mark.long
@pytest.mark.parametrize("work", first(1, (quadratic, with_a_square_that_weighs_less)))
def test_quadratic_work_is_found_out(work: Callable[[int], object]) -> None:
    assert growth(work, 10) > LINEAR


def test_what_must_end_soon_fails_if_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    with soon():
        linear(1)
    monkeypatch.setattr(measure, "SOON", 0.01)
    with pytest.raises(AssertionError, match="of the processor"), soon():
        while_it_lasts(0.02)


def while_it_lasts(seconds: float) -> None:
    """Works until the processor has worked so long."""
    begun = process_time()
    while process_time() - begun < seconds:
        linear(1)
