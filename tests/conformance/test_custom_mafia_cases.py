"""The numbered cases of Custom Mafia: our own, written from the rulings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.outcomes import failures
from knightfall.conformance import run_case, run_lines
from knightfall.games.custom_mafia.abilities import AIMS, Passive, Trait
from knightfall.games.custom_mafia.cases import decide
from knightfall.games.custom_mafia.options import HOUSE, OPTIONS, RULINGS
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import CustomNight
from knightfall.games.custom_mafia.state import FAULTS
from knightfall.mafia.roles import Alignment, Modifier, Role

FOLDER = Path(__file__).parents[2] / "fixtures/conformance"
OWN = (
    "custom_mafia.jsonl",
    "custom_mafia_roles.jsonl",
    "custom_mafia_sides.jsonl",
    "custom_mafia_normal.jsonl",
    "custom_mafia_lost.jsonl",
    "custom_mafia_cards.jsonl",
)
CASES = [
    json.loads(line) for name in OWN for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()
]
NIGHTS = [case for case in CASES if case["kind"] == "night"]

NOT_OF_A_CASE = {"CM-R35", "CM-R39", "CM-R43", "CM-R76", "CM-R77"}
"""Rulings that no night or win case can show: who knows whom, an elimination, what is offered again."""
NOT_IN_A_CASE = {"jester", "lovers_know"}
"""Options of these rulings."""


def test_our_cases() -> None:
    assert failures(CASES) == {}


def test_the_order_of_the_lines_never_matters() -> None:
    turned_round = [json.dumps({**case, "actions": case["actions"][::-1]}) for case in NIGHTS]
    assert run_lines(turned_round).failed == ()


def test_every_ruling_has_a_case_and_every_case_a_ruling() -> None:
    assert {case["ruling"] for case in CASES} == set(RULINGS) - NOT_OF_A_CASE
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert len({case["title"] for case in CASES}) == len(CASES)
    assert all(case["why"].endswith(".") for case in CASES)


def _played() -> list[Role]:
    return [parse_role(role) for case in NIGHTS for role in case["roles"].values()]


def test_every_ability_trait_and_modifier_stands_in_a_case() -> None:
    roles = _played()
    assert {line["ability"] for case in NIGHTS for line in case["actions"]} == set(AIMS)
    assert {trait for role in roles for trait in role.traits} == set(Trait)
    assert {passive for role in roles for passive in role.passives} == set(Passive)
    assert {role.alignment for role in roles} == set(Alignment)
    asked = (asked for role in roles for asked in role.modifiers.values())
    assert {modifier for modifiers in asked for modifier in modifiers} == set(Modifier)


def test_every_refusal_stands_in_a_case() -> None:
    codes = (case["expected"].get("codes", {}).values() for case in NIGHTS)
    assert {code for values in codes for code in values} == set(FAULTS)


def test_every_value_of_an_option_stands_in_a_case() -> None:
    named = {(name, value) for case in CASES for name, value in case.get("config", {}).items()}
    values = {(option.name, value) for option in (*OPTIONS, HOUSE) for value in option.values}
    assert named == {(name, value) for name, value in values if name not in NOT_IN_A_CASE}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"roles": {"Ada": "Town Baker"}}, "Baker"),
        ({"config": {"doctors": "one"}}, "doctors"),
        ({"config": {"bomb": "loud"}}, "certain"),
    ],
)
def test_what_is_not_known_is_a_failed_case(change: dict[str, Any], said: str) -> None:
    result = run_case({**NIGHTS[0], **change})
    assert not result.passed and said in result.message


def test_a_ruling_answers_only_the_knot_it_names() -> None:
    """A choice for another key, or one that the knot does not have, leaves the question open."""
    knots = [case for case in NIGHTS if case["expected"]["knot"] and "ruled" not in case]
    for case in knots:
        key = case["expected"]["knot"]["key"]
        for ruled in ({key + " Zed:drive": "none"}, {key: "Zed:drive"}):
            assert run_case({**case, "ruled": ruled}).passed, case["id"]


def test_every_choice_of_a_knot_leads_on() -> None:
    """Any choice that a knot offers answers it: what is left is a night, or another knot."""
    for case in [case for case in NIGHTS if case["expected"]["knot"] and "ruled" not in case]:
        knot = case["expected"]["knot"]
        for choice in knot["choices"]:
            after = decide({**case, "ruled": {knot["key"]: choice}})
            assert isinstance(after, CustomNight) or after.key != knot["key"], (case["id"], choice)
