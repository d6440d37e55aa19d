"""Night lines by message: what stands, what is refused, what replaces what."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from facts_seen import seen
from knightfall.engine.game import Message, Step, told
from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.orders import WORDS
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.state import State, Terms
from knightfall.mafia.state import Departure, Phase
from knightfall.sentence import SlotId

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CAST = {
    "Ada": "Town Doctor",
    "Boro": "Town Cop",
    "Cinder": "Town Redirector",
    "Dusk": "Town Bus Driver",
    "Elm": "Mafia Goon",
    "Fen": "Mafia Roleblocker",
    "Gale": "Mafia Vigilante",
    "Hollis": "Serial Killer",
    "Iris": "Town Cop Gunsmith",
    "Juniper": "Town Odd-Night Gunsmith Even-Night Rolecop",
    "Kestrel": "Town Commuter",
    "Lumen": "Town Tracker",
    "Moth": "Town Watcher",
    "Nettle": "Town Jailkeeper",
    "Onyx": "Town Bodyguard",
    "Pike": "Vanilla Townie",
    "Rook": "Town Odd-Night Vigilante",
    "Salt to Sea": "Vanilla Townie",
    "Fox and Hare": "Vanilla Townie",
}


def night(number: int = 2, **options: object) -> State:
    cards = {SlotId(name): parse_role(role) for name, role in CAST.items()}
    return State("", Terms(parse_options(options)), cards, Phase.NIGHT, number)


def send(state: State, *messages: tuple[str, str]) -> Step[State]:
    """The last step; each message is (slot, text)."""
    for slot, text in messages:
        message = Message(SlotId(slot), text, NOON, {"Zed": SlotId("Pike")})
        step = CUSTOM_MAFIA.submit(state, message, SeededRng(b""))
        state = step.state
    return step


def stands(step: Step[State]) -> list[str]:
    return [" ".join((a.actor, a.ability, *a.targets)) for a in step.state.actions]


def codes(step: Step[State]) -> list[str]:
    return [refusal.code for _, refusal in step.refused]


@pytest.mark.parametrize(
    ("slot", "text", "standing"),
    [
        ("Ada", "heal Pike", "Ada heal Pike"),
        ("Ada", "[b]Protect: @pike[/b]", "Ada heal Pike"),
        ("Ada", "Action: heal zed", "Ada heal Pike"),
        ("Boro", "check Elm", "Boro cop Elm"),
        ("Boro", "cop Elm", "Boro cop Elm"),
        ("Juniper", "investigate Elm", "Juniper rolecop Elm"),
        ("Juniper", "role cop Elm", "Juniper rolecop Elm"),
        ("Cinder", "redirect Ada to Boro", "Cinder redirect Ada Boro"),
        ("Cinder", "redirect Salt to Sea to Fox and Hare", "Cinder redirect Salt to Sea Fox and Hare"),
        ("Cinder", "redirect Ada, Boro", "Cinder redirect Ada Boro"),
        ("Dusk", "drive Ada and Boro", "Dusk drive Ada Boro"),
        ("Dusk", "swap Ada with Boro", "Dusk drive Ada Boro"),
        ("Dusk", "drive Fox and Hare and Salt to Sea", "Dusk drive Fox and Hare Salt to Sea"),
        ("Elm", "kill Pike", "Elm mafia_kill Pike"),
        ("Elm", "kill Pike by Fen", "Fen mafia_kill Pike"),
        ("Elm", "mafia kill Salt to Sea", "Elm mafia_kill Salt to Sea"),
        ("Gale", "shoot Pike", "Gale kill Pike"),
        ("Gale", "mafia kill Pike", "Gale mafia_kill Pike"),
        ("Hollis", "kill Pike", "Hollis kill Pike"),
        ("Fen", "block Ada", "Fen roleblock Ada"),
        ("Kestrel", "commute", "Kestrel commute"),
        ("Lumen", "follow Elm", "Lumen track Elm"),
        ("Moth", "watch Elm", "Moth watch Elm"),
        ("Nettle", "jail Elm", "Nettle jail Elm"),
        ("Nettle", "JK Elm", "Nettle jail Elm"),
        ("Onyx", "bg Ada", "Onyx guard Ada"),
        ("Onyx", "guard Ada", "Onyx guard Ada"),
    ],
)
def test_a_line_is_read(slot: str, text: str, standing: str) -> None:
    step = send(night(), (slot, text))
    assert stands(step) == [standing]
    assert codes(step) == []


@pytest.mark.parametrize(
    ("slot", "text", "code"),
    [
        ("Ada", "good morning", "UNKNOWN_COMMAND"),
        ("Ada", "track Pike", "NOT_YOUR_ABILITY"),
        ("Pike", "check Elm", "NOT_YOUR_ABILITY"),
        ("Ada", "kill Elm", "NOT_YOUR_ABILITY"),
        ("Ada", "heal Ada", "SELF_TARGET"),
        ("Ada", "heal", "BAD_ARGS"),
        ("Kestrel", "commute Ada", "BAD_ARGS"),
        ("Cinder", "redirect Ada", "BAD_ARGS"),
        ("Cinder", "redirect Ada to Ada", "BAD_ARGS"),
        ("Cinder", "redirect Ada to Wren", "UNKNOWN_TARGET"),
        ("Dusk", "drive Ada, Boro, Elm", "BAD_ARGS"),
        ("Ada", "heal Wren", "UNKNOWN_TARGET"),
        ("Iris", "check Elm", "AMBIGUOUS_ABILITY"),
        ("Gale", "kill Elm", "AMBIGUOUS_ABILITY"),
        ("Rook", "shoot Elm", "WRONG_NIGHT"),
        ("Elm", "kill Pike by Hollis", "NOT_YOUR_FACTION"),
        ("Elm", "kill Pike by Wren", "UNKNOWN_TARGET"),
    ],
)
def test_a_line_is_refused_with_a_code_and_the_earlier_one_stands(slot: str, text: str, code: str) -> None:
    state = night()
    step = send(state, (slot, text))
    assert codes(step) == [code]
    assert step.refused[0][1].text
    assert step.state == state


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "heal Elm please :)",
            "called “Elm please :)”; if Elm is meant, write that name alone",
        ),
        ("heal elm, thanks", "if Elm is meant, write that name alone"),
        ("heal Boro please :)", "nobody here is called “Boro please :)”, and Boro is dead"),
    ],
)
def test_polite_words_behind_a_name_do_not_hide_whom_it_names(text: str, says: str) -> None:
    state = replace(night(), left={SlotId("Boro"): Departure("eliminated", "day 1")})
    [(_, refusal)] = send(state, ("Ada", text)).refused
    assert says in str(refusal.text)


def test_check_means_the_check_that_the_night_allows() -> None:
    assert stands(send(night(3), ("Juniper", "check Elm"))) == ["Juniper gunsmith Elm"]


def test_the_latest_line_of_a_player_stands_and_a_carrier_does_nothing_else() -> None:
    step = send(night(), ("Fen", "block Ada"), ("Fen", "kill Pike"))
    assert stands(step) == ["Fen mafia_kill Pike"]
    assert stands(send(step.state, ("Elm", "kill Ada"))) == ["Elm mafia_kill Ada"]
    both = send(night(carrier="yes"), ("Fen", "block Ada"), ("Fen", "kill Pike"))
    assert stands(both) == ["Fen roleblock Ada", "Fen mafia_kill Pike"]


def test_a_line_is_taken_back() -> None:
    state = send(night(), ("Fen", "block Ada"), ("Elm", "kill Pike")).state
    assert stands(send(state, ("Fen", "no kill"))) == ["Fen roleblock Ada"]
    assert stands(send(state, ("Fen", "no action"))) == ["Elm mafia_kill Pike"]
    assert send(state, ("Ada", "no kill")).state == state
    killer = send(night(), ("Hollis", "kill Pike"), ("Hollis", "no kill"))
    assert stands(killer) == []


def test_the_faction_sees_its_kill_and_who_carries_it() -> None:
    state = send(night(), ("Elm", "kill Pike by Fen")).state
    views: dict[str, Any] = {
        name: seen(CUSTOM_MAFIA.view(state, SlotId(name)).facts)["standing"] for name in CAST
    }
    assert views["Fen"] == ["kill Pike"]
    assert views["Elm"] == ["kill Pike by Fen"]
    assert views["Gale"] == ["mafia kill Pike by Fen"]  # whose card has a kill of its own
    assert all(not views[name] for name in CAST if name not in ("Elm", "Fen", "Gale"))


def test_a_receipt_is_the_same_whatever_will_come_of_it() -> None:
    quiet = send(night(), ("Ada", "heal Pike"))
    jailed = send(night(), ("Nettle", "jail Ada"), ("Kestrel", "commute"), ("Ada", "heal Pike"))
    assert told(quiet.events) == told(jailed.events)
    assert seen(told(quiet.events)[0].facts)["standing"] == ["heal Pike"]


@pytest.mark.parametrize("number", [1, 2])
def test_what_can_be_sent_reads_back_to_the_same_action(number: int) -> None:
    state = night(number, self_target="yes", carrier="yes")
    for slot in state.living:
        for action in CUSTOM_MAFIA.possible(state, slot):
            assert send(state, (slot, WORDS.notation(action))).state.actions == (action,)


def test_a_townsman_cannot_find_the_mafia_by_naming_carriers() -> None:
    others = [name for name in CAST if name not in ("Ada", "Pike")]
    assert {tuple(codes(send(night(), ("Ada", f"mafia kill Pike by {name}")))) for name in others} == {
        ("UNKNOWN_TARGET",)
    }
