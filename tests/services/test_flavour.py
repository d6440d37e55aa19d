"""A moderator's own words before the dawn, and what they may not give away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from command_line import at_terminal
from knightfall.cli import app
from knightfall.cli.format_night import format_night
from knightfall.engine.game import Announced, Facts
from knightfall.errors import SecretGuard
from knightfall.mafia.events import Alive, Dawn, Elimination, Opening
from knightfall.mafia.night_file import NightFile
from knightfall.sentence import SlotId
from knightfall.services.night_file import check_flavour, parse_night, resolve
from knightfall.writeups.events import public_post
from mafia.night_files import COPPER_LANE, DEMO, SALT_HARBOUR

QUIET = "Rain on the harbour.\nA bell rang twice."


def refused(text: str, night: NightFile = SALT_HARBOUR) -> str:
    told: list[str] = []
    with pytest.raises(SecretGuard) as caught:
        check_flavour(night, text)
    assert told == []
    return at_terminal(caught.value)


def allowed(text: str, night: NightFile = SALT_HARBOUR) -> bool:
    return check_flavour(night, text).text == text


@pytest.fixture
def dawn_file(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        (tmp_path / "dawn.txt").write_text(text, encoding="utf-8")
        return str(tmp_path / "dawn.txt")

    return write


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (
            "All quiet.\nThe doctor went home.",
            "line 2: “Doctor” gives away that Ada, who is alive, is the Town Doctor",
        ),
        ("A Godfather nodded; so did the jailkeeper.", "Cinder, who is alive, is the Town Jailkeeper"),
        ("Somebody was healed.", "line 1: “healed” gives away Ada's heal of Juniper"),
        ("Moth was led away, and jailed.", "Cinder's jail of Moth"),
        ("Moth slept well.", "Cinder's jail of Moth"),
        ("The [b]doc[/b]tor went home.", "Ada, who is alive, is the Town Doctor"),
        ("Dóctor, thought the gulls.", "Ada, who is alive, is the Town Doctor"),
        ("[url=https://jailkeeper.example]x[/url]", "Cinder, who is alive, is the Town Jailkeeper"),
    ],
)
def test_a_secret_is_refused_with_its_line(text: str, secret: str) -> None:
    assert secret in refused(text)


def test_every_secret_is_listed_and_the_way_out_is_named() -> None:
    text = refused("A doctor and a tracker met.")
    assert "Town Doctor" in text
    assert "Town Tracker" in text
    assert "--allow-leak" in text


@pytest.mark.parametrize("text", [QUIET, "", "  \n", "The watchman's dog howled; everybody ran to the pier."])
def test_harmless_words_are_printed(text: str) -> None:
    assert allowed(text)


def test_what_the_dawn_tells_by_itself_is_no_secret() -> None:
    """Iris dies and her card is turned up; the other Mason stays unnamed."""
    night = replace(SALT_HARBOUR, roles={**SALT_HARBOUR.roles, SlotId("Rook"): "Town Mason"})
    assert "Iris was found dead" in format_night(resolve(night)).split("── Public ")[1]
    assert allowed("The town has lost a mason. Iris was killed at midnight.", night)
    assert "Rook, who is alive" in refused("The town has lost a mason, and Rook his friend.", night)


def test_a_kill_that_was_stopped_is_a_secret_where_nobody_died() -> None:
    head = 'kind = "knight_errant"\nnight = 1\n[roles]\nAda = "Town Doctor"\nBoro = "Vanilla Townie"\n'
    roles = f'{head}Cinder = "Vanilla Townie"\nElm = "Mafia Goon"\n'
    saved = parse_night("n.toml", f'{roles}[actions]\nAda = "heal Boro"\nElm = "kill Boro"\n')
    assert "Elm's kill of Boro" in refused("Somebody tried to kill.", saved)
    died = parse_night("n.toml", f'{roles}Fen = "Vanilla Townie"\n[actions]\nElm = "kill Boro"\n')
    assert allowed("Boro was killed.", died)


def test_words_of_a_pm_are_refused() -> None:
    assert "words of a PM" in refused("As one read: here is what you learned on Night 2.", SALT_HARBOUR)


def test_a_night_that_ends_the_game_has_no_secrets_left() -> None:
    head = 'kind = "knight_errant"\nnight = 1\n[roles]\nAda = "Town Doctor"\nBoro = "Town Cop"\n'
    last = f'{head}Elm = "Mafia Goon"\n[actions]\nElm = "kill Boro"\n'
    assert allowed("Ada was the doctor.", parse_night("n.toml", last))


def test_the_other_game_is_guarded_too() -> None:
    assert "the Ninja" in refused("A ninja?", COPPER_LANE)


def test_flavour_is_a_tree_of_its_own() -> None:
    """What it leaves open ends with it, and what it closes closes nothing of ours."""
    dawn = Announced(Dawn(1, (), Alive(3, 2, over=False)))
    plain = public_post("knight_errant", dawn, "phpbb")
    for text in ("[b]Storm", "[/b] storm [/i]", "[code]x", "[quote]y", "[table][tr][td]z"):
        assert public_post("knight_errant", dawn, "phpbb", text).endswith(plain)
    assert public_post("knight_errant", dawn, "phpbb", "[i]Storm[/i]\n") == f"[i]Storm[/i]\n\n{plain}"


NOW = Alive(1, 1, over=False)


@pytest.mark.parametrize(
    "facts",
    [
        Opening("day", 1, (SlotId("Ada"),), 1),
        Dawn(1, (), NOW),
        Elimination(1, None, None, (), (), (), NOW),
    ],
    ids=lambda facts: str(facts.kind),
)
def test_the_opening_and_the_end_of_a_day_have_the_slot_too(facts: Facts) -> None:
    assert public_post("knight_errant", Announced(facts), flavour=QUIET).startswith(QUIET)


def test_the_command_prints_nothing_of_a_leak_and_with_a_reason_says_what_it_was(
    dawn_file: Callable[[str], str],
) -> None:
    call = ["resolve", str(DEMO / "night.toml"), "--flavour", dawn_file("The doctor yawned.")]
    stopped = CliRunner().invoke(app, call)
    assert isinstance(stopped.exception, SecretGuard)
    assert stopped.exception.exit_status == 5
    assert stopped.stdout == ""
    meant = CliRunner().invoke(app, [*call, "--allow-leak", "Ada has claimed"])
    assert meant.exit_code == 0
    assert "The doctor yawned.\n\nNight 2 is over." in meant.stdout
    assert "because “Ada has claimed”" in meant.stderr
    assert "Town Doctor" in meant.stderr


def test_an_empty_reason_is_none(dawn_file: Callable[[str], str]) -> None:
    call = ["resolve", str(DEMO / "night.toml"), "--flavour", dawn_file("A doctor."), "--allow-leak", " "]
    assert isinstance(CliRunner().invoke(app, call).exception, SecretGuard)
