"""Where did a game of a folder stand before one of its entries, and which entries closed something?"""

from __future__ import annotations

from knightfall.app.play.table import Table
from knightfall.core.entries import Closed
from knightfall.core.journal import Journal, Record, standing


def before(table: Table, number: int) -> Table:
    """The game as it stood before entry `number`, without what was undone since."""
    journal = tuple(record for record in standing(table.journal) if record.number < number)
    return table.at(journal)


def closings(table: Table) -> tuple[Record, ...]:
    """The entries with which the moderator closed something, oldest first."""
    refused = {taken.number for taken in table.replay.taken if taken.refused}
    return tuple(
        record
        for record in standing(table.journal)
        if isinstance(record.entry, Closed) and record.number not in refused
    )


def since_closing(table: Table) -> Journal:
    """What was written since something was closed last, that closing included."""
    closed = closings(table)
    records = standing(table.journal)
    return tuple(record for record in records if record.number >= closed[-1].number) if closed else records
