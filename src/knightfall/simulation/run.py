"""Many games of one question, in chunks: on one process, on all cores, or on an engine of others.

Chunk number k is played with a seed made of (seed, k) alone and chunks are added up in their order, so the
total is the same whoever plays them. With a file a run that was cut off goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from knightfall.engine.playout import play as play_out
from knightfall.engine.playout import seat_names
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError, StateDamaged
from knightfall.games import loaded
from knightfall.simulation.counts import Counts, PairCounts, counts_from, pair_counts_from
from knightfall.simulation.intervals import Share, paired_difference, wilson
from knightfall.simulation.workers import in_order, spread

C = TypeVar("C", Counts, PairCounts)

FAMILIES = ("custom_mafia", "knight_errant", "empowered")
"""The games that are simulated; the others are played by their own protocol."""
CHUNK = 10_000
"""Games of a chunk that is simulated: about half a second of work."""
CHUNK_PLAYED = 20
"""Games of a chunk that is played by the game's own protocol."""
WINDOWS = 2_000
"""Windows of such a game after which it counts as won by nobody."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is played. `options` is what JSON can hold; `insane` names roles whose checks lie. `dealt`: a
    setup that is dealt instead, while the players know the setup of the options alone."""

    game: str
    options: Mapping[str, Any]
    players: int
    policy: str = "random"
    insane: tuple[str, ...] = ()
    dealt: Mapping[str, Any] | None = None

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
        parts: list[object] = [self.game, dict(self.options), self.players, self.policy, list(self.insane)]
        if self.dealt is not None:
            parts.append(self.dealt)
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


def check(question: Question) -> None:
    """Raises InputError for what cannot be played."""
    if question.simulated:
        from knightfall.simulation.simulator import prepared  # nothing else waits for numpy

        prepared(question.to_json())
        return
    if question.policy != "random" or question.insane:
        raise InputError(f"For {question.game} there is only the policy random.")
    spec = loaded(question.game).spec
    if question.players not in spec.players:
        numbers = f"{spec.players[0]} to {spec.players[-1]}"
        raise InputError(f"{spec.name} is for {numbers} players; found {question.players}.")
    loaded(question.game).setup(seat_names(question.players), question.options, SeededRng(b"balance"))


def is_slow(question: Question) -> bool:
    """Whether nights of a simulated game are put to the full rules, for what some card does. Raises as
    `check`."""
    check(question)
    from knightfall.simulation.simulator import prepared  # nothing else waits for numpy

    deck = prepared(question.to_json())[0].deck
    return bool(deck.asks.any() or deck.untold.any())


def each_with_its_insane(first: Question, second: Question) -> tuple[Question, Question]:
    """Two questions that are compared: of the insane roles, each keeps those that are in its game. Raises
    InputError for a role that is in neither, and as `check`."""
    from knightfall.simulation.simulator import prepared  # nothing else waits for numpy

    families = [prepared(replace(question, insane=()).to_json())[0] for question in (first, second)]
    kept: list[list[str]] = [[], []]
    for said in first.insane:
        missing: list[InputError] = []
        for family, own in zip(families, kept, strict=True):
            try:
                own.append(family.checker(said))
            except InputError as error:
                missing.append(error)
        if len(missing) == len(families):
            raise missing[0]
    return replace(first, insane=tuple(kept[0])), replace(second, insane=tuple(kept[1]))


def play_chunk(question: Question, seed: int, chunk: int, games: int) -> Counts:
    """The games of one chunk: a pure function of its arguments."""
    if question.simulated:
        from knightfall.simulation.simulator import simulate  # nothing else waits for numpy

        return simulate(question.to_json(), seed, chunk, games)
    counts = Counts()
    _played(question, seed, chunk, games, counts)
    return counts


def play_pairs(first: Question, second: Question, seed: int, chunk: int, games: int) -> PairCounts:
    """The games of one chunk for two setups with common random numbers: a pure function of its arguments.

    Of simulated games the deals are of one seed, and seats that match draw the same numbers; games played by
    their own protocol have the same seeds. Raises ValueError where only one of the two is simulated.
    """
    if first.simulated is not second.simulated:
        raise ValueError("A simulated game has no pair among those that are played.")
    if first.simulated:
        from knightfall.simulation.simulator import simulate_pairs  # nothing else waits for numpy

        return simulate_pairs(first.to_json(), second.to_json(), seed, chunk, games)
    found = PairCounts()
    columns = [
        _played(question, seed, chunk, games, counts)
        for question, counts in ((first, found.first), (second, found.second))
    ]
    found.pair(*columns)
    return found


def play_either(first: Question, second: Question | None, seed: int, chunk: int, games: int) -> PairCounts:
    """The games of one chunk, of one setup or of two with common random numbers; of one alone nothing is
    counted as the second."""
    if second is not None:
        return play_pairs(first, second, seed, chunk, games)
    return PairCounts(first=play_chunk(first, seed, chunk, games))


