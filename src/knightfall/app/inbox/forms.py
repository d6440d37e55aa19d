"""Which messages hold the answers of a form, saved as CSV? One row is one message.

Which column is the time, the name and the action is guessed from their heads and from who plays, and said;
several columns of one action (“Action”, “Target”) are put together by naming them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.app.inbox.mail import Delivery, Mail
from knightfall.app.inbox.senders import Senders, asked
from knightfall.app.inbox.sheets import Row, Sheet, read_sheet
from knightfall.app.inbox.when import Times, times_of
from knightfall.app.inbox.words import words_of_bbcode
from knightfall.errors import InputError

_TIME = re.compile(r"time|date|zeit|datum|when", re.I)
_NAME = re.compile(r"\bname|player|who\b|user|account", re.I)
_TEXT = re.compile(r"action|order|message|submission|vote|move|plan|what", re.I)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the moderator says of the columns: names of them, "" or () where they are to be guessed; `order`
    of day and month."""

    name: str = ""
    text: tuple[str, ...] = ()
    order: str | None = None


@dataclass(frozen=True, slots=True)
class _Columns:
    """Places in a row; `time` None where no column tells one."""

    time: int | None
    name: int
    text: tuple[int, ...]


def from_form(path: Path, senders: Senders, zone: ZoneInfo | None, how: Asked, now: datetime) -> Delivery:
    """The rows as messages. Raises InputError where it is not clear which column is which."""
    sheet = read_sheet(path)
    columns = _columns(sheet, senders, how)
    times = Times((None,) * len(sheet.rows))
    if columns.time is not None:
        times = times_of(sheet.values(columns.time), zone, how.order, now)
    rows = zip(sheet.rows, times.instants, strict=True)
    mails = tuple(_mail(sheet, row, columns, senders, at) for row, at in rows)
    return Delivery(mails, (_said(sheet, columns), *times.notes))


def _columns(sheet: Sheet, senders: Senders, how: Asked) -> _Columns:
    heads = range(len(sheet.heads))
    time = next((place for place in heads if _TIME.search(sheet.heads[place])), None)
    free = [place for place in heads if place != time]
    name = sheet.column(how.name) if how.name else _guessed_name(sheet, senders, free)
    left = [place for place in free if place != name]
    text = tuple(map(sheet.column, how.text)) or (_guessed_text(sheet, left),)
    return _Columns(None if time in (name, *text) else time, name, text)


def _guessed_name(sheet: Sheet, senders: Senders, free: Sequence[int]) -> int:
    """The column that names most players; none does: the one that is called so."""
    hits = {place: _players(sheet.values(place), senders) for place in free}
    best = [place for place in free if hits[place] and hits[place] == max(hits.values())]
    called = [place for place in best or free if _NAME.search(sheet.heads[place])]
    found = called if len(best) != 1 else best
    if len(found) != 1:
        raise InputError(f"{sheet.name}: which column names the player? Say --name-column; {_there(sheet)}.")
    return found[0]


def _players(names: Sequence[str], senders: Senders) -> int:
    return sum(isinstance(senders.account(name), str) for name in names if name.strip())


def _guessed_text(sheet: Sheet, left: Sequence[int]) -> int:
    called = [place for place in left if _TEXT.search(sheet.heads[place])]
    found = left if len(left) == 1 else called
    if len(found) != 1:
        raise InputError(
            f"{sheet.name}: which column is the action? Say --text-column, several times where it is in "
            f"several; {_there(sheet)}."
        )
    return found[0]


def _there(sheet: Sheet) -> str:
    return f"there are {sheet.told}"


def _said(sheet: Sheet, columns: _Columns) -> str:
    return f"{sheet.name}: {', '.join(_roles(sheet, columns))}."


def _roles(sheet: Sheet, columns: _Columns) -> Iterator[str]:
    time = "no time" if columns.time is None else f"time “{sheet.heads[columns.time]}”"
    yield from (time, f"name “{sheet.heads[columns.name]}”")
    yield "action " + " + ".join(f"“{sheet.heads[place]}”" for place in columns.text)


def _mail(sheet: Sheet, row: Row, columns: _Columns, senders: Senders, at: datetime | None) -> Mail:
    name, where = row.cells[columns.name].strip(), f"{sheet.name}:{row.line}"
    text = words_of_bbcode(" ".join(row.cells[place].strip() for place in columns.text))
    slot = senders.typed(name)
    if isinstance(slot, str):
        return Mail(f"form:{row.digest}", where, slot, text, at)
    return Mail(f"form:{row.digest}", where, None, text, at, asked(slot, where))
