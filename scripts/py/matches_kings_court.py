"""How does a match of King's Court go whose players send one line each, at random? With all its posts."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from knightfall.engine.game import Message
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT, State
from knightfall.sentence import SlotId

START = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = tuple(
    map(
        SlotId,
        ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen"),
    )
)
SILENT = 0.07
"""How often a player sends nothing."""


def match(seed: int) -> tuple[State, int]:
    """How it ended, and how many windows were closed or settled, by the game's public calls."""
    chance, draw, said = (
        random.Random(seed),
        SeededRng(b"match %d" % seed),
        SeededRng(b"players %d" % seed),
    )
    state, rounds = KINGS_COURT.setup(NAMES, {}, draw).state, 0
    while KINGS_COURT.outcome(state) is None:
        for slot in (*NAMES, None):
            line = KINGS_COURT.random_line(state, slot, said.at(rounds))
            if line is not None and (slot is None or chance.random() > SILENT):
                state = KINGS_COURT.submit(state, Message(slot, line, START), draw).state
        if windows := KINGS_COURT.windows(state):
            state = KINGS_COURT.close(state, windows[0].kind, START, draw).state
        rounds += 1
    return state, rounds
