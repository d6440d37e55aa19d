"""What the endgame post knows of every night."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from facts_seen import seen
from knightfall.engine.game import Announced, Event, Game, Message, announced, noted
from knightfall.engine.playout import play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games.empowered import EMPOWERED
from knightfall.games.kings_court.events import FourEarlyKings
from knightfall.games.knight_errant import KNIGHT_ERRANT, Phase, State, parse_options
from knightfall.mafia.endgame_history import completed, nights
from knightfall.mafia.events import Ending
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post
from knightfall.writeups.render import render_nodes, written
from salt_harbour import CAST, EXTRAS
from tin_valley import NAMES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAYERS = {KNIGHT_ERRANT.spec.id: 18, EMPOWERED.spec.id: 20}


def a_night(**sent: str) -> tuple[Event, ...]:
    """The eighteen of Salt Harbour at night 2, and what they are told."""
    rules = parse_options({})
    cards = {SlotId(name): rules.roles[role] for name, role in CAST.items()}
    state, events = State("", rules, cards, Phase.NIGHT, 2, {SlotId("Hollis"): EXTRAS}), list[Event]()
    for slot, text in sent.items():
        step = KNIGHT_ERRANT.submit(state, Message(SlotId(slot), text, NOON), SeededRng(b""))
        state, events = step.state, [*events, *step.events]
    return (*events, *KNIGHT_ERRANT.close(state, "night", NOON, SeededRng(b"")).events)


def whole_game(game: Game[Any], seed: int) -> tuple[Event, ...]:
    names, draw = NAMES[: PLAYERS[game.spec.id]], b"draw %d" % seed
    journal = play(game, names, {}, SeededRng(b"chance %d" % seed), SeededRng(draw)).journal
    return replay(journal, game, lambda: SeededRng(draw)).events


def test_each_action_comes_with_its_fate_and_what_its_sender_was_told() -> None:
    (night,) = nights(a_night(Elm="kill Juniper", Ada="heal Juniper", Boro="track Elm", Gale="no action"))
    rows = {row.actor: (row.action, row.fate, row.answer) for row in night.rows}
    assert rows[SlotId("Elm")] == ("kill Juniper", "survived", "")
    assert rows[SlotId("Boro")] == ("track Elm", "done", "Juniper")
    assert night.dead == ()


def test_who_sent_nothing_is_told_from_who_sent_no_action_and_from_who_could_not_act() -> None:
    (night,) = nights(a_night(Elm="kill Juniper", Gale="no action"))
    assert night.nothing == ("Gale",)
    assert night.default == (
        "Ada",
        "Boro",
        "Cinder",
        "Dusk_77",
        "Fen",
        "Hollis",
        "Kestrel",
        "Lumen",
        "Moth",
    )


def test_without_a_kill_every_mafioso_is_a_default() -> None:
    (night,) = nights(a_night())
    assert {"Elm", "Onyx", "Pike"} <= set(night.default)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [KNIGHT_ERRANT, EMPOWERED], ids=lambda game: game.spec.id)
def test_the_ending_has_every_night_and_every_card(game: Game[Any], seed: int) -> None:
    events = completed(whole_game(game, seed))
    ending, sheets = announced(events)[-1], [n for n in noted(events) if n.kind == "moderator_night"]
    post = public_post(game.spec.id, ending)
    assert isinstance(ending.facts, Ending)
    assert [night.night for night in ending.facts.nights] == [seen(s.facts)["night"] for s in sheets]
    assert all(name in post for name in NAMES[: PLAYERS[game.spec.id]])


def test_a_long_ending_is_cut_between_lines() -> None:
    ending = announced(completed(whole_game(EMPOWERED, 1)))[-1]
    parts = written(render_nodes("empowered/ending", ending.facts), "phpbb", 2_000)
    assert len(parts) > 1
    assert all(len(part) <= 2_000 for part in parts)


def test_endings_of_other_games_stay_as_they_are() -> None:
    other = Announced(FourEarlyKings(()))
    assert completed((other,)) == (other,)
