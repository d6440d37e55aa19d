"""Partners of a card that nothing names: two lovers are a pair, one or more are asked about."""

from __future__ import annotations

import pytest

import knightfall as kf
from knightfall.errors import InputError

ROLES = {
    "Ada": "Mafia Goon",
    "Bram": "Town Lover",
    "Cleo": "Town Lover",
    "Dov": "Vanilla Townie",
    "Esme": "Mafia Goon",
    "Finn": "Vanilla Townie",
}


def test_two_lovers_whom_no_group_names_die_together() -> None:
    assert set(kf.resolve("custom_mafia", 1, ROLES, {"Ada": "kill Bram"}).deaths) == {"Bram", "Cleo"}


def test_lovers_are_as_the_groups_say_where_there_are_some() -> None:
    night = kf.resolve("custom_mafia", 1, ROLES, {"Ada": "kill Bram"}, lovers=[["Bram", "Dov"]])
    assert set(night.deaths) == {"Bram", "Dov"}


def test_three_lovers_whom_no_group_names_are_refused_with_their_names() -> None:
    with pytest.raises(InputError, match="who of Bram, Cleo, Dov love each other"):
        kf.resolve("custom_mafia", 1, {**ROLES, "Dov": "Town Lover"}, {"Ada": "kill Bram"})


def test_a_lover_whom_nothing_gives_a_partner_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="Nothing says whom Bram loves"):
        kf.resolve("custom_mafia", 1, {**ROLES, "Cleo": "Vanilla Townie"}, {"Ada": "kill Bram"})
