"""Our own numbered cases of Knight's Duty: they all pass, and each ruling, refusal and option has one."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conformance.outcomes import failures

OWN = Path(__file__).parents[2] / "fixtures/conformance/knights_duty_by_hand.jsonl"
CASES = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]

RULINGS = {f"KD-{number:02}" for number in range(1, 33)}
NOT_SHOWN = {
    "KD-30": "the words and the board of a public post are no part of a result",
    "KD-31": "a case has no clock: a turn ends by its event, however long it is",
}
"""Rulings that no match case can show at all, and why."""
SHOWN_IN_PART = {
    "KD-04": "no Heart falls between sending and the deadline, so the two checks never differ",
    "KD-14": "attackers_choose has no submission for the choice, and the draw of random has no printed label",
    "KD-16": "that the clan's cards never run short shows in no pile",
    "KD-17": "hill before shield or after, the pile comes out the same",
    "KD-22": "a case has no way to spend an inspiration token with an attack or a defence",
    "KD-27": "a case has no setup posts in which a weapon is named",
    "KD-28": "a case brings its players, so a wrong number is never refused; clans are no result",
    "KD-29": "no event asks the movers and attackers of a stage, so only the first plan shows",
}
"""Rulings that are named by a case, but of which a part cannot be shown by any."""
REFUSALS = {
    *("NOT_A_PLAYER", "TOO_MANY_ACTIONS", "NOT_AN_ACTION", "UNKNOWN_TOKEN", "TOKEN_LIMIT"),
    *("BAD_DIRECTION", "SELF_TARGET", "UNKNOWN_TARGET"),
}
OPTIONS = {
    *("board", "kd_06", "maimed_midturn_loses_third", "kd_08", "share_space", "swap_places"),
    *("swap_then_attack", "kd_14", "kd_15", "parry_pile", "inspiration", "kd_27", "mode", "max_turns"),
    *("fixed_weapon", "kd_20", "edition"),
}
OPTIONS_NOT_SHOWN = {
    "map": "the rulings allow an own map and print no form for it",
    "cards": "no submission picks a card",
    "kd_18": "a pile without a Hit needs a defender's inspiration, which no case can send",
    "kd_31": "a case has no clock",
}
"""Options of the game that no case flips, and why."""


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_every_ruling_that_can_be_shown_is_named_by_a_case() -> None:
    named = {name for case in CASES for name in re.findall(r"KD-\d\d", case["ruling"])}
    assert named == RULINGS - set(NOT_SHOWN)
    assert set(SHOWN_IN_PART) <= named


def test_every_refusal_code_is_expected_by_a_case() -> None:
    assert {entry["code"] for case in CASES for entry in case["expected"].get("rejected", [])} == REFUSALS


def test_every_option_is_flipped_by_a_case() -> None:
    flipped = {option for case in CASES for option in case["config"]}
    assert flipped == OPTIONS
    assert not flipped & set(OPTIONS_NOT_SHOWN)


def test_ids_are_unique_and_each_case_says_why() -> None:
    assert [case["id"] for case in CASES] == [f"KDO-{number:03}" for number in range(1, len(CASES) + 1)]
    assert len(CASES) >= 85
    assert all(case["why"] and case["title"] and "ambiguous" in case for case in CASES)
    assert all(case["ambiguous"] for case in CASES if case["config"])
