"""What was put into a game, in which order, and what follows from it?

A journal is a chain: each record holds the hash of the one before. State and events are never stored:
`replay` computes them again, closing windows whose time was up before an entry arrived, so that it needs no
clock.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeAlias, TypeVar

from knightfall.core.dice import HandRng
from knightfall.core.entries import (
    Aliased,
    Closed,
    Drawn,
    Entry,
    Extended,
    Opened,
    Removed,
    Replaced,
    Revived,
    Started,
    Stopped,
    Submitted,
    Undone,
    encode,
)
from knightfall.core.game import Event, Game, Message, Refusal, SlotId, Step, Window
from knightfall.core.rng import Rng
from knightfall.errors import StateDamaged

S = TypeVar("S")

START = "0" * 64
"""What the first record follows."""


@dataclass(frozen=True, slots=True)
class Record:
    """An entry in its place: number from 1, aware instant, who wrote it, the hash before and its own."""

    number: int
    at: datetime
    author: str
    entry: Entry
    before: str
    digest: str


Journal: TypeAlias = tuple[Record, ...]


def append(journal: Journal, entry: Entry, at: datetime, author: str) -> Journal:
    """The journal with one more record. Raises ValueError for an instant without a zone."""
    return (*journal, record_after(journal[-1] if journal else None, entry, at, author))


def record_after(last: Record | None, entry: Entry, at: datetime, author: str) -> Record:
    """The record that follows `last` (None: the first). Raises ValueError for an instant without a zone."""
    if at.tzinfo is None:
        raise ValueError("an instant in the journal needs a zone")
    number, before = (last.number + 1, last.digest) if last else (1, START)
    return Record(number, at, author, entry, before, _digest(number, at, author, entry, before))


def verify(journal: Journal, behind: Record | None = None) -> None:
    """Raises StateDamaged at the first record that is not as it was written; `behind`: what they follow."""
    before, first = (behind.digest, behind.number + 1) if behind else (START, 1)
    for number, record in enumerate(journal, start=first):
        digest = _digest(record.number, record.at, record.author, record.entry, record.before)
        if (record.number, record.before, record.digest) != (number, before, digest):
            raise StateDamaged(f"Record {number} of the journal is not as it was written: restore a backup.")
        before = digest


def _digest(number: int, at: datetime, author: str, entry: Entry, before: str) -> str:
    parts = [number, at.isoformat(), author, encode(entry), before]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Taken:
    """What one record led to; a window that ran out before it comes with the record's number, too."""

    number: int
    events: tuple[Event, ...]
    refused: tuple[tuple[str, Refusal], ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """What of a replay still waits for later records: names, changed deadlines, values drawn by hand."""

    aliases: Mapping[str, SlotId] = field(default_factory=dict)
    until: Mapping[str, datetime | None] = field(default_factory=dict)
    held: Mapping[str, Sequence[object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replay(Generic[S]):
    """Where a journal leads. `questions` are records that an undo left without their ground; `pending` is
    what `go_on` needs."""

    state: S
    taken: tuple[Taken, ...]
    questions: tuple[Taken, ...] = ()
    pending: Pending = field(default_factory=Pending, compare=False, repr=False)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for taken in self.taken for event in taken.events)


@dataclass(slots=True)
class _Run(Generic[S]):
    """A replay on its way."""

    game: Game[S]
    draw: HandRng
    state: S | None = None
    aliases: dict[str, SlotId] = field(default_factory=dict)
    until: dict[str, datetime | None] = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)


def replay(journal: Journal, game: Game[S], draws: Callable[[], Rng]) -> Replay[S]:
    """Play the journal again. `draws` makes the source of chance anew for each run.

    Raises StateDamaged where the journal does not begin with a start.
    """
    undone = undone_numbers(journal)
    run = _play(standing(journal), game, draws)
    if run.state is None:
        raise StateDamaged("The journal does not begin with the start of a game.")
    return _replayed(run, _questions(journal, game, draws, run) if undone else ())


def go_on(before: Replay[S], journal: Journal, game: Game[S], draws: Callable[[], Rng]) -> Replay[S]:
    """The replay of a journal whose last record alone is new; all of it where something was taken back."""
    if undone_numbers(journal):
        return replay(journal, game, draws)
    left = before.pending
    draw = HandRng(draws(), {label: list(values) for label, values in left.held.items()})
    run = _Run(game, draw, before.state, dict(left.aliases), dict(left.until), list(before.taken))
    _follow(run, journal[-1])
    return _replayed(run, ())


def _replayed(run: _Run[S], questions: tuple[Taken, ...]) -> Replay[S]:
    pending = Pending(run.aliases, run.until, run.draw.held)
    return Replay(_state(run), tuple(run.taken), questions, pending)


def standing(journal: Journal) -> Journal:
    """The records that count: those that no undo took back."""
    undone = undone_numbers(journal)
    return tuple(record for record in journal if record.number not in undone)


def undone_numbers(journal: Journal) -> frozenset[int]:
    """Which records do not count: an undo can itself be undone."""
    gone: set[int] = set()
    for record in reversed(journal):
        if isinstance(record.entry, Undone) and record.number not in gone:
            gone.add(record.entry.entry)
    return frozenset(gone)


def _questions(journal: Journal, game: Game[S], draws: Callable[[], Rng], run: _Run[S]) -> tuple[Taken, ...]:
    """What was taken while the undone records counted, and is refused without them."""
    before = _play(journal, game, draws)
    fine = {taken.number for taken in before.taken if not taken.refused}
    return tuple(taken for taken in run.taken if taken.refused and taken.number in fine)


def _play(records: Sequence[Record], game: Game[S], draws: Callable[[], Rng]) -> _Run[S]:
    run = _Run(game, HandRng(draws()))
    for record in records:
        _follow(run, record)
    return run


def _follow(run: _Run[S], record: Record) -> None:
    closed = _settle(run, record)
    # The closing of a window that ran out just before it: there is nothing left to close.
    is_late = (
        isinstance(record.entry, Closed) and record.entry.outcome is None and record.entry.window in closed
    )
    if not is_late:
        # What a record does to the game; votes fixed, rulings and publications do nothing to it.
        match record.entry:
            case Started(slots=slots, options=options):
                _take(run, record.number, run.game.setup(slots, options, run.draw))
            case Extended(window=window, until=until) | Opened(window=window, until=until):
                run.until[_kind(run, window)] = until
            case Stopped(window=window):
                run.until[_kind(run, window)] = None
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                run.aliases[name] = slot
            case _:
                _move(run, record)


def due(windows: Sequence[Window], until: Mapping[str, datetime | None], at: datetime) -> Window | None:
    """The window whose time was up first before this instant; a post at the exact instant is in time."""
    ends = ((until.get(window.kind, window.closes), window) for window in windows)
    late = [(end, window) for end, window in ends if end is not None and end < at]
    return min(late, key=lambda pair: pair[0])[1] if late else None


def _settle(run: _Run[S], record: Record) -> tuple[str, ...]:
    """Close what ran out before the record, and say what that was; a window that refuses to close waits for
    the moderator."""
    closed: list[str] = []
    while run.state is not None and (window := due(run.game.windows(run.state), run.until, record.at)):
        # The closing of that very window with what the moderator confirmed: no clock closes it before him.
        decides = (
            isinstance(record.entry, Closed)
            and record.entry.outcome is not None
            and _kind(run, record.entry.window) == window.kind
        )
        if decides:
            break
        end = run.until.pop(window.kind, None) or window.closes or record.at
        if not _close(run, record.number, window.kind, end):
            run.until[window.kind] = None
            break
        closed.append(window.kind)
    return tuple(closed)


def _close(run: _Run[S], number: int, kind: str, at: datetime) -> bool:
    """Whether the window was closed; values drawn by hand were for it, and wait for no later one."""
    step = run.game.close(_state(run), kind, at, run.draw)
    _take(run, number, step)
    if not step.refused:
        run.draw.held.clear()
    return not step.refused


def _take(run: _Run[S], number: int, step: Step[S]) -> None:
    run.state = step.state
    run.taken.append(Taken(number, step.events, step.refused))


def _move(run: _Run[S], record: Record) -> None:
    match record.entry:
        case Submitted(slot=slot, text=text, post=post):
            _say(run, record, slot, text, post)
        case Removed(slot=slot, how=how):
            _say(run, record, None, f"{how} {slot}")
        case Revived(slot=slot):
            _say(run, record, None, f"revive {slot}")
        case Closed(window=window, outcome=outcome):
            if outcome is not None:
                _say(run, record, None, outcome)
            kind = _kind(run, window)
            run.until.pop(kind, None)
            _close(run, record.number, kind, record.at)
        case Drawn(label=label, value=value):
            run.draw.hold(label, value)


def _kind(run: _Run[S], window: str) -> str:
    """The kind that the game knows of a phase with its number: of `day-2` the open window titled Day 2."""
    for open_ in run.game.windows(_state(run)):
        if open_.title.casefold().replace(" ", "-") == window:
            return open_.kind
    return window


def _say(run: _Run[S], record: Record, slot: SlotId | None, text: str, post: str | None = None) -> None:
    message = Message(slot, text, record.at, dict(run.aliases), post)
    _take(run, record.number, run.game.submit(_state(run), message, run.draw))


def _state(run: _Run[S]) -> S:
    if run.state is None:
        raise StateDamaged("The journal does not begin with the start of a game.")
    return run.state
