"""Where in a game does a name or a number come from: every line that was told of it, and by which entry?

The journal is replayed, to its end or to an earlier entry; nothing is remembered beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from textwrap import fill

from knightfall.app.diary.journal import journal_of
from knightfall.app.plain_values import as_object
from knightfall.app.play.table import Table, table_of
from knightfall.app.play.texts import texts_of
from knightfall.app.ports import Ports
from knightfall.core.entries import Started
from knightfall.core.journal import Record, replay
from knightfall.core.rng import SeededRng
from knightfall.errors import InputError
from knightfall.writeups.journal import entry_line

WIDTH = 80


def begun(ports: Ports) -> bool:
    """Whether the folder holds a game that is played by its journal."""
    return any(isinstance(record.entry, Started) for record in journal_of(ports))


@dataclass(frozen=True, slots=True)
class Mention:
    """A line in which somebody stands: `whose` is “public”, “moderator” or the name of who was told."""

    whose: str
    kind: str
    line: str


@dataclass(frozen=True, slots=True)
class Led:
    """An entry of the journal, and the lines that it led to."""

    entry: int
    said: str
    told: tuple[Mention, ...]


def retold(what: str, at: str | None, folder: Path, ports: Ports, as_json: bool = False) -> str:
    """Each line of posts, PMs and moderator's sheets in which `what` stands, under the entry that led to it.

    JSON: {schema, about, entries: [{entry, said, told: [{whose, kind, line}]}]}. For the moderator's eyes.
    Raises InputError where it stands nowhere, or `at` is no entry.
    """
    table = _as_of(table_of(folder, ports), at)
    found = [led for record in table.journal if (led := _led(table, record, what)).told]
    if not found:
        raise InputError(f"“{what}” stands in nothing that was told. Give a name or a number of the game.")
    if as_json:
        return as_object({"about": what, "entries": [asdict(led) for led in found]})
    return "\n".join(line for led in found for line in _paragraph(led))


def _as_of(table: Table, at: str | None) -> Table:
    """The table as it was after an entry, by its number in the log."""
    if at is None:
        return table
    number = at.removeprefix("#")
    if not number.isdigit() or not 1 <= int(number) <= len(table.journal):
        raise InputError(f"--at {at}: expected an entry from 1 to {len(table.journal)} (knightfall log).")
    journal = table.journal[: int(number)]
    return replace(table, journal=journal, replay=replay(journal, table.game, lambda: SeededRng(table.seed)))


def _led(table: Table, record: Record, what: str) -> Led:
    """What the entry led to, as far as it tells of `what`; perhaps nothing."""
    events = tuple(e for taken in table.replay.taken if taken.number == record.number for e in taken.events)
    told = tuple(
        Mention(text.whose, text.kind, line.strip())
        for text in texts_of(table.game.spec.id, events, "plain")
        for line in text.text.splitlines()
        if what.casefold() in line.casefold()
    )
    return Led(record.number, entry_line(record.entry), told)


def _paragraph(led: Led) -> Iterator[str]:
    """The entry, and under it each line with who was told it."""
    yield fill(f"{led.entry}  {led.said}", WIDTH, subsequent_indent="   ")
    for one in led.told:
        told = f"{one.whose}, {one.kind}: {one.line}"
        yield fill(told, WIDTH, initial_indent="   ", subsequent_indent="     ")
