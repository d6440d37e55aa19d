"""Where in a game does a name or a number come from: every line that was told of it, and by which entry?

The journal is replayed, to its end or to an earlier entry; nothing is remembered beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import fill

from knightfall.app.diary.journal import journal_of
from knightfall.app.play.table import Table, table_of
from knightfall.app.play.texts import texts_of
from knightfall.app.reading.read import Ports
from knightfall.core.entries import Started
from knightfall.core.journal import Record, replay
from knightfall.core.rng import SeededRng
from knightfall.errors import InputError
from knightfall.writeups.journal import entry_line

WIDTH = 80


def begun(ports: Ports) -> bool:
    """Whether the folder holds a game that is played by its journal."""
    return any(isinstance(record.entry, Started) for record in journal_of(ports))


def retold(what: str, at: str | None, folder: Path, ports: Ports) -> str:
    """Each line of posts, PMs and moderator's sheets in which `what` stands, under the entry that led to it.

    For the moderator's eyes. Raises InputError where it stands nowhere, or `at` is no entry.
    """
    table = _as_of(table_of(folder, ports), at)
    found = [paragraph for record in table.journal for paragraph in _paragraphs(table, record, what)]
    if not found:
        raise InputError(f"“{what}” stands in nothing that was told. Give a name or a number of the game.")
    return "\n".join(found)


def _as_of(table: Table, at: str | None) -> Table:
    """The table as it was after an entry, by its number in the log."""
    if at is None:
        return table
    number = at.removeprefix("#")
    if not number.isdigit() or not 1 <= int(number) <= len(table.journal):
        raise InputError(f"--at {at}: expected an entry from 1 to {len(table.journal)} (knightfall log).")
    journal = table.journal[: int(number)]
    return replace(table, journal=journal, replay=replay(journal, table.game, lambda: SeededRng(table.seed)))


def _paragraphs(table: Table, record: Record, what: str) -> Iterator[str]:
    lines = tuple(_lines(table, record.number, what))
    if lines:
        yield fill(f"{record.number}  {entry_line(record.entry)}", WIDTH, subsequent_indent="   ")
        yield from lines


def _lines(table: Table, number: int, what: str) -> Iterator[str]:
    events = tuple(e for taken in table.replay.taken if taken.number == number for e in taken.events)
    for text in texts_of(table.game.spec.id, events, "plain"):
        for line in text.text.splitlines():
            if what.casefold() in line.casefold():
                told = f"{text.whose}, {text.kind}: {line.strip()}"
                yield fill(told, WIDTH, initial_indent="   ", subsequent_indent="     ")
