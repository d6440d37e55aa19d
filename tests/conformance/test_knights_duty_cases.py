"""The numbered cases of Knight's Duty: our own, and the public sample where it is at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.outcomes import failures
from knightfall.conformance import run_case, run_lines
from knightfall.games.knights_duty import RULINGS

ROOT = Path(__file__).parents[2]
OWN = ROOT / "fixtures/conformance/knights_duty_rulings.jsonl"
SAMPLE = ROOT.parent / "shared/cases/knights_duty.jsonl"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]

NOT_OF_A_CASE = {"KD-30", "KD-31"}
"""Posts and deadlines: no case shows them."""


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_every_ruling_has_a_case_and_every_case_a_ruling() -> None:
    assert {case["ruling"] for case in CASES} == set(RULINGS) - NOT_OF_A_CASE
    assert all(case["id"].startswith(case["ruling"].removeprefix("KD-")) for case in CASES)
    assert len({case["id"] for case in CASES}) == len(CASES) >= 80


def test_the_public_sample() -> None:
    if not SAMPLE.exists():
        pytest.skip("the public sample is not beside this checkout")
    report = run_lines(SAMPLE.read_text(encoding="utf-8").splitlines(), SAMPLE.name)
    assert report.results and report.failed == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"random_draws": [{"label": "kd.card:R1:Ada->Bob", "value": "Hit"}]}, "never drawn"),
        ({"submissions": [{"event": "noon"}]}, "no event 'noon'"),
        ({"state": {"players": [{"name": "Ada", "pos": "Z9"}]}}, "no space 'Z9'"),
        ({"config": {"range": 7}}, "no option"),
    ],
)
def test_a_case_that_cannot_be_played_fails_with_a_message(change: dict[str, object], said: str) -> None:
    result = run_case({**CASES[0], **change})
    assert not result.passed
    assert said in result.message
