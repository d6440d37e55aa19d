"""What players of Knight's Duty may write, and what they are told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duty_table import NOON, knight, send, table
from knightfall.engine.game import Message, Step, Told, told
from knightfall.engine.rng import SeededRng
from knightfall.games.knights_duty import KNIGHTS_DUTY, State
from knightfall.games.knights_duty.events import Receipt
from knightfall.games.knights_duty.state import Entry, Token, numbered, write_entry
from knightfall.sentence import SlotId
from knightfall.writeups.events import private_message


def open_table(**options: object) -> State:
    return table({"Ada": "E2", "Bob": "E3", "Cydonia": "E4", "Only": "E7"}, **options)


def plan(step: Step[State], slot: str = "Ada") -> list[str]:
    return list(numbered(step.state.plans.get(SlotId(slot), ())))


def codes(step: Step[State]) -> list[str]:
    return [refusal.code for _, refusal in step.refused]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "1: MOVE NE\n2: SWORD @ Bob, Cydonia\n3: SHIELD",
            ["1 MOVE NE", "2 SWORD @ Bob, Cydonia", "3 SHIELD"],
        ),
        ("3: SHIELD\n1: MOVE NE\n2: SWORD @ Bob", ["1 MOVE NE", "2 SWORD @ Bob", "3 SHIELD"]),
        ("move ne\nsword bob\nshield", ["1 MOVE NE", "2 SWORD @ Bob", "3 SHIELD"]),
        ("[b]1: Move NE[/b]\n[quote=Bob]2: BOW[/quote]\nR2 - parry", ["1 MOVE NE", "2 PARRY"]),
        ("1 mov north-east / 2 swo at bob / 3 par", ["1 MOVE NE", "2 SWORD @ Bob", "3 PARRY"]),
        (
            "1 MOVE NE · 2 SWORD @ Bob, Cydonia · 3 SHIELD",
            ["1 MOVE NE", "2 SWORD @ Bob, Cydonia", "3 SHIELD"],
        ),
        ("NE\nstay\nSW", ["1 MOVE NE", "2 MOVE STAY", "3 MOVE SW"]),
        ("round 2: sword @ Bob ONLY", ["1 PASS", "2 SWORD @ Bob ONLY"]),
        ("1: SWORD @ bob, bob, cyd (only)", ["1 SWORD @ Bob, Cydonia ONLY"]),
        ("1: SWORD @ Only", ["1 SWORD @ Only"]),
        ("1: SWORD @ Bob, Only ONLY", ["1 SWORD @ Bob, Only ONLY"]),
        ("1: SWORD @ red, yellow", ["1 SWORD @ Bob, Cydonia"]),
        ("pass\npass\nshields", ["1 PASS", "2 PASS", "3 SHIELD"]),
        ("1) MOVE to NW; 2) nothing; 3) BOW", ["1 MOVE NW", "2 PASS", "3 BOW"]),
        ("Hello moderator!\n1: MOVE E", ["1 MOVE E"]),
    ],
)
def test_a_plan_is_read(text: str, expected: list[str]) -> None:
    assert plan(send(open_table(), "Ada", text)) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1: MOVE E\n2: MOVE E\n3: MOVE E\n4: PASS", "TOO_MANY_ACTIONS"),
        ("INSPIRATION", "NOT_AN_ACTION"),
        ("1: FIREBALL", "UNKNOWN_TOKEN"),
        ("MOVE E\nswrod @ Bob\nSHIELD", "UNKNOWN_TOKEN"),
        ("1: SWORD\n2: SWORD\n3: SWORD", "TOKEN_LIMIT"),
        ("1: MOVE UP", "BAD_DIRECTION"),
        ("1: MOVE", "BAD_DIRECTION"),
        ("1: SWORD @ Ada", "SELF_TARGET"),
        ("1: SWORD @ Bob, Nobody", "UNKNOWN_TARGET"),
        ("1: SHIELD against all", "BAD_ARGS"),
        ("1: MOVE E\n1: MOVE W", "BAD_ROUND"),
        ("0: MOVE E", "BAD_ROUND"),
        ("I am thinking", "UNKNOWN_COMMAND"),
        ("1: MOVE E YIELD", "BAD_DIRECTION"),
    ],
)
def test_a_plan_is_refused_whole_with_its_code(text: str, code: str) -> None:
    before = send(open_table(), "Ada", "1: PARRY").state
    step = send(before, "Ada", text)
    assert codes(step) == [code]
    assert step.state.plans == before.plans


def test_a_refusal_says_that_the_earlier_plan_stands() -> None:
    state = open_table()
    assert "stands" not in send(state, "Ada", "1: FLY").refused[0][1].text
    state = send(state, "Ada", "1: PARRY").state
    [(line, refusal)] = send(state, "Ada", "1: SWORD\n2: SWORD\n3: SWORD").refused
    assert line == "3: SWORD"
    assert refusal.text == (
        "you have two sword tokens a turn and three are in this plan. Your earlier plan still stands."
    )


def test_two_names_with_one_beginning_are_no_guess() -> None:
    state = table({"Ada": "E2", "Bobby": "E3", "Bobina": "E4"})
    step = send(state, "Ada", "1: SWORD @ Bob")
    assert codes(step) == ["AMBIGUOUS_NAME"]
    assert "Bobby or Bobina" in step.refused[0][1].text


def test_a_name_may_hold_a_comma_and_an_alias_counts() -> None:
    state = table({"Ada": "E2", "Bob, the Brave": "E3", "Cyd": "E4"})
    assert plan(send(state, "Ada", "1: SWORD @ Bob, the Brave")) == ["1 SWORD @ Bob, the Brave"]
    message = Message(SlotId("Ada"), "1: SWORD @ Cee", NOON, {"Cee": SlotId("Cyd")})
    assert plan(KNIGHTS_DUTY.submit(state, message, SeededRng(b""))) == ["1 SWORD @ Cyd"]


def test_the_receipt_repeats_the_plan_and_the_deadline() -> None:
    [event] = told(send(open_table(), "Ada", "1: MOVE NE\n3: SHIELD").events)
    assert isinstance(event, Told)
    assert event.slots == ("Ada",)
    assert isinstance(event.facts, Receipt)
    assert event.facts.orders.plan == ("1 MOVE NE", "2 PASS", "3 SHIELD")
    assert (event.facts.received, event.facts.deadline) == ("12:00 UTC", NOON + timedelta(hours=48))


def test_who_does_not_play_is_refused() -> None:
    assert codes(send(open_table(), "Zoe", "1: PARRY")) == ["NOT_A_PLAYER"]


def test_words_of_an_option_are_read_where_it_is_chosen() -> None:
    agreed = send(open_table(kd_08="agreement"), "Ada", "1: MOVE NE yield")
    assert plan(agreed) == ["1 MOVE NE YIELD"]
    eager = send(open_table(kd_14="attackers_choose"), "Ada", "1: SWORD @ Bob ONLY last")
    assert plan(eager) == ["1 SWORD @ Bob ONLY LAST"]
    inspired = send(open_table(inspiration="token"), "Ada", "1: SHIELD inspired\n2: SWORD Bob INSPIRED")
    assert plan(inspired) == ["1 SHIELD INSPIRED", "2 SWORD @ Bob INSPIRED"]
    picked = send(open_table(cards="picked"), "Ada", "1: SWORD @ Bob PICK 3\nSHUFFLE 5 4 3 2 1")
    assert plan(picked) == ["1 SWORD @ Bob PICK 3"]
    assert picked.state.shuffles == {"Ada": (5, 4, 3, 2, 1)}


ENTRIES = st.one_of(
    st.sampled_from([Entry(token) for token in (Token.PASS, Token.SHIELD, Token.PARRY)]),
    st.builds(Entry, st.just(Token.MOVE), st.sampled_from(["E", "W", "NE", "NW", "SE", "SW", "STAY"])),
    st.builds(
        lambda token, targets, only: Entry(
            token, None, tuple(dict.fromkeys(targets)), only and bool(targets)
        ),
        st.sampled_from([Token.SWORD, Token.SPEAR, Token.BOW]),
        st.lists(st.sampled_from([SlotId("Bob"), SlotId("Cydonia"), SlotId("Only")]), max_size=3),
        st.booleans(),
    ),
)


@given(st.lists(ENTRIES, min_size=1, max_size=3))
def test_what_a_plan_writes_reads_back(entries: list[Entry]) -> None:
    lines = (f"{number}: {write_entry(entry)}" for number, entry in enumerate(entries, start=1))
    step = send(open_table(), "Ada", "\n".join(lines))
    if codes(step) != ["TOKEN_LIMIT"]:
        assert step.state.plans == {"Ada": tuple(entries)}
        receipt = " · ".join(numbered(entries))
        assert send(open_table(), "Ada", receipt).state.plans == {"Ada": tuple(entries)}


def test_a_wounded_knight_has_two_actions() -> None:
    state = table({"Ada": knight("E2", heart=False), "Bob": "E9"})
    assert codes(send(state, "Ada", "3: SHIELD")) == ["TOO_MANY_ACTIONS"]
    assert plan(send(state, "Ada", "1: MOVE E\n2: SHIELD")) == ["1 MOVE E", "2 SHIELD"]


@pytest.mark.parametrize(
    ("text", "kept", "refused"),
    [
        ("1: MOVE NE\n2: INSPIRATION\n3: SHIELD", ["1 MOVE NE", "2 PASS", "3 SHIELD"], ["NOT_AN_ACTION"]),
        (
            "SWORD @ Bob\nSWORD @ Bob\nSWORD @ Bob",
            ["1 SWORD @ Bob", "2 SWORD @ Bob", "3 PASS"],
            ["TOKEN_LIMIT"],
        ),
        (
            "1: MOVE NE\n2: SWORD @ Rook\n3: MOVE UP",
            ["1 MOVE NE", "2 PASS", "3 PASS"],
            ["BAD_DIRECTION", "UNKNOWN_TARGET"],
        ),
        (
            "1: PARRY\n2: SHIELD\n3: MOVE NE\n4: PARRY",
            ["1 PARRY", "2 SHIELD", "3 MOVE NE"],
            ["TOO_MANY_ACTIONS"],
        ),
        ("1: PARRY\n1: SHIELD\n2: SHIELD now", ["1 PARRY"], ["BAD_ROUND", "BAD_ARGS"]),
        ("PARRY\nSHIELD now\nMOVE NE", ["1 PARRY", "2 PASS", "3 MOVE NE"], ["BAD_ARGS"]),
    ],
)
def test_by_option_a_plan_is_refused_line_by_line_and_the_rest_is_kept(
    text: str, kept: list[str], refused: list[str]
) -> None:
    step = send(open_table(kd_04="line_by_line"), "Ada", text)
    assert (plan(step), codes(step)) == (kept, refused)
    whole = send(open_table(), "Ada", text)
    assert plan(whole) == []
    assert len(codes(whole)) == 1


def test_a_plan_of_which_nothing_can_be_played_replaces_none() -> None:
    before = send(open_table(kd_04="line_by_line"), "Ada", "1: PARRY").state
    step = send(before, "Ada", "1: INSPIRATION\n2: MOVE UP")
    assert plan(step) == ["1 PARRY"]
    assert len(codes(step)) == 2


@pytest.mark.parametrize("option", ["refused_whole", "line_by_line"])
def test_the_receipt_says_why_a_line_was_not_taken(option: str) -> None:
    step = send(open_table(kd_04=option), "Ada", "1: MOVE NE\n2: INSPIRATION")
    (receipt,) = told(step.events)
    said = private_message("knights_duty", receipt)
    assert "I could not accept “2: INSPIRATION”: inspiration is a marker, not an action." in said
    assert "NOT_AN_ACTION" not in said
