"""Every write-up of Empowered Mafia as a moderator reads it, compared whole.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/writeups, then read the posts.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from knightfall.engine.game import Announced, Event, Option, Told, announced, told
from knightfall.engine.rng import SeededRng
from knightfall.games.empowered import EMPOWERED, OPTIONS, Phase, parse_options
from knightfall.games.empowered.views import role_pm
from knightfall.mafia.events import Elimination
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import template_names
from tin_valley import CAST, NAMES, at, close, say, sent

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/writeups/empowered.txt"
NIGHT = {
    "Ada": "empower Iris",
    "Iris": "amplify Moth and Quill",
    "Boro": "empower Sable",
    "Cinder": "empower Nettle",
    "Dusk_77": "empower Willow",
    "Moth": "jail Fen",
    "Nettle": "jail Cinder",
    "Fen": "incarcerate Onyx",
    "Gale": "incarcerate Vesper invisible",
    "Onyx": "check Elm",
    "Quill": "track Elm",
    "Sable": "watch Kestrel",
    "Elm": "murder Willow",
    "Yarrow": "no action",
}


def a_beginning() -> list[Event]:
    """From the deal to the first night, and a day that ends in a tie."""
    dealt = EMPOWERED.setup(NAMES[:6], {}, SeededRng(b"salt"))
    asked = close(dealt.state, "choosing")
    mafia = [name for name in NAMES[:6] if dealt.state.cards[name].alignment == "mafia"]
    nothing = say(dealt.state, mafia[0], "hello")
    chosen = say(dealt.state, mafia[0], "role Ninja\nrole strongman")
    whole = say(chosen.state, None, f"role Serial Bomber of {mafia[1]}")
    opened = close(whole.state, "choosing")
    steps = [dealt, asked, nothing, chosen, whole, opened]
    return [event for step in steps for event in step.events]


def some_days() -> list[Event]:
    """A vote, a tie, a quiet day, a modkill, endings of every kind."""
    day = at(Phase.DAY)
    events = [*close(say(day, None, "eliminate Rook").state, "day").events]
    events += close(say(day, None, "tie Fen, Pike, Rook").state, "day").events
    events += close(say(at(Phase.DAY, number=3), None, "no elimination").state, "day").events
    events += say(day, None, "modkill Boro").events
    events += say(at(Phase.DAY, "Elm", "Fen", "Ada", "Boro", "Cinder"), None, "modkill Ada").events
    events += say(at(Phase.DAY, "Elm", "Fen", "Ada", "Boro", "Cinder"), None, "modkill Elm").events
    events += close(at(Phase.NIGHT, number=3), "night").events
    return [*events, *say(day, None, "draw").events]


def a_night() -> list[Event]:
    """Plans, receipts, a dawn with results, and the moderator's sheet."""
    state, events = at(), list[Event]()
    for slot, text in NIGHT.items():
        step = say(state, slot, text)
        assert step.refused == ()
        state, events = step.state, [*events, *step.events]
    events += say(state, "Gale", "murder Kestrel by Hollis").events
    bang = sent(at(), ("Ada", "empower Hollis"), ("Umber", "shoot Hollis"), ("Fen", "murder Umber"))
    return [*events, *close(state, "night").events, *close(bang, "night").events]


def role_pms() -> list[Told]:
    first = {role: name for name, role in reversed([*CAST.items()])}
    return [role_pm(at(), slot) for slot in first.values()]


def a_game() -> list[Event]:
    return [*a_beginning(), *role_pms(), *a_night(), *some_days()]


def written(event: Event, dialect: str = "plain") -> str:
    if isinstance(event, Announced):
        return public_post("empowered", event, dialect)
    if isinstance(event, Told):
        return private_message("empowered", event, dialect)
    return moderator_sheet("empowered", event, dialect)


def test_the_posts_read_as_in_the_golden_file() -> None:
    posts = [f"=== {event.kind} ===\n{written(event)}\n" for event in a_game()]
    text = "\n".join(dict.fromkeys(posts))
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_every_kind_of_event_has_a_template_and_every_template_an_event() -> None:
    own = {name for name in template_names() if name.startswith("empowered/")}
    written = {f"empowered/{event.kind}" for event in a_game()}
    assert (
        written | {"empowered/alive", "empowered/rules", "empowered/setup"} == own
    )  # parts of posts, “this setup”


@pytest.mark.parametrize("dialect", ["mafiascum", "discourse"])
def test_every_write_up_has_a_form_in_other_dialects(dialect: str) -> None:
    assert all(written(event, dialect) for event in a_game())


@pytest.mark.parametrize("wording", ["ours", "classic"])
def test_role_pms_cannot_be_told_apart_by_their_length(wording: str) -> None:
    state = replace(at(), rules=parse_options({"wording": wording}))
    lengths = [len(written(role_pm(state, slot))) for slot in state.slots]
    assert max(lengths) <= 1.2 * min(lengths)


@pytest.mark.few(8)
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_role_pm_can_be_written_under_every_option(option: Option) -> None:
    for value in option.values:
        state = replace(at(), rules=parse_options({option.name: value}))
        assert all(written(role_pm(state, slot)) for slot in state.slots)


def test_a_tied_vote_does_not_say_from_which_class_it_was_drawn() -> None:
    """One of the town against one, two or three of the mafia: nothing but the list of the tied differs."""
    texts = set()
    for others in ("Fen", "Fen, Elm", "Fen, Elm, Rook"):
        day = say(at(Phase.DAY), None, f"tie Pike, {others}").state
        ends = (close(day, "day", bytes([seed])) for seed in range(9))
        told = (e.facts for end in ends for e in announced(end.events))
        texts |= {
            written(Announced(replace(facts, tied=(SlotId("X"),))))
            for facts in told
            if isinstance(facts, Elimination) and facts.name == "Pike"
        }
    assert len(texts) == 1


def test_all_mafiosi_are_asked_and_told_alike() -> None:
    pms = [pm for pm in told(a_beginning()) if pm.kind in ("choosing", "awareness")]
    assert {pm.kind for pm in pms} == {"choosing", "awareness"}
    for kind in ("choosing", "awareness"):
        texts = [written(pm) for pm in pms if pm.kind == kind]
        assert len(texts) == 2
        assert max(map(len, texts)) - min(map(len, texts)) < 12
