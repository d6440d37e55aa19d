"""Does a game's public thread tell a living player's role before the end?

Every public post of a random game is read with the roles of those who live when it goes out. A role's name is
no secret where everybody has seen it without a name: on a card turned up by a death, or on the opening's list
of the roles in play; with a living player's name in the same line it is one all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knightfall.core.game import Announced, Game, SlotId, announced
from knightfall.core.journal import replay
from knightfall.core.playout import Playout
from knightfall.core.rng import SeededRng
from knightfall.writeups.events import public_post
from knightfall.writeups.guard import leaks, role_secrets, unsaid

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
    roles = _roles(game, state)
    table: Mapping[str, Any] = game.view(state, None).facts
    shown = [dead["role"] for dead in table.get("dead", ())]
    shown += roles.values() if post.kind == _LISTS_ROLES else ()
    text = public_post(game.spec.id, post)
    secrets = [secret for slot, role in roles.items() for secret in role_secrets(role, slot)]
    for leak in unsaid(text, leaks(text, secrets), shown, roles):
        yield f"{post.kind}, {leak}"


def _roles(game: Game[Any], state: Any) -> dict[SlotId, str]:
    """The living with their roles; nobody in a game without roles."""
    table: Mapping[str, Any] = game.view(state, None).facts
    own = {slot: game.view(state, slot).facts.get("role") for slot in table.get("alive", ())}
    return {slot: str(role) for slot, role in own.items() if role}
