"""The random numbers of policies: from a generator or, where two setups are compared, common to both.

A number of a comparison hangs only on what it is drawn for: the game's number, the day or night, the purpose,
whose seat, about which seat. So one setup draws as the other does where their seats match, however many
numbers either of them has drawn before.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from knightfall.simulation.cards import Bools, Floats, Ints, Pairing, Table

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MOST = 1000
"""More than a table has seats."""
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def _mixed(keys: Ints) -> Ints:
    """SplitMix64's finalizer: 64 bits each of which hangs on every bit of the key."""
    keys = (keys ^ (keys >> np.uint64(30))) * _FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * _SECOND
    return np.asarray(keys ^ (keys >> np.uint64(31)))


def _with(keys: Ints, more: Ints) -> Ints:
    """Keys that hang on one number more; a number of -1 and above."""
    return _mixed(keys + (more.astype(np.int64) + 2).astype(np.uint64) * _STEP)


def _rows(
    table: Table, pairing: Pairing, what: str, game: Ints | None, actor: Ints | None, part: Ints | None
) -> Ints:
    """A key for each row: each game, or each (game, actor, part)."""
    keys = np.array([pairing.key, crc32(what.encode()), table.number], np.uint64)
    start = _mixed(_mixed(_mixed(keys[:1]) + keys[1:2] * _STEP) + keys[2:] * _STEP)
    rows = _with(start, pairing.ids if game is None else pairing.ids[game])
    if game is not None and actor is not None:
        rows = _with(rows, pairing.labels[game, actor])
    return rows if part is None else _with(rows, part)


def once(
    table: Table,
    chance: np.random.Generator,
    what: str,
    game: Ints,
    actor: Ints | None = None,
    part: Ints | None = None,
) -> Floats:
    """(E,) numbers from 0 to 1, one for each (game, actor, part)."""
    if table.pairing is None:
        return chance.random(len(game), np.float32)
    return _unit(_rows(table, table.pairing, what, game, actor, part))


def by_seat(
    table: Table,
    chance: np.random.Generator,
    what: str,
    game: Ints | None = None,
    actor: Ints | None = None,
    part: Ints | None = None,
) -> Floats:
    """(N, P) numbers from 0 to 1, one for each seat; or (E, P), as many for each (game, actor, part)."""
    if table.pairing is None:
        rows = len(table.alive) if game is None else len(game)
        return chance.random((rows, table.alive.shape[1]), np.float32)
    return _unit(_cells(table, table.pairing, what, game, actor, part))


def normal_by_seat(
    table: Table,
    chance: np.random.Generator,
    what: str,
    game: Ints | None = None,
    actor: Ints | None = None,
) -> Floats:
    """The same with normal deviates."""
    if table.pairing is None:
        rows = len(table.alive) if game is None else len(game)
        return chance.standard_normal((rows, table.alive.shape[1]), np.float32)
    cells = _cells(table, table.pairing, what, game, actor, None)
    # Box and Muller's method, each half of the bits a number; 0 has no logarithm.
    low = ((cells & np.uint64(0xFFFFFFFF)).astype(np.float32) + np.float32(0.5)) * np.float32(2**-32)
    angle = (cells >> np.uint64(40)).astype(np.float32) * np.float32(2 * np.pi * 2**-24)
    return np.asarray(np.sqrt(np.float32(-2) * np.log(low)) * np.cos(angle))


def by_part(
    table: Table, chance: np.random.Generator, what: str, game: Ints, actor: Ints, parts: Ints
) -> Floats:
    """(E, K) numbers from 0 to 1, one for each (game, actor) and each of K parts, such as abilities."""
    if table.pairing is None:
        return chance.random((len(game), len(parts)), np.float32)
    rows = _rows(table, table.pairing, what, game, actor, None)
    return _unit(_with(rows[:, None], parts[None, :]))


def _cells(
    table: Table, pairing: Pairing, what: str, game: Ints | None, actor: Ints | None, part: Ints | None
) -> Ints:
    rows = _rows(table, pairing, what, game, actor, part)
    return _with(rows[:, None], pairing.labels if game is None else pairing.labels[game])


def _unit(keys: Ints) -> Floats:
    return np.asarray((keys >> np.uint64(40)).astype(np.float32) * np.float32(2**-24))


# ── Which seats match. ────────────────────────────────────────────────────────────────────────────────────


def matched(first: Table, second: Table) -> Ints:
    """(N, P) for each seat of the second deal its seat of the first: one with a card of that name, else one
    of its side, else any that is left; beyond the seats of the first where it has more."""
    games, seats = second.card.shape
    names = sorted({*first.deck.names, *second.deck.names})
    labels = np.full((games, seats), -1, np.int16)
    taken = np.zeros(first.card.shape, bool)
    for one, other in (
        (_named(first, names), _named(second, names)),
        (first.side, second.side),
        (np.zeros_like(first.side), np.zeros_like(second.side)),
    ):
        # Those that are alike are paired in the order of the deal: the k-th with the k-th.
        mine, theirs = _ranked(one, ~taken), _ranked(other, labels < 0)
        same = (mine[:, :, None] == theirs[:, None, :]) & (mine >= 0)[:, :, None]
        found = same.any(1)
        labels = np.where(found, same.argmax(1), labels).astype(np.int16)
        taken |= same.any(2)
    left = labels < 0
    beyond = first.card.shape[1] - 1 + np.cumsum(left, axis=1)
    return np.where(left, beyond, labels)


def _named(table: Table, names: Sequence[str]) -> Ints:
    """(N, P) the place of each card's name in the list."""
    places = np.array([names.index(name) for name in table.deck.names], np.int32)
    return np.asarray(places[table.card])


def _ranked(kinds: Ints, open_: Bools) -> Ints:
    """(N, P) a number of the kind and of how many of it stand before, -1 where a seat is not open."""
    games, seats = kinds.shape
    before = np.zeros((games, seats), np.int32)
    for seat in range(1, seats):
        same = (kinds[:, :seat] == kinds[:, seat : seat + 1]) & open_[:, :seat]
        before[:, seat] = same.sum(1)
    return np.where(open_, kinds.astype(np.int32) * _MOST + before, -1)
