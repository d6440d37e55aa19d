"""Texts of what the services of a running game answer."""

from __future__ import annotations

from textwrap import fill

from knightfall.core.journal import Record
from knightfall.services.decisions import Log
from knightfall.writeups.journal import entry_line

WIDTH = 80


def decision_line(record: Record) -> str:
    """An entry that was just written, and how it is taken back."""
    return (
        f"{record.number}: {entry_line(record.entry)}. Take it back with: knightfall undo {record.number} "
        '--why "…"'
    )


def log_text(log: Log) -> str:
    """A paragraph an entry: number, instant, who, what and why."""
    paragraphs = (
        fill(
            f"{one.record.at:%Y-%m-%d %H:%M:%S %Z} {one.record.author}: {entry_line(one.record.entry)}"
            f"{' [taken back]' if one.undone else ''}",
            WIDTH,
            initial_indent=f"{one.record.number:>4}  ",
            subsequent_indent=" " * 6,
        )
        for one in log.entries
    )
    return "\n".join(paragraphs) or "Nothing yet."
