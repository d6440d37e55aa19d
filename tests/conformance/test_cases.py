"""The matching rule, the report, and what happens to cases that cannot be run."""

from __future__ import annotations

import json

import pytest

from knightfall.conformance import CaseResult, Report, run_lines
from knightfall.engine.cases import compare


@pytest.mark.parametrize(
    ("expected", "got", "passes"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {}, False),
        ({}, {"b": 2}, False),
        ({}, {}, True),
        ({"a": {}}, {"a": {"b": 1}}, False),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, True),
        ({"a": None}, {}, True),
        ({"a": None}, {"a": None}, True),
        ({"a": None}, {"a": 0}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ([{"a": 1}], [{"a": 1, "b": 2}], True),
        ({"a": [1, 2]}, {"a": (1, 2)}, True),
        ({"a": True}, {"a": 1}, False),
        ({"a": 1}, {"a": True}, False),
        (None, None, True),
        ("town", None, False),
        ({"free": [{"a": 1}, {"b": 2}]}, {"free": [{"b": 2}, {"a": 1}]}, True),
        ({"free": [1, 1]}, {"free": [1, 2]}, False),
        ({"exact": {"a": 1}}, {"exact": {"a": 1, "b": 2}}, False),
        ({"view": {"X": {"own": {"a": 1}}}}, {"view": {"X": {"own": {"a": 1, "b": 1}}}}, False),
        ({"view": {"X": {"more": {"a": 1}}}}, {"view": {"X": {"more": {"a": 1, "b": 2}}}}, True),
    ],
)  # fmt: skip
def test_the_matching_rule(expected: object, got: object, passes: bool) -> None:
    assert compare(expected, got, free=("free",), exact=("exact", "view.*.own")).passed is passes


def test_the_report_names_what_failed_and_closes_with_the_sum() -> None:
    report = Report(
        (
            ("good", CaseResult(passed=True)),
            ("bad", CaseResult(passed=False, expected={"a": 1, "b": 2}, got={"a": 1, "b": 3})),
            ("lost", CaseResult(passed=False, message="kind is not supported", verdict="missed")),
        )
    )
    assert report.lines() == [
        'bad: expected {"b": 2}, got {"b": 3}',
        "lost: kind is not supported",
        "votes: 0 right, 1 missed, 0 wrong",
        "1 passed, 2 failed",
    ]


WIN = {"id": "w", "kind": "win", "game": "knight_errant", "town": 1, "mafia": 1, "sk": 0, "expected": "mafia"}
NIGHT = {
    "id": "n",
    "kind": "night",
    "game": "knight_errant",
    "roles": {},
    "night": 1,
    "actions": [],
    "expected": {},
}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not a case"),
        ("[]", "a case is a JSON object"),
        ("{}", "kind None is not supported"),
        (json.dumps({**WIN, "kind": "dance"}), "kind 'dance' is not supported"),
        (json.dumps({**WIN, "kind": ["win"]}), "not supported"),
        (json.dumps({**WIN, "game": "chess"}), "game 'chess'"),
        (json.dumps({**WIN, "town": "many"}), "cannot be run"),
        (json.dumps({"id": "x", "kind": "win", "game": "knight_errant"}), "expects nothing"),
        (json.dumps({**NIGHT, "roles": {"Ada": "Town Crier"}}), "no such role: Town Crier"),
        (json.dumps({**NIGHT, "roles": {"Ada": ["Town Doctor"]}}), "cannot be run"),
        (json.dumps({**NIGHT, "actions": [3]}), "cannot be run"),
        (json.dumps({**NIGHT, "state": 3}), "cannot be run"),
        (json.dumps({**NIGHT, "night": None}), "cannot be run"),
    ],
)
def test_what_cannot_be_run_fails_with_a_message(line: str, complaint: str) -> None:
    report = run_lines([line, "", json.dumps(WIN)], "file.jsonl")
    assert complaint in report.lines()[0]
    assert report.lines()[-1] == "1 passed, 1 failed"


def test_a_malformed_line_is_named_by_its_place() -> None:
    assert run_lines(["", "{"], "file.jsonl").failed[0][0] == "file.jsonl:2"
