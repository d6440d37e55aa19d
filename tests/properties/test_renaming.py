"""A player who is replaced is called otherwise, and nothing else in any text of a game changes.

Where no slot's name is a word of anything, the text with the names put in is the text that has to come out:
so every place where a name stands is known, and every game is held against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from knightfall.engine.game import Game
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.markup.dialects import dialect
from knightfall.sentence import SlotId
from long_runs import first
from properties.test_every_game import HOUSE_SEEDS, draws, every_game, options_of
from properties.texts import Sent, texts

PLAIN = dialect("plain")
SEEDS = first(1, (8, 0, 1, *HOUSE_SEEDS[1:]))


def tokens(game: Game[Any], seed: int) -> tuple[SlotId, ...]:
    """Names that stand nowhere else."""
    sizes = [number for number in game.spec.players if number <= 18]
    return tuple(SlotId(f"Qz{chr(97 + place)}vx") for place in range(sizes[-(seed % len(sizes))]))


def written(sent: Iterator[Sent]) -> list[tuple[str, str]]:
    """Kind and text of each; columns are as wide as their names, which tells nothing."""
    return [(one.kind, re.sub(" {2,}", "  ", PLAIN.write(one.nodes))) for one in sent]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", SEEDS)
@every_game
def test_every_name_in_a_text_is_a_name_and_nothing_else_is(game: Game[Any], seed: int) -> None:
    slots = tokens(game, seed)
    options = options_of(game, seed)
    playout = play(game, slots, options, SeededRng(b"chance %d" % seed), draws(seed), 40)
    # Two slots have changed hands: in the second text stands who holds them now.
    held = {slots[0]: "Wwzed", slots[-1]: "Wwkit"}
    before = written(texts(game, playout, draws(seed)))
    after = written(texts(game, playout, draws(seed), held))
    assert len(before) == len(after) > 5
    for (kind, was), (_, now) in zip(before, after, strict=True):
        plain = now
        for slot, name in held.items():
            plain = plain.replace(f"{name} (was {slot})", slot).replace(name, slot)
        assert plain == was, kind
        for slot, name in held.items():
            left = now.replace(f"{name} (was {slot})", "")
            assert slot not in left, f"{kind}: {left}"
