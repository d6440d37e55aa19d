"""Many games of one question, in chunks: on one process, on all cores, or on an engine of others.

Chunk number k is played with a seed made of (seed, k) alone and chunks are added up in their order, so the
total is the same whoever plays them. With a file a run that was cut off goes on where it stopped.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from knightfall.engine.playout import play as play_out
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError, StateDamaged
from knightfall.games import loaded
from knightfall.simulation.counts import Counts, counts_from
from knightfall.simulation.families import FAMILIES, Family, family_of, seat_names
from knightfall.simulation.intervals import wilson
from knightfall.simulation.policies import Policy, parse_policy
from knightfall.simulation.simulator import play

T = TypeVar("T")

CHUNK = 10_000
"""Games of a chunk that is simulated: about half a second of work."""
CHUNK_PLAYED = 20
"""Games of a chunk that is played by the game's own protocol."""
WINDOWS = 2_000
"""Windows of such a game after which it counts as won by nobody."""
RESTARTS = 5
"""How often a pool whose worker died is made again before that is taken for the question's fault."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is played. `options` is what JSON can hold; `insane` names roles whose checks lie."""

    game: str
    options: Mapping[str, Any]
    players: int
    policy: str = "random"
    insane: tuple[str, ...] = ()

    @property
    def simulated(self) -> bool:
        """Whether it is one of the mafia games with a compact simulator."""
        return self.game in FAMILIES

    @property
    def chunk(self) -> int:
        """Games of a chunk."""
        return CHUNK if self.simulated else CHUNK_PLAYED

    def to_json(self) -> str:
        """The same question gives the same text."""
        parts = [self.game, dict(self.options), self.players, self.policy, list(self.insane)]
        return json.dumps(parts, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Terms:
    """How much, and where. `within`: stop as soon as every side's interval is no wider to either side.
    `workers` 0: as many as there are cores. `resume`: a file that keeps the chunks. `scheduler`: the address
    of a Dask scheduler."""

    games: int
    seed: int = 1
    within: float | None = None
    workers: int = 0
    resume: Path | None = None
    scheduler: str = ""


@lru_cache(maxsize=16)
def _prepared(question: str) -> tuple[Family, tuple[tuple[float, Policy], ...]]:
    """The family and the policies of a question; kept, for a worker plays many chunks of it."""
    game, options, players, policy, insane = json.loads(question)
    return family_of(game, options, players, insane), parse_policy(policy)


def check(question: Question) -> None:
    """Raises InputError for what cannot be played."""
    if question.simulated:
        _prepared(question.to_json())
        return
    if question.policy != "random" or question.insane:
        raise InputError(f"For {question.game} there is only the policy random.")
    spec = loaded(question.game).spec
    if question.players not in spec.players:
        numbers = f"{spec.players[0]} to {spec.players[-1]}"
        raise InputError(f"{spec.name} is for {numbers} players; found {question.players}.")
    loaded(question.game).setup(seat_names(question.players), question.options, SeededRng(b"balance"))


def play_chunk(question: Question, seed: int, chunk: int, games: int) -> Counts:
    """The games of one chunk: a pure function of its arguments."""
    if not question.simulated:
        return _played(question, seed, chunk, games)
    family, mixture = _prepared(question.to_json())
    counts = Counts()
    left = games
    for place, (weight, policy) in enumerate(mixture):
        last = place == len(mixture) - 1
        own = left if last else min(left, round(games * weight))
        left -= own
        if own:
            chance = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, chunk, place])))
            counts.add(play(family, policy, own, chance))
    return counts


def _played(question: Question, seed: int, chunk: int, games: int) -> Counts:
    """Random legal play on the game's own protocol."""
    game, slots = loaded(question.game), seat_names(question.players)
    counts = Counts()
    for number in range(chunk * CHUNK_PLAYED, chunk * CHUNK_PLAYED + games):
        chance, draw = (SeededRng(b"%s %d %d" % (whose, seed, number)) for whose in (b"players", b"game"))
        playout = play_out(game, slots, question.options, chance, draw, WINDOWS)
        outcome = game.outcome(playout.state)
        result = (outcome.winner or "nobody") if outcome else "nobody"
        counts.ended(f"entry {len(playout.journal)}", result, 1)
        for slot in outcome.slots if outcome else ():
            counts.also[f"seat {slots.index(slot) + 1}"] += 1
    return counts


# ── Who plays the chunks. ─────────────────────────────────────────────────────────────────────────────────


