"""The night file: read, decided, printed; every complaint names its key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knightfall.app.night_file import parse_night, read_night
from knightfall.app.resolve import WIDTH, print_night
from knightfall.errors import SetupError

DEMO = Path(__file__).parents[2] / "fixtures/demo/night.toml"
HEAD = 'kind = "knight_errant"\nnight = 1\n'
ROLES = '[roles]\nAda = "Town Doctor"\nElm = "Mafia Goon"\nHollis = "Serial Killer"\n'


def test_the_demo_night_shows_everything() -> None:
    text = print_night(read_night(DEMO))
    sheet, public, *private = text.split("── ")[1:]
    assert all(len(line) <= WIDTH for line in sheet.splitlines())
    for part in (
        "Ada: heal Juniper",
        "KE-R10",
        "strong kill Iris",
        "Cinder: jail Moth",
        "No Result",
        "NO_SHOTS",
    ):
        assert part in sheet
    assert "Iris" in public and "15 alive; 8 votes" in public
    for secret in ("Hollis", "Juniper", "Elm", "heal", "jail", "strong"):
        assert secret not in public
    assert [part.split()[2] for part in private] == ["Gale", "Boro", "Hollis", "Dusk_77"]


def test_the_same_as_json() -> None:
    report = json.loads(print_night(read_night(DEMO), as_json=True))
    assert report["schema"] == 1
    assert [death["name"] for death in report["moderator"]["deaths"]] == ["Iris"]
    assert {tuple(pm["to"]) for pm in report["private"]} == {("Gale",), ("Boro",), ("Hollis",), ("Dusk_77",)}


def test_another_dialect_brings_its_own_markup() -> None:
    assert "[b]Iris[/b]" in print_night(read_night(DEMO), "mafiascum")
    assert "**Iris**" in print_night(read_night(DEMO), "discourse")


def test_a_setup_code_gives_the_killer_his_uses() -> None:
    night = parse_night(
        "n.toml", f'{HEAD}setup = "D4-UL"\n[roles]\nAda = "Town Doctor"\nHollis = "Serial Killer"\n'
    )
    assert night.state.shots["Hollis"]["strong_kill"] == 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("kind =", "n.toml: not TOML"),
        ('kind = "chess"', "n.toml: kind: found 'chess', expected \"knight_errant\""),
        (f'{HEAD}nigth = 2\n{ROLES}', "nigth: found 'nigth', expected “night”"),
        (f'kind = "knight_errant"\nnight = "two"\n{ROLES}', "night: found 'two', expected the number"),
        (HEAD, "roles: found {}"),
        (f'{HEAD}roles = 3', "roles: found 3, expected a table"),
        (f'{HEAD}[roles]\nAda = "Doctor"', "roles.Ada: found 'Doctor', expected one of"),
        (f'{HEAD}setup = "Z9"\n{ROLES}', "setup: “Z9” is no Knight-Errant code"),
        (f'{HEAD}setup = "A1-RD"\n{ROLES}', "1 Town Doctor too many"),
        (f'{HEAD}{ROLES}[options]\nke_r24 = "gone"', "options: ke_r24 = 'gone'"),
        (f'{HEAD}{ROLES}[shots]\nHolis = {{ heal = 1 }}', "shots.Holis: found 'Holis', expected “Hollis”"),
        (f'{HEAD}{ROLES}[shots]\nHollis = 3', "shots.Hollis: found 3"),
        (f'{HEAD}{ROLES}[shots]\nHollis = {{ heel = 1 }}', "shots.Hollis.heel: found 'heel'"),
        (f'{HEAD}{ROLES}[shots]\nHollis = {{ heal = -1 }}', "shots.Hollis.heal: found -1"),
        (f'{HEAD}{ROLES}[actions]\nAda = 3', "actions.Ada: found 3"),
        (f'{HEAD}{ROLES}[actions]\nWren = ["heal Ada"]', "found 'Wren', expected a name of [roles]"),
    ],
)  # fmt: skip
def test_a_complaint_names_file_key_found_and_expected(text: str, complaint: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_night("n.toml", text)
    assert complaint in str(caught.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SetupError, match=r"nowhere\.toml"):
        read_night(Path("nowhere.toml"))
