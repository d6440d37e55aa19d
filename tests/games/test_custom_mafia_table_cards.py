"""Cards of the werewolf table and of the old wiki, over nights and days, and what their holders are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from custom_table import TOWN, at_night, first_pm, morning, pms, say
from knightfall.engine.game import Announced
from knightfall.errors import InputError
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import HOUSES, parse_options
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post

WOLVES = {"Boro": "Werewolf Goon", "Cleo": "Werewolf Goon"}
GOONS = {"Boro": "Mafia Goon", "Cleo": "Mafia Goon"}


def test_cupids_lovers_are_told_and_die_of_each_other_on_any_later_day() -> None:
    state = at_night({"Ada": "Town Cupid", **GOONS, **TOWN})
    step = morning(state, Ada="link Gale and Iris", Boro="kill Juno")
    assert "You are in love with Iris" in pms(step, "Gale")
    assert "You are in love with Gale" in pms(step, "Iris")
    gone = step.state
    assert frozenset({SlotId("Gale"), SlotId("Iris")}) in gone.rules.lovers
    assert CUSTOM_MAFIA.follow(gone, SlotId("Gale")) == ("Iris",)
    second = replace(gone, phase=Phase.NIGHT, number=2)
    assert [refusal.code for _, refusal in say(second, "Ada", "link Boro and Cleo").refused] == [
        "WRONG_NIGHT"
    ]
    assert set(morning(second, Boro="kill Iris").state.left) >= {"Gale", "Iris"}


def test_a_minion_knows_the_pack_and_the_pack_does_not_know_the_minion() -> None:
    state = at_night({"Ada": "Minion", **WOLVES, **TOWN})
    assert state.cards[SlotId("Ada")].name == "Werewolf Minion"
    own = first_pm(state, "Ada")
    assert "Whom you serve" in own and "Boro" in own and "Cleo" in own
    assert "private thread" not in own
    assert "Ada" not in first_pm(state, "Boro")
    assert [code.code for _, code in say(state, "Ada", "kill Gale").refused] == ["NOT_YOUR_ABILITY"]


@pytest.mark.parametrize("sanity", ["Insane", "Naive", "Paranoid"])
def test_a_cop_whose_answers_are_not_true_is_told_to_be_a_cop_like_any_other(sanity: str) -> None:
    cast = {"Ada": f"Town {sanity} Cop", **GOONS, **TOWN}
    plain = {**cast, "Ada": "Town Cop"}
    assert first_pm(at_night(cast), "Ada") == first_pm(at_night(plain), "Ada")
    own = CUSTOM_MAFIA.own_facts(at_night(cast), SlotId("Ada"))
    assert own.role == "Town Cop"
    assert CUSTOM_MAFIA.roles(at_night(cast))[SlotId("Ada")] == f"Town {sanity} Cop"


def test_what_limits_something_that_works_by_itself_stands_in_the_role_pm() -> None:
    state = at_night({"Ada": "Town Odd-Night Bulletproof", **GOONS, **TOWN})
    assert "Works on nights 1, 3, 5 and so on." in first_pm(state, "Ada")
    shy = at_night({"Ada": "Town 1-Shot Ascetic", **GOONS, **TOWN})
    assert "It stops what is aimed at you on one night of the game only." in first_pm(shy, "Ada")


def test_the_use_of_a_one_shot_ascetic_is_kept_over_nights() -> None:
    cast = {"Ada": "Town 1-Shot Ascetic", "Dusk": "Town Cop", **GOONS, **TOWN}
    first = morning(at_night(cast), Dusk="cop Ada")
    assert "No Result" in pms(first, "Dusk")
    second = morning(replace(first.state, phase=Phase.NIGHT, number=2), Dusk="cop Ada")
    assert "Innocent" in pms(second, "Dusk")


def test_the_names_of_the_table_are_cards_and_a_witch_has_two_potions() -> None:
    names = {
        "Tanner": "Jester",
        "Baner": "Town Doctor",
        "Jailer": "Town Jailkeeper",
        "Witch": "Town 1-Shot Doctor 1-Shot Vigilante",
        "PGO": "Town Paranoid Gun Owner",
        "Sorceress": "Werewolf Sorcerer",
        "Mafia Minion": "Mafia Minion",
        "2-Shot Vet": "Town 2-Shot Veteran",
    }
    assert {name: parse_role(name).name for name in names} == names
    for wrong in ("Insane Naive Cop", "Paranoid Doctor", "1-Shot Godfather", "Odd-Night Mason"):
        with pytest.raises(InputError):
            parse_role(wrong)


def test_a_house_sets_what_is_not_chosen_and_is_told_in_the_setup_post() -> None:
    for house, meant in HOUSES.items():
        chosen = parse_options({"house": house})
        assert {name: chosen[name] for name in meant} == meant
    assert parse_options({"house": "normal", "guns": "ours"})["guns"] == "ours"
    with pytest.raises(InputError, match="ours, normal, werewolf"):
        parse_options({"house": "mansion"})
    slots = [{"role": "Town Bodyguard"}, {"role": "Werewolf Goon"}, {"role": "Vanilla Townie", "fill": True}]
    table = {"slots": slots, "options": {"house": "werewolf"}}
    names = tuple(map(SlotId, ("Ada", "Boro", "Cleo", "Dusk", "Elm")))
    post = public_post("custom_mafia", Announced(CUSTOM_MAFIA.setup_post(names, {"setup": table})))
    assert "A Bodyguard stops one kill as a Doctor does" in post
    assert "dies in the place of their target" not in post


def test_somebody_informed_is_told_what_the_moderator_wrote_or_that_it_comes() -> None:
    cast = {"Ada": "Informed Townie", **GOONS, **TOWN}
    told = at_night(cast, cards={"Informed": "There is no Serial Killer in this game."})
    assert "There is no Serial Killer in this game." in first_pm(told, "Ada")
    assert "There is no Serial Killer in this game." not in first_pm(told, "Gale")
    assert "I will tell you something about the game" in first_pm(at_night(cast), "Ada")


def test_a_number_of_shots_before_a_trait_that_has_none_is_of_the_action_behind_it() -> None:
    assert parse_role("One-Shot Macho Cop").name == "Town Macho 1-Shot Cop"
    assert parse_role("2-Shot Neighbor Doctor").name == "Town Neighbor 2-Shot Doctor"
    with pytest.raises(InputError):
        parse_role("1-Shot Macho")
