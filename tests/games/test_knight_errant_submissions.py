"""Night lines by message: what stands, what is refused, what replaces what."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.engine.game import Message, Step
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_errant import KNIGHT_ERRANT, ROLES, Phase, State, parse_options
from knightfall.sentence import SlotId
from salt_harbour import CAST, EXTRAS, NAMES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def night(number: int = 2, **options: object) -> State:
    rules = parse_options(options)
    cards = {name: rules.roles[CAST[name]] for name in NAMES}
    return State("", rules, cards, Phase.NIGHT, number, {SlotId("Hollis"): EXTRAS})


def send(state: State, *messages: tuple[str, str]) -> Step[State]:
    """The last step; each message is (slot, text)."""
    for slot, text in messages:
        step = KNIGHT_ERRANT.submit(
            state, Message(SlotId(slot), text, NOON, {"Zed": SlotId("Quill")}), SeededRng(b"")
        )
        state = step.state
    return step


def stands(step: Step[State]) -> list[str]:
    return [" ".join((a.actor, a.ability, *a.targets)) for a in step.state.actions]


def codes(step: Step[State]) -> list[str]:
    return [refusal.code for _, refusal in step.refused]


@pytest.mark.parametrize(
    ("slot", "text", "standing"),
    [
        ("Boro", "track Quill", "Boro track Quill"),
        ("Boro", "[b]Track: @quill[/b]", "Boro track Quill"),
        ("Boro", "Action: track qui", "Boro track Quill"),
        ("Cinder", "##jail zed", "Cinder jail Quill"),
        ("Gale", "investigate Elm", "Gale cop Elm"),
        ("Lumen", "check Elm", "Lumen gunsmith Elm"),
        ("Elm", "kill Quill", "Elm mafia_kill Quill"),
        ("Hollis", "kill Quill", "Hollis kill Quill"),
        ("Hollis", "Strong Kill Quill", "Hollis strong_kill Quill"),
        ("Kestrel", "commute", "Kestrel commute"),
        ("Elm", "kill Quill by Fen", "Fen mafia_kill Quill"),
    ],
)
def test_a_line_is_read(slot: str, text: str, standing: str) -> None:
    step = send(night(), (slot, text))
    assert stands(step) == [standing]
    assert codes(step) == []


@pytest.mark.parametrize(
    ("slot", "text", "code"),
    [
        ("Boro", "good morning", "UNKNOWN_COMMAND"),
        ("Boro", "heal Quill", "NOT_YOUR_ABILITY"),
        ("Quill", "check Elm", "NOT_YOUR_ABILITY"),
        ("Boro", "track Boro", "SELF_TARGET"),
        ("Boro", "track", "BAD_ARGS"),
        ("Kestrel", "commute Quill", "BAD_ARGS"),
        ("Boro", "track Wren", "UNKNOWN_TARGET"),
        ("Boro", "track Ju", "UNKNOWN_TARGET"),
        ("Hollis", "check Elm", "AMBIGUOUS_ABILITY"),
        ("Elm", "kill Quill by Hollis", "NOT_YOUR_FACTION"),
        ("Elm", "kill Quill by Wren", "UNKNOWN_TARGET"),
    ],
)
def test_a_line_is_refused_with_a_code_and_the_earlier_one_stands(slot: str, text: str, code: str) -> None:
    state = night()
    before = {"Boro": "track Ada", "Kestrel": "commute", "Hollis": "watch Ada", "Elm": "kill Ada"}.get(slot)
    if before:
        state = send(state, (slot, before)).state
    step = send(state, (slot, text))
    assert codes(step) == [code]
    assert step.state == state


def test_two_names_are_listed() -> None:
    cards = {SlotId(name): ROLES["Town Tracker"] for name in ("Juniper", "June", "Boro")}
    state = State("", parse_options({}), cards, Phase.NIGHT, 1, {})
    ((line, refusal),) = send(state, ("Boro", "track Jun")).refused
    assert (line, refusal.code) == ("track Jun", "AMBIGUOUS_NAME")
    assert "Juniper or June" in refusal.text


def test_the_watcher_is_refused_on_odd_nights() -> None:
    assert codes(send(night(1), ("Dusk_77", "watch Ada"))) == ["EVEN_NIGHTS_ONLY"]
    assert codes(send(night(2), ("Dusk_77", "watch Ada"))) == []


def test_the_last_valid_line_stands() -> None:
    step = send(night(), ("Boro", "track Ada\ntrack Elm\ntrack Wren"), ("Gale", "cop Ada"))
    assert stands(step) == ["Boro track Elm", "Gale cop Ada"]


def test_the_faction_has_one_kill_and_the_latest_carries_it() -> None:
    step = send(night(), ("Elm", "kill Ada"), ("Fen", "roleblock Boro"), ("Fen", "kill Quill"))
    assert stands(step) == ["Fen mafia_kill Quill"]
    assert stands(send(step.state, ("Fen", "roleblock Boro"))) == ["Fen roleblock Boro"]


def test_a_message_with_both_kills_keeps_the_strong_one() -> None:
    step = send(night(), ("Hollis", "strong kill Ada\nkill Quill"))
    assert stands(step) == ["Hollis strong_kill Ada"]
    assert codes(step) == ["SLOT_TAKEN"]
    assert stands(send(step.state, ("Hollis", "kill Quill"))) == ["Hollis kill Quill"]


def test_the_killer_has_a_kill_and_an_extra() -> None:
    step = send(night(), ("Hollis", "kill Ada\nheal Quill\ntrack Boro"))
    assert stands(step) == ["Hollis kill Ada", "Hollis track Boro"]
    two = send(night(ke_r19="two_actions"), ("Hollis", "heal Quill\ntrack Boro"))
    assert stands(two) == ["Hollis heal Quill", "Hollis track Boro"]


def test_lines_can_be_taken_back() -> None:
    state = send(
        night(), ("Hollis", "kill Ada\nheal Quill"), ("Elm", "kill Boro"), ("Boro", "track Ada")
    ).state
    assert stands(send(state, ("Hollis", "no kill"))) == [
        "Hollis heal Quill",
        "Elm mafia_kill Boro",
        "Boro track Ada",
    ]
    assert stands(send(state, ("Hollis", "no action"), ("Pike", "no kill"))) == ["Boro track Ada"]


def test_quoted_lines_are_nobodys() -> None:
    assert stands(send(night(), ("Boro", "[quote=Ada]track Ada[/quote]\ntrack Elm"))) == ["Boro track Elm"]


def test_who_is_dead_or_unknown_or_early_is_refused() -> None:
    state = night()
    assert codes(send(state, ("Wren", "kill Ada"))) == ["NOT_A_PLAYER"]
    day = KNIGHT_ERRANT.setup(NAMES, {}, SeededRng(b"")).state
    assert codes(send(day, ("Boro", "track Ada"))) == ["WRONG_PHASE"]


def test_every_card_is_refused_what_it_does_not_have() -> None:
    for slot in NAMES:
        offered = {line.split()[0] for line in KNIGHT_ERRANT.legal(night(), slot)}
        for word in {"heal", "track", "jail", "cop", "gunsmith", "watch", "roleblock"} - offered:
            target = "Quill" if slot != "Quill" else "Rook"
            assert codes(send(night(), (slot, f"{word} {target}"))) == ["NOT_YOUR_ABILITY"], (slot, word)
