"""Our own numbered cases of Empowered Mafia: they all pass, and every ruling that can be shown has one."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conformance.outcomes import failures

OWN = Path(__file__).parents[2] / "fixtures/conformance/empowered.jsonl"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]

RULINGS = {f"EM-R{number}" for number in range(1, 34)}
NOT_SHOWN = {
    "EM-R18": "cannot occur: a Bomb never targets, so no Serial Bomber can kill one",
    "EM-R26": "the draw among tied players of a day's vote",
    "EM-R27": "when a phase may end",
    "EM-R28": "missing votes of a day",
    "EM-R29": "how the mafia choose their roles before day 1",
    "EM-R30": "what the mafia are told at the start",
    "EM-R31": "deadlines, and an elimination by day",
}
"""Rulings that no night or win case can show, and why."""
PATTERNS = [
    *("P1", "P2", "P3", "P3'", "P4", "P5"),
    *("R1", "R2", "R3", "R4", "R5", "R6"),
    *("not a paradox", "downstream"),
]


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_every_ruling_that_can_be_shown_is_named_by_a_case() -> None:
    named = {name for case in CASES for name in re.findall(r"EM-R\d+", case["ruling"])}
    assert named == RULINGS - set(NOT_SHOWN)


def test_every_paradox_pattern_has_a_case() -> None:
    rulings = [case["ruling"] for case in CASES if case["ruling"].startswith("EM-R33")]
    assert [pattern for pattern in PATTERNS if not any(f" {pattern}" in ruling for ruling in rulings)] == []


def test_ids_are_unique_and_each_case_says_why() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 110
    assert sum(case["kind"] == "win" for case in CASES) >= 12
    assert all(case["why"] and case["title"] and "ambiguous" in case for case in CASES)
