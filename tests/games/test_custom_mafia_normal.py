"""Modifiers and roles of Normal games through more than one night: what is remembered, and who is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.test_custom_mafia_more_roles import TOWN, at_night, first_pm, morning, pms, say
from knightfall.errors import InputError
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.state import State
from knightfall.mafia.state import Phase


def refused(state: State, slot: str, text: str) -> list[str]:
    return [refusal.code for _, refusal in say(state, slot, text).refused]


# ── Modifiers that ask for the number of the night, or for whom one named. ────────────────────────────────


def test_nights_are_written_in_any_way_and_come_first_in_a_name() -> None:
    for written in ("Night 2 Doctor", "night-2 doctor", "Town Night-2 Doc"):
        assert parse_role(written).name == "Town Night-2 Doctor"
    assert parse_role("Night 3 Night 1 Cop").name == "Town Night-1 Night-3 Cop"
    for wrong in ("Night-2 Odd-Night Cop", "Novice Night-2 Cop", "Simple Complex Cop"):
        with pytest.raises(InputError, match="contradict"):
            parse_role(wrong)
    with pytest.raises(InputError, match="which night"):
        parse_role("Night-X Cop")


def test_the_pm_says_on_which_nights_and_whom_one_may_not_name() -> None:
    state = at_night({"Ada": "Night-1 Night-3 Roaming Doctor", "Boro": "Mafia Goon", **TOWN})
    pm = first_pm(state, "Ada")
    assert "(on night 1 and 3)" in pm
    assert "You may not name the same player twice in the game" in pm


@pytest.mark.parametrize(("word", "third"), [("Indecisive", []), ("Roaming", ["SAME_TARGET"])])
def test_who_was_named_is_remembered_blocked_or_not(word: str, third: list[str]) -> None:
    cast = {"Ada": f"Town {word} Tracker", "Boro": "Mafia Goon", "Cleo": "Mafia Roleblocker", **TOWN}
    first = morning(at_night(cast), Ada="track Gale", Cleo="block Ada").state
    second = replace(first, phase=Phase.NIGHT, number=2)
    assert refused(second, "Ada", "track Gale") == ["SAME_TARGET"]
    then = replace(morning(second, Ada="track Iris").state, phase=Phase.NIGHT, number=3)
    assert refused(then, "Ada", "track Gale") == third
    assert refused(then, "Ada", "track Iris") == ["SAME_TARGET"]


def test_an_activated_vest_is_used_by_its_word_and_uses_are_told() -> None:
    cast = {"Ada": "Town 2-Shot Activated Bulletproof", "Boro": "Mafia Goon", **TOWN}
    step = morning(at_night(cast), Ada="vest", Boro="kill Ada")
    assert not step.state.left
    assert "1" in pms(step, "Ada")
    assert "vest" in first_pm(at_night(cast), "Ada")
