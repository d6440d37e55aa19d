"""Every write-up of Knight's Duty as a moderator reads it, compared whole.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/writeups, then read the posts.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from duty_table import NOON, close, knight, laid, send, six, six_played, table
from knightfall.engine.game import Announced, Event, Message, Option, Step, Told
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.games.knights_duty import KNIGHTS_DUTY, State
from knightfall.games.knights_duty.events import Opening, SetupPost
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import render, template_names

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/writeups/knights_duty.txt"
SETUP_GOLDENS = GOLDEN.with_suffix("")
NAMES = tuple(map(SlotId, ("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen")))
DRAW = SeededRng(b"posts")


def moderated(state: State, line: str) -> Step[State]:
    return KNIGHTS_DUTY.submit(state, Message(None, line, NOON), DRAW)


def start() -> list[Event]:
    """A setup, its receipts, the first turn open; and a setup by the rules of R02."""
    step = KNIGHTS_DUTY.setup(NAMES, {}, DRAW)
    events = [*step.events]
    for slot, text in (("Ada", "START C7, A3\nWEAPON bow"), ("Boro", "weapon spear")):
        step = send(step.state, slot, text)
        events += step.events
    events += close(step.state).events[:2]
    return [*events, *KNIGHTS_DUTY.setup(NAMES, {"edition": "r02", "fixed_weapon": "bow"}, DRAW).events]


def turns() -> list[Event]:
    """Receipts, a turn of six, a wounded knight's PM, and a turn with little in it."""
    filed = send(six(), "Ada", "1: MOVE E\n2: SWORD @ Boro, Elm ONLY\n3: SHIELD")
    played = six_played()
    quiet = close(laid(table({"Ada": "A3", "Boro": "E5"}), {"Ada": "NE\nSTAY\nBOW"}))
    tie = table({"Ada": "E4", "Boro": "E5", "Cinder": "E6"}, kd_31="none")
    lot = [("kd.target:R1:Boro", "Ada"), ("kd.card:R1:Boro->Ada", "Hit")]
    equal = close(laid(tie, {"Boro": "SWORD"}), ScriptedRng([*lot], DRAW))
    empty = send(six(), "Fen", "good evening")
    return [*filed.events, *empty.events, *played.events, *quiet.events[:2], *equal.events[:1]]


def stages() -> list[Event]:
    """A staged turn: movers are asked, then attackers."""
    state = table({"Ada": "E4", "Boro": "E6", "Cinder": "A1"}, mode="staged")
    state = laid(state, {"Ada": "MOVE\nSWORD", "Boro": "PASS\nPARRY"})
    asked = close(state)
    struck = close(send(asked.state, "Ada", "E").state)
    after = close(struck.state, ScriptedRng([("kd.card:R2:Ada->Boro", "Miss")], DRAW))
    return [*asked.events, *struck.events, *after.events[:1], after.events[2]]


def endings() -> list[Event]:
    """A win, a draw, a win and a draw on Hearts, nobody left; the moderator's hand; a long game."""
    won = table({"Ada": "E5", "Boro": knight("E6", "bow", heart=False)})
    card = ("kd.card:R1:Ada->Boro", "Hit")
    events = [*close(laid(won, {"Ada": "SWORD", "Boro": "SHIELD"}), ScriptedRng([card], DRAW)).events[-1:]]
    both = table({"Ada": knight("E4", heart=False), "Boro": knight("E5", heart=False)})
    cards: list[tuple[str, object]] = [card, ("kd.card:R1:Boro->Ada", "Hit")]
    events += close(laid(both, {"Ada": "SWORD", "Boro": "SWORD"}), ScriptedRng(cards, DRAW)).events[-1:]
    events += close(table({"Ada": "E4", "Boro": knight("A1", heart=False)}, max_turns=1)).events[-1:]
    events += close(table({"Ada": "E4", "Boro": "A1"}, max_turns=1)).events[-1:]
    three = table({"Ada": "E4", "Boro": "A1", "Cinder": "A2"})
    taken = moderated(three, "modkill Boro")
    for step in (taken, moderated(taken.state, "revive Boro"), moderated(three, "last turn 20")):
        events += step.events
    events += moderated(three, "last turn none").events
    while three.turn < 59:
        three = close(three).state
    return [*events, *(event for event in close(three).events if event.kind == "moderator_limit")]


