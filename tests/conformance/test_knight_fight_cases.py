"""The numbered cases of Knight Fight: our own, and the public sample where it is at hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from conformance.outcomes import failures
from knightfall.conformance import run_case, run_lines
from knightfall.games.knight_fight import RULINGS
from knightfall.games.knight_fight.codes import Code

ROOT = Path(__file__).parents[2]
OWN = ROOT / "fixtures/conformance/knight_fight.jsonl"
SHARED = ROOT.parent / "shared/cases/knight_fight.jsonl"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]
LETTERS = [case["state"].get("anomalies", "") for case in CASES]

OF_THE_GAME = {Code.NOT_A_PLAYER, Code.NOT_YOUR_CHOICE, Code.UNKNOWN_COMMAND, Code.CLOCK_STOPPED}
"""Codes that no case can ask for: its players are X and O, and its lines are commands."""


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_every_ruling_has_a_case_every_pair_two_and_every_name_is_used_once() -> None:
    cited = Counter(case["ruling"] for case in CASES)
    assert set(cited) == set(RULINGS)
    assert [ruling for ruling in RULINGS if ruling.startswith("KF-P") and cited[ruling] < 2] == []
    assert len({case["id"] for case in CASES}) == len(CASES) >= 120


def test_each_anomaly_stands_alone_and_ten_cases_have_three_or_more() -> None:
    assert set("ABCHSNT") <= set(LETTERS)
    assert sum(len(letters) >= 3 for letters in LETTERS) >= 10


def test_every_refusal_has_a_case() -> None:
    codes = {refused["code"] for case in CASES for refused in case["expected"].get("rejected", ())}
    assert set(Code) - OF_THE_GAME == codes


@pytest.mark.parametrize(
    "broken",
    [
        {"random_draws": [{"label": "kf.rng_move", "value": "E4"}]},
        {"submissions": [{"event": "timeout", "player": "X"}, {"event": "proxy_timeout"}]},
        {"expected": {"knights": {"X": {}}}},
        {"expected": {"winner": "O"}},
        {"config": {"reserves": 3}},
    ],
)
def test_what_does_not_fit_fails(broken: dict[str, object]) -> None:
    """An unused draw, a draw that is not scripted, other squares, another winner, an unknown option."""
    case = {"id": "x", "kind": "match", "game": "knight_fight", "state": {}, "expected": {}}
    assert not run_case({**case, "expected": {"moves": 0}, **broken}).passed


def test_the_public_sample() -> None:
    if not SHARED.exists():
        pytest.skip("the public sample is not beside this checkout")
    report = run_lines(SHARED.read_text(encoding="utf-8").splitlines(), SHARED.name)
    assert report.results and report.failed == ()
