"""Which rulings a night hangs on, and that no other is named."""

from __future__ import annotations

from hypothesis import given

from knightfall.cli.format_night import format_dependences
from knightfall.mafia.decide import decide, with_option
from knightfall.mafia.explain_night import sensitivity
from knightfall.mafia.night_file import NightFile
from knightfall.services.night_file import parse_night
from mafia.night_files import COPPER_LANE, SALT_HARBOUR, nights, outcome


@given(nights())
def test_exactly_the_flips_that_change_the_outcome_are_named(night: NightFile) -> None:
    named = {(found.option.name, found.value) for found in sensitivity(night)}
    before = outcome(decide(night))
    unlimited = ("ke_r25", "unlimited")  # there is no shot to spend, and nothing else is different
    for option in night.game.night_options:
        for value in option.values[1:]:
            differs = outcome(decide(with_option(night, option.name, value))) != before
            if (option.name, value) != unlimited:
                assert ((option.name, value) in named) == differs


def test_a_snapshot_of_power_would_cost_lumen_his_life() -> None:
    found = {(one.option.name, one.value): one for one in sensitivity(COPPER_LANE)}
    texts = [change.text for change in found["em_r3", "snapshot"].changes]
    assert texts[:3] == ["Lumen dies", "Boro is not powered", "Cinder is not powered"]


def test_a_flip_is_one_sentence_of_the_gravest_changes_in_80_columns() -> None:
    lines = format_dependences(sensitivity(COPPER_LANE))
    assert "With em_r3 = snapshot: Lumen dies;" in lines[1]
    assert lines[1].endswith("and 4 more. (EM-R3)")
    assert all(len(line) <= 80 for text in lines for line in text.splitlines())


def test_the_value_that_was_chosen_is_no_flip_and_the_default_is_one() -> None:
    found = sensitivity(with_option(SALT_HARBOUR, "ke_r31", "listed"))
    assert [one.value for one in found if one.option.name == "ke_r31"] == ["excluded"]


def test_an_even_ring_hangs_on_the_option_for_rings() -> None:
    text = """kind = "empowered"
night = 1
[roles]
Ada = "Kidnapper"
Boro = "Kidnapper"
Cinder = "Empowerer"
[actions]
Boro = "jail Ada"
Ada = "jail Boro"
"""
    found = {one.value: one for one in sensitivity(parse_night("n.toml", text)) if one.option.name == "ring"}
    assert set(found) == {"all_hold", "first_sent"}
    assert [change.text for change in found["first_sent"].changes[:1]] == ["Ada is incarcerated"]
