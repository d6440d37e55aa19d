"""Role lists as games end with them: names for a plain townie, several roles in a card, numbers in words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from knightfall.games.custom_mafia.setup_lines import SetupRow
from knightfall.games.custom_mafia.setup_post import read_setup

LISTS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "fixtures" / "role_lists" / "lists.jsonl")
    .read_text("utf-8")
    .splitlines()
]


@pytest.mark.parametrize("told", LISTS, ids=[f"{n}-{one['kind']}" for n, one in enumerate(LISTS, start=1)])
def test_a_role_list_is_hosted_whole_or_asked_about_card_by_card(told: dict[str, Any]) -> None:
    reading = read_setup(told["text"])
    found = Counter({words(row.name): 0 for row in reading.cards})
    for row in reading.cards:
        found[words(row.name)] += row.count or 0
    assert found == {words(name): count for name, count in told["cards"].items()}
    assert [row.typed for row in reading.doubts] == told["asks"]


def words(name: str) -> str:
    """A role's name without an order of its words."""
    return " ".join(sorted(name.split()))


def only(text: str) -> SetupRow:
    [row] = read_setup(text).rows
    return row


@pytest.mark.parametrize(
    "line",
    [
        "Plain Townie",
        "Town Plain Townie",
        "3 Regular Townies",
        "Ordinary Villager",
        "Normal Townsperson",
        "Simple Villager",
        "Basic Townie",
        "Vanilla Citizen",
        "2 Innocent Villagers",
        "Peasant",
        "Named Townie",
    ],
)
def test_a_name_for_a_plain_townie_is_a_vanilla_townie(line: str) -> None:
    row = only(line)
    assert (row.doubt, [role.name for role in row.roles]) == ("", ["Vanilla Townie"])


@pytest.mark.parametrize(
    "line", ["Mob Goon", "Mafia Member", "Plain Mafioso", "Regular Goon", "Mafia Henchman"]
)
def test_a_name_for_a_plain_mafioso_is_a_goon(line: str) -> None:
    assert [role.name for role in only(line).roles] == ["Mafia Goon"]


@pytest.mark.parametrize(
    ("line", "count", "role", "called"),
    [
        ("Lampwright (Vanilla Townie)", 1, "Vanilla Townie", "Lampwright"),
        ("Widow Tansy Ferry (VT)", 1, "Vanilla Townie", "Widow Tansy Ferry"),
        ("Ropemaker – Vanilla Townie", 1, "Vanilla Townie", "Ropemaker"),
        ("Gravedigger: Town Doctor", 1, "Town Doctor", "Gravedigger"),
        ("Miss Quill (Mafia Roleblocker)", 1, "Mafia Roleblocker", "Miss Quill"),
        ("Vanilla Townie “Ropemaker”", 1, "Vanilla Townie", "Ropemaker"),
    ],
)
def test_a_name_of_the_hosts_beside_a_role_is_left_out_and_told(
    line: str, count: int, role: str, called: str
) -> None:
    row = only(line)
    assert (row.doubt, row.count, [one.name for one in row.roles]) == ("", count, [role])
    assert row.remark == f"Called “{called}”: the name was not read, the role is {role}."


@pytest.mark.parametrize(
    "line",
    [
        "Gravedigger (Cop or Doctor, drawn)",
        "Weak (Vanilla Townie)",
        "2-Shot Kop (Town Cop)",
        "Copp (Town Cop)",
        "Mafia Ferryman (Vanilla Townie)",
    ],
)
def test_what_may_be_more_than_a_name_is_asked_about(line: str) -> None:
    assert read_setup(line).doubts


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("Town Cop Doctor", "Town Doctor Cop"),
        ("Jack-of-all-Trades (Cop, Doctor, Vigilante)", "Town 1-Shot Cop 1-Shot Doctor 1-Shot Vigilante"),
        ("Town JOAT: Tracker/Watcher", "Town 1-Shot Tracker 1-Shot Watcher"),
        ("Mafia JOAT [Roleblocker + Rolecop]", "Mafia 1-Shot Roleblocker 1-Shot Rolecop"),
        ("JOAT (2-Shot Cop, Doctor and Tracker)", "Town 2-Shot Cop 1-Shot Doctor 1-Shot Tracker"),
    ],
)
def test_several_roles_in_one_card_are_one_card(line: str, role: str) -> None:
    row = only(line)
    assert (row.doubt, row.remark, row.count) == ("", "", 1)
    [card] = row.roles
    assert sorted(card.name.split()) == sorted(role.split())


