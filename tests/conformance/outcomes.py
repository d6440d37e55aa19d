"""What went wrong in the numbered cases of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knightfall.conformance import run_case


def failures(cases: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The ids of the cases that fail, each with what was expected and what came."""
    results = {case["id"]: run_case(case) for case in cases}
    return {
        name: f"{one.message} expected {one.expected}, got {one.got}"
        for name, one in results.items()
        if not one.passed
    }
