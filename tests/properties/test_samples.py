"""What a PM gives as a sample is taken as it stands, and does what the PM says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from knightfall.engine.game import Event, Game, Message, Step, Told
from knightfall.engine.playout import START, play
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.games.knight_fight.state import Code, refusal
from knightfall.games.knights_duty import KNIGHTS_DUTY, State
from knightfall.games.knights_duty.state import REACH, Token
from knightfall.sentence import SlotId
from knightfall.writeups.events import private_message
from knightfall.writeups.render import render
from long_runs import first
from properties.odd_names import First
from properties.test_every_game import draws

NAMES = tuple(map(SlotId, ("Ada", "Boro", "Cinder", "Dusk")))
OPTIONS = first(
    3, ({}, {"mode": "staged"}, {"swap_then_attack": "true"}, {"kd_06": "any_two"}, {"kd_27": "none"})
)
_SAMPLE = re.compile(r"for example:\n\[code\]\n(.*?)\[/code\]", re.S)


def samples(game: Game[Any], events: tuple[Event, ...]) -> Iterator[tuple[SlotId, str]]:
    """Every block of lines that a PM gives as an example, with whose it is."""
    for event in events:
        if isinstance(event, Told):
            text = private_message(game.spec.id, event, "phpbb")
            yield from ((event.slots[0], found[1]) for found in _SAMPLE.finditer(text))


def turns(options: dict[str, str], seed: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """The turns of random games, each as it opens, with its PMs."""
    playout = play(KNIGHTS_DUTY, NAMES, options, SeededRng(b"samples %d" % seed), draws(seed), 12)
    for state in playout.states:
        if KNIGHTS_DUTY.is_open(state, "turn") or KNIGHTS_DUTY.is_open(state, "setup"):
            kind = "turn" if KNIGHTS_DUTY.is_open(state, "turn") else "setup"
            after = KNIGHTS_DUTY.close(state, kind, START, SeededRng(b"draw"))
            if KNIGHTS_DUTY.is_open(after.state, "turn"):
                yield after.state, after.events


@pytest.mark.few(1)
@pytest.mark.parametrize("options", OPTIONS)
def test_the_sample_plan_of_every_turn_is_taken_and_attacks_with_a_weapon_that_is_held(
    options: dict[str, str],
) -> None:
    seen = set()
    for seed in range(3):
        for state, events in turns(options, seed):
            for slot, sample in samples(KNIGHTS_DUTY, events):
                step = KNIGHTS_DUTY.submit(state, Message(slot, sample, START), First())
                assert step.refused == (), sample
                held = state.knights[slot].weapon
                seen.add(held)
                for entry in step.state.plans[slot]:
                    if entry.token in REACH and not entry.targets and held is None:
                        held = entry.token  # with empty hands the sample takes one up first, and says so
                    assert entry.token not in REACH or entry.token == held, sample
    assert len(seen) > 2, "knights of several weapons had a turn"


def answer(step: Step[State]) -> str:
    """The receipt of a message."""
    (told,) = (event for event in step.events if isinstance(event, Told))
    return private_message("knights_duty", told, "plain")


def test_a_plan_that_only_takes_a_weapon_up_is_told_so_at_once() -> None:
    begun = KNIGHTS_DUTY.begin(NAMES, {"first_deadline": "from_start"}, START, draws(0)).state
    armed = KNIGHTS_DUTY.submit(begun, Message(NAMES[1], "WEAPON bow", START), First())
    (receipt,) = (
        private_message("knights_duty", one, "plain") for one in armed.events if isinstance(one, Told)
    )
    assert "Deadline: Sat 03 Jan 2026" in receipt
    turn = KNIGHTS_DUTY.close(armed.state, "setup", START, draws(0)).state
    assert turn.knights[NAMES[1]].weapon == Token.BOW
    sent = KNIGHTS_DUTY.submit(turn, Message(NAMES[1], "2: SWORD @ Ada, Cinder", START), First())
    (receipt,) = (
        private_message("knights_duty", one, "plain") for one in sent.events if isinstance(one, Told)
    )
    assert "In round 2 you hold a bow, so SWORD only takes up the sword and attacks nobody." in receipt
    said = KNIGHTS_DUTY.submit(turn, Message(NAMES[1], "2: BOW @ Ada", START), First())
    (receipt,) = (
        private_message("knights_duty", one, "plain") for one in said.events if isinstance(one, Told)
    )
    assert "only takes up" not in receipt


def test_who_was_trapped_while_bids_are_made_is_told_when_they_can_set_a_trap_again() -> None:
    setup = KNIGHT_FIGHT.setup_post((), {"anomalies": "bh"})
    assert setup is not None
    told = render("knight_fight/setup", setup)
    assert (
        "you can't set a trap until your rival has won a round again, and placed a knight or passed" in told
    )
    assert "until your rival has placed a knight again or passed" in refusal(Code.TRAP_BANNED).text