def a_game() -> list[Event]:
    """One event of every kind at least, by the game's own calls."""
    return [*start(), *turns(), *stages(), *endings()]


def written(event: Event, dialect: str = "plain") -> str:
    if isinstance(event, Announced):
        return public_post("knights_duty", event, dialect)
    if isinstance(event, Told):
        return private_message("knights_duty", event, dialect)
    return moderator_sheet("knights_duty", event, dialect)


def test_the_posts_read_as_in_the_golden_file() -> None:
    posts = [f"=== {event.kind} ===\n{written(event)}\n" for event in a_game()]
    posts += [f"=== turn, phpbb ===\n{written(six_played().events[0], 'phpbb')}\n"]
    text = "\n".join(dict.fromkeys(posts))
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_every_kind_of_event_has_a_template_and_every_template_an_event() -> None:
    own = {name for name in template_names() if name.startswith("knights_duty/")}
    assert {f"knights_duty/{event.kind}" for event in a_game()} == own - {
        "knights_duty/blocks",
        "knights_duty/rules",
        "knights_duty/setup",
        "knights_duty/by_hand",
        "knights_duty/step",
    }


SETUPS: dict[str, dict[str, object]] = {
    "default": {},
    "r02": {"edition": "r02", "max_turns": "20"},
    "staged": {
        "mode": "staged",
        "board": "r3-corners",
        "cards": "picked",
        "kd_14": "attackers_choose",
        "kd_06": "any_two",
        "inspiration": "action",
    },
}


@pytest.mark.parametrize("name", SETUPS)
def test_the_setup_is_told_as_in_the_golden_file(name: str) -> None:
    facts = KNIGHTS_DUTY.setup_post(NAMES, SETUPS[name])
    assert facts is not None
    text, path = (
        render("knights_duty/setup", facts, "phpbb") + "\n",
        SETUP_GOLDENS / f"setup-{name}.phpbb.txt",
    )
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


IN_FORCE: dict[str, dict[str, object]] = {
    "kd_18": {"inspiration": "token"},
    "fixed_weapon": {"kd_27": "fixed"},
    "map": {"board": "own"},
}
"""Other options under which an option matters at all."""
SQUARES = "square\n(P) ( ) ( )\n( ) (*) ( )\n( ) ( ) (P)"
HEXES = "hex\n(P) (*) (P)"
OTHERS: dict[str, tuple[str, ...]] = {
    "board": ("r4-midedge", "r3-corners"),
    "map": (SQUARES, HEXES),
    "max_turns": ("none", "20", "21"),
}
"""Values of options that take more than the listed ones, or not all of them without another option."""


@pytest.mark.few(8)
@pytest.mark.parametrize("option", KNIGHTS_DUTY.spec.options, ids=lambda option: option.name)
def test_each_option_changes_the_sentence_that_states_it(option: Option) -> None:
    told = []
    for value in OTHERS.get(option.name, option.values):
        facts = KNIGHTS_DUTY.setup_post((), {**IN_FORCE.get(option.name, {}), option.name: value})
        assert facts is not None
        told.append(set(re.split(r"(?<=[.:]) |\n", render("knights_duty/setup", facts))))
    for place, one in enumerate(told):
        for other in told[place + 1 :]:
            assert one - other, "no sentence states the difference"
            assert other - one, "no sentence states the difference"


def test_the_opening_tells_the_same_rules_as_the_setup_post() -> None:
    opening = next(event for event in start() if event.kind == "opening")
    setup = KNIGHTS_DUTY.setup_post(NAMES, {})
    assert isinstance(opening.facts, Opening)
    assert isinstance(setup, SetupPost)
    assert opening.facts.rules == setup.rules


@pytest.mark.parametrize("dialect", ["mafiascum", "discourse", "phpbb"])
def test_every_write_up_has_a_form_in_other_dialects(dialect: str) -> None:
    assert all(written(event, dialect) for event in a_game())


def test_a_name_is_never_markup() -> None:
    state = table({"[b]x": "E4", "Boro": "E5"})
    card = ("kd.card:R1:[b]x->Boro", "Hit")
    post = written(close(laid(state, {"[b]x": "SWORD"}), ScriptedRng([card], DRAW)).events[0], "phpbb")
    assert "[b]x" not in post.replace("[b]maimed", "").replace("[b]Turn", "")
