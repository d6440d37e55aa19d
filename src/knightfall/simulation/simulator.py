"""Whole mafia games, many at once and without text: days and nights until somebody has won.

Pure and seeded: all chance comes from the generator that is handed in.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from knightfall.mafia.ability_row import Effect
from knightfall.simulation.cards import (
    ELSEWHERE,
    Bools,
    Dawn,
    Ints,
    Limit,
    Orders,
    Pairing,
    Side,
    Table,
    bit,
    those,
    with_lovers,
)
from knightfall.simulation.counts import Counts, PairCounts
from knightfall.simulation.draws import matched
from knightfall.simulation.families import NOBODY_WINS, PLAYING, RESULTS, Family, family_of, jester_out
from knightfall.simulation.policies import Policy, parse_policy

LONGEST = 200
"""Days and nights after which a game counts as won by nobody."""

_KILLS = those(lambda row: Effect.KILLS in row.effects)
_SIDE_OF_RESULT = np.array([-1, Side.TOWN, Side.MAFIA, Side.KILLER, Side.JESTER, -1])


@lru_cache(maxsize=16)
def prepared(question: str) -> tuple[Family, tuple[tuple[float, Policy], ...]]:
    """The family and the policies of a question, as `Question.to_json` writes it; kept, for a worker plays
    many chunks of it. Raises InputError for what cannot be played."""
    game, options, players, policy, insane, *dealt = json.loads(question)
    return family_of(game, options, players, insane, *dealt), parse_policy(policy)


def simulate(question: str, seed: int, chunk: int, games: int) -> Counts:
    """The games of one chunk of a question."""
    counts = Counts()
    family, mixture = prepared(question)
    for place, (rows, policy) in enumerate(_parts(mixture, games)):
        counts.add(play(family, policy, rows.stop - rows.start, _chance(seed, chunk, place)))
    return counts


def simulate_pairs(first: str, second: str, seed: int, chunk: int, games: int) -> PairCounts:
    """The games of one chunk for two questions: the deals are of one seed, and seats that match draw the same
    numbers."""
    found = PairCounts()
    families = [prepared(question) for question in (first, second)]
    chances = [_chance(seed, chunk, 0) for _ in families]
    tables = [family.deal(games, chance) for (family, _), chance in zip(families, chances, strict=True)]
    ids = np.arange(games)
    key = int(np.random.SeedSequence([seed, chunk]).generate_state(1, np.uint64)[0])
    seats = np.broadcast_to(np.arange(tables[0].card.shape[1]), tables[0].card.shape)
    columns = []
    for (family, mixture), table, labels, counts, chance in zip(
        families, tables, (seats, matched(*tables)), (found.first, found.second), chances, strict=True
    ):
        table.pairing = Pairing(key, ids, labels)
        results = np.zeros(games, np.intp)
        for rows, policy in _parts(mixture, games):
            counts.add(play_on(family, policy, table.keep(rows), chance, results))
        columns.append([RESULTS[result] for result in results.tolist()])
    found.pair(*columns)
    return found


def _chance(seed: int, chunk: int, place: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, chunk, place])))


def _parts(mixture: Sequence[tuple[float, Policy]], games: int) -> Iterator[tuple[slice, Policy]]:
    """Which of the games each policy of a mixture plays; those that play none are left out."""
    begun = 0
    for place, (weight, policy) in enumerate(mixture):
        last = place == len(mixture) - 1
        end = games if last else min(games, begun + round(games * weight))
        if end > begun:
            yield slice(begun, end), policy
        begun = end


def play(family: Family, policy: Policy, games: int, chance: np.random.Generator) -> Counts:
    """Play so many games to their ends."""
    return play_on(family, policy, family.deal(games, chance), chance)


def play_on(
    family: Family,
    policy: Policy,
    table: Table,
    chance: np.random.Generator,
    results: Ints | None = None,
) -> Counts:
    """Play the games of a deal to their ends. `results`: where the place in `RESULTS` of each game is entered
    by the `ids` of the table's pairing."""
    policy.begin(family, table, chance)
    counts = Counts()
    for phase in range(LONGEST):
        is_day = (phase % 2 == 0) is not family.night_first
        table.number = phase // 2 + 1
        if is_day:
            gone = _day(family, policy, table, chance)
        elif family.nights:
            gone = _night(family, policy, table, chance, counts)
        else:
            continue
        table.quiet = np.where(gone.any(1), 0, table.quiet + 1)
        family.inherit(table, gone)
        result = family.won(table)
        if family.draws_when_quiet:
            quiet = (result == PLAYING) & (table.quiet >= family.draws_when_quiet)
            result = np.where(quiet, NOBODY_WINS, result)
        if phase == LONGEST - 1:
            result = np.where(result == PLAYING, NOBODY_WINS, result)
        over = result != PLAYING
        if over.any():
            when = f"{'day' if is_day else 'night'} {table.number}"
            _record(counts, table.keep(over), result[over], when)
            if results is not None and table.pairing is not None:
                results[table.pairing.ids[over]] = result[over]
            if over.all():
                break
            table = table.keep(~over)
    return counts


