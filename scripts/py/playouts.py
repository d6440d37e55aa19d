"""How is one whole random match of a game played, and checked to replay to the same?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knightfall.engine.game import Game
from knightfall.engine.journal import verify
from knightfall.engine.playout import Playout, play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId

WINDOWS = 2_000


def play_one(
    game: Game[Any], seed: int, players: int | None = None, options: Mapping[str, object] | None = None
) -> Playout[Any]:
    """A match with as many players as the game asks for at least.

    Raises AssertionError where it does not end, refuses what it offered, or replays to something else.
    """
    where = f"{game.spec.id}, seed {seed}, {dict(options or {})}"
    amount = players or game.spec.players[0]
    slots = [SlotId(f"P{place:02}") for place in range(1, amount + 1)]

    def draws() -> SeededRng:
        return SeededRng(b"draw %d" % seed)

    playout = play(game, slots, options or {}, SeededRng(b"chance %d" % seed), draws(), WINDOWS)
    assert playout.ended, f"{where}: no end after {WINDOWS} windows"
    assert not playout.refused, f"{where}: refused {playout.refused[0]}"
    verify(playout.journal)
    again = replay(playout.journal, game, draws)
    assert again.state == playout.state, f"{where}: replays to something else"
    return playout
