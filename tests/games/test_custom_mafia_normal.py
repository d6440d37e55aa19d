"""Modifiers and roles of Normal games through more than one night: what is remembered, and who is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from custom_table import (
    NOON,
    TOWN,
    at_night,
    first_pm,
    members,
    morning,
    pms,
    say,
    sent,
    sheet,
)
from knightfall.engine.game import announced
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.state import State
from knightfall.mafia.explain_night import why
from knightfall.mafia.night_file import NightFile
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post

ADA = SlotId("Ada")


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


# ── Who inherits what works by itself, or all that somebody was. ──────────────────────────────────────────


def test_a_backup_neighbor_is_told_and_so_are_their_neighbors() -> None:
    cast = {"Ada": "Town Backup Neighbor", "Boro": "Town Neighbor", "Cleo": "Mafia Neighbor"}
    state = at_night({**cast, "Dov": "Mafia Goon", **TOWN})
    assert "Backup Neighbor" in first_pm(state, "Ada")
    assert members(state)["Neighbor room"] == ("Boro", "Cleo")
    step = morning(state, Dov="kill Boro")
    assert members(step.state)["Neighbor room"] == ("Ada", "Cleo")
    assert "A death has changed something for you" in pms(step, "Ada")
    assert "Cleo" in pms(step, "Ada")
    assert "Ada" in pms(step, "Cleo")
    assert "A death" not in pms(step, "Gale")
    assert step.state.cards[ADA] == parse_role("Town Neighbor")


def test_a_backup_innocent_child_is_told_of_to_everybody_and_shown_as_such() -> None:
    cast = {"Ada": "Town Backup Innocent Child", "Boro": "Town Innocent Child", "Cleo": "Mafia Goon", **TOWN}
    step = morning(at_night(cast), Cleo="kill Boro")
    posts = [public_post("custom_mafia", one) for one in announced(step.events)]
    assert any("Ada is of the town" in post and "everybody may know it" in post for post in posts)
    assert "Ada" not in CUSTOM_MAFIA.hidden_roles(step.state)


def test_a_backup_encryptor_lets_the_mafia_talk_by_day() -> None:
    cast = {"Ada": "Mafia Backup Encryptor", "Boro": "Mafia Encryptor", "Cleo": "Vigilante", **TOWN}
    step = morning(at_night(cast), Cleo="shoot Boro")
    assert "While you live, the mafia may talk with each other by day" in pms(step, "Ada")


def test_a_universal_backup_becomes_who_was_voted_out_with_the_uses_left() -> None:
    cast = {"Ada": "Town Universal Backup", "Boro": "Town 2-Shot Cop", "Cleo": "Mafia Goon", **TOWN}
    day = morning(at_night(cast), Boro="cop Cleo").state
    decided = say(day, None, "eliminate Boro").state
    step = CUSTOM_MAFIA.close(decided, "day", NOON, SeededRng(b"quarry"))
    assert step.state.cards[ADA] == parse_role("Town 2-Shot Cop")
    assert "your role is Town 2-Shot Cop" in pms(step, "Ada").replace("[b]", "").replace("[/b]", "")
    night = replace(step.state, number=2)
    after = morning(night, Ada="cop Cleo")
    assert "Guilty" in pms(after, "Ada")
    assert refused(replace(after.state, phase=Phase.NIGHT, number=3), "Ada", "cop Gale") == ["NO_SHOTS"]


def test_nobody_is_told_of_what_they_inherit_when_the_game_is_over() -> None:
    cast = {"Ada": "Town Universal Backup", "Boro": "Town Cop", "Cleo": "Mafia Goon"}
    step = morning(at_night(cast), Cleo="kill Boro")
    assert step.state.winner is not None
    assert "A death" not in pms(step, "Ada")


def test_what_cannot_be_inherited_is_refused() -> None:
    for wrong in (
        "Backup Lover",
        "Mafia Backup Traitor",
        "Backup Universal Backup",
        "Backup 1-Shot Bulletproof",
    ):
        with pytest.raises(InputError, match="Backup"):
            parse_role(wrong)
    with pytest.raises(InputError, match="alone"):
        parse_role("Universal Backup Cop")


# ── Roles. ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_detective_remembers_every_night_and_may_write_investigate() -> None:
    cast = {"Ada": "Town Detective", "Boro": "Mafia Goon", "Cleo": "Mafia Goon", "Dov": "Doctor", **TOWN}
    first = morning(at_night(cast), Boro="kill Gale", Dov="heal Gale", Ada="investigate Cleo")
    assert "Has not killed" in pms(first, "Ada")
    second = replace(first.state, phase=Phase.NIGHT, number=2)
    assert "Has killed" in pms(morning(second, Ada="check Boro"), "Ada")


def test_a_shield_dies_for_the_victim_and_the_sheet_says_why() -> None:
    cast = {"Ada": "Town Shield", "Boro": "Mafia Goon", **TOWN}
    step = morning(at_night(cast), Ada="shield Boro", Boro="kill Gale")
    assert list(step.state.left) == ["Ada"]
    assert "CM-R92" in sheet(step)


def test_who_was_kept_away_is_named_with_its_ruling() -> None:
    cast = {"Ada": "Town Rolestopper", "Boro": "Mafia Goon", "Cleo": "Mafia Alien", **TOWN}
    step = morning(at_night(cast), Ada="rolestop Gale", Boro="kill Gale")
    assert not step.state.left
    assert "rolestopped" in sheet(step) and "CM-R89" in sheet(step)
    step = morning(at_night(cast), Cleo="abduct Ada", Ada="rolestop Gale", Boro="kill Gale")
    assert list(step.state.left) == ["Gale"]


def test_a_message_is_told_in_the_morning_and_not_by_whom() -> None:
    cast = {"Ada": "Town Messenger", "Boro": "Mafia Goon", **TOWN}
    night = sent(at_night(cast), Ada="message Gale: [b]Boro[/b] is lying, vote: Boro")
    lines = [str(line) for line in CUSTOM_MAFIA.standing(night, ADA)]
    assert say(night, "Ada", lines[0]).state.actions == night.actions
    step = morning(night)
    told_to_gale = pms(step, "Gale")
    assert "Somebody sent you a message: " in told_to_gale
    assert "is lying, vote: Boro" in told_to_gale
    assert "[b]Boro" not in told_to_gale
    assert "Ada" not in told_to_gale
    assert refused(at_night(cast), "Ada", f"message Gale: {'x' * 301}") == ["TOO_LONG"]


@pytest.mark.parametrize(
    ("ada", "line", "boro", "reason"),
    [
        ("Rolestopper", "rolestop Gale", "Mafia Goon", "Ada kept from Gale whatever others did to them"),
        ("Alien", "abduct Gale", "Mafia Goon", "Ada had abducted Gale"),
        ("Shield", "shield Boro", "Mafia Goon", "Ada had shielded others from Boro, and took it"),
        ("Complex Doctor", "heal Gale", "Mafia Goon", "Ada's action is complex, and Gale has no ability"),
        ("Simple Doctor", "heal Boro", "Mafia Ninja", "Ada's action is simple, and Boro has an ability"),
    ],
)
def test_why_says_what_kept_an_action_from_its_target(ada: str, line: str, boro: str, reason: str) -> None:
    roles = {ADA: ada, SlotId("Boro"): boro, SlotId("Gale"): "Vanilla Townie"}
    lines = {ADA: (line,), SlotId("Boro"): ("kill Gale",)}
    file = NightFile(CUSTOM_MAFIA, "row", 2, roles, {}, lines)
    told_of_all = "\n".join(step.text for name in roles for step in why(str(name), file).steps)
    assert reason in told_of_all
