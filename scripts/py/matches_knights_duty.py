"""What do random players of Knight's Duty play? Plans within the limits, at tables of every size and kind."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from knightfall.engine.game import Option
from knightfall.engine.rng import SeededRng
from knightfall.games.knights_duty import (
    EDITIONS,
    KNIGHTS_DUTY,
    OPTIONS,
    PRINTED_BOARDS,
    Phase,
    State,
    Wanted,
    lay,
)
from knightfall.sentence import SlotId

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


LEDGE = """
hex
    (P) ( ) (P) ( )
  (P) ( )     ( ) (P)
    ( ) (*) ( ) ( )
      (P) ( ) (P)
"""
YARD = """
square
(P) ( ) ( ) (P)
( )     ( ) ( )
(P) ( ) (*) (P)
(P)     ( ) (P)
"""
OWN_BOARDS = (LEDGE.strip("\n"), YARD.strip("\n"))
SIZES = KNIGHTS_DUTY.spec.players
LAST_TURNS = ("10", "20", "30", "40", "60", "120")  # KD-32: without one, random play need not end
APART = ("board", "edition", "kd_31", "map", "max_turns", "mode")
"""Options that a table chooses by itself; all others now and then."""


def table(number: int) -> tuple[int, Mapping[str, object]]:
    """Players and options of a match: all sizes, boards, editions and modes in turn, the rest by chance."""
    chance = random.Random(number)
    rest, place = divmod(number, len(SIZES))
    rest, mode = divmod(rest, 4)  # a staged game has seven windows a turn: one in four
    rest, edition = divmod(rest, len(EDITIONS))
    staged = {"mode": "staged" if mode == 3 else "orders", "edition": tuple(EDITIONS)[edition]}
    last = {"max_turns": chance.choice(LAST_TURNS)}
    return SIZES[place], {**_board(rest, edition), **staged, **_others(chance), **last}


def _board(number: int, edition: int) -> Mapping[str, object]:
    """A printed board, the edition's own, or one of a moderator."""
    boards = (*PRINTED_BOARDS, None, *OWN_BOARDS)
    chosen = boards[(number + edition) % len(boards)]
    if chosen is None:
        return {}
    return {"board": chosen} if chosen in PRINTED_BOARDS else {"board": "own", "map": chosen}


def _others(chance: random.Random) -> Mapping[str, object]:
    """One in five questions is answered otherwise than by default."""
    free: list[Option] = [option for option in OPTIONS if option.name not in APART]
    return {option.name: chance.choice(option.values) for option in free if chance.random() < 0.2}
