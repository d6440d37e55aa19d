"""The laws of Knight's Duty: a sound turn breaks none, and each of them tells of what breaks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from duty_table import NOON, knight, laid, table
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.games.knights_duty import KNIGHTS_DUTY, Pile, State, Token, Wound
from knightfall.games.knights_duty.plan import Entry
from knightfall.games.knights_duty.state import Knight
from knightfall.sentence import SlotId
from properties.knights_duty import broken_laws
from properties.lines import asked_for, can_be_built

ADA, BOB, CYD = map(SlotId, ("Ada", "Bob", "Cyd"))


def turn() -> tuple[State, State]:
    """Cyd, whose Heart is down, swaps and parries; Ada steps up and hits Bob in the third round."""
    knights: dict[str, str | Knight] = {"Ada": "A3", "Bob": "C6", "Cyd": knight("I3", "sword", heart=False)}
    before = laid(
        table(knights), {"Ada": "MOVE SE / MOVE SE / SWORD @ Bob", "Bob": "SHIELD", "Cyd": "BOW / PARRY"}
    )
    draw = ScriptedRng([("kd.card:R3:Ada->Bob", "Hit")], SeededRng(b""))
    return before, KNIGHTS_DUTY.close(before, "turn", NOON, draw).state


def knighted(state: State, slot: SlotId, **changes: Any) -> State:
    return replace(state, knights={**state.knights, slot: replace(state.knights[slot], **changes)})


def attacked(state: State, **changes: Any) -> State:
    """The state with another third round: its attack changed."""
    *rounds, last = state.rounds
    attack = replace(last.attacks[0], **changes)
    return replace(state, rounds=(*rounds, replace(last, attacks=(attack,))))


def revealed(state: State, number: int, slot: SlotId, token: Token) -> State:
    rounds = list(state.rounds)
    now = rounds[number - 1]
    rounds[number - 1] = replace(now, revealed={**now.revealed, slot: Entry(token)})
    return replace(state, rounds=tuple(rounds))


def walked(state: State, end: str) -> State:
    """The state with another second round: Ada ends elsewhere."""
    first, second, third = state.rounds
    [move] = second.moves
    return replace(state, rounds=(first, replace(second, moves=(replace(move, end=end),)), third))


def test_a_turn_as_it_was_played_breaks_no_law() -> None:
    assert list(broken_laws(turn())) == []


BROKEN: dict[str, Callable[[State], State]] = {
    "KD-08: two knights on one space": lambda s: knighted(s, ADA, pos="C6"),
    "KD-10: somebody stands off": lambda s: knighted(s, ADA, pos="Z9"),
    "KD-05: stand": lambda s: knighted(s, ADA, pos="C4"),
    "KD-20: hold": lambda s: knighted(s, CYD, weapon=Token.SPEAR),
    "KD-21: the Heart of Cyd rose": lambda s: knighted(s, CYD, heart=True),
    "KD-21: Hearts": lambda s: knighted(s, BOB, heart=True),
    "KD-23: out are": lambda s: replace(s, out=(BOB,)),
    "KD-05: turn 4 follows": lambda s: replace(s, turn=4),
    "KD-03: Ada has laid move 4 times": lambda s: replace(s, plans={ADA: (Entry(Token.MOVE),) * 4}),
    "KD-04: Cyd acted 3 times with the Heart down": lambda s: revealed(s, 3, CYD, Token.SPEAR),
    "KD-07: Ada goes from B4": lambda s: walked(s, "C4"),
    "KD-08: in another order": lambda s: walked(s, "B4"),
    "KD-12: Ada attacks with spear": lambda s: attacked(s, weapon=Token.SPEAR),
    "KD-13: Ada against Cyd with a sword over": lambda s: attacked(s, target=CYD),
    "KD-15: Ada against Ada": lambda s: attacked(s, target=ADA),
    "KD-16: a pile of 6 cards": lambda s: attacked(s, pile=Pile(5, 1)),
    "KD-16: Hit of": lambda s: attacked(s, pile=Pile(0, 4)),
    "KD-20: disarmed without": lambda s: attacked(s, disarmed=True),
    "KD-21: Ada against Bob drew Hit": lambda s: attacked(s, wound=Wound.FELLED),
    "KD-18: no Shield": lambda s: attacked(s, guard=Token.SHIELD),
}


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_broken_law_is_told_with_its_ruling(sentence: str) -> None:
    before, after = turn()
    found = list(broken_laws((before, BROKEN[sentence](after))))
    assert any(sentence in fault for fault in found), found


def test_a_shared_space_breaks_no_law_where_spaces_are_shared() -> None:
    before = laid(table({"Ada": "E4", "Bob": "E6"}, share_space="true"), {"Ada": "MOVE E", "Bob": "MOVE W"})
    after = KNIGHTS_DUTY.close(before, "turn", NOON, SeededRng(b"")).state
    assert after.knights[ADA].pos == after.knights[BOB].pos
    assert list(broken_laws((before, after))) == []


def test_a_third_action_after_a_wound_breaks_the_law_of_the_older_edition() -> None:
    rule = {"maimed_midturn_loses_third": "true"}
    plans = {"Ada": "SWORD @ Bob", "Bob": "PASS / PASS / SHIELD"}
    before = laid(table({"Ada": "E4", "Bob": "E6"}, **rule), plans)
    draw = ScriptedRng([("kd.card:R1:Ada->Bob", "Hit")], SeededRng(b""))
    after = KNIGHTS_DUTY.close(before, "turn", NOON, draw).state
    assert list(broken_laws((before, after))) == []
    assert any("KD-06" in fault for fault in broken_laws((before, revealed(after, 3, BOB, Token.SHIELD))))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kd_08": "agreement"}, "MOVE NE YIELD"),
        ({"kd_14": "attackers_choose"}, "SWORD FIRST"),
        ({"cards": "picked"}, "SPEAR PICK 2"),
        ({"inspiration": "token"}, "SHIELD INSPIRED"),
    ],
)
def test_what_an_option_lets_players_add_can_be_built_and_is_taken(
    options: dict[str, str], said: str
) -> None:
    state = table({"Ada": "E4", "Bob": "E6"}, **options)
    line = f"SHIELD / {said} / PASS"
    assert can_be_built(asked_for(KNIGHTS_DUTY, state, ADA), line)
    laid(state, {"Ada": line})
    plain = table({"Ada": "E4", "Bob": "E6"})
    assert not can_be_built(asked_for(KNIGHTS_DUTY, plain, ADA), line)
