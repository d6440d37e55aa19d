"""How far has each PM come, by the journal: copied, sent, confirmed, and who has been waiting since when?

What was sent to a slot before somebody else took it over was not sent to the newcomer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from tabulate import tabulate

from knightfall.app.letters.letters import Batch, Letter
from knightfall.core.entries import Delivered, Replaced
from knightfall.core.game import SlotId
from knightfall.core.journal import Journal, Record, standing

STATES = ("copied", "sent", "confirmed")
"""In their order: each includes the ones before."""
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a PM has come, by which entry; `state` "" is: nothing was done. `other` tells that an earlier
    text of the batch went to the slot, which says something else."""

    state: str = ""
    since: datetime | None = None
    entry: int = 0
    other: bool = False

    def reached(self, state: str) -> bool:
        """Whether it has come so far."""
        return bool(self.state) and STATES.index(self.state) >= STATES.index(state)


def delivered(journal: Journal) -> tuple[tuple[Record, Delivered], ...]:
    """All that is noted of PMs to those who hold their slots now."""
    records = standing(journal)
    since = {r.entry.slot: r.number for r in records if isinstance(r.entry, Replaced)}
    return tuple(
        (record, record.entry)
        for record in records
        if isinstance(record.entry, Delivered) and record.number > since.get(record.entry.slot, 0)
    )


def stand_of(kind: str, slot: SlotId, digest: str, journal: Journal) -> Stand:
    """How far the PM of that text has come."""
    of_slot = [pair for pair in delivered(journal) if (pair[1].kind, pair[1].slot) == (kind, slot)]
    own = [pair for pair in of_slot if pair[1].sha256 == digest]
    if not own:
        return Stand(other=bool(of_slot))
    record, entry = max(own, key=lambda pair: STATES.index(pair[1].state))
    return Stand(entry.state, record.at, record.number)


def same_elsewhere(letter: Letter, journal: Journal) -> tuple[Record, Delivered] | None:
    """Where the very same text went to a slot that this PM is not for."""
    others = (
        pair
        for pair in delivered(journal)
        if pair[1].sha256 == letter.sha256 and pair[1].slot not in letter.room
    )
    return next(others, None)


def ledger_lines(batch: Batch, journal: Journal, now: datetime) -> Iterator[str]:
    """The batch as a table in the order of the alphabet, under a line that sums it up."""
    stands = {id(one): stand_of(one.kind, one.slot, one.sha256, journal) for one in batch.letters}
    yield f"{batch.kind}: {_sum(batch, [stands[id(one)] for one in batch.letters])}"
    yield f"Subject: {batch.subject}"
    rows = [
        (one.holder, _word(stands[id(one)]), _since(stands[id(one)], now))
        for one in sorted(batch.letters, key=lambda one: one.holder.casefold())
    ]
    rows += [
        (f"{entry.slot} ({entry.kind})", _word(stand), _since(stand, now))
        for entry, stand in _earlier(batch, journal)
    ]
    if rows:
        yield tabulate(rows, ("to", "state", "since"), disable_numparse=True)


def _earlier(batch: Batch, journal: Journal) -> Iterator[tuple[Delivered, Stand]]:
    """What was sent under the same name and is not due any more: prods, which are due but once."""
    due = {(one.kind, one.slot, one.sha256) for one in batch.letters}
    sent = (entry for _, entry in delivered(journal) if entry.kind.startswith(f"{batch.kind}-"))
    for entry in {(e.kind, e.slot, e.sha256): e for e in sent}.values():
        if (entry.kind, entry.slot, entry.sha256) not in due:
            yield entry, stand_of(entry.kind, entry.slot, entry.sha256, journal)


def _sum(batch: Batch, stands: list[Stand]) -> str:
    counts = [f"{sum(one.reached(state) for one in stands)} {state}" for state in STATES]
    return f"{len(batch.letters)} PM{'s' * (len(batch.letters) != 1)}; {', '.join(counts)}."


def _word(stand: Stand) -> str:
    if not stand.state:
        return "changed since it was sent" if stand.other else "–"
    return {"copied": "copied, not marked as sent", "sent": "sent, not confirmed"}.get(
        stand.state, stand.state
    )


def _since(stand: Stand, now: datetime) -> str:
    if stand.since is None:
        return ""
    moment = f"{stand.since:%d %b %H:%M UTC}"
    return moment if stand.state == "confirmed" else f"{moment} ({_age(stand.since, now)})"


def _age(since: datetime, now: datetime) -> str:
    return f"{int((now - since).total_seconds() // _HOUR)} h"
