"""Properties of every registered game under random legal play."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from knightfall.core.game import Announced, Game, SlotId
from knightfall.core.journal import replay, verify
from knightfall.core.playout import Playout, play
from knightfall.core.rng import SeededRng
from knightfall.games import GAMES
from knightfall.writeups.render import template_names
from salt_harbour import NAMES

SEEDS = range(8)
_SIZES = {game.spec.id: [n for n in game.spec.players if n <= len(NAMES)] for game in GAMES}


def names_of(game: Game[Any], seed: int) -> tuple[SlotId, ...]:
    """The smallest table first, the largest that the names are enough for, and so on between."""
    sizes = _SIZES[game.spec.id]
    return NAMES[: sizes[-(seed % len(sizes))]]


def played(game: Game[Any], seed: int) -> Playout[Any]:
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    return play(game, names_of(game, seed), {}, chance, draw)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_random_play_ends_is_never_refused_and_replays_to_the_same(game: Game[Any], seed: int) -> None:
    playout = played(game, seed)
    assert playout.ended
    assert playout.refused == ()
    verify(playout.journal)
    replayed = replay(playout.journal, game, lambda: SeededRng(b"draw %d" % seed))
    assert replayed.state == playout.state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_an_event_is_shown_to_its_audience_and_has_a_template(game: Game[Any]) -> None:
    journal = played(game, 1).journal
    events = replay(journal, game, lambda: SeededRng(b"draw 1")).events
    assert {f"{game.spec.id}/{event.kind}" for event in events} <= set(template_names())
    assert any(isinstance(event, Announced) for event in events)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_what_one_slot_sends_in_secret_shows_in_no_other_view(game: Game[Any], seed: int) -> None:
    """A secret message changes the views of its sender and his partners alone, unless it ends the phase."""
    playout = played(game, seed)
    steps = zip(pairwise(playout.states), playout.journal[1:], strict=True)
    for (before, after), record in steps:
        sender = getattr(record.entry, "slot", None)
        if sender is None or game.windows(before) != game.windows(after):
            continue
        informed = {sender, *(p["name"] for p in game.view(before, sender).facts.get("partners", ()))}  # type: ignore[attr-defined]
        for slot in {None, *names_of(game, seed)} - informed:
            assert game.view(after, slot) == game.view(before, slot)


WITH_CARDS = [game for game in GAMES if hasattr(played(game, 2).states[0], "cards")]
"""The mafia games; a game with roles of another kind has a test of its own for them."""


@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.spec.id)
def test_no_view_names_a_card_that_its_slot_may_not_know(game: Game[Any]) -> None:
    """Dealing the same cards to everyone a slot knows nothing of changes nothing that it sees."""
    names, state = names_of(game, 2), played(game, 2).states[0]
    for slot in (None, *names):
        facts = dict(game.view(state, slot).facts)
        known = {slot, *(p["name"] for p in facts.get("partners", ()))}  # type: ignore[attr-defined]
        hidden = [name for name in names if name not in known]
        cards = [state.cards[name] for name in hidden]
        swapped = {**state.cards, **dict(zip(hidden, reversed(cards), strict=True))}
        other = type(state)(
            **{field: getattr(state, field) for field in state.__slots__} | {"cards": swapped}
        )
        assert game.view(other, slot).facts == facts
