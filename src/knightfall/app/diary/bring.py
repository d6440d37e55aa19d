"""How does an exported journal come in: into an empty folder, or behind what is here already?

Nothing is written unless every record is as it was exported and the two journals are one up to where the
shorter ends.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from knightfall.app.diary.journal import journal_of
from knightfall.app.diary.lines import parse_line
from knightfall.app.ports import Ports, Progress
from knightfall.core.entries import Started
from knightfall.core.journal import Journal, Record, verify
from knightfall.errors import DecisionNeeded, InputError, StateDamaged
from knightfall.writeups.journal import entry_line

DROP = "--drop-torn-line"


@dataclass(frozen=True, slots=True)
class Brought:
    """What is in a file; `torn` is the number of a last line that is cut off and was left out."""

    journal: Journal
    torn: int | None = None


def bring(file: Path, drop_torn: bool, ports: Ports, progress: Progress | None = None) -> str:
    """Writes what the file has and the journal here has not; returns what was done.

    Raises InputError for a file that cannot be read or ends in half a line, StateDamaged for a record that is
    not as it was exported, DecisionNeeded where the two journals part.
    """
    if ports.ledger is None:
        raise InputError("A journal is kept with a game: name one with --game FOLDER.")
    found, here = read_records(file, drop_torn, progress), journal_of(ports)
    _refuse_fork(here, found.journal, file)
    fresh = found.journal[len(here) :]
    if fresh:
        _written(fresh, len(here), ports)
    return _told(found, len(here), file)


def read_records(file: Path, drop_torn: bool, progress: Progress | None = None) -> Brought:
    """The records of a file. Raises as `bring` does."""
    lines = _text(file).split("\n")
    ended, lines = lines[-1] == "", lines[:-1] if lines[-1] == "" else lines
    records: list[Record] = []
    for number, line in enumerate(lines, start=1):
        if number == len(lines) and not ended and _is_torn(line):
            _refuse_torn(file, number, drop_torn)
            return Brought(_chained(records, file), number)
        records.append(_record(file, number, line))
        if progress:
            progress(number, len(lines))
    return Brought(_chained(records, file))


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from None


def _is_torn(line: str) -> bool:
    """Half a line is no JSON."""
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _refuse_torn(file: Path, number: int, drop: bool) -> None:
    if not drop:
        raise InputError(
            f"{file}: line {number}, the last one, is cut off; nothing was imported. Export it again where "
            f"it comes from; if it is all you have, {DROP} imports the {number - 1} lines before it."
        )


def _record(file: Path, number: int, line: str) -> Record:
    try:
        return parse_line(line)
    except (ValueError, StateDamaged) as error:
        raise StateDamaged(
            f"{file}: record {number} is damaged: {str(error).rstrip('.')}. {_AGAIN}"
        ) from None


_AGAIN = "Nothing was imported. Export it again where it comes from, or take an older export."


def _chained(records: list[Record], file: Path) -> Journal:
    try:
        verify(tuple(records))
    except StateDamaged as damage:
        said = str(damage).partition(":")[0]
        raise StateDamaged(f"{file}: {said[0].lower()}{said[1:]}. {_AGAIN}") from None
    return tuple(records)


def _refuse_fork(here: Journal, there: Journal, file: Path) -> None:
    for mine, other in zip(here, there, strict=False):
        if mine.digest != other.digest:
            raise DecisionNeeded(
                f"The two journals part at entry {mine.number}; nothing was imported.\n"
                f"  here:      {_side(mine)}, and {len(here) - mine.number} more\n"
                f"  {file.name}: {_side(other)}, and {len(there) - other.number} more\n"
                "Both were written in two places at once. Choose the one to go on with, and enter what only "
                "the other has by its verbs (knightfall log shows it; import it into an empty folder)."
            )


def _side(record: Record) -> str:
    return f"{record.number} {record.at:%Y-%m-%d %H:%M:%S %Z} {record.author}: {entry_line(record.entry)}"


def _written(fresh: Journal, expected: int, ports: Ports) -> None:
    assert ports.ledger is not None
    ledger = ports.ledger()
    try:
        ledger.extend(fresh, expected)
    finally:
        ledger.close()


def _told(found: Brought, here: int, file: Path) -> str:
    """What was done, and what is still needed."""
    fresh, torn = (
        len(found.journal) - here,
        f" Line {found.torn} was cut off and left out." if found.torn else "",
    )
    if fresh < 0:
        return f"Nothing new: this folder is {-fresh} entries ahead of {file}.{torn}"
    if fresh == 0:
        return f"Nothing new: all {here} entries are here already.{torn}"
    begun = any(isinstance(record.entry, Started) for record in found.journal[here:])
    seed = " The game's chance is not in it: copy private/deal.json and game.toml here, too." if begun else ""
    return f"{fresh} entries imported, {here + 1} to {here + fresh}; the chain holds.{torn}{seed}"
