"""How is a record of the journal written as one line of JSON, and read again?

The whole line carries the record's hash, which is over the one before, too. The public line carries only what
everybody may know, and a hash of just that: a chained hash would let anybody try what a secret entry said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from knightfall.core.entries import (
    Aliased,
    Closed,
    Entry,
    Extended,
    Fixed,
    Locked,
    Opened,
    Published,
    Removed,
    Replaced,
    Revived,
    Started,
    Undone,
    decode,
    encode,
)
from knightfall.core.journal import Journal, Record
from knightfall.errors import StateDamaged
from knightfall.setups.closed import day_of

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
