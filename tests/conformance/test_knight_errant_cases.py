"""The numbered cases of Knight-Errant: our own, and the public sample where it is at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.outcomes import failures
from knightfall.conformance import run_lines
from knightfall.games.knight_errant import RULINGS

ROOT = Path(__file__).parents[2]
OWN = ROOT / "fixtures/conformance/knight_errant.jsonl"
SHARED = ROOT.parent / "shared/cases"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]

NOT_OF_A_NIGHT = {"KE-R43"}
"""Rulings that no night or win case can show: who knows whom."""


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_every_ruling_has_a_case_and_every_case_a_ruling() -> None:
    assert {case["ruling"] for case in CASES} == set(RULINGS) - NOT_OF_A_NIGHT
    assert all(case["id"].startswith(case["ruling"].removeprefix("KE-")) for case in CASES)
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("name", ["knight_errant.jsonl", "wins.jsonl"])
def test_the_public_sample(name: str) -> None:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the public sample {name} is not beside this checkout")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if '"knight_errant"' in line]
    report = run_lines(lines, name)
    assert lines and report.failed == ()
