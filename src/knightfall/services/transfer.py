"""A journal as JSON Lines: exported whole or for everybody, and imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knightfall.config.calendar import day_of
from knightfall.engine.journal import (
    Aliased,
    Closed,
    Entry,
    Extended,
    Fixed,
    Journal,
    Locked,
    Opened,
    Published,
    Record,
    Removed,
    Replaced,
    Revived,
    Started,
    Undone,
    decode,
    encode,
    verify,
)
from knightfall.errors import DecisionNeeded, InputError, SecretGuard, StateDamaged
from knightfall.services.guard import hidden_in, passed
from knightfall.services.session import Progress, Say, Session, journal_of
from knightfall.storage.drafts import write_draft
from knightfall.writeups.journal import entry_line

_ALL = ("number", "at", "author", "entry", "fields", "before", "digest")


def line_of(record: Record) -> str:
    """{number, at, author, entry, fields, before, digest}, without the end of the line."""
    place = {"number": record.number, "at": record.at.isoformat(), "author": record.author}
    chain = {"before": record.before, "digest": record.digest}
    return json.dumps(place | encode(record.entry) | chain, ensure_ascii=False)


def parse_line(text: str) -> Record:
    """Back from the line. Raises ValueError where it is no JSON, StateDamaged where it is no record or is
    not letter for letter what was written."""
    text.encode()  # a byte that is no UTF-8 came in as a surrogate
    found = json.loads(text)
    if not isinstance(found, dict) or set(found) != set(_ALL):
        raise StateDamaged(f"it is no record of a journal, which has {', '.join(_ALL)}")
    try:
        at = datetime.fromisoformat(found["at"])
        record = Record(found["number"], at, found["author"], decode(found), found["before"], found["digest"])
    except (TypeError, ValueError, AttributeError) as error:
        raise StateDamaged(f"it cannot be read ({error})") from None
    if line_of(record) != text:
        raise StateDamaged("it is not letter for letter as it was exported")
    return record


def public_lines(journal: Journal) -> Iterator[tuple[Record, str, str]]:
    """The records that everybody may read: {number, at, entry, fields, sha256} each, the last over the rest;
    and beside each line its words alone. Names of accounts, reasons why somebody left, and options of the
    deal stay here."""
    shown: set[int] = set()
    for record in journal:
        fields = _public_fields(record.entry, shown)
        if fields is None:
            continue
        shown.add(record.number)
        kind = type(record.entry).__name__.lower()
        said = {"number": record.number, "at": record.at.isoformat(), "entry": kind, "fields": fields}
        words = "\n".join(str(value) for value in fields.values() if value is not None)
        yield record, json.dumps(said | {"sha256": _hash(said)}, ensure_ascii=False), words


def _hash(said: Mapping[str, Any]) -> str:
    text = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _public_fields(entry: Entry, shown: set[int]) -> dict[str, Any] | None:
    """What of an entry everybody may know; None: nothing."""
    if isinstance(entry, Undone) and entry.entry not in shown:
        return None
    names = _PUBLIC.get(type(entry))
    if names is None:
        return None
    fields: Mapping[str, Any] = encode(entry)["fields"]
    return {name: fields[name] for name in names(entry)}


def _closing(entry: Any) -> tuple[str, ...]:
    """How a day ended was voted on by all; how another phase did may be a secret."""
    return ("window", "outcome", "evidence") if day_of(entry.window) is not None else ("window",)


_PUBLIC: Mapping[type[Entry], Callable[[Any], tuple[str, ...]]] = MappingProxyType(
    {
        Started: lambda _: ("game", "slots"),
        Opened: lambda _: ("window", "post", "until"),
        Locked: lambda _: ("window", "post"),
        Extended: lambda _: ("window", "until"),
        Closed: _closing,
        Replaced: lambda _: ("slot", "name", "post"),
        Removed: lambda _: ("slot", "how", "post"),
        Revived: lambda _: ("slot", "post"),
        Aliased: lambda _: ("slot", "alias"),
        Fixed: lambda _: ("post", "reads", "why"),
        Published: lambda _: ("kind", "number", "sha256", "text", "upto"),
        Undone: lambda _: ("entry",),
    }
)
"""The kinds that may go out, each with its fields. A kind that is not here stays."""


DROP = "--drop-torn-line"


@dataclass(frozen=True, slots=True)
class Brought:
    """What is in a file; `torn` is the number of a last line that is cut off and was left out."""

    journal: Journal
    torn: int | None = None


def bring(file: Path, drop_torn: bool, session: Session) -> str:
    """Writes what the file has and the journal here has not; returns what was done.

    Raises InputError for a file that cannot be read or ends in half a line, StateDamaged for a record that is
    not as it was exported, DecisionNeeded where the two journals part.
    """
    if session.ledger is None:
        raise InputError("A journal is kept with a game: name one with --game FOLDER.")
    found, here = read_records(file, drop_torn, session.progress), journal_of(session)
    _refuse_fork(here, found.journal, file)
    fresh = found.journal[len(here) :]
    if fresh:
        _written(fresh, len(here), session)
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


def _written(fresh: Journal, expected: int, session: Session) -> None:
    assert session.ledger is not None
    ledger = session.ledger()
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


def export(file: Path, session: Session, public: bool, say: Say) -> str:
    """Writes the journal as JSON Lines into a new file that only its owner may read; returns what was done.

    `public` leaves out what is secret, and each line that would give something of it away, which `say` hears.
    Raises InputError where there is nothing to export, or the file is there already.
    """
    journal = journal_of(session)
    if not journal:
        raise InputError("The journal is empty: there is nothing to export.")
    if file.exists():
        raise InputError(f"{file} is there already. Take another name, or move it away first.")
    lines = tuple(_harmless(journal, session, say)) if public else tuple(map(line_of, journal))
    write_draft(file.parent, ".", file.name, "\n".join(lines))
    return _done(file, len(lines), len(journal), public)


def _done(file: Path, written: int, all_: int, public: bool) -> str:
    if public:
        return (
            f"{written} of {all_} entries are in {file}; the others are secret. It is to be read, not to be "
            "imported: for a backup, leave --public out."
        )
    return (
        f"{written} entries are in {file}, secrets included: keep it to yourself. Its chance is "
        "not: that is in private/deal.json."
    )


def _harmless(journal: Journal, session: Session, say: Say) -> Iterator[str]:
    """The public lines that pass the second look."""
    hidden = hidden_in(session)
    for record, line, said in public_lines(journal):
        try:
            passed(said, hidden)
        except SecretGuard as leak:
            say(f"Entry {record.number} is left out: {_what(leak)}")
        else:
            yield line


def _what(leak: SecretGuard) -> str:
    """What the guard found, without its first and last sentence."""
    return " ".join(str(leak).splitlines()[1:-1])
