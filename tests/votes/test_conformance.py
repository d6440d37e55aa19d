"""The vote cases: the project's own, and those beside the project where they are."""

from pathlib import Path

import pytest

from knightfall.conformance import run_lines

ROOT = Path(__file__).parents[2]
OWN = ROOT / "fixtures" / "conformance" / "votes.jsonl"
SHARED = ROOT.parent / "shared" / "cases" / "votes.jsonl"


def test_every_own_vote_case_is_right() -> None:
    report = run_lines(OWN.read_text(encoding="utf-8").splitlines())
    assert report.lines()[-2:] == ["votes: 170 right, 0 missed, 0 wrong", "170 passed, 0 failed"]


@pytest.mark.skipif(not SHARED.exists(), reason="../shared/cases is not beside the project")
def test_no_shared_vote_case_is_counted_wrong() -> None:
    report = run_lines(SHARED.read_text(encoding="utf-8").splitlines())
    verdicts = [result.verdict for _, result in report.results]
    assert verdicts.count("wrong") == 0
    assert verdicts.count("right") >= len(verdicts) - 2


def test_a_case_on_an_unknown_platform_fails_with_a_message() -> None:
    line = (
        '{"id": "x", "kind": "vote", "game": "votes", "platform": "Abacus", "players": [], "post_html": ""}'
    )
    [(_, result)] = run_lines([line]).results
    assert not result.passed
    assert "Abacus" in result.message
