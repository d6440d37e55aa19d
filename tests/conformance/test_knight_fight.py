"""Our own numbered cases of Knight Fight: they all pass, and each ruling, pair and refusal has its own."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

from conformance.outcomes import failures

OWN = Path(__file__).parents[2] / "fixtures/conformance/knight_fight_rulings.jsonl"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]

ANOMALIES = "ABCHNST"
RULINGS = {f"KF-{number:02}" for number in range(1, 46)} - {"KF-36"}
"""The numbers go from 35 to 37: there is no ruling KF-36."""
PAIRS = {f"KF-P{number:02}" for number in range(1, 22)}
NOT_SHOWN = {"KF-40": "an honour rule of the players; the reminder is no part of a result"}
"""Rulings that no match case can show at all, and why."""
SHOWN_IN_PART = {
    "KF-03": "a choice that never comes is missing from the state; nobody waits a move time for it",
    "KF-09": "that a draw is uniform, and what a stand-in could see, do not show in a scripted case",
    "KF-16": "a position is one bout, so the end of manure with the bout is not seen",
    "KF-18": "a position is one bout, so the fresh chips of the next bout are not seen",
    "KF-22": "a case cannot say that a bid came late, only that a round was closed without it",
    "KF-23": "the log says both bids to the moderator; what the thread is told is no part of a result",
    "KF-27": "there is no clock of the trap's minute, no NO TRAP, and no public post to keep a trap out of",
    "KF-34": "health is in every result; that the thread shows it outside Snapshot is not",
    "KF-37": "what the thread says of a Snapshot turn is no part of a result",
    "KF-38": "what mover and rival are told of a pass is no part of a result",
    "KF-45": "points are in every result, so their being public makes no difference",
}
"""Rulings that are named by a case, but of which a part cannot be shown by any."""
REFUSALS = {
    *("BOUT_OVER", "USE_BID", "NOT_YOUR_TURN", "OFF_BOARD", "SOURCE_REQUIRED", "NO_AIRDROP"),
    *("NO_MANURE_LEFT", "BAD_SOURCE", "OCCUPIED", "MANURED", "NOT_REACHABLE", "WRONG_COLOR"),
    *("BAD_MANURE", "LATE", "NO_BIDDING", "BAD_BID", "NO_PROXY", "PROXY_NO_MANURE", "PROXY_TRAP"),
    *("NO_HORSE_TRAP", "NOT_YOUR_TRAP", "TRAP_BANNED"),
}
IN_FORCE = Counter("".join(sorted(case["state"].get("anomalies", ""))) for case in CASES)


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_every_ruling_that_can_be_shown_is_named_by_a_case() -> None:
    named = {name for case in CASES for name in re.findall(r"KF-\d\d", case["ruling"])}
    assert named == RULINGS - set(NOT_SHOWN)
    assert set(SHOWN_IN_PART) <= named


def test_every_pair_is_named_by_two_cases_and_played_alone_in_two() -> None:
    named = Counter(name for case in CASES for name in set(re.findall(r"KF-P\d\d", case["ruling"])))
    assert set(named) == PAIRS
    assert min(named.values()) >= 2
    assert all(IN_FORCE["".join(pair)] >= 2 for pair in combinations(ANOMALIES, 2))


def test_each_anomaly_is_played_alone_and_in_ten_triples() -> None:
    assert all(IN_FORCE[anomaly] >= 5 for anomaly in ANOMALIES)
    assert sum(len(letters) >= 3 for letters in IN_FORCE) >= 10


def test_every_refusal_code_is_expected_by_a_case() -> None:
    assert {entry["code"] for case in CASES for entry in case["expected"].get("rejected", [])} == REFUSALS


def test_every_end_of_a_bout_and_of_a_match_is_expected_by_a_case() -> None:
    results = [case["expected"] for case in CASES]
    ends = {(result["winner"], result["reason"]) for result in results if "reason" in result}
    assert {("X", "line"), ("O", "line"), ("X", "no_moves"), ("O", "no_moves")} <= ends
    assert {("X", "points"), ("O", "points"), ("X", "stuck"), ("O", "stuck"), (None, "stuck")} <= ends
    matches = {(result["dm_winner"], result["why"]) for result in results if "dm_winner" in result}
    assert matches >= {("DMO", "bouts"), ("EC", "bouts"), ("DMO", "tie")}
    assert matches >= {("DMO", "fewer_moves"), ("EC", "fewer_moves")}


def test_ids_are_unique_and_each_case_says_why() -> None:
    assert [case["id"] for case in CASES] == [f"KFO-{number:03}" for number in range(1, len(CASES) + 1)]
    assert len(CASES) >= 200
    assert all(case["why"] and case["title"] and "ambiguous" in case for case in CASES)
    assert all(case["ambiguous"] for case in CASES if case["config"])