def _played(question: Question, seed: int, chunk: int, games: int, counts: Counts) -> list[str]:
    """Random legal play on the game's own protocol, counted; returns who won each game."""
    game, slots = loaded(question.game), seat_names(question.players)
    results = []
    for number in range(chunk * CHUNK_PLAYED, chunk * CHUNK_PLAYED + games):
        chance, draw = (SeededRng(b"%s %d %d" % (whose, seed, number)) for whose in (b"players", b"game"))
        playout = play_out(game, slots, question.options, chance, draw, WINDOWS)
        outcome = game.outcome(playout.state)
        result = (outcome.winner or "nobody") if outcome else "nobody"
        results.append(result)
        counts.ended(f"entry {len(playout.journal)}", result, 1)
        for slot in outcome.slots if outcome else ():
            counts.also[f"seat {slots.index(slot) + 1}"] += 1
    return results


# ── The whole run. ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Run:
    """What has been counted so far; `enough`: the interval asked for is reached."""

    counts: Counts = field(default_factory=Counts)
    enough: bool = False


@dataclass(slots=True)
class PairRun:
    """The same of two setups; `enough`: every difference's interval is narrow enough."""

    counts: PairCounts = field(default_factory=PairCounts)
    enough: bool = False


def run(question: Question, terms: Terms) -> Iterator[Run]:
    """Play, and tell how it stands after each chunk; the last one is the answer.

    Raises InputError for what cannot be played, StateDamaged for a file of another question.
    """
    check(question)
    head = {"question": question.to_json(), "seed": terms.seed, "chunk": question.chunk}
    so_far = Run()
    for counts in _chunks(play_chunk, (question,), head, counts_from, terms):
        so_far.counts.add(counts)
        so_far.enough = terms.within is not None and narrow(so_far.counts, terms.within)
        yield so_far
        if so_far.enough:
            return


def run_pairs(first: Question, second: Question, terms: Terms) -> Iterator[PairRun]:
    """Play both with common random numbers, and tell how it stands after each chunk. Raises as `run`, and
    ValueError where only one of the two is simulated."""
    check(first)
    check(second)
    head = {
        "question": first.to_json(),
        "compared": second.to_json(),
        "seed": terms.seed,
        "chunk": first.chunk,
    }
    so_far = PairRun()
    for counts in _chunks(play_pairs, (first, second), head, pair_counts_from, terms):
        so_far.counts.add(counts)
        so_far.enough = terms.within is not None and all(
            apart.width <= terms.within for apart in differences(so_far.counts).values()
        )
        yield so_far
        if so_far.enough:
            return


def narrow(counts: Counts, within: float) -> bool:
    """Whether every side's interval reaches at most so far to either side."""
    return all(wilson(games, counts.games).width <= within for games in counts.won.values())


def differences(counts: PairCounts) -> dict[str, Share]:
    """By how much each result's share of the first setup is above the second's, those won most first."""
    names = dict.fromkeys(name for one in (counts.first, counts.second) for name, _ in one.won.most_common())
    return {name: paired_difference(*counts.alone(name), counts.games) for name in names}


def _chunks(
    function: Callable[..., C],
    questions: tuple[Question, ...],
    head: Mapping[str, Any],
    read: Callable[[Mapping[str, Any]], C],
    terms: Terms,
) -> Iterator[C]:
    """The counts of all chunks in their order, those that the file keeps first."""
    chunk = questions[0].chunk
    sizes = [chunk] * (terms.games // chunk)
    if terms.games % chunk:
        sizes.append(terms.games % chunk)
    first_line = json.dumps(head)
    kept: list[C] = _kept(first_line, read, terms)
    known: int = 0
    while known < len(sizes) and known < len(kept) and kept[known].games == sizes[known]:
        known += 1
    # A run of one chunk is not worth a second process.
    few = len(sizes) - known <= 1 and not terms.scheduler
    tasks = ((*questions, terms.seed, number, sizes[number]) for number in range(known, len(sizes)))
    fresh = in_order(function, tasks, 1) if few else spread(function, tasks, terms.workers, terms.scheduler)
    yield from kept[:known]
    if terms.resume is None:
        yield from fresh
        return
    # Each is written down as it comes, after those that were kept.
    lines = [first_line, *(json.dumps(one.to_dict()) for one in kept[:known])]
    part = terms.resume.with_name(f"{terms.resume.name}.part")
    part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    part.replace(terms.resume)
    with terms.resume.open("a", encoding="utf-8") as file:
        for counts in fresh:
            file.write(f"{json.dumps(counts.to_dict())}\n")
            file.flush()
            yield counts


def _kept(head: str, read: Callable[[Mapping[str, Any]], C], terms: Terms) -> list[C]:
    """The chunks of the file; a last line that was cut off is left out."""
    if terms.resume is None or not terms.resume.exists():
        return []
    first_line, *lines = terms.resume.read_text(encoding="utf-8").split("\n")
    if first_line != head:
        raise StateDamaged(
            f"{terms.resume} holds the games of another question, policy or seed. Name another file."
        )
    return [read(json.loads(line)) for line in lines[:-1]]