def in_order(function: Callable[..., T], tasks: Iterable[Sequence[Any]], workers: int) -> Iterator[T]:
    """The answers of the function to each task's arguments, in the order of the tasks, on so many processes.

    A worker that dies loses nothing: what it had is asked again.
    """
    if workers <= 1:
        for task in tasks:
            yield function(*task)
        return
    waiting = iter(tasks)
    asked: deque[tuple[Sequence[Any], Future[T]]] = deque()
    pool = _pool(workers)
    broken = 0
    try:
        while True:
            for fresh in islice(waiting, 2 * workers - len(asked)):
                asked.append((fresh, pool.submit(function, *fresh)))
            if not asked:
                return
            try:
                answer = asked[0][1].result()
            except BrokenProcessPool:
                broken += 1
                if broken > RESTARTS:
                    raise
                pool.shutdown(wait=False, cancel_futures=True)
                pool = _pool(workers)
                asked = deque((task, _again(pool, function, task, future)) for task, future in asked)
                continue
            asked.popleft()
            broken = 0
            yield answer
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, get_context("spawn"))


def _again(
    pool: ProcessPoolExecutor, function: Callable[..., T], task: Sequence[Any], future: Future[T]
) -> Future[T]:
    """What was answered before the pool broke stays; the rest is asked again."""
    answered = future.done() and not future.cancelled() and future.exception() is None
    return future if answered else pool.submit(function, *task)


def spread(function: Callable[..., T], tasks: Iterable[Sequence[Any]], terms: Terms) -> Iterator[T]:
    """The answers in order, by the workers that the terms name."""
    if terms.scheduler:
        from knightfall.simulation.dask_runner import on_cluster  # only with the extra `cluster`

        return on_cluster(function, tasks, terms.scheduler)
    return in_order(function, tasks, terms.workers or os.cpu_count() or 1)


# ── The whole run. ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Run:
    """What has been counted so far; `enough`: the interval asked for is reached."""

    counts: Counts = field(default_factory=Counts)
    enough: bool = False


def run(question: Question, terms: Terms) -> Iterator[Run]:
    """Play, and tell how it stands after each chunk; the last one is the answer.

    Raises InputError for what cannot be played, StateDamaged for a file of another question.
    """
    check(question)
    sizes = [question.chunk] * (terms.games // question.chunk)
    if terms.games % question.chunk:
        sizes.append(terms.games % question.chunk)
    kept = _kept(question, terms)
    known = 0
    while known < len(sizes) and known < len(kept) and kept[known].games == sizes[known]:
        known += 1
    # A run of one chunk is not worth a second process.
    few = len(sizes) - known <= 1 and not terms.scheduler
    tasks = ((question, terms.seed, number, sizes[number]) for number in range(known, len(sizes)))
    fresh = in_order(play_chunk, tasks, 1) if few else spread(play_chunk, tasks, terms)
    so_far = Run()
    for counts in _written(question, terms, kept[:known], fresh):
        so_far.counts.add(counts)
        so_far.enough = terms.within is not None and narrow(so_far.counts, terms.within)
        yield so_far
        if so_far.enough:
            return


def narrow(counts: Counts, within: float) -> bool:
    """Whether every side's interval reaches at most so far to either side."""
    return all(wilson(games, counts.games).width <= within for games in counts.won.values())


def _written(
    question: Question, terms: Terms, kept: Sequence[Counts], fresh: Iterator[Counts]
) -> Iterator[Counts]:
    """What is kept, then what is fresh, each written down as it comes where there is a file."""
    yield from kept
    if terms.resume is None:
        yield from fresh
        return
    lines = [_head(question, terms), *(json.dumps(one.to_dict()) for one in kept)]
    part = terms.resume.with_name(f"{terms.resume.name}.part")
    part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    part.replace(terms.resume)
    with terms.resume.open("a", encoding="utf-8") as file:
        for counts in fresh:
            file.write(f"{json.dumps(counts.to_dict())}\n")
            file.flush()
            yield counts


def _head(question: Question, terms: Terms) -> str:
    return json.dumps({"question": question.to_json(), "seed": terms.seed, "chunk": question.chunk})


def _kept(question: Question, terms: Terms) -> list[Counts]:
    """The chunks of the file; a last line that was cut off is left out."""
    if terms.resume is None or not terms.resume.exists():
        return []
    head, *lines = terms.resume.read_text(encoding="utf-8").split("\n")
    if head != _head(question, terms):
        raise StateDamaged(
            f"{terms.resume} holds the games of another question, policy or seed. Name another file."
        )
    return [counts_from(json.loads(line)) for line in lines[:-1]]