def _day(family: Family, policy: Policy, table: Table, chance: np.random.Generator) -> Bools:
    """Vote somebody out, or nobody; who loved them dies along."""
    seat = policy.day(family, table, chance)
    rows = np.flatnonzero(seat >= 0)
    out = np.zeros_like(table.alive)
    out[rows, seat[rows]] = True
    table.voted[rows] |= bit(seat[rows])
    gone = with_lovers(out, table.alive, table.love)
    table.alive = table.alive & ~gone
    policy.flipped(family, table, seat)
    return gone


def _night(
    family: Family, policy: Policy, table: Table, chance: np.random.Generator, counts: Counts
) -> Bools:
    """Resolve what everybody does, enter deaths and uses, tell the answers."""
    orders = policy.night(family, table, chance)
    dawn = night_of(family, table, orders, chance)
    counts.nights += len(table.alive)
    counts.traced += int(dawn.undecided.sum())
    if table.number == 1:
        table.fell = np.bitwise_or.reduce(
            np.where(dawn.dead & table.alive, bit(np.arange(table.alive.shape[1])), np.uint64(0)), axis=1
        )
    table.alive = table.alive & ~dawn.dead
    table.uses = table.uses - dawn.spent
    table.last = tired(table, orders)
    kills = _KILLS[orders.ability]
    table.killed[orders.game[kills], orders.actor[kills]] = True
    if (table.deck.limits & ELSEWHERE).any():
        table.named = named(table, orders)
    policy.learn(family, table, orders, dawn)
    return dawn.dead


def night_of(family: Family, table: Table, orders: Orders, chance: np.random.Generator) -> Dawn:
    """The night of every game: compact where that tells it, else by the traced resolver."""
    dawn = family.dawn(table, orders)
    if dawn.undecided.any():
        family.settle(table, orders, dawn, chance)
    return dawn


def tired(table: Table, orders: Orders) -> Bools:
    """(N, P, T) who used which of the tiring abilities."""
    used = np.zeros_like(table.last)
    for place, ability in enumerate(table.deck.tiring):
        rows = orders.ability == ability
        used[orders.game[rows], orders.actor[rows], place] = True
    return used


def named(table: Table, orders: Orders) -> Ints:
    """(N, P, T) bits of whom each may not name again for the tiring abilities (CM-R82, CM-R83)."""
    limits = table.deck.limits[table.card][..., table.deck.tiring]
    found = np.where(limits & Limit.ROAMING > 0, table.named, np.uint64(0))
    for place, ability in enumerate(table.deck.tiring):
        for target in (orders.first, orders.second):
            rows = np.flatnonzero((orders.ability == ability) & (target >= 0))
            where = (orders.game[rows], orders.actor[rows], np.full(len(rows), place))
            np.bitwise_or.at(found, where, bit(target[rows]))
    return np.where(limits & ELSEWHERE > 0, found, np.uint64(0))


def _record(counts: Counts, table: Table, result: Ints, when: str) -> None:
    """Count games that are over."""
    for code, games in enumerate(np.bincount(result, minlength=len(RESULTS)).tolist()):
        counts.ended(when, RESULTS[code], games)
    counts.left += int(table.alive.sum())
    deck = table.deck
    size = len(deck.cards)
    side = table.side
    # A Serial Killer wins alone, and alive.
    carried = (side == _SIDE_OF_RESULT[result][:, None]) & ((side != Side.KILLER) | table.alive)
    for sums, cards in (
        (counts.dealt, table.dealt),
        (counts.alive, table.dealt[table.alive]),
        (counts.carried, table.dealt[carried]),
    ):
        for name, number in zip(deck.names, np.bincount(cards.ravel(), minlength=size).tolist(), strict=True):
            if number:
                sums[name] += number
    # Each role that died in the first night counts once a game.
    fell = (table.fell[:, None] >> np.arange(side.shape[1], dtype=np.uint64)) & np.uint64(1)
    row, seat = np.nonzero(fell)
    pairs = np.unique(row * size + table.dealt[row, seat])
    ended = np.bincount(pairs % size * len(RESULTS) + result[pairs // size], minlength=size * len(RESULTS))
    for place in np.flatnonzero(ended).tolist():
        name, how = deck.names[place // len(RESULTS)], RESULTS[place % len(RESULTS)]
        counts.fell.setdefault(name, Counter())[how] += int(ended[place])
    for side_along, along in (
        (Side.JESTER, lambda: jester_out(table)),
        (Side.SURVIVOR, lambda: (table.alive & (table.side == Side.SURVIVOR)).any(1)),
    ):
        if (deck.side == side_along).any():
            counts.also[side_along.name.lower()] += int(along().sum())
