"""Every write-up of Knight Fight as players and moderator read it, compared whole.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/writeups, then read the posts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from knightfall.engine.game import Announced, Event, Option, Told, announced
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import render, template_names
from salt_bout import ADA, BORO, Play, random_match

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/writeups/knight_fight"
GAME = "knight_fight"
WON = ["E4", "H8", "G4", "I10", "H5", "K11", "F4", "J9", "E6", "L10", "D4"]


def written(event: Event, dialect: str) -> str:
    if isinstance(event, Announced):
        return f"=== {event.kind} ===\n{public_post(GAME, event, dialect)}"
    if isinstance(event, Told):
        return f"=== {event.kind} to {', '.join(event.slots)} ===\n{private_message(GAME, event, dialect)}"
    return f"=== {event.kind} ===\n{moderator_sheet(GAME, event, dialect)}"


def said(play: Play, lines: Sequence[tuple[SlotId | None, str]]) -> Play:
    for slot, line in lines:
        assert play.say(slot, line, 5) == [], line
    return play


def plain_match() -> Play:
    """Two bouts of the same moves, a time-out and a stopped clock in the second."""
    play = said(Play(), [((ADA, BORO)[number % 2], move) for number, move in enumerate(WON)])
    said(play, [(BORO, "SIDE: X"), (None, "STOP CLOCK: the forum is down"), (None, "START CLOCK")])
    play.close("turn")
    said(play, [(ADA, "FOR X: E4")])
    play.close("turn")
    play.close("stand_in")
    for move in WON[2::2]:
        said(play, [(BORO, move)])
        play.close("turn")
        play.close("stand_in") if play.state.table else None
        if play.state.table is None:
            break
    return play


def coloured_bout() -> Play:
    """Airdrop, Coloration, Horse Trap and Sickness; the third knight is lost to a trap."""
    lines = [
        (BORO, "TRAP: D7"),
        (ADA, "F6>E4 MANURE F8"),
        (BORO, "G6>I5"),
        (ADA, "NO TRAP"),
        (BORO, "TRAP: G5"),
        (ADA, "E4>G5"),
    ]
    return said(Play("ACHS"), lines)


def dark_bout() -> Play:
    """Bidding, Snapshot and Tic-Tac-Toe."""
    lines = [
        (ADA, "BID 3: E4"),
        (BORO, "BID 5: F6"),
        (ADA, "BID 4: D7"),
        (BORO, "BID 0: H8"),
    ]
    return said(Play("BNT"), lines)


def cut_off() -> Play:
    """The moderator takes one of the two out."""
    return said(Play(), [(ADA, "E4"), (None, "modkill Boro")])


MATCHES = {"plain": plain_match, "coloured": coloured_bout, "dark": dark_bout, "cut-off": cut_off}
COMPARED = [
    ("plain", "phpbb"),
    ("coloured", "plain"),
    ("coloured", "phpbb"),
    ("coloured", "xenforo"),
    ("dark", "phpbb"),
    ("cut-off", "phpbb"),
]


@pytest.mark.parametrize(("name", "dialect"), COMPARED)
def test_the_posts_are_those_of_the_golden_file(name: str, dialect: str) -> None:
    posts = "\n\n".join(written(event, dialect) for event in MATCHES[name]().events) + "\n"
    compare(f"{name}.{dialect}", posts)


def compare(name: str, text: str) -> None:
    """With the golden file of that name."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_every_template_is_used_and_no_other_is_asked_for() -> None:
    ours = {name.partition("/")[2] for name in template_names() if name.startswith(f"{GAME}/")} - {
        "words",
        "rules",
        "setup",
        "by_hand",
        "step",
    }
    assert {kind for make in MATCHES.values() for kind in make().kinds()} == ours


SETUPS = {"plain": "none", "all": "ABCHSNT", "open": "ACHS", "dark": "HNT"}


@pytest.mark.parametrize("name", SETUPS)
def test_the_setup_is_told_as_in_the_golden_file(name: str) -> None:
    facts = KNIGHT_FIGHT.setup_post((ADA, BORO), {"anomalies": SETUPS[name]})
    assert facts is not None
    compare(f"setup-{name}.phpbb", render(f"{GAME}/setup", facts, "phpbb") + "\n")


IN_FORCE = {"reserve": "none", "trap_deadline": "H", "kf_18": "B", "kf_12": "T", "kf_45": "NT"}
"""The anomalies under which an option matters, where these are not all seven."""


OTHERS: dict[str, Sequence[str]] = {
    "anomalies": ("none", "A", "AH"),
    "rows": ("11", "9"),
    "cols": ("12", "10"),
    "start": ("adjacent", "apart", "C3 D3"),
}
"""Values of options that take more than the listed ones, or not all of them on every board."""


@pytest.mark.few(9)
@pytest.mark.parametrize("option", KNIGHT_FIGHT.spec.options, ids=lambda option: option.name)
def test_each_option_changes_the_sentence_that_states_it(option: Option) -> None:
    letters = IN_FORCE.get(option.name, "ABCHSNT")
    base: dict[str, object] = {} if option.name == "anomalies" else {"anomalies": letters}
    if option.name == "first_choice":
        base["move_time"] = "24h"  # in one sitting the clock begins with the post
    told = []
    values = OTHERS.get(option.name, option.values)
    for value in values:
        facts = KNIGHT_FIGHT.setup_post((), {**base, option.name: value})
        assert facts is not None
        told.append(set(re.split(r"(?<=[.:]) |\n", render(f"{GAME}/setup", facts))))
    for place, one in enumerate(told):
        for other in told[place + 1 :]:
            assert one - other, "no sentence states the difference"


def test_the_setup_can_be_told_before_anybody_has_signed_up() -> None:
    facts = KNIGHT_FIGHT.setup_post((), {})
    assert facts is not None
    assert "DMO chooses a side" in render(f"{GAME}/setup", facts)


@pytest.mark.few(2)
@pytest.mark.parametrize("letters", ["", "ACS", "BHT", "CN", "ABCHSNT"])
def test_all_posts_of_a_random_match_can_be_written(letters: str) -> None:
    """On a small board. In Snapshot no public post before the end of a bout names a move."""
    playout = random_match(letters, 5, {"rows": 7, "cols": 6})
    events = replay(playout.journal, KNIGHT_FIGHT, lambda: SeededRng(b"draw 5")).events
    for event in events:
        post = written(event, "phpbb")
        if isinstance(event, Announced) and event.kind == "turn" and "N" in letters:
            assert not re.search(r"\b[A-L](?:[1-9]|1[01])\b", post), post


@pytest.mark.parametrize("template", ["opening", "setup"])
@pytest.mark.parametrize(("anomalies", "first"), [("none", True), ("B", False)])
def test_nobody_moves_first_where_both_bid(template: str, anomalies: str, first: bool) -> None:
    slots = (SlotId("Ada"), SlotId("Boro"))
    if template == "setup":
        facts: Any = KNIGHT_FIGHT.setup_post(slots, {"anomalies": anomalies})
    else:
        facts = announced(KNIGHT_FIGHT.setup(slots, {"anomalies": anomalies}, SeededRng(b"")).events)[0].facts
    assert ("X moves first" in render(f"knight_fight/{template}", facts, "plain")) == first
