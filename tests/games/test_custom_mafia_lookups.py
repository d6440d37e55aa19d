"""`knightfall roles`: the table of all, and everything about one."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from knightfall.cli import app
from knightfall.engine.json_text import as_object
from knightfall.errors import InputError
from knightfall.games.custom_mafia.catalog import CATALOG, Entry
from knightfall.games.custom_mafia.lookups import role_details
from knightfall.games.custom_mafia.options import RULINGS
from knightfall.games.custom_mafia.roles import parse_role


def said(*words: str) -> str:
    result = CliRunner().invoke(app, ["roles", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_without_a_name_it_prints_every_role_and_modifier_in_80_columns() -> None:
    lines = said().splitlines()
    assert max(map(len, lines)) <= 80
    for entry in CATALOG:
        assert sum(line.startswith(f"{entry.name}  ") for line in lines) == 1, entry.name


def test_the_roles_that_the_table_gives_as_examples_are_roles() -> None:
    assert "Mafia Ninja 2-Shot Doctor" in said()
    assert parse_role("Mafia Ninja 2-Shot Doctor").name == "Mafia Ninja 2-Shot Doctor"


def test_with_a_name_it_tells_everything_about_that_role() -> None:
    assert said("2-shot", "weak", "doctor") == said("2-shot weak doctor")
    assert said("2-shot weak doctor").splitlines()[:14] == [
        "Town 2-Shot Weak Doctor",
        "  side                 town",
        "",
        "Doctor: Protects a player from being killed.",
        "  2-Shot               Works 2 times in the whole game.",
        "  Weak                 Its user dies on reaching a player of another side.",
        "  in a PM              heal NAME",
        "  visits               its target",
        "  stopped by           a roleblock or a jail on its holder, a commuting target",
        "",
        "  to a cop             Innocent",
        "  to a gunsmith        No gun",
        "  to a rolecop         Doctor",
        "  to a neapolitan      Not a Vanilla Townie",
    ]


@pytest.mark.few(31)
@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.name)
def test_every_entry_has_a_page_in_80_columns_with_its_rulings(entry: Entry) -> None:
    page = role_details(entry.name).text()
    assert max(map(len, page.splitlines())) <= 80
    assert entry.does.split(" ")[0] in page
    for number in entry.numbers:
        assert f"\n{number} " in page


@pytest.mark.parametrize(
    ("name", "cop", "gunsmith", "rolecop"),
    [
        ("vt", "Innocent", "No gun", "Vanilla"),
        ("goon", "Guilty", "Gun", "Vanilla"),
        ("godfather", "Innocent", "Gun", "Godfather"),
        ("miller", "Guilty", "No gun", "Miller"),
        ("sk", "Guilty (Innocent if the game is set so)", "Gun", "Vanilla"),
        ("godfather sk", "Innocent", "Gun", "Godfather"),
        ("jester", "Innocent", "No gun", "Jester"),
        ("mafia doctor", "Guilty", "Gun", "Doctor"),
        ("jk", "Innocent", "Gun", "Jailkeeper"),
    ],
)
def test_the_looks_are_what_the_game_would_answer(name: str, cop: str, gunsmith: str, rolecop: str) -> None:
    sheet = json.loads(as_object(role_details(name).to_dict()))["role"]
    assert sheet["looks"].items() >= {"cop": cop, "gunsmith": gunsmith, "rolecop": rolecop}.items()
    assert (sheet["looks"]["neapolitan"] == "Vanilla Townie") == (name == "vt")


def test_json_says_the_same_for_programs() -> None:
    rows = json.loads(said("--json"))["roles"]
    assert [row["name"] for row in rows] == [entry.name for entry in CATALOG]
    sheet = json.loads(said("mafia", "ninja", "strongman", "1-shot", "bp", "--json"))["role"]
    assert sheet["name"] == "Mafia Ninja Strongman 1-Shot Bulletproof"
    powers = {power["name"]: power for power in sheet["powers"]}
    assert powers["Bulletproof"]["limits"] == {"1-Shot": "Stops 1 kill in the whole game."}
    assert powers["Bulletproof"]["written"] is None
    assert powers["Mafia Kill"]["visits"] == "its target, unseen"
    assert powers["Mafia Kill"]["stopped_by"] == "a commuting target only"
    assert sheet["rulings"] == {number: RULINGS[number] for number in sheet["rulings"]}
    assert {"CM-R14", "CM-R28", "CM-R12", "CM-R37"} <= sheet["rulings"].keys()
    assert "CM-R20" not in sheet["rulings"]


def test_a_modifier_by_itself_is_told_too() -> None:
    assert said("odd night").splitlines()[:4] == [
        "Odd-Night",
        "Works on nights 1, 3, 5 and so on.",
        "  also written         odd",
        "  for instance         Odd-Night Doctor",
    ]


def test_a_role_that_is_none_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="there is no “watchr”; the nearest is Watcher"):
        role_details("mafia watchr")
