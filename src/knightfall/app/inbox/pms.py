"""Which messages hold the private messages that a vBulletin board lets its user save as CSV?

Its columns are Date, Title, From, To and Message; a message is text with tags, over many lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.app.inbox.mail import Delivery, Mail
from knightfall.app.inbox.senders import Senders, asked
from knightfall.app.inbox.sheets import Row, Sheet, read_sheet
from knightfall.app.inbox.when import times_of
from knightfall.app.inbox.words import words_of_bbcode
from knightfall.errors import InputError

COLUMNS = ("Date", "Title", "From", "To", "Message")


def from_pms(
    path: Path, senders: Senders, zone: ZoneInfo | None, order: str | None, now: datetime
) -> Delivery:
    """The PMs that players sent; what a moderator sent is passed over. Raises InputError for another file."""
    sheet = read_sheet(path)
    _check(sheet)
    times = times_of(sheet.values(sheet.column("Date")), zone, order, now)
    mails = tuple(_mails(sheet, senders, times.instants))
    own = len(sheet.rows) - len(mails)
    return Delivery(mails, times.notes, (f"{sheet.name}: {own} of a moderator's own.",) if own else ())


def _check(sheet: Sheet) -> None:
    heads = {head.casefold() for head in sheet.heads}
    if not heads.issuperset(name.casefold() for name in COLUMNS):
        raise InputError(
            f"{sheet.name}: a saved PM export has the columns {', '.join(COLUMNS)}; here are {sheet.told}. "
            "For other tables: --from-form FILE."
        )


def _mails(sheet: Sheet, senders: Senders, instants: tuple[datetime | None, ...]) -> Iterator[Mail]:
    sender = sheet.column("From")
    for row, at in zip(sheet.rows, instants, strict=True):
        if not senders.moderates(row.cells[sender]):
            yield _mail(sheet, row, senders, at)


def _mail(sheet: Sheet, row: Row, senders: Senders, at: datetime | None) -> Mail:
    name, title, text = (row.cells[sheet.column(one)] for one in ("From", "Title", "Message"))
    where = f"{sheet.name}:{row.line} “{title}”"
    slot, words = senders.account(name), words_of_bbcode(text)
    if isinstance(slot, str):
        return Mail(f"pm:{row.digest}", where, slot, words, at)
    return Mail(f"pm:{row.digest}", where, None, words, at, asked(slot, where))
