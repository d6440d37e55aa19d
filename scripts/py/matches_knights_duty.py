"""What do random players of Knight's Duty lay? Whole plans, within the limits, for matches without an end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime

from knightfall.core.game import SlotId
from knightfall.core.rng import SeededRng
from knightfall.games.knights_duty import KNIGHTS_DUTY, Phase, State, Wanted, lay

START = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = tuple(map(SlotId, ("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen")))
STEPS = ("E", "W", "NE", "NW", "SE", "SW")
TOKENS = ("sword", "spear", "bow", "shield", "parry", "move", "move", "move", "pass")


def plan(chance: random.Random, heart: bool) -> list[Wanted]:
    """Two or three tokens, now and then one too many of a kind."""
    tokens = chance.sample((*TOKENS, *TOKENS[:5]), 3 if heart else 2)
    return [Wanted(token, chance.choice(STEPS) if token == "move" else None) for token in tokens]


def match(seed: int, players: int, turns: int) -> Iterator[State]:
    """The states after each turn of one match, by the game's public calls."""
    chance, draw = random.Random(seed), SeededRng(b"match %d" % seed)
    state = KNIGHTS_DUTY.setup(NAMES[:players], {"max_turns": turns}, draw).state
    state = KNIGHTS_DUTY.close(state, "setup", START, draw).state
    while state.phase is Phase.TURN:
        for slot, knight in state.living.items():
            state, _ = lay(state, slot, plan(chance, knight.heart))
        state = KNIGHTS_DUTY.close(state, "turn", START, draw).state
        yield state
