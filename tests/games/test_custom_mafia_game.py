"""A custom game: days, nights, deaths, knots, secrets, endings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from facts_seen import seen
from knightfall.engine.game import Announced, Event, Message, Step, Told, announced, noted, told
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.role_grammar import parse_role
from knightfall.games.custom_mafia.state import State, Terms
from knightfall.games.custom_mafia.wins import winner
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Departure, Phase, Questions
from knightfall.mafia.wins import Winner
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import template_names
from salt_harbour import NAMES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DRAW = SeededRng(b"")
CAST = {
    "Ada": "Town Doctor",
    "Boro": "Town Cop",
    "Cinder": "Town Bus Driver",
    "Dusk": "Town Bus Driver",
    "Elm": "Mafia Goon",
    "Fen": "Vanilla Townie",
    "Gale": "Vanilla Townie",
    "Hollis": "Jester",
    "Iris": "Survivor",
    "Juniper": "Town Tracker",
}
RING = (
    ("Cinder", "drive Fen and Gale"),
    ("Dusk", "drive Fen and Iris"),
    ("Elm", "kill Fen"),
    ("Boro", "cop Fen"),
)
"""Two buses with a stop in common: who dies depends on which goes first."""
MIXED = {"Cinder": "Town Roleblocker", "Dusk": "Town Redirector"}
MIXED_RING = (("Cinder", "block Dusk"), ("Dusk", "redirect Cinder to Boro"), ("Boro", "cop Elm"))


def at(
    phase: Phase = Phase.NIGHT,
    cast: Mapping[str, str] = CAST,
    number: int = 1,
    lovers: tuple[str, ...] = (),
    **options: object,
) -> State:
    cards = {SlotId(name): parse_role(role) for name, role in cast.items()}
    groups = (frozenset(map(SlotId, lovers)),) if lovers else ()
    return State("Salt", Terms(parse_options(options), lovers=groups), cards, phase, number)


def say(state: State, slot: str | None, text: str) -> Step[State]:
    return CUSTOM_MAFIA.submit(state, Message(None if slot is None else SlotId(slot), text, NOON), DRAW)


def close(state: State, kind: str) -> Step[State]:
    return CUSTOM_MAFIA.close(state, kind, NOON, DRAW)


def morning(state: State, *lines: tuple[str, str]) -> Step[State]:
    for slot, text in lines:
        step = say(state, slot, text)
        assert step.refused == ()
        state = step.state
    return close(state, "night")


def evening(state: State, line: str) -> Step[State]:
    return close(say(state, None, line).state, "day")


def windows(state: State) -> list[tuple[str, str]]:
    return [(window.kind, window.title) for window in CUSTOM_MAFIA.windows(state)]


def won(state: State) -> tuple[str | None, tuple[SlotId, ...]]:
    outcome = CUSTOM_MAFIA.outcome(state)
    assert outcome is not None
    return outcome.winner, outcome.slots


def codes(step: Step[State]) -> list[str]:
    return [refusal.code for _, refusal in step.refused]


def facts_of(step: Step[State], kind: str) -> Any:
    (facts,) = [event.facts for event in step.events if not isinstance(event, tuple) and event.kind == kind]
    return seen(facts)


def test_days_and_nights_alternate_from_either_end() -> None:
    day = CUSTOM_MAFIA.setup(NAMES, {}, SeededRng(b"")).state
    assert windows(day) == [("day", "Day 1")]
    assert close(day, "day").refused[0][1].code == "UNDECIDED"
    night = evening(day, "no elimination").state
    assert windows(night) == [("night", "Night 1")]
    assert windows(close(night, "night").state) == [("day", "Day 2")]

    setup = {"starts": "night", "slots": [{"role": "Goon"}, {"role": "Vanilla Townie", "fill": True}]}
    first = CUSTOM_MAFIA.setup(NAMES, {"setup": setup}, SeededRng(b"")).state
    assert windows(first) == [("night", "Night 1")]
    dawn = close(first, "night").state
    assert (windows(dawn), dawn.clock, dawn.quiet) == ([("day", "Day 1")], 2, 1)
    dusk = evening(dawn, "no elimination").state
    assert (windows(dusk), dusk.clock, dusk.quiet) == ([("night", "Night 2")], 3, 2)


def test_the_dawn_tells_deaths_and_nothing_else() -> None:
    step = morning(
        at(), ("Elm", "kill Fen"), ("Ada", "heal Gale"), ("Juniper", "track Elm"), ("Boro", "cop Elm")
    )
    (dawn,) = announced(step.events)
    assert seen(dawn.facts) == {
        "night": 1,
        "deaths": [{"name": "Fen", "role": "Vanilla Townie", "cause": ""}],
        "now": {"alive": 9, "needed": 5, "over": False},
    }
    results: dict[tuple[SlotId, ...], Any] = {pm.slots: seen(pm.facts)["results"] for pm in told(step.events)}
    answers = {slots: [r["answer"] for r in rows] for slots, rows in results.items()}
    assert answers == {("Juniper",): ["Fen"], ("Boro",): ["Guilty"]}


def test_lovers_die_together_by_day_and_by_night_and_by_the_moderators_hand() -> None:
    pair = ("Fen", "Gale", "Juniper")
    voted = evening(at(Phase.DAY, lovers=pair), "eliminate Fen")
    assert facts_of(voted, "elimination")["along"] == [
        {"name": "Gale", "role": "Vanilla Townie"},
        {"name": "Juniper", "role": "Town Tracker"},
    ]
    assert voted.state.left[SlotId("Gale")] == Departure("died of love", "day 1")
    gone = say(at(lovers=pair), None, "modkill Gale")
    assert list(gone.state.left) == ["Gale", "Fen", "Juniper"]
    assert len(facts_of(gone, "modkill")["along"]) == 2
    killed = morning(at(lovers=pair), ("Elm", "kill Juniper")).state
    assert list(killed.left) == ["Fen", "Gale", "Juniper"]


def test_a_jester_voted_out_wins_and_by_option_ends_the_game() -> None:
    goes_on = evening(at(Phase.DAY), "eliminate Hollis").state
    assert windows(goes_on) == [("night", "Night 1")]
    ended = evening(replace(goes_on, phase=Phase.DAY, number=2), "eliminate Elm").state
    assert won(ended) == (
        "town",
        ("Ada", "Boro", "Cinder", "Dusk", "Fen", "Gale", "Hollis", "Iris", "Juniper"),
    )
    ends = evening(at(Phase.DAY, jester="ends"), "eliminate Hollis")
    assert won(ends.state) == ("jester", ("Hollis", "Iris"))
    assert facts_of(ends, "ending")["winners"] == ["Hollis"]
    assert facts_of(ends, "ending")["along"] == [{"name": "Iris", "role": "Survivor"}]


def test_a_jester_killed_or_dead_of_love_wins_nothing() -> None:
    killed = morning(at(), ("Elm", "kill Hollis")).state
    assert "Hollis" not in won(evening(killed, "eliminate Elm").state)[1]
    loved = evening(at(Phase.DAY, lovers=("Hollis", "Elm"), jester="ends"), "eliminate Elm").state
    assert won(loved)[0] == "town"
    assert "Hollis" not in won(loved)[1]


TOWN, MAFIA, KILLER = "Vanilla Townie", "Mafia Goon", "Serial Killer"


@pytest.mark.parametrize(
    ("living", "options", "expected"),
    [
        ((), {}, Winner.DRAW),
        (("Survivor", "Jester"), {}, Winner.DRAW),
        ((TOWN, "Jester"), {}, Winner.TOWN),
        ((MAFIA, TOWN), {}, Winner.MAFIA),
        ((MAFIA, TOWN, "Jester"), {}, None),
        ((MAFIA, "Survivor"), {}, Winner.MAFIA),
        ((MAFIA, TOWN), {"mafia_wins": "majority"}, None),
        ((MAFIA, MAFIA, TOWN), {"mafia_wins": "majority"}, Winner.MAFIA),
        ((MAFIA, MAFIA, TOWN), {"mafia_wins": "last_side"}, None),
        ((MAFIA, "Survivor", "Jester"), {"mafia_wins": "last_side"}, Winner.MAFIA),
        ((MAFIA, MAFIA, KILLER), {}, None),
        ((KILLER, "Survivor"), {}, Winner.SERIAL_KILLER),
        ((KILLER, TOWN), {}, None),
        ((KILLER, KILLER), {}, None),
        ((KILLER, MAFIA), {"killer_wins": "one_on_one"}, Winner.SERIAL_KILLER),
        ((KILLER, TOWN, TOWN), {"killer_wins": "one_on_one"}, None),
    ],
)
def test_who_has_won(living: tuple[str, ...], options: dict[str, object], expected: Winner | None) -> None:
    assert winner(map(parse_role, living), parse_options(options)) is expected


def test_only_the_serial_killer_who_lives_wins() -> None:
    state = at(Phase.DAY, {"Ada": KILLER, "Boro": KILLER, "Cinder": TOWN})
    state = evening(state, "eliminate Cinder").state
    assert won(morning(state, ("Ada", "kill Boro")).state) == ("sk", ("Ada",))


def test_uses_and_nights_of_rest_are_kept() -> None:
    cast = CAST | {"Ada": "Town Non-Consecutive Doctor", "Boro": "Town 2-Shot Cop"}
    state = morning(at(cast=cast), ("Ada", "heal Fen"), ("Boro", "cop Elm")).state
    assert seen(CUSTOM_MAFIA.view(state, SlotId("Boro")).facts)["shots"] == {"cop": 1}
    second = evening(state, "no elimination").state
    assert codes(say(second, "Ada", "heal Fen")) == ["WRONG_NIGHT"]
    assert codes(say(second, "Boro", "cop Elm")) == []
    third = evening(morning(second, ("Boro", "cop Fen")).state, "no elimination").state
    assert codes(say(third, "Ada", "heal Fen")) == []
    assert codes(say(third, "Boro", "cop Elm")) == ["NO_SHOTS"]


def asked() -> Step[State]:
    return morning(at(), *RING)


def test_a_ring_is_a_question_and_the_night_waits() -> None:
    step = asked()
    assert announced(step.events) == ()
    assert told(step.events) == ()
    assert windows(step.state) == [("ruling", "Night 1: your ruling")]
    facts = facts_of(step, "knot")
    assert facts["actions"] == ["Cinder: drive Fen and Gale", "Dusk: drive Fen and Iris"]
    assert [(row["choice"], row["listed"]) for row in facts["choices"]] == [
        ("Cinder:drive", False),
        ("Dusk:drive", False),
        ("none", False),
    ]
    assert all(row["end"] == "night" for row in facts["choices"])
    assert facts["earlier"] is None
    waiting = close(step.state, "ruling")
    assert waiting.refused[0][1].text.startswith("say `rule NUMBER` first: 1 = Cinder:drive, 2 = Dusk:drive")
    assert codes(say(step.state, "Ada", "heal Fen")) == ["WRONG_PHASE"]
    assert tuple(CUSTOM_MAFIA.legal(step.state, SlotId("Ada"))) == ()
    assert tuple(CUSTOM_MAFIA.legal(step.state, None)) == ("rule 1", "rule 2", "rule 3")


def test_each_choice_leads_where_the_question_said() -> None:
    step = asked()
    for number, row in enumerate(facts_of(step, "knot")["choices"], start=1):
        ruled = say(step.state, None, f"rule {number}")
        assert [death["name"] for death in facts_of(ruled, "dawn")["deaths"]] == row["deaths"]
        assert windows(ruled.state) == [("day", "Day 2")]
        assert say(step.state, None, f"rule {row['choice']}").state == ruled.state
    dead = [row["deaths"] for row in facts_of(step, "knot")["choices"]]
    assert len(set(map(tuple, dead))) > 1


@pytest.mark.parametrize(
    "said", ["rule", "rule 0", "rule 4", "rule drive", "rule Ada", "rule ²", "rule " + "9" * 9999]
)
def test_a_ruling_that_names_no_single_choice_is_refused(said: str) -> None:
    state = asked().state
    step = say(state, None, said)
    assert codes(step) == ["BAD_ARGS"]
    assert step.state == state


@pytest.mark.parametrize(
    "said", ["rule Cinder", "rule cinder:drive", "rule drive Fen and Gale", "rule Cinder: drive"]
)
def test_a_ruling_may_name_the_action_in_any_way_that_is_clear(said: str) -> None:
    state = asked().state
    assert say(state, None, said).state == say(state, None, "rule 1").state


def test_a_ruling_belongs_to_a_question() -> None:
    assert codes(say(at(), None, "rule 1")) == ["WRONG_PHASE"]
    assert codes(say(asked().state, None, "rule by precedent")) == ["NO_PRECEDENT"]


def test_an_earlier_ruling_is_offered_again_where_it_fits() -> None:
    def again(cast: Mapping[str, str], first: str, *ring: tuple[str, str]) -> Step[State]:
        ruled = morning(at(cast={**CAST, **cast}), *ring)
        day = say(ruled.state, None, first).state
        return morning(evening(day, "no elimination").state, *ring)

    second = again(MIXED, "rule roleblock", *MIXED_RING)
    assert facts_of(second, "knot")["earlier"] == "roleblock"
    assert "rule by precedent" in CUSTOM_MAFIA.legal(second.state, None)
    by_precedent = say(second.state, None, "rule by precedent")
    assert by_precedent.state == say(second.state, None, "rule Cinder").state

    apart = (("Cinder", "drive Ada and Iris"), ("Dusk", "drive Ada and Hollis"), ("Boro", "cop Ada"))
    named = again({}, "rule Dusk", *apart)
    assert facts_of(named, "knot")["earlier"] == "Dusk:drive"
    assert facts_of(named, "knot")["precedent"] is None
    assert codes(say(named.state, None, "rule by precedent")) == ["NO_PRECEDENT"]
    none = again({}, "rule none", *apart)
    assert facts_of(none, "knot")["precedent"] == 3


def test_a_ring_that_a_modkill_undoes_is_no_question_any_more() -> None:
    gone = say(asked().state, None, "modkill Dusk").state
    assert windows(gone) == [("ruling", "Night 1: your ruling")]
    assert tuple(CUSTOM_MAFIA.legal(gone, None)) == ()
    assert codes(say(gone, None, "rule 1")) == ["NO_QUESTION"]
    assert windows(close(gone, "ruling").state) == [("day", "Day 2")]


def test_by_option_the_list_of_priorities_answers() -> None:
    cast = CAST | MIXED
    question = facts_of(morning(at(cast=cast), *MIXED_RING), "knot")
    assert [row["choice"] for row in question["choices"] if row["listed"]] == ["Cinder:roleblock"]
    assert windows(morning(at(cast=cast, knots="list"), *MIXED_RING).state) == [("day", "Day 2")]


def test_the_answers_of_a_night_are_gone_with_it_and_the_precedent_stays() -> None:
    day = say(asked().state, None, "rule none").state
    assert day.questions == Questions(precedents={"drive+drive": "none"})


def test_the_sheet_tells_where_an_action_went_and_by_whom() -> None:
    step = morning(at(), ("Cinder", "drive Fen and Gale"), ("Boro", "cop Fen"), ("Elm", "kill Gale"))
    sheet = facts_of(step, "moderator_night")
    assert [row["action"] for row in sheet["trace"] if row["actor"] in ("Boro", "Elm")] == [
        "mafia kill Gale → Fen (driven by Cinder)",
        "cop Fen → Gale (driven by Cinder)",
    ]
    assert sheet["results"][0]["action"] == "cop Fen → Gale (driven by Cinder)"
    pms: list[Any] = [seen(pm.facts)["results"] for pm in told(step.events)]
    assert [(r["target"], r["answer"]) for r in pms[0]] == [("Fen", "Innocent")]


def test_after_five_quiet_days_and_nights_the_moderator_is_asked_and_may_draw() -> None:
    state = at(Phase.DAY)
    for _ in range(2):
        assert "draw" not in CUSTOM_MAFIA.legal(state, None)
        state = morning(evening(state, "no elimination").state).state
    fifth = evening(state, "no elimination")
    assert [seen(note.facts)["ruling"] for note in noted(fifth.events) if note.kind == "caution"] == [
        "CM-R42"
    ]
    day = morning(fifth.state).state
    assert "draw" in CUSTOM_MAFIA.legal(day, None)
    assert won(say(day, None, "draw").state) == (None, ("Iris",))


def test_who_knows_whom() -> None:
    cast = CAST | {"Fen": "Town Mason", "Gale": "Town Mason Cop", "Boro": "Mafia Ninja"}
    state = at(cast=cast, lovers=("Ada", "Elm"))
    known = {
        name: [(one.name, one.role, one.bond) for one in CUSTOM_MAFIA.partners(state, SlotId(name))]
        for name in cast
    }
    assert known["Fen"] == [("Gale", None, "mason")]
    assert known["Elm"] == [("Boro", "Mafia Ninja", "mafia"), ("Ada", None, "lover")]
    assert known["Ada"] == [("Elm", None, "lover")]
    assert known["Juniper"] == []
    shy = CUSTOM_MAFIA.view(at(lovers=("Ada", "Elm"), lovers_know="no"), SlotId("Ada"))
    assert seen(shy.facts)["partners"] == []


def test_a_secret_setup_is_not_in_the_opening() -> None:
    setup = {
        "name": "Fog",
        "slots": [{"role": "Goon"}, {"role": "Town Cop"}, {"role": "Survivor", "fill": True}],
    }
    shown, hidden = (
        public_post(
            "custom_mafia",
            announced(
                CUSTOM_MAFIA.setup(NAMES, {"setup": setup | {"reveal_setup": open_}}, SeededRng(b"")).events
            )[0],
        )
        for open_ in (True, False)
    )
    assert "Setup: Fog\n- Mafia Goon\n- Town Cop\n- Everyone else: Survivor" in shown
    assert not any(word in hidden for word in ("Goon", "Cop", "Survivor", "Fog"))
    assert "Which roles are in the game is secret." in hidden


EVERYTHING = {
    "name": "Every Light",
    "starts": "night",
    "slots": [
        {"role": "Mafia Strongman"},
        {"one_of": ["Mafia Ninja Roleblocker", "Mafia Godfather"]},
        {"pick": 1, "from": ["Town Loyal Bodyguard", "Town Disloyal Rolecop"]},
        {"role": "Town Weak Jailkeeper"},
        {"role": "Lazy Redirector"},
        {"role": "Town Bus Driver", "count": 2},
        {"role": "1-Shot Bulletproof Townie"},
        {"role": "Bulletproof Miller"},
        {"role": "Town Bomb Mason"},
        {"role": "Town Mason Watcher"},
        {"role": "Odd-Night Vigilante"},
        {"role": "Even-Night Non-Consecutive Doctor"},
        {"role": "Town Lover", "count": 2},
        {"role": "Jester"},
        {"role": "Survivor"},
        {"role": "Serial Killer", "fill": True},
    ],
    "row": [{"roles": ["Town Commuter"]}, {"roles": ["Town Gunsmith"]}],
}


def written(event: Event) -> str:
    if isinstance(event, Announced):
        return public_post("custom_mafia", event)
    if isinstance(event, Told):
        return private_message("custom_mafia", event)
    return moderator_sheet("custom_mafia", event)


def test_every_kind_of_event_has_a_template_and_every_template_an_event() -> None:
    events: list[Event] = list(
        CUSTOM_MAFIA.setup(NAMES, {"setup": EVERYTHING, "carrier": "yes"}, SeededRng(b"")).events
    )
    quiet = replace(at(Phase.DAY, number=4, lovers=("Ada", "Boro")), last_death=1)
    steps = [
        asked(),
        say(asked().state, None, "rule 1"),
        say(at(), "Ada", "heal Fen"),
        say(at(), "Ada", "no action"),
    ]
    steps += [
        evening(quiet, "no elimination"),
        evening(quiet, "eliminate Ada"),
        evening(quiet, "eliminate Elm"),
    ]
    steps += [say(quiet, None, "modkill Boro"), say(quiet, None, "draw")]
    events += [event for step in steps for event in step.events]
    own = {name for name in template_names() if name.startswith("custom_mafia/")}
    kinds = {f"custom_mafia/{event.kind}" for event in events}
    assert kinds | {"custom_mafia/rules", "custom_mafia/setup"} == own  # of the post “this setup”
    assert all(written(event) for event in events)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_everything_ends_and_is_never_refused(seed: int) -> None:
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    playout = play(CUSTOM_MAFIA, NAMES, {"setup": EVERYTHING}, chance, draw)
    assert playout.ended
    assert playout.refused == ()
    side, slots = won(playout.state)
    cards = playout.state.cards
    along = (Alignment.JESTER, Alignment.SURVIVOR)
    assert {str(cards[slot].alignment) for slot in slots if cards[slot].alignment not in along} <= {side}
