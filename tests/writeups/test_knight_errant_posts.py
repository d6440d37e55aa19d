"""Every write-up of Knight-Errant as a moderator reads it, compared whole.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/writeups, then read the posts.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.engine.game import Announced, Event, Message, Told
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_errant import KNIGHT_ERRANT, Phase, State, parse_options
from knightfall.games.knight_errant.options import CODES
from knightfall.mafia.events import Alive, Dawn, NightDeath
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import template_names
from salt_harbour import CAST, EXTRAS, NAMES

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/writeups/knight_errant.txt"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DRAW = SeededRng(b"")
NIGHT = {
    "Ada": "heal Juniper",
    "Boro": "track Elm",
    "Cinder": "jail Moth",
    "Dusk_77": "watch Moth",
    "Elm": "kill Juniper",
    "Fen": "roleblock Gale",
    "Gale": "cop Hollis",
    "Hollis": "strong kill Iris\nwatch Rook",
    "Onyx": "",
}


def cast_at_night(*living: str) -> State:
    rules = parse_options({})
    cards = {name: rules.roles[CAST[name]] for name in NAMES if not living or name in living}
    return State("", rules, cards, Phase.NIGHT, 2, {SlotId("Hollis"): EXTRAS | {"bulletproof": 2}})


def a_game() -> list[Event]:
    """One event of every kind, by the game's own calls."""
    dealt = KNIGHT_ERRANT.setup(NAMES, {"setup": "A2-RU"}, SeededRng(b"salt"))
    decided = KNIGHT_ERRANT.submit(dealt.state, Message(None, "eliminate Rook", NOON), DRAW)
    events = [*dealt.events, *KNIGHT_ERRANT.close(decided.state, "day", NOON, DRAW).events]
    quiet = KNIGHT_ERRANT.submit(dealt.state, Message(None, "no elimination", NOON), DRAW)
    events += KNIGHT_ERRANT.close(quiet.state, "day", NOON, DRAW).events
    state = cast_at_night()
    for slot, text in NIGHT.items():
        step = KNIGHT_ERRANT.submit(state, Message(SlotId(slot), text, NOON), DRAW)
        state, events = step.state, [*events, *step.events]
    events += KNIGHT_ERRANT.close(state, "night", NOON, DRAW).events
    events += KNIGHT_ERRANT.submit(
        cast_at_night("Hollis", "Nettle", "Ada"), Message(None, "modkill Ada", NOON), DRAW
    ).events
    events += KNIGHT_ERRANT.submit(
        cast_at_night("Hollis", "Nettle"), Message(None, "modkill Hollis", NOON), DRAW
    ).events
    events += KNIGHT_ERRANT.submit(
        cast_at_night("Hollis", "Nettle"), Message(None, "draw", NOON), DRAW
    ).events
    return [*events, *KNIGHT_ERRANT.close(cast_at_night("Ada", "Elm", "Quill"), "night", NOON, DRAW).events]


def written(event: Event, dialect: str = "plain") -> str:
    if isinstance(event, Announced):
        return public_post("knight_errant", event, dialect)
    if isinstance(event, Told):
        return private_message("knight_errant", event, dialect)
    return moderator_sheet("knight_errant", event, dialect)


def test_the_posts_read_as_in_the_golden_file() -> None:
    posts = [f"=== {event.kind} ===\n{written(event)}\n" for event in a_game()]
    text = "\n".join(dict.fromkeys(posts))
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_every_kind_of_event_has_a_template_and_every_template_an_event() -> None:
    own = {name for name in template_names() if name.startswith("knight_errant/")}
    written = {f"knight_errant/{event.kind}" for event in a_game()}
    assert written | {"knight_errant/rules", "knight_errant/setup"} == own  # of the post “this setup”


@pytest.mark.parametrize("dialect", ["mafiascum", "discourse"])
def test_every_write_up_has_a_form_in_other_dialects(dialect: str) -> None:
    assert all(written(event, dialect) for event in a_game())


def test_a_name_is_never_markup() -> None:
    dead = NightDeath(SlotId("[b]x"), "Town Cop")
    event = Announced(Dawn(1, (dead,), Alive(3, 2, over=False)))
    assert "[b]x was found" in written(event).replace("\u200b", "")


@pytest.mark.few(6)
@pytest.mark.parametrize("wording", ["ours", "classic"])
@pytest.mark.parametrize("code", CODES)
def test_role_pms_cannot_be_told_apart_by_their_length(code: str, wording: str) -> None:
    slots = tuple(map(SlotId, NAMES))
    dealt = KNIGHT_ERRANT.setup(slots, {"setup": code, "wording": wording}, SeededRng(b"")).events
    lengths = [len(written(event)) for event in dealt if event.kind == "role_pm"]
    assert len(lengths) == len(slots)
    assert max(lengths) <= 1.8 * min(lengths)
