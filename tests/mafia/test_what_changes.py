"""What if: only what changes is told."""

from __future__ import annotations

import pytest
from hypothesis import given

from knightfall.cli.format_night import NOTHING, format_changes
from knightfall.engine.what_if import Change, Choose, Edit, Remove
from knightfall.errors import InputError
from knightfall.mafia.decide import pending_night, standing
from knightfall.mafia.explain_night import compare, edited, whatif
from knightfall.mafia.night_file import NightFile
from mafia.night_files import COPPER_LANE, SALT_HARBOUR, nights


def what_changes(night: NightFile, *edits: Edit) -> tuple[Change, ...]:
    asked = pending_night(night)
    return compare(asked, edited(asked, edits))


@given(nights())
def test_where_nothing_is_changed_nothing_changes(night: NightFile) -> None:
    assert what_changes(night) == ()
    for option in night.game.night_options:
        assert what_changes(night, Choose(option.name, option.default)) == ()


@given(nights())
def test_what_was_taken_away_is_itself_no_news(night: NightFile) -> None:
    for action in standing(night)[:2]:
        texts = [change.text for change in what_changes(night, Remove(action.actor, action.ability))]
        assert not any("does not happen" in text and text.startswith(action.actor) for text in texts)


def test_without_the_heal_juniper_dies() -> None:
    told = format_changes(whatif(SALT_HARBOUR, ["remove Ada:heal"])).splitlines()
    assert told[0] == "Juniper dies (Elm: kill Juniper: lands)."
    assert "Hollis is told “Elm” (watch Juniper) instead of “Ada, Elm”." in told


def test_an_idle_prisoner_makes_no_difference() -> None:
    assert format_changes(whatif(COPPER_LANE, ["remove Gale"])) == NOTHING


def test_an_added_line_takes_the_place_of_one_that_cannot_stand_beside_it() -> None:
    told = format_changes(whatif(COPPER_LANE, ["add Boro: protect Pike"]))
    assert "Lumen dies" in told and "Boro's protection of Pike works" in told
    assert "not taken" not in told


def test_an_added_line_that_is_not_taken_says_so() -> None:
    assert format_changes(whatif(SALT_HARBOUR, ["add Ada: jail Rook"])).startswith(
        "Ada: not taken: “jail Rook”: NOT_YOUR_ABILITY"
    )


def test_edits_go_together() -> None:
    edits = ["remove Ada:heal", "add Hollis: strong kill Rook", "set ke_r31 = listed"]
    told = format_changes(whatif(SALT_HARBOUR, edits))
    assert "Juniper dies" in told and "Rook dies" in told and "Iris lives" in told
    assert "“Elm, Hollis”" in told


def test_a_shot_kept_is_told() -> None:
    assert "Gale keeps a shot of cop" in format_changes(whatif(SALT_HARBOUR, ["remove Gale:check"]))


def test_a_use_that_an_option_no_longer_counts_is_told() -> None:
    told = format_changes(whatif(SALT_HARBOUR, ["set ke_r25 = unlimited"]))
    assert "Gale spends no shot of cop: there is no end of them" in told


def test_no_line_is_longer_than_80_letters() -> None:
    told = format_changes(whatif(COPPER_LANE, ["add Moth: murder Quill", "remove Dusk_77"]))
    assert all(len(line) <= 80 for line in told.splitlines())


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ("flip a coin", "is not a change that I understand. Expected “remove NAME:ABILITY”"),
        ("remove Ada:jail", "Ada has no “jail” to remove. Planned for Ada: Ada: heal Juniper"),
        ("remove Wren", "No living player is called “Wren”"),
        ("set ke_r3 = x", "has no option “ke_r3”"),
        ("set ke_r5 = maybe", "expected one of fails, works"),
    ],
)
def test_an_edit_that_cannot_be_made_is_explained(edit: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        format_changes(whatif(SALT_HARBOUR, [edit]))
    assert complaint in str(caught.value)