def test_a_jack_whose_trades_are_not_understood_is_asked_about() -> None:
    assert read_setup("Jack-of-all-Trades (Cop, Juggler)").doubts


@pytest.mark.parametrize(
    ("line", "count", "role"),
    [
        ("thirteen Vanilla Townies", 13, "Vanilla Townie"),
        ("Fifteen townies", 15, "Vanilla Townie"),
        ("twenty VT", 20, "Vanilla Townie"),
        ("a pair of Masons", 2, "Town Mason"),
        ("a couple of Goons", 2, "Mafia Goon"),
        ("Goons: two", 2, "Mafia Goon"),
        ("Four-Shot Vigilante", 1, "Town 4-Shot Vigilante"),
        ("single-use Cop", 1, "Town 1-Shot Cop"),
        ("two-use Doctor", 1, "Town 2-Shot Doctor"),
        ("One-Time Vigilante", 1, "Town 1-Shot Vigilante"),
        ("once-per-game Cop", 1, "Town 1-Shot Cop"),
        ("Doctor (twice per game)", 1, "Town 2-Shot Doctor"),
        ("Town Night One Roleblocker", 1, "Town Night-1 Roleblocker"),
        ("Town Night Three Vigilante", 1, "Town Night-3 Vigilante"),
        ("Town Cop (nights two and four)", 1, "Town Night-2 Night-4 Cop"),
    ],
)
def test_numbers_in_words_are_numbers(line: str, count: int, role: str) -> None:
    row = only(line)
    assert (row.doubt, row.count, [one.name for one in row.roles]) == ("", count, [role])


@pytest.mark.parametrize(
    "line", ["Town Kloptor", "Wheelwright", "Mafia Kerchief", "Cartographer", "Arsonade"]
)
def test_an_unknown_card_names_no_neighbour_that_is_another_role(line: str) -> None:
    row = only(line)
    assert row.doubt.endswith("Choose one from the list of roles.")
    assert row.choices == () and row.own


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Town Roleblockerr", "“Roleblockerr” was read as roleblocker."),
        ("Neighbourisor", "“Neighbourisor” was read as neighboriser."),
        ("0 Cops", "There are none of them."),
        ("no Doctor", "There are none of them."),
    ],
)
def test_what_is_taken_for_granted_is_told(line: str, told: str) -> None:
    row = only(line)
    assert (row.doubt, row.remark) == ("", told)


@pytest.mark.parametrize("line", ["Town Farmer", "Town Computer", "Town Traker", "Town Catcher"])
def test_a_word_that_only_looks_like_a_role_is_asked_about(line: str) -> None:
    assert only(line).doubt


def test_two_mafias_by_their_names_are_two_and_which_is_which_is_told() -> None:
    reading = read_setup("Heron Mafia: 2 Goons\nOtter Mafia: 1 Goon, 1 Rolecop\nTown: 9 VT")
    assert [row.name for row in reading.cards[:3]] == ["Mafia A Goon", "Mafia B Goon", "Mafia B Rolecop"]
    assert [(row.typed, row.remark) for row in reading.rows[-2:]] == [
        ("Heron Mafia", "Read as Mafia A."),
        ("Otter Mafia", "Read as Mafia B."),
    ]


@pytest.mark.parametrize(
    "line",
    ["the miller's widow (VT)", "who is left (Doctor)"],
)
def test_a_line_with_a_card_in_it_is_never_left_out(line: str) -> None:
    reading = read_setup(f"2 Mafia Goons\n5 Vanilla Townies\n{line}")
    assert [row.typed for row in reading.doubts] == [line]


@pytest.mark.parametrize(
    "line", ["Town Keeper of the Old Mill", "Mafia 2-Shot Day Glazier", "Town Friend of All Beasts"]
)
def test_an_unknown_card_of_a_side_is_asked_about_and_never_left_out(line: str) -> None:
    reading = read_setup(f"2 Mafia Goons\n5 Vanilla Townies\n{line}")
    assert [row.typed for row in reading.doubts] == [line]
    assert reading.doubts[0].own


@pytest.mark.parametrize(
    "line",
    ["Mafia wins at parity", "Town has a majority", "Town must vote by noon", "Mafia may talk at night"],
)
def test_a_sentence_about_a_side_is_no_card(line: str) -> None:
    assert not read_setup(f"2 Mafia Goons\n5 Vanilla Townies\n{line}").doubts
