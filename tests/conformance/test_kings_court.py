"""Our own numbered cases of King's Court: they all pass, and each ruling, refusal and option has one."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conformance.outcomes import failures

OWN = Path(__file__).parents[2] / "fixtures/conformance/kings_court.jsonl"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]

RULINGS = {f"KC-{number:02}" for number in range(1, 41)}
NOT_SHOWN: dict[str, str] = {}
"""Rulings that no match case can show at all, and why."""
SHOWN_IN_PART = {
    "KC-01": "a case brings its own players, so a wrong number of names is never refused here",
    "KC-02": "a case has no clock: windows end by events, however long they are",
    "KC-04": "a case cannot say that a vote was posted in the thread",
    "KC-07": "the words of the announcement are no part of a result",
    "KC-17": 'an answer is same or different, so "no result" cannot be expected',
    "KC-19": "lists are given or drawn from a fixed seed; how they are made is never compared",
    "KC-23": "that a past King is no option of kc.king does not show in a scripted draw",
    "KC-24": "roles are in every result, so their being revealed makes no difference",
    "KC-38": "what a mark does in the season is outside the match",
    "KC-39": "no event replaces or removes a player",
}
"""Rulings that are named by a case, but of which a part cannot be shown by any."""
REFUSALS = {
    *("NOT_A_PLAYER", "BAD_ARGS", "AMBIGUOUS_NAME", "WRONG_PHASE", "UNKNOWN_TARGET", "SELF", "DUPLICATE"),
    *("VOTER_IN_COURT", "SELF_VOTE", "TARGET_IN_COURT", "NOT_KING", "TOO_LATE", "LIMIT", "NOT_TIED"),
    *("NO_CHECK_RIGHT", "NEED_TWO", "INSUFFICIENT_GARNETS", "FROZEN", "BAD_AMOUNT", "BAD_PAIR"),
    *("NOT_WINNER", "NOT_EC", "HAS_TOL"),
}
OPTIONS = {
    *("public_ballots", "garnet_floor", "zero_votes", "kc_10", "tie_publish", "check_delivery"),
    *("annoyed_scope", "king_in_pair", "hint_lists", "kc_26", "king_cover", "kc_30", "opal_solo_win"),
    *("tol_holders_can_be_ec", "ec_majority", "kc_35", "kc_38", "kc_39"),
}


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_every_ruling_that_can_be_shown_is_named_by_a_case() -> None:
    named = {name for case in CASES for name in re.findall(r"KC-\d\d", case["ruling"])}
    assert named == RULINGS - set(NOT_SHOWN)
    assert set(SHOWN_IN_PART) <= named


def test_every_refusal_code_is_expected_by_a_case() -> None:
    assert {entry["code"] for case in CASES for entry in case["expected"].get("rejected", [])} == REFUSALS


def test_every_option_is_flipped_by_a_case() -> None:
    assert {option for case in CASES for option in case["config"]} == OPTIONS


def test_ids_are_unique_and_each_case_says_why() -> None:
    assert [case["id"] for case in CASES] == [f"KCO-{number:03}" for number in range(1, len(CASES) + 1)]
    assert len(CASES) >= 180
    assert all(case["why"] and case["title"] and "ambiguous" in case for case in CASES)
    assert all(case["ambiguous"] for case in CASES if case["config"])
