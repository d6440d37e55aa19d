"""Random legal play of any game to its end, for tests, soaks and balance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from knightfall.engine.entries import EDITION, Closed, Entry, Started, Submitted
from knightfall.engine.game import Game, Message, Refusal, Step
from knightfall.engine.journal import Journal, append
from knightfall.engine.rng import Rng
from knightfall.sentence import SlotId

S = TypeVar("S")

START = datetime(2026, 1, 1, tzinfo=UTC)
TICK = timedelta(seconds=10)


def seat_names(seats: int) -> tuple[SlotId, ...]:
    """A name for each seat, in the order of the seats also where names are sorted."""
    return tuple(SlotId(f"P{place:02}") for place in range(seats))


@dataclass(frozen=True, slots=True)
class Playout(Generic[S]):
    """A random game: how it stood after each step, its journal, and every offered line that was refused."""

    states: tuple[S, ...]
    journal: Journal
    refused: tuple[tuple[str, Refusal], ...]
    ended: bool

    @property
    def state(self) -> S:
        return self.states[-1]


@dataclass(slots=True)
class _Match(Generic[S]):
    """A game being played: `chance` is the players', `draw` the game's own."""

    game: Game[S]
    chance: Rng
    draw: Rng
    states: list[S]
    journal: Journal
    refused: list[tuple[str, Refusal]]

    @property
    def state(self) -> S:
        return self.states[-1]

    @property
    def now(self) -> datetime:
        return START + TICK * len(self.journal)


def play(
    game: Game[S],
    slots: Sequence[SlotId],
    options: Mapping[str, object],
    chance: Rng,
    draw: Rng,
    windows: int = 200,
) -> Playout[S]:
    """Play until the game is over, or until `windows` windows were closed."""
    first = game.begin(slots, options, START, draw)
    started = Started(game.spec.id, tuple(slots), dict(options), edition=EDITION)
    match = _Match(game, chance, draw, [first.state], append((), started, START, "playout"), [])
    for number in range(windows):
        if not _round(match, number):
            break
    ended = game.outcome(match.state) is not None
    return Playout(tuple(match.states), match.journal, tuple(match.refused), ended)


def _round(match: _Match[S], number: int) -> bool:
    """Everyone speaks or not, then the window that ends first is closed, if the game lets it be; False where
    nothing is open."""
    open_ = match.game.windows(match.state)
    if not open_:
        return False
    speakers = dict.fromkeys(slot for window in open_ for slot in window.slots)
    chance = match.chance.at("window", number)
    for slot in (*speakers, None):
        # A player may also say nothing, the moderator has to decide.
        line = match.game.random_line(match.state, slot, chance, silent=slot is not None)
        if line is not None:
            step = match.game.submit(match.state, Message(slot, line, match.now), match.draw)
            _step(match, Submitted(slot, line), step)
            match.refused += step.refused

    still = [window for window in match.game.windows(match.state) if window in open_]
    if still:
        window = min(still, key=lambda w: w.closes or datetime.max.replace(tzinfo=UTC))
        _step(match, Closed(window.kind), match.game.close(match.state, window.kind, match.now, match.draw))
    return True


def _step(match: _Match[S], entry: Entry, step: Step[S]) -> None:
    match.journal = append(match.journal, entry, match.now, "playout")
    match.states.append(step.state)
