"""What was decided and put into the game, by whom and when?"""

from __future__ import annotations

from textwrap import fill

from knightfall.app.diary.journal import journal_of
from knightfall.app.ports import Ports
from knightfall.core.entries import encode
from knightfall.core.journal import Record, undone_numbers
from knightfall.writeups.journal import entry_line

WIDTH = 80
INDENT = " " * 6


def as_table(ports: Ports) -> str:
    """A paragraph an entry: number, instant, who, what and why."""
    journal = journal_of(ports)
    gone = undone_numbers(journal)
    return "\n".join(_paragraph(record, record.number in gone) for record in journal) or "Nothing yet."


def log_values(ports: Ports) -> dict[str, object]:
    """{entries: [{number, at, author, entry, fields, undone, digest}]}, oldest first."""
    journal = journal_of(ports)
    gone = undone_numbers(journal)
    return {"entries": [_values(record, gone) for record in journal]}


def _paragraph(record: Record, gone: bool) -> str:
    taken = " [taken back]" if gone else ""
    told = f"{record.at:%Y-%m-%d %H:%M:%S %Z} {record.author}: {entry_line(record.entry)}{taken}"
    return fill(told, WIDTH, initial_indent=f"{record.number:>4}  ", subsequent_indent=INDENT)


def _values(record: Record, gone: frozenset[int]) -> dict[str, object]:
    return {
        "number": record.number,
        "at": record.at.isoformat(),
        "author": record.author,
        **encode(record.entry),
        "undone": record.number in gone,
        "digest": record.digest,
    }
