"""A second mafia and werewolves (CM-R69, CM-R70): rooms, kills, looks, wins."""

from __future__ import annotations

import pytest

from custom_table import (
    at_night,
    first_pm,
    members,
    morning,
    pms,
    say,
    sent,
    sheet,
)
from knightfall.errors import InputError
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import winner
from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.mafia.roles import Alignment
from knightfall.mafia.wins import Winner
from knightfall.sentence import SlotId

TOWN = {"Gale": "Vanilla Townie", "Iris": "Town Cop", "Juno": "Vanilla Townie", "Kip": "Town Doctor"}
PACKS = {
    "Ada": "Mafia A Goon",
    "Boro": "Mafia A Roleblocker",
    "Cleo": "Werewolf Goon",
    "Dov": "Werewolf Tracker",
    **TOWN,
}


@pytest.mark.parametrize(
    ("written", "name", "side"),
    [
        ("mafia b goon", "Mafia B Goon", Alignment.MAFIA_B),
        ("Goon Mafia A", "Mafia A Goon", Alignment.MAFIA_A),
        ("werewolf", "Werewolf Goon", Alignment.WEREWOLVES),
        ("Werewolf Godfather", "Werewolf Godfather", Alignment.WEREWOLVES),
        ("Mafia C Encryptor", "Mafia C Encryptor", Alignment.MAFIA_C),
        ("vanilla wolf", "Werewolf Goon", Alignment.WEREWOLVES),
        ("werewolf traitor", "Werewolf Traitor", Alignment.WEREWOLVES),
        ("mafia goon", "Mafia Goon", Alignment.MAFIA),
    ],
)
def test_a_side_is_part_of_the_name(written: str, name: str, side: Alignment) -> None:
    role = parse_role(written)
    assert (role.name, role.alignment) == (name, side)
    assert parse_role(role.name) == role


def test_town_and_a_second_mafia_are_two_sides() -> None:
    with pytest.raises(InputError, match="two sides"):
        parse_role("Town Mafia B Cop")


def test_each_side_has_its_room_its_partners_and_its_kill() -> None:
    state = at_night(PACKS)
    assert members(state) == {"Mafia A room": ("Ada", "Boro"), "Werewolf room": ("Cleo", "Dov")}
    assert "Boro" in first_pm(state, "Ada")
    assert not {"Cleo", "Dov"} & set(first_pm(state, "Ada").replace("*", " ").split())
    state = sent(state, Ada="kill Gale", Cleo="kill Juno")
    # Neither sees nor replaces the other's.
    assert [str(line) for line in CUSTOM_MAFIA.standing(state, SlotId("Boro"))] == ["kill Gale by Ada"]
    assert [str(line) for line in CUSTOM_MAFIA.standing(state, SlotId("Dov"))] == ["kill Juno by Cleo"]
    state = say(state, "Dov", "no kill").state
    assert [str(line) for line in CUSTOM_MAFIA.standing(state, SlotId("Boro"))] == ["kill Gale by Ada"]
    assert CUSTOM_MAFIA.standing(state, SlotId("Cleo")) == ()


def test_nobody_can_make_another_side_carry_their_kill() -> None:
    step = say(at_night(PACKS), "Ada", "kill Gale by Cleo")
    assert [why.code for _, why in step.refused] == ["NOT_YOUR_FACTION"]
    # Of a traitor nobody learns more than of anybody else.
    step = say(at_night({**PACKS, "Lou": "Mafia A Traitor"}), "Ada", "kill Gale by Lou")
    assert [why.code for _, why in step.refused] == ["NOT_YOUR_FACTION"]


def test_both_kill_and_each_side_without_a_kill_is_named() -> None:
    step = morning(at_night(PACKS), Ada="kill Gale", Dov="kill Juno")
    assert {"Gale", "Juno"} == set(step.state.left)
    assert "no kill planned" not in sheet(step)
    step = morning(at_night(PACKS), Ada="kill Gale")
    assert "the Werewolf pack has no kill planned" in sheet(step)
    assert "Mafia A has no kill planned" not in sheet(step)
    night = CUSTOM_MAFIA.windows(at_night(PACKS))[0]
    assert CUSTOM_MAFIA.cautions(at_night(PACKS), night) == (
        "Mafia A has no kill planned.",
        "The Werewolf pack has no kill planned.",
    )
    # Each waits for its own.
    waiting = {
        one.slot: one.standing for one in CUSTOM_MAFIA.awaits(sent(at_night(PACKS), Ada="kill Gale"), night)
    }
    assert waiting[SlotId("Cleo")] == ()
    assert waiting[SlotId("Ada")] == ("mafia kill Gale",)


def test_a_cop_finds_both_guilty_and_a_seer_werewolves_only() -> None:
    cast = {**PACKS, "Iris": "Town Cop", "Kip": "Town Seer"}
    step = morning(at_night(cast), Iris="check Cleo", Kip="see Ada")
    assert "Guilty" in pms(step, "Iris")
    assert "Not a Werewolf" in pms(step, "Kip")
    assert "Werewolf" in pms(morning(at_night(cast), Kip="check Dov"), "Kip")


def test_a_seer_without_werewolves_is_asked_about() -> None:
    with pytest.raises(InputError, match="Write Cop"):
        read_setup("1 Seer\n2 Goons\n6 VTs").table()


@pytest.mark.parametrize(
    ("living", "won"),
    [
        (["Mafia A Goon", "Mafia B Goon", "Vanilla Townie"], None),
        (["Mafia A Goon", "Vanilla Townie"], Winner.MAFIA_A),
        (["Werewolf", "Werewolf", "Vanilla Townie", "Town Cop"], Winner.WEREWOLVES),
        (["Werewolf", "Vanilla Townie", "Town Cop"], None),
        (["Werewolf", "Mafia Goon"], None),
        (["Werewolf", "Serial Killer", "Vanilla Townie"], None),
        (["Vanilla Townie", "Town Cop"], Winner.TOWN),
    ],
)
def test_a_side_wins_once_no_other_threat_lives(living: list[str], won: Winner | None) -> None:
    assert winner(map(parse_role, living)) is won


def test_the_winners_are_the_side_that_won() -> None:
    cast = {"Ada": "Mafia B Goon", "Cleo": "Werewolf", "Dov": "Werewolf", "Gale": "Vanilla Townie"}
    step = morning(at_night(cast), Cleo="kill Ada")
    outcome = CUSTOM_MAFIA.outcome(step.state)
    assert outcome is not None
    assert list(outcome.slots) == ["Cleo", "Dov"]
    assert outcome.winner == "werewolves"


def test_headings_of_a_post_give_their_side() -> None:
    reading = read_setup(
        "Mafia A:\n1 Goon\n1 Roleblocker\n\nMafia B:\n2 Goons\n\n"
        "Werewolves:\n1 Godfather\n\nTown:\n1 Seer\n8 VTs"
    )
    assert reading.doubts == ()
    names = [row.roles[0].name for row in reading.cards]
    assert names == [
        "Mafia A Goon",
        "Mafia A Roleblocker",
        "Mafia B Goon",
        "Werewolf Godfather",
        "Town Seer",
        "Vanilla Townie",
    ]
