"""Does a game's public thread tell a living player's role before the end?

Every public post of a random game is read with the roles of those who live when it goes out. A role's name is
no secret where everybody has seen it without a name: on a card turned up by a death, or on the opening's list
of the roles in play; with a living player's name in the same line it is one all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knightfall.engine.game import Announced, Game, announced
from knightfall.engine.playout import Playout
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.writeups.events import public_post
from knightfall.writeups.leak_check import Card, card_secrets, leaks

_LISTS_ROLES = "opening"


def told_too_early(game: Game[Any], playout: Playout[Any], seed: bytes) -> tuple[str, ...]:
    """Every leak of a game played with this seed, in sentences; () as it should be."""
    taken = replay(playout.journal, game, lambda: SeededRng(seed)).taken
    told = ((playout.states[one.number - 1], post) for one in taken for post in announced(one.events))
    return tuple(
        sentence
        for state, post in told
        if game.outcome(state) is None
        for sentence in _leaks(game, state, post)
    )


def _leaks(game: Game[Any], state: Any, post: Announced) -> Iterator[str]:
    roles = game.hidden_roles(state)
    shown = (*game.shown_roles(state), *(roles.values() if post.kind == _LISTS_ROLES else ()))
    cards = [Card(role, slot, (slot,)) for slot, role in roles.items()]
    for leak in leaks(public_post(game.spec.id, post), card_secrets(cards, shown)):
        yield f"{post.kind}, {leak}"
