"""Neighbors, traitors, gifts, backups, the compulsive, limited Strongmen, and cards of one's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from custom_table import TOWN, at_night, first_pm, members, morning, pms, say, sent, sheet
from knightfall.engine.game import Announced
from knightfall.errors import InputError
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import CustomNight, resolve
from knightfall.games.custom_mafia.setup import parse_setup
from knightfall.games.custom_mafia.state import night_position
from knightfall.mafia.night import Action
from knightfall.mafia.state import Departure, Phase
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post

# ── Who knows whom, and where they talk. ──────────────────────────────────────────────────────────────────


def test_neighbors_of_any_side_share_a_room_and_are_told_no_side() -> None:
    state = at_night({"Ada": "Town Neighbor", "Boro": "Mafia Neighbor", "Cleo": "Mafia Goon", **TOWN})
    assert members(state) == {"Mafia room": ("Boro", "Cleo"), "Neighbor room": ("Ada", "Boro")}
    told_to_ada = first_pm(state, "Ada")
    assert "Boro" in told_to_ada
    assert "Mafia" not in told_to_ada.replace("mafioso", "")
    assert {partner.bond for partner in CUSTOM_MAFIA.partners(state, SlotId("Ada"))} == {"neighbor"}


def test_nobody_knows_a_traitor_and_a_traitor_nobody() -> None:
    cast = {"Ada": "Mafia Goon", "Boro": "Mafia Goon", "Cleo": "Mafia Traitor", **TOWN}
    state = sent(at_night(cast), Ada="kill Gale")
    assert members(state) == {"Mafia room": ("Ada", "Boro")}
    assert CUSTOM_MAFIA.partners(state, SlotId("Cleo")) == ()
    assert "Cleo" not in first_pm(state, "Ada")
    assert "Ada" not in first_pm(state, "Cleo")
    # They neither see the kill nor take it back.
    assert CUSTOM_MAFIA.standing(state, SlotId("Cleo")) == ()
    assert [code.code for _, code in say(state, "Cleo", "kill Iris").refused] == ["NOT_YOUR_ABILITY"]
    after = say(state, "Cleo", "no kill").state
    assert [str(line) for line in CUSTOM_MAFIA.standing(after, SlotId("Boro"))] == ["kill Gale by Ada"]


def test_a_traitor_counts_as_mafia() -> None:
    state = at_night(
        {"Ada": "Mafia Goon", "Cleo": "Mafia Traitor", "Gale": "Vanilla Townie", "Iris": "Town Cop"}
    )
    step = morning(state, Ada="kill Gale")
    assert step.state.phase is Phase.OVER
    outcome = CUSTOM_MAFIA.outcome(step.state)
    assert outcome is not None
    assert list(outcome.slots) == ["Ada", "Cleo"]


def test_an_innocent_child_is_named_in_the_opening_and_an_encryptor_only_among_the_mafia() -> None:
    cast = {"Ada": "Mafia Encryptor", "Boro": "Mafia Goon", "Cleo": "Town Innocent Child", **TOWN}
    state = at_night(cast)
    opening = public_post("custom_mafia", Announced(CUSTOM_MAFIA.opening(state)))
    assert "Innocent Child: Cleo is of the town" in opening.replace("**", "")
    assert "by day while an Encryptor lives" in first_pm(state, "Boro")
    assert "Encryptor" not in first_pm(state, "Cleo").split("What")[0]


def test_a_neighborizer_brings_players_into_their_room_from_the_morning_on() -> None:
    state = at_night({"Ada": "Town Neighborizer", "Boro": "Mafia Goon", "Cleo": "Mafia Goon", **TOWN})
    step = morning(state, Ada="neighborize Gale", Boro="kill Iris")
    assert members(step.state)["Neighbors of Ada"] == ("Ada", "Gale")
    assert "are neighbors from now on" in pms(step, "Ada")
    assert "are neighbors from now on" in pms(step, "Gale")
    assert pms(step, "Juno") == ""


@pytest.mark.parametrize(("killed", "alive"), [("Gale", "Ada"), ("Ada", "Gale")])
def test_nobody_gets_a_room_with_who_died_on_the_night_that_made_them_neighbors(
    killed: str, alive: str
) -> None:
    state = at_night({"Ada": "Town Neighborizer", "Boro": "Mafia Goon", "Cleo": "Mafia Goon", **TOWN})
    step = morning(state, Ada="neighborize Gale", Boro=f"kill {killed}")
    told = pms(step, alive).replace("[b]", "").replace("[/b]", "")
    assert f"{killed} died on the night that made you neighbors" in told
    assert "link" not in told
    assert pms(step, killed) == ""


def test_who_joins_others_in_the_room_of_a_dead_neighborizer_gets_its_link() -> None:
    cast = {"Ada": "Town Neighborizer", "Boro": "Mafia Goon", "Cleo": "Mafia Goon", **TOWN}
    first = morning(at_night(cast), Ada="neighborize Gale").state
    second = morning(replace(first, phase=Phase.NIGHT), Ada="neighborize Iris", Boro="kill Ada")
    assert "I will send you the link" in pms(second, "Iris")
    assert members(second.state)["Neighbors of Ada"] == ("Gale", "Iris")


def test_all_in_a_neighborizers_room_know_one_another() -> None:
    cast = {"Ada": "Town Neighborizer", "Boro": "Mafia Goon", "Cleo": "Mafia Goon", **TOWN}
    first = morning(at_night(cast), Ada="neighborize Gale").state
    second = morning(replace(first, phase=Phase.NIGHT), Ada="neighborize Iris").state
    room = members(second)["Neighbors of Ada"]
    assert room == ("Ada", "Gale", "Iris")
    for slot in room:
        known = {partner.name for partner in CUSTOM_MAFIA.partners(second, SlotId(slot))}
        assert known == {*room} - {slot}


def test_a_blocked_neighborizer_brings_nobody() -> None:
    cast = {"Ada": "Town Neighborizer", "Boro": "Mafia Roleblocker", "Cleo": "Mafia Goon", **TOWN}
    step = morning(at_night(cast), Ada="neighborize Gale", Boro="block Ada")
    assert "No Result" in pms(step, "Ada")
    assert pms(step, "Gale") == ""
    assert list(members(step.state)) == ["Mafia room"]


# ── What is given. ────────────────────────────────────────────────────────────────────────────────────────


def test_fruit_comes_from_nobody_and_a_friendly_neighbor_says_who_they_are() -> None:
    cast = {"Ada": "Town Fruit Vendor", "Boro": "Mafia Goon", "Cleo": "Town Friendly Neighbor", **TOWN}
    step = morning(at_night(cast), Ada="fruit Gale", Cleo="befriend Iris")
    assert "Somebody gave you fruit." in pms(step, "Gale")
    assert "Ada" not in pms(step, "Gale")
    assert "Cleo is your friend, and of the town" in pms(step, "Iris").replace("**", "")
    assert pms(step, "Ada") == pms(step, "Cleo") == ""
    assert "Gale is told: fruit Gale: fruit" in sheet(step).replace("**", "")


# ── What waits, and what must be. ─────────────────────────────────────────────────────────────────────────


def test_a_backup_works_once_one_of_their_side_who_had_it_is_dead() -> None:
    cast = {"Ada": "Town Deputy", "Boro": "Mafia Goon", "Cleo": "Town Cop", "Dusk": "Mafia Cop", **TOWN}
    state = at_night(cast)
    assert [refusal.code for _, refusal in say(state, "Ada", "cop Boro").refused] == ["WRONG_NIGHT"]
    mafia_dead = replace(state, left={SlotId("Dusk"): Departure("eliminated", "day 1")})
    assert say(mafia_dead, "Ada", "cop Boro").refused != ()
    cop_dead = replace(state, left={SlotId("Cleo"): Departure("killed", "night 1")}, number=2)
    assert "Guilty" in pms(morning(cop_dead, Ada="cop Boro"), "Ada")


def test_the_compulsive_do_it_all_the_same_and_the_sheet_says_that_it_was_drawn() -> None:
    state = at_night({"Ada": "Town Compulsive Vigilante", "Boro": "Mafia Goon", "Cleo": "Mafia Goon", **TOWN})
    step = morning(state)
    assert len(step.state.left) == 1
    assert "as it was drawn (CM-R66)" in sheet(step)
    assert morning(state).state.left == step.state.left  # the same draw again
    chosen = morning(state, Ada="shoot Boro")
    assert list(chosen.state.left) == ["Boro"]
    assert "as it was drawn" not in sheet(chosen)


def test_a_strongman_with_one_shot_says_so_instead_of_the_mafias_kill() -> None:
    cast = {"Ada": "Mafia 1-Shot Strongman", "Boro": "Mafia Goon", "Cleo": "Town Doctor", **TOWN}
    state = sent(at_night(cast), Boro="kill Iris", Ada="strong kill Gale")
    assert [action.ability for action in state.actions] == ["strong_kill"]
    assert any("strong kill Gale" in line for line in map(str, CUSTOM_MAFIA.standing(state, SlotId("Boro"))))
    step = morning(state, Cleo="heal Gale")
    assert list(step.state.left) == ["Gale"]
    night = replace(step.state, phase=Phase.NIGHT, number=2)
    assert [refusal.code for _, refusal in say(night, "Ada", "strong kill Iris").refused] == ["NO_SHOTS"]
    assert say(night, "Ada", "kill Iris").refused == ()


# ── Cards that nobody but their moderator knows. ──────────────────────────────────────────────────────────

LAMP = {"Ada": "Town 2-Shot “Lamplighter”", "Boro": "Mafia Goon", "Cleo": "Town Tracker", **TOWN}
SAYS = {"Lamplighter": "Light a street: learn whether anybody walked there."}


def test_a_card_of_ones_own_is_told_asked_for_answered_and_kept() -> None:
    state = at_night(LAMP, cards=SAYS)
    pm = first_pm(state, "Ada")
    assert SAYS["Lamplighter"] in pm
    assert "use NAME" in pm
    step = morning(state, Ada="use Gale", Cleo="track Ada")
    assert "Gale" in pms(step, "Cleo")  # it is a visit
    assert "say what comes of it, “result Ada: …” (CM-R68)" in sheet(step)
    assert "left: 1" in pms(step, "Ada").replace("[i]", "")
    answered = say(step.state, None, "result Ada: Two people walked by.")
    assert answered.refused == ()
    assert "Two people walked by." in pms(answered, "Ada")
    assert [told_.answer for told_ in CUSTOM_MAFIA.own_facts(answered.state, SlotId("Ada")).learned] == [
        "Two people walked by."
    ]


def test_a_card_of_ones_own_takes_any_words_and_is_blocked_like_others() -> None:
    state = at_night({**LAMP, "Dusk": "Mafia Roleblocker"}, cards=SAYS)
    step = morning(state, Ada="use the street by the mill, please", Dusk="block Ada")
    assert "use the street by the mill, please" in sheet(step)
    assert "result Ada" not in sheet(step)
    assert "roleblocked" in sheet(step)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("result Ada", "BAD_ARGS"),
        ("result Ada:", "BAD_ARGS"),
        ("result Gale: hello", "WRONG_TARGET"),
        ("result Zed: hello", "UNKNOWN_TARGET"),
    ],
)
def test_a_result_is_for_somebody_with_such_a_card(line: str, code: str) -> None:
    day = morning(at_night(LAMP, cards=SAYS)).state
    assert [refusal.code for _, refusal in say(day, None, line).refused] == [code]


def test_a_card_of_ones_own_is_named_in_quotation_marks_and_nothing_else_is_guessed() -> None:
    role = parse_role('third party serial killer 2-shot "Lamp  Lighter"')
    assert role.name == "2-Shot “Lamp Lighter” Serial Killer"
    assert parse_role(role.name) == role
    with pytest.raises(InputError, match="there is no “Lamplighter”"):
        parse_role("Town Lamplighter")
    with pytest.raises(InputError, match="at most 40 letters"):
        parse_role(f'Town "{"x" * 41}"')
    with pytest.raises(InputError, match="what the card says"):
        parse_setup({"slots": [{"role": "Goon"}], "cards": {"Lamplighter": ""}})


def test_a_backup_that_is_too_early_is_told_by_the_ruling_on_backups() -> None:
    state = at_night({"Ada": "Town Backup Doctor", "Boro": "Town Doctor", "Cleo": "Mafia Goon", **TOWN})
    early = Action(SlotId("Ada"), "heal", (SlotId("Gale"),))
    found = resolve(night_position(state), [early])
    assert isinstance(found, CustomNight)
    (note,) = found.night.rejected
    assert (note.reason, note.ruling) == ("WRONG_NIGHT", "CM-R65")
