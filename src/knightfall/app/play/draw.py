"""How do the moderator's real cards and dice get into a game? Typed in before the closing that needs them.

What the next closing draws is found by closing on trial, with everybody's messages as they stand. The seed
draws whatever was not typed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from knightfall.app.diary.journal import entered
from knightfall.app.play.table import Table, table_of
from knightfall.app.ports import Ports
from knightfall.core.entries import Closed, Drawn
from knightfall.core.journal import Journal, append, replay
from knightfall.core.rng import Rng, SeededRng
from knightfall.errors import InputError
from knightfall.writeups.journal import entry_line

T = TypeVar("T")

NOWHERE = "Cards are drawn for a game: --game FOLDER, or run this in its folder."


@dataclass(frozen=True, slots=True)
class Question:
    """One draw ahead: so many of the options, each as it is written."""

    label: str
    options: tuple[str, ...]
    count: int = 1


@dataclass(frozen=True, slots=True)
class _Asking:
    """A source of chance that remembers what it was asked for."""

    fallback: Rng
    asked: list[Question]

    def at(self, *path: object) -> _Asking:
        return _Asking(self.fallback.at(*path), self.asked)

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        self.asked.append(Question(label, tuple(map(str, options))))
        return self.fallback.choice(label, options, repeat)

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        self.asked.append(Question(label, tuple(map(str, options)), count))
        return self.fallback.choices(label, options, count, repeat)

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        self.asked.append(Question(label, tuple(map(str, options)), count))
        return self.fallback.sample(label, options, count, repeat)


def draw(said: str, values: Sequence[str], folder: Path, ports: Ports) -> str:
    """Writes a value for the next closing, as of its deadline where that has passed; without a label lists
    what the closing draws. Raises InputError for a label it does not draw, or a value not in the pile."""
    table = table_of(folder, ports)
    at = _instant(table, ports.clock.now())
    ahead = _ahead(table, table.journal, at)
    if not said:
        return "\n".join(_listed(ahead))
    question = _meant(said, ahead)
    drawn = _values(question, values)
    entry = Drawn(question.label, drawn[0] if question.count == 1 else drawn)
    record = entered(entry, ports, NOWHERE, at)
    left = _ahead(table, append(table.journal, entry, at, ports.author), at)
    taken_back = f'Take it back with: knightfall undo {record.number} --why "…"'
    return "\n".join((f"{record.number}: {entry_line(entry)}. {taken_back}", *_listed(left)))


def _instant(table: Table, now: datetime) -> datetime:
    """Now, or the deadline that has passed: what is drawn after it is still for what it closes."""
    return min([now, *(window.closes for window in table.windows if window.closes)])


def _ahead(table: Table, journal: Journal, at: datetime) -> list[Question]:
    """What closing any open window now would draw, in that order, without what was typed in already."""
    before = len(_asked(table, journal))
    closed = (append(journal, Closed(window.kind), at, "trial") for window in table.windows)
    return [question for trial in closed for question in _asked(table, trial)[before:]]


def _asked(table: Table, journal: Journal) -> list[Question]:
    sources: list[_Asking] = []

    def source() -> _Asking:
        sources.append(_Asking(SeededRng(table.seed), []))
        return sources[-1]

    replay(journal, table.game, source)
    return sources[0].asked  # where something was undone, the next run is without the undo


def _meant(said: str, ahead: Sequence[Question]) -> Question:
    """The draw of that label, its kind (`kd.card:`) given or not."""
    folded = said.strip().casefold()
    for question in ahead:
        label = question.label.casefold()
        if folded in (label, label.partition(":")[2]):
            return question
    raise InputError("\n".join((f"“{said}” is not drawn when this closes.", *_listed(ahead))))


def _values(question: Question, said: Sequence[str]) -> tuple[str, ...]:
    """The options that are meant, in any case; no card twice. Raises InputError."""
    written = {option.casefold(): option for option in question.options}
    values = tuple(written.get(value.strip(", ").casefold(), "") for value in said)
    over = question.count > 1 and Counter(values) - Counter(question.options)
    if len(values) != question.count or "" in values or over:
        found = " ".join(said) or "nothing"
        raise InputError(f"{question.label}: found “{found}”, expected {_expected(question)}.")
    return values


def _listed(ahead: Sequence[Question]) -> Iterator[str]:
    """The draws ahead with their piles, in the order they are made."""
    if not ahead:
        yield "Nothing is left to draw: knightfall commit closes what is open."
        return
    yield "Still to draw, each by the seed unless you type it in, in this order:"
    yield from (f"  {question.label}  {_expected(question)}" for question in ahead)


def _expected(question: Question) -> str:
    """“1 of 3 Hit, 1 Miss”."""
    pile = ", ".join(f"{count} {option}" for option, count in Counter(question.options).items())
    return f"{question.count} of {pile}"
