"""The night file: read, decided, printed; every complaint names its key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from knightfall.cli.format_night import format_night
from knightfall.engine.json_text import as_object
from knightfall.errors import SetupError
from knightfall.sentence import SlotId
from knightfall.services.night_file import parse_night, read_night, resolve
from knightfall.writeups.tables import WIDTH

DEMO = Path(__file__).parents[2] / "fixtures/demo/night.toml"
COPPER_LANE = DEMO.with_name("empowered.toml")
HEAD = 'kind = "knight_errant"\nnight = 1\n'
EMPOWERED = 'kind = "empowered"\nnight = 1\n'
LANE = '[roles]\nAda = "Empowerer"\nBoro = "Doctor"\nElm = "Ninja"\n'
ROLES = '[roles]\nAda = "Town Doctor"\nElm = "Mafia Goon"\nHollis = "Serial Killer"\n'


def test_the_demo_night_shows_everything() -> None:
    text = format_night(resolve(read_night(DEMO)))
    sheet, public, *private, depends = text.split("── ")[1:]
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
    assert "Iris" in public and "15 players are alive. It takes 8 votes" in public
    for secret in ("Hollis", "Juniper", "Elm", "heal", "jail", "strong"):
        assert secret not in public
    assert [part.split()[2] for part in private] == ["Gale", "Boro", "Hollis", "Dusk_77"]
    assert depends.startswith("Depends on a ruling: for the moderator only") and "ke_r31 = listed" in depends


def test_the_same_as_json() -> None:
    report = json.loads(as_object(resolve(read_night(DEMO)).to_dict()))
    assert report["schema"] == 1
    assert [death["name"] for death in report["moderator"]["deaths"]] == ["Iris"]
    assert {tuple(pm["to"]) for pm in report["private"]} == {("Gale",), ("Boro",), ("Hollis",), ("Dusk_77",)}


def test_another_dialect_brings_its_own_markup() -> None:
    assert "[b]Iris[/b]" in format_night(resolve(read_night(DEMO), "mafiascum"))
    assert "**Iris**" in format_night(resolve(read_night(DEMO), "discourse"))


def test_a_setup_code_gives_the_killer_his_uses() -> None:
    night = parse_night(
        "n.toml", f'{HEAD}setup = "D4-UL"\n[roles]\nAda = "Town Doctor"\nHollis = "Serial Killer"\n'
    )
    assert night.shots[SlotId("Hollis")]["strong_kill"] == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("kind =", "n.toml: not TOML"),
        ('kind = "chess"', "n.toml: kind: found 'chess', expected \"knight_errant\" or \"empowered\""),
        ('game = "chess"', "n.toml: game: found 'chess', expected \"knight_errant\" or \"empowered\""),
        (f'{EMPOWERED}[roles]\nAda = "Doktor"', "roles.Ada: found 'Doktor', expected one of Empowerer"),
        (f'{EMPOWERED}shots = {{}}\n{LANE}', "shots: found 'shots', expected one of kind"),
        (f'{EMPOWERED}dead = "Ada"\n{LANE}', "dead: found 'Ada', expected a list of names"),
        (f'{EMPOWERED}dead = ["Adda"]\n{LANE}', "dead.Adda: found 'Adda', expected “Ada”"),
        (f'{EMPOWERED}adaptability_lost = ["Ada"]\n{LANE}', "_lost: found 'Ada', expected a Ninja"),
        (f'{EMPOWERED}{LANE}[options]\nem_r3 = "no"', "em_r3 = 'no': expected one of closure"),
        (f'{EMPOWERED}dead = ["Ada"]\n{LANE}[actions]\nAda = ["x"]', "actions.Ada: found 'Ada', expected"),
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


def test_the_night_of_copper_lane_shows_power_prisons_and_the_paradox() -> None:
    text = format_night(resolve(read_night(COPPER_LANE)))
    sheet = text.split("── ")[1]
    assert all(len(line) <= WIDTH for line in sheet.splitlines())
    for part in (
        "EM-R33",
        "Lumen lives: Kestrel: murder Lumen invisible",
        "Powered: Ada, Boro, Cinder, Gale, Hollis, Iris, Pike",
        "Incarcerated: Pike",
        "Cinder is told: investigate Kestrel: Mafia",
        "Iris is told: watch Lumen: Boro",
    ):
        assert part in sheet
    assert "With em_r3 = snapshot: Lumen dies; Boro is not powered;" in text


def test_a_death_of_copper_lane_names_its_cause_and_a_second_carrier_is_looked_at() -> None:
    sent = '[actions]\nAda = "empower Boro"\nFen = "murder Boro"\nElm = "murder Ada obliterate"\n'
    night = parse_night("n.toml", f'{EMPOWERED}{LANE}Fen = "Strongman"\n{sent}')
    report = json.loads(as_object(resolve(night).to_dict()))
    assert [(death["name"], death["cause"]) for death in report["moderator"]["deaths"]] == [
        ("Ada", "shooting")
    ]
    assert report["moderator"]["lost"] == ["Elm"]
    assert [caution["ruling"] for caution in report["cautions"]] == ["EM-R23"]


def test_a_late_night_is_not_a_draw_because_the_file_tells_of_no_deaths() -> None:
    text = COPPER_LANE.read_text(encoding="utf-8").replace("night = 2", "night = 9")
    report = json.loads(as_object(resolve(parse_night("n.toml", text)).to_dict()))
    assert report["night"] == 9
    assert len(report["public"]) == 1


def test_who_lost_adaptability_cannot_use_it() -> None:
    sent = 'adaptability_lost = ["Elm"]\n' + LANE + '[actions]\nElm = ["jail Ada", "murder Boro"]\n'
    report = json.loads(as_object(resolve(parse_night("n.toml", EMPOWERED + sent)).to_dict()))
    assert [no["code"] for no in report["refused"]] == ["USED_UP", "PLAN_REFUSED"]
    assert report["moderator"]["trace"] == []


def test_where_no_ruling_matters_nothing_is_said() -> None:
    night = parse_night("n.toml", HEAD + ROLES + '[actions]\nElm = "kill Ada"\n')
    assert "Depends on a ruling" not in format_night(resolve(night))
    assert json.loads(as_object(resolve(night).to_dict()))["depends"] == []
