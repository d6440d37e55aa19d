"""What is done by day, and the vengeance of who was voted out (CM-R71 to CM-R77)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from custom_table import NOON, at_night, first_pm, morning, pms, say, sheet
from knightfall.engine.game import Announced, Step, announced
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import RULINGS, parse_options
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.state import State
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post

REST = {
    "Boro": "Mafia Goon",
    "Cleo": "Mafia Goon",
    "Gale": "Vanilla Townie",
    "Iris": "Town Cop",
    "Juno": "Vanilla Townie",
    "Kip": "Vanilla Townie",
    "Lou": "Vanilla Townie",
}


def by_day(cast: dict[str, str], number: int = 1) -> State:
    return replace(at_night({**cast, **REST}, number), phase=Phase.DAY)


def codes(step: Step[State]) -> list[str]:
    return [why.code for _, why in step.refused]


def posts(step: Step[State]) -> str:
    return "\n".join(public_post("custom_mafia", one) for one in announced(step.events))


def close_day(state: State) -> Step[State]:
    return CUSTOM_MAFIA.close(state, "day", NOON, SeededRng(b"quarry"))


def vote_out(state: State, name: str) -> Step[State]:
    return close_day(say(state, None, f"eliminate {name}").state)


# ── A day vigilante. ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("line", ["shoot Gale", "kill Gale", "day shoot Gale", "dayvig Gale"])
def test_a_shot_by_day_kills_at_once_and_tells_nobody_whose_it_was(line: str) -> None:
    step = say(by_day({"Ada": "Town Day Vigilante"}), "Ada", line)
    assert step.refused == ()
    assert step.state.left[SlotId("Gale")].when == "day 1"
    assert "Gale" in posts(step) and "was killed" in posts(step)
    assert "Ada" not in posts(step)
    assert step.state.phase is Phase.DAY


def test_there_is_one_shot_a_day_and_as_many_as_the_card_says() -> None:
    step = say(by_day({"Ada": "Town Day Vigilante"}), "Ada", "shoot Gale")
    again = say(step.state, "Ada", "shoot Juno")
    assert SlotId("Juno") in again.state.living
    assert codes(again) == ["SLOT_TAKEN"]
    once = say(by_day({"Ada": "Town 1-Shot Day Vigilante"}), "Ada", "shoot Gale").state
    night = close_day(say(once, None, "no elimination").state).state
    day = replace(morning(night).state, phase=Phase.DAY)
    assert codes(say(day, "Ada", "shoot Juno")) == ["NO_SHOTS"]


def test_nobody_shoots_by_day_at_night_or_by_night_at_day() -> None:
    state = by_day({"Ada": "Town Day Vigilante Doctor"})
    assert codes(say(state, "Ada", "heal Gale")) == ["WRONG_TIME"]
    assert codes(say(replace(state, phase=Phase.NIGHT), "Ada", "day shoot Gale")) == ["WRONG_TIME"]
    assert codes(say(state, "Iris", "check Gale")) == ["WRONG_PHASE"]
    assert codes(say(state, "Ada", "shoot Ada")) == ["SELF_TARGET"]
    ((_, why),) = say(state, "Ada", "shot Gale").refused
    assert why.text == "this is nothing that you can do by day"


def test_bulletproof_stops_a_shot_and_a_vest_stops_one() -> None:
    step = say(by_day({"Ada": "Town Day Vigilante", "Nils": "Town 1-Shot Bulletproof"}), "Ada", "shoot Nils")
    assert SlotId("Nils") in step.state.living
    assert posts(step) == ""
    assert "stopped by Bulletproof" in sheet(step)
    night = close_day(say(step.state, None, "no elimination").state).state
    second = say(morning(night).state, "Ada", "shoot Nils")
    assert SlotId("Nils") in second.state.left


def test_a_shot_can_end_the_game() -> None:
    cast = {"Ada": "Town Day Vigilante", "Boro": "Mafia Goon", "Gale": "Vanilla Townie"}
    state = replace(at_night(cast), phase=Phase.DAY)
    step = say(state, "Ada", "shoot Boro")
    assert step.state.phase is Phase.OVER
    outcome = CUSTOM_MAFIA.outcome(step.state)
    assert outcome is not None and outcome.winner == "town"


# ── Vengeance. ────────────────────────────────────────────────────────────────────────────────────────────


def test_who_was_voted_out_takes_somebody_along_in_the_night() -> None:
    night = vote_out(by_day({"Ada": "Vengeful Townie"}), "Ada").state
    assert night.phase is Phase.NIGHT
    assert SlotId("Ada") in CUSTOM_MAFIA.windows(night)[0].slots
    assert SlotId("Ada") in CUSTOM_MAFIA.playing(night)
    assert [
        one.slot for one in CUSTOM_MAFIA.awaits(night, CUSTOM_MAFIA.windows(night)[0]) if one.slot == "Ada"
    ]
    step = say(night, "Ada", "avenge Boro")
    assert SlotId("Boro") in step.state.left
    assert "Boro" in posts(step)
    # Once, and not in the nights after.
    assert codes(say(step.state, "Ada", "avenge Cleo")) == ["NOT_A_PLAYER"]


def test_vengeance_lapses_with_the_night_and_the_moderator_is_told() -> None:
    night = vote_out(by_day({"Ada": "Vengeful Townie"}), "Ada").state
    step = morning(night)
    assert "Ada took nobody along" in sheet(step)
    assert codes(say(step.state, "Ada", "avenge Boro")) == ["NOT_A_PLAYER"]


def test_nobody_is_avenged_who_was_killed_at_night_or_lives() -> None:
    state = by_day({"Ada": "Vengeful Townie"})
    assert codes(say(state, "Ada", "avenge Boro")) == ["WRONG_PHASE"]
    dawn = morning(replace(state, phase=Phase.NIGHT), Boro="kill Ada")
    assert codes(say(dawn.state, "Ada", "avenge Boro")) == ["NOT_A_PLAYER"]


def test_the_mafia_does_not_win_before_vengeance_is_taken_or_spared() -> None:
    cast = {"Ada": "Vengeful Townie", "Boro": "Mafia Goon", "Gale": "Vanilla Townie"}
    night = vote_out(replace(at_night(cast), phase=Phase.DAY), "Ada").state
    assert night.phase is Phase.NIGHT
    spared = say(night, "Ada", "avenge nobody")
    assert spared.state.phase is Phase.OVER
    taken = say(night, "Ada", "avenge Boro")
    outcome = CUSTOM_MAFIA.outcome(taken.state)
    assert outcome is not None and outcome.winner == "town"
    lapsed = morning(night)
    outcome = CUSTOM_MAFIA.outcome(lapsed.state)
    assert outcome is not None and outcome.winner == "mafia"


def test_the_order_of_who_is_taken_along_falls_and_the_moderator_is_told() -> None:
    night = vote_out(by_day({"Ada": "Vengeful Townie"}), "Ada").state
    night = say(night, "Boro", "kill Gale").state
    step = say(night, "Ada", "avenge Boro")
    assert "Boro has died, so “Boro: mafia kill Gale” falls with them" in sheet(step)
    assert SlotId("Gale") in morning(step.state).state.living


# ── A governor, a mayor. ──────────────────────────────────────────────────────────────────────────────────


def test_a_pardon_is_put_to_the_moderator_and_saves_who_was_voted_out() -> None:
    state = by_day({"Ada": "Town 1-Shot Governor"})
    sent = say(state, "Ada", "pardon")
    assert "Day 1" in pms(sent, "Ada")
    decided = say(sent.state, None, "eliminate Gale").state
    refused = close_day(decided)
    assert codes(refused) == ["PARDONED"] and refused.state == decided
    held = say(decided, None, "pardon").state
    night = close_day(held).state
    assert SlotId("Gale") in night.living and night.phase is Phase.NIGHT
    day = morning(night).state
    assert codes(say(day, "Ada", "pardon")) == ["NO_SHOTS"]


def test_a_pardon_is_kept_where_nobody_was_voted_out_and_can_be_taken_back() -> None:
    state = say(by_day({"Ada": "Town 1-Shot Governor"}), "Ada", "pardon").state
    day = morning(close_day(say(state, None, "no elimination").state).state).state
    assert say(day, "Ada", "pardon").refused == ()
    back = say(state, "Ada", "no action").state
    assert SlotId("Gale") in vote_out(back, "Gale").state.left
    assert codes(say(back, None, "pardon")) == ["WRONG_PHASE"]


def test_a_mayor_steps_forward_before_everybody_and_counts_twice_from_then_on() -> None:
    state = by_day({"Ada": "Town Mayor"})
    assert CUSTOM_MAFIA.vote_marks(state) == {}
    step = say(state, "Ada", "reveal")
    assert "Ada" in posts(step) and "Town Mayor" in posts(step)
    assert CUSTOM_MAFIA.vote_marks(step.state) == {"Ada": (2, 0)}
    assert "Town Mayor" in CUSTOM_MAFIA.shown_roles(step.state)
    assert "Ada" not in CUSTOM_MAFIA.hidden_roles(step.state)
    assert codes(say(step.state, "Ada", "reveal"))


def test_votes_weigh_as_the_cards_say() -> None:
    cast = {"Ada": "Town Doublevoter", "Nils": "Town Voteless", "Otto": "Town Loved", "Pia": "Mafia Hated"}
    assert CUSTOM_MAFIA.vote_marks(by_day(cast)) == {
        "Ada": (2, 0),
        "Nils": (0, 0),
        "Otto": (1, 1),
        "Pia": (1, -1),
    }


# ── What is told. ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("role", "said"),
    [
        ("Town 1-Shot Day Vigilante", "day shoot NAME"),
        ("Vengeful Townie", "avenge NAME"),
        ("Town Governor", "pardon"),
        ("Town Mayor", "reveal"),
    ],
)
def test_a_role_pm_says_when_and_how(role: str, said: str) -> None:
    text = first_pm(by_day({"Ada": role}), "Ada")
    assert said in text
    assert "during the night" not in text


def test_modifiers_of_the_night_say_nothing_of_what_is_done_by_day() -> None:
    for written in ("Odd-Night Day Vigilante", "Weak Governor", "Backup Mayor"):
        with pytest.raises(InputError, match="X-Shot only"):
            parse_role(written)


def test_the_rules_of_the_day_stand_in_this_setup() -> None:
    cast = {
        "Ada": "Town Day Vigilante",
        "Nils": "Vengeful Townie",
        "Otto": "Town Governor",
        "Pia": "Town Mayor",
    }
    state = by_day(cast)
    slots = tuple(state.cards)
    table = {"slots": [{"role": card.name} for card in state.cards.values()]}
    text = public_post("custom_mafia", Announced(CUSTOM_MAFIA.setup_post(slots, {"setup": table})))
    for number in (71, 72, 73, 74):
        assert RULINGS[f"CM-R{number}"] in text
    assert RULINGS["CM-R75"] not in text


# ── Without nights, and the last mafioso. ─────────────────────────────────────────────────────────────────


def with_option(state: State, **options: str) -> State:
    chosen = parse_options(options)
    return replace(state, rules=replace(state.rules, chosen=chosen))


def test_where_nights_are_skipped_a_day_follows_the_day() -> None:
    state = with_option(by_day({"Ada": "Town Doctor"}), nights="skipped")
    step = vote_out(state, "Gale")
    assert (step.state.phase, step.state.number) == (Phase.DAY, 2)
    assert codes(say(step.state, "Ada", "heal Juno")) == ["WRONG_PHASE"]
    text = first_pm(state, "Ada")
    assert "heal NAME" not in text and "Night rules" not in text
    table = {
        "slots": [{"role": card.name} for card in state.cards.values()],
        "options": {"nights": "skipped"},
    }
    told = public_post(
        "custom_mafia", Announced(CUSTOM_MAFIA.setup_post(tuple(state.cards), {"setup": table}))
    )
    assert "There are no nights." in told and "Send me your action by PM" not in told


def test_vengeance_comes_before_the_next_day_where_nights_are_skipped() -> None:
    state = with_option(by_day({"Ada": "Vengeful Townie", "Nils": "Vengeful Townie"}), nights="skipped")
    night = vote_out(state, "Ada").state
    assert night.phase is Phase.NIGHT
    assert codes(say(night, "Boro", "kill Gale")) == ["WRONG_TIME"]
    step = say(night, "Ada", "avenge Boro")
    assert (step.state.phase, step.state.number) == (Phase.DAY, 2)
    assert SlotId("Boro") in step.state.left


@pytest.mark.parametrize(("rule", "over"), [("none", False), ("one", True)])
def test_the_town_may_win_at_the_last_mafioso(rule: str, over: bool) -> None:
    step = vote_out(with_option(by_day({}), town_wins=rule), "Boro")
    assert (step.state.phase is Phase.OVER) is over
    if over:
        assert "one mafioso is left" in posts(step).casefold()
