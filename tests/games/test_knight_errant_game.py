"""A game of Knight-Errant: days, nights, deaths, secrets, endings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from facts_seen import seen
from knightfall.engine.game import Message, Outcome, Step, announced, noted, told
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_errant import KNIGHT_ERRANT, Phase, State, parse_options
from knightfall.mafia.events import NightResults, Partner, UsesLeft
from knightfall.mafia.state import Departure, depart
from knightfall.sentence import SlotId
from salt_harbour import CAST, EXTRAS, NAMES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DRAW = SeededRng(b"")


def ending(state: State) -> Outcome:
    outcome = KNIGHT_ERRANT.outcome(state)
    assert outcome is not None
    return outcome


def at_night(number: int = 2, *living: str, **options: object) -> State:
    rules = parse_options(options)
    cards = {name: rules.roles[CAST[name]] for name in NAMES if not living or name in living}
    return State("", rules, cards, Phase.NIGHT, number, {SlotId("Hollis"): EXTRAS})


def say(state: State, slot: str | None, text: str) -> Step[State]:
    return KNIGHT_ERRANT.submit(state, Message(None if slot is None else SlotId(slot), text, NOON), DRAW)


def close(state: State, kind: str) -> Step[State]:
    return KNIGHT_ERRANT.close(state, kind, NOON, DRAW)


def morning(state: State, *lines: tuple[str, str]) -> Step[State]:
    for slot, text in lines:
        step = say(state, slot, text)
        assert step.refused == ()
        state = step.state
    return close(state, "night")


def test_the_game_opens_with_a_day_and_the_day_waits_for_a_decision() -> None:
    state = KNIGHT_ERRANT.setup(NAMES, {}, SeededRng(b"one")).state
    assert [(w.kind, w.title, w.secret) for w in KNIGHT_ERRANT.windows(state)] == [("day", "Day 1", False)]
    assert close(state, "day").refused[0][1].code == "UNDECIDED"
    assert close(state, "night").refused[0][1].code == "WRONG_PHASE"
    decided = say(state, None, "[b]eliminate ada[/b]").state
    night = close(decided, "day")
    assert seen(announced(night.events)[0].facts)["name"] == "Ada"
    assert (night.state.phase, night.state.number, list(night.state.left)) == ("night", 1, ["Ada"])
    assert "Ada" not in [slot for window in KNIGHT_ERRANT.windows(night.state) for slot in window.slots]


def test_all_whom_one_vote_eliminates_fall_and_a_later_word_takes_their_place() -> None:
    state = KNIGHT_ERRANT.setup(NAMES, {}, SeededRng(b"one")).state
    decided = say(state, None, "eliminate Hollis").state
    decided = say(decided, None, "eliminate Ada\neliminate Fen\neliminate Ada").state
    night = close(decided, "day").state
    assert sorted(night.left) == ["Ada", "Fen"]
    told = seen(announced(close(decided, "day").events)[0].facts)
    assert (told["name"], [one["name"] for one in told["others"]]) == ("Fen", ["Ada"])
    assert told["now"]["alive"] == len(NAMES) - 2
    nobody = say(decided, None, "no elimination").state
    assert list(close(nobody, "day").state.left) == []


def test_the_dawn_tells_deaths_and_nothing_else() -> None:
    step = morning(
        at_night(),
        ("Elm", "kill Juniper"),
        ("Ada", "heal Juniper"),
        ("Hollis", "strong kill Iris"),
        ("Cinder", "jail Moth"),
    )
    (dawn,) = announced(step.events)
    assert seen(dawn.facts) == {
        "night": 2,
        "deaths": [{"name": "Iris", "role": "Town Mason", "cause": ""}],
        "now": {"alive": 17, "needed": 9, "over": False},
    }


def test_kills_cannot_be_told_apart_in_public() -> None:
    nights = [("Elm", "kill Iris"), ("Hollis", "kill Iris"), ("Hollis", "strong kill Iris")]
    dawns = [announced(morning(at_night(), line).events) for line in nights]
    assert dawns[0] == dawns[1] == dawns[2]


def test_only_investigators_are_told_and_only_their_own() -> None:
    step = morning(
        at_night(),
        ("Boro", "track Elm"),
        ("Elm", "kill Juniper"),
        ("Moth", "roleblock Gale"),
        ("Gale", "cop Elm"),
    )
    pms = {pm.slots: pm.facts for pm in told(step.events)}
    answers = {
        slots: [result.answer for result in facts.results]
        for slots, facts in pms.items()
        if isinstance(facts, NightResults)
    }
    assert answers == {("Boro",): ["Juniper"], ("Gale",): ["No Result"]}


def test_uses_go_down_and_come_out_in_the_view() -> None:
    state = morning(at_night(), ("Kestrel", "commute"), ("Hollis", "heal Ada")).state
    assert seen(KNIGHT_ERRANT.view(state, SlotId("Kestrel")).facts)["shots"] == {"commute": 2}
    facts = seen(KNIGHT_ERRANT.view(state, SlotId("Hollis")).facts)
    assert "heal" not in facts["shots"]


def test_whoever_used_a_limited_ability_is_told_what_is_left_of_it() -> None:
    extras = EXTRAS | {"bulletproof": 1, "watch": 2}
    night = replace(at_night(), shots={SlotId("Hollis"): extras})
    lines = [
        ("Kestrel", "commute"),
        ("Hollis", "strong kill Iris"),
        ("Hollis", "watch Elm"),
        ("Cinder", "jail Moth"),
    ]
    pms = {pm.slots: pm.facts for pm in told(morning(night, *lines).events)}
    assert {slots: facts.left for slots, facts in pms.items() if isinstance(facts, NightResults)} == {
        ("Kestrel",): (UsesLeft("commute", 2),),
        ("Hollis",): (UsesLeft("strong kill", 0), UsesLeft("watch", 1)),
    }


def test_the_dead_are_told_nothing_of_their_uses() -> None:
    step = morning(at_night(), ("Kestrel", "commute"), ("Hollis", "strong kill Kestrel"))
    assert [pm.slots for pm in told(step.events)] == [("Hollis",)]


def test_passive_uses_are_told_at_the_start_alone() -> None:
    step = KNIGHT_ERRANT.setup(NAMES, {"setup": "A2-RU"}, SeededRng(b"one"))
    pm = next(pm for pm in told(step.events) if seen(pm.facts)["role"] == "Serial Killer")
    assert seen(pm.facts)["passives"] == {"immunity": 1}
    assert "immunity" not in str(KNIGHT_ERRANT.view(step.state, pm.slots[0]))


def test_partners_are_known_and_their_cards_by_option() -> None:
    pike = SlotId("Pike")
    assert Partner(pike, "Mafia Godfather") in KNIGHT_ERRANT.partners(at_night(), SlotId("Elm"))
    assert Partner(pike) in KNIGHT_ERRANT.partners(at_night(ke_r43="names"), SlotId("Elm"))
    masons = KNIGHT_ERRANT.partners(at_night(), SlotId("Iris"))
    assert masons == (Partner(SlotId("Rook"), "Town Mason"),)


def test_wins_are_checked_after_all_deaths() -> None:
    both = morning(at_night(2, "Elm", "Hollis"), ("Elm", "kill Hollis"), ("Hollis", "kill Elm"))
    outcome = KNIGHT_ERRANT.outcome(both.state)
    assert outcome is not None and outcome.winner is None
    town = morning(at_night(2, "Elm", "Hollis", "Ada"), ("Elm", "kill Hollis"), ("Hollis", "kill Elm"))
    assert ending(town.state).winner == "town"
    assert seen(announced(town.events)[-1].facts)["winners"] == ["Ada"]
    assert KNIGHT_ERRANT.windows(town.state) == ()
    assert say(town.state, None, "eliminate Ada").refused[0][1].code == "WRONG_PHASE"


def test_the_moderator_is_warned_of_a_duel_and_of_a_stalemate() -> None:
    duel = morning(at_night(2, "Nettle", "Hollis"))
    assert [seen(note.facts)["ruling"] for note in noted(duel.events) if note.kind == "caution"] == ["KE-R38"]
    spent = replace(at_night(2, "Nettle", "Hollis"), shots={})
    stuck = morning(spent)
    assert [seen(note.facts)["ruling"] for note in noted(stuck.events) if note.kind == "caution"] == [
        "KE-R38",
        "KE-R39",
    ]
    drawn = morning(replace(at_night(2, "Nettle", "Hollis", ke_r39="draw"), shots={}))
    assert ending(drawn.state).winner is None


def test_the_moderator_can_modkill_revive_and_draw() -> None:
    gone = say(at_night(), None, "modkill Boro")
    assert gone.state.left == {"Boro": Departure("modkilled", "night 2")}
    assert announced(gone.events)[0].kind == "modkill"
    assert say(gone.state, None, "modkill Boro").refused[0][1].code == "WRONG_TARGET"
    assert say(gone.state, None, "revive Boro").state.left == {}
    assert KNIGHT_ERRANT.outcome(say(gone.state, None, "draw").state) is not None
    assert say(gone.state, None, "eliminate Ada").refused[0][1].code == "WRONG_PHASE"
    assert say(gone.state, None, "hello").refused[0][1].code == "UNKNOWN_COMMAND"
    assert say(gone.state, None, "modkill Wren").refused[0][1].code == "UNKNOWN_TARGET"


def test_a_modkilled_player_does_nothing_any_more() -> None:
    state = say(at_night(), "Elm", "kill Juniper").state
    assert close(say(state, None, "modkill Elm").state, "night").state.left.keys() == {"Elm"}


def test_the_public_view_names_no_card_of_the_living() -> None:
    state = depart(at_night(), (SlotId("Ada"),), "killed", "night 1")
    assert seen(KNIGHT_ERRANT.view(state, None).facts)["dead"] == [
        {"slot": "Ada", "role": "Town Doctor", "how": "killed", "when": "night 1"}
    ]
    assert "Town Cop" not in str(KNIGHT_ERRANT.view(state, None))
