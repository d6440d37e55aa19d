"""The PMs that a game owes: role PMs at its start, results after each closing, in secret order.

A PM is the text of one `Told` event, for one of its slots: no other text can get to that slot. What comes
before anything was closed, and every later role PM, belongs to the roles; what else is told from one closing
to the next is one batch of results. Receipts are answers, no PMs of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from knightfall.app.people.holders import holders
from knightfall.app.play.table import Table
from knightfall.core.entries import (
    Closed,
    Entry,
    Removed,
    Revived,
    Started,
    Submitted,
)
from knightfall.core.game import SlotId, Told, told
from knightfall.core.journal import Taken
from knightfall.core.rng import SeededRng
from knightfall.writeups.events import private_message

ROLE, RESULT, PROD = "role", "result", "prod"
"""The families of PMs; a batch is called `role-1`, `result-2`."""
ROLE_PM, RECEIPT = "role_pm", "receipt"
NUMBERED = ("night", "turn")
"""Facts that number what was resolved."""
_OWN = (Started, Submitted, Removed, Revived)
_SPAN = range(1 << 62)


@dataclass(frozen=True, slots=True)
class Pm:
    """A PM: of which batch, to whose slot and who holds that now. `event` is what is told, in the words of
    the templates of `game`, `room` all slots that it is told to."""

    kind: str
    slot: SlotId
    holder: str
    game: str
    event: Told
    plain: str
    """The text without markup, by which the same text is known again."""

    @property
    def room(self) -> tuple[SlotId, ...]:
        return self.event.slots

    @property
    def sha256(self) -> str:
        return sha256(self.plain.encode()).hexdigest()

    def text(self, dialect: str) -> str:
        """As it is pasted."""
        return private_message(self.game, self.event, dialect)


@dataclass(frozen=True, slots=True)
class PmBatch:
    """PMs that belong together, in the order in which they are sent; `subject` is the same for all."""

    kind: str
    subject: str
    pms: tuple[Pm, ...]


def batches(table: Table, family: str, title: str) -> tuple[PmBatch, ...]:
    """The batches of a family, oldest first. The same text twice to the same slot in one batch is one PM."""
    named = _role_batches(table) if family == ROLE else _result_batches(table)
    return tuple(_batch(table, kind, subject, events, title) for kind, subject, events in named if events)


def batches_for(slot: SlotId, table: Table, title: str) -> tuple[PmBatch, ...]:
    """The batches that hold a PM for the slot: results before roles, newest first."""
    both = (*reversed(batches(table, RESULT, title)), *reversed(batches(table, ROLE, title)))
    return tuple(batch for batch in both if any(one.slot == slot for one in batch.pms))


def _batch(table: Table, kind: str, about: str, events: Sequence[Told], title: str) -> PmBatch:
    held = holders(table.journal)
    game = table.game.spec.id
    pms: dict[tuple[SlotId, str], Pm] = {}
    for event in events:
        text = private_message(game, event)
        for slot in event.slots:
            pm = Pm(kind, slot, held.get(slot, slot), game, event, text)
            pms[pm.slot, pm.sha256] = pm
    return PmBatch(kind, f"{title} – {about}", shuffled(tuple(pms.values()), table.seed))


def shuffled(pms: tuple[Pm, ...], seed: bytes) -> tuple[Pm, ...]:
    """In an order that only who knows the seed can know. Each PM has its own place by its own draw, so that
    one more moves no other."""
    draw = SeededRng(seed).at("letters")

    def place(pm: Pm) -> int:
        return draw.choice(f"{pm.kind}:{pm.slot}:{pm.sha256}", _SPAN)

    return tuple(sorted(pms, key=place))


def _role_batches(table: Table) -> Iterator[tuple[str, str, list[Told]]]:
    """At the start, and whenever roles were dealt again."""
    told_then = (
        (number if part else 0, event) for part, number, event in _told(table) if _is_role(part, event)
    )
    for place, (_, events) in enumerate(groupby(told_then, key=lambda pair: pair[0]), start=1):
        yield f"{ROLE}-{place}", "your role", [event for _, event in events]


def _result_batches(table: Table) -> Iterator[tuple[str, str, list[Told]]]:
    """After each closing that told somebody something: by its night or turn, else by the closing entry."""
    results = ((part, event) for part, _, event in _told(table) if not _is_role(part, event))
    for part, pairs in groupby(results, key=lambda pair: pair[0]):
        events = [event for _, event in pairs]
        word = next((w for w in NUMBERED for event in events if w in event.facts), None)
        number = next((e.facts[word] for e in events if word in e.facts), part) if word else f"e{part}"
        yield f"{RESULT}-{number}", f"your results, {word} {number}" if word else "your results", events


def _is_role(part: int, event: Told) -> bool:
    return part == 0 or event.kind == ROLE_PM


def _told(table: Table) -> Iterator[tuple[int, int, Told]]:
    """Everything that was told and is no receipt: the entry that closed something last before it (0: none),
    its own entry, the event."""
    entries = {record.number: record.entry for record in table.journal}
    closed = 0
    for number, group in groupby(table.replay.taken, key=lambda one: one.number):
        taken = tuple(group)
        closed = number if _closes(entries[number], taken) else closed
        for event in (event for one in taken for event in told(one.events) if event.kind != RECEIPT):
            yield closed, number, event


def _closes(entry: Entry, taken: tuple[Taken, ...]) -> bool:
    """Whether a window was closed: by the entry, or because its time was up before it."""
    if isinstance(entry, Closed):
        return not taken[-1].refused
    before = taken[:-1] if isinstance(entry, _OWN) else taken
    return any(not one.refused for one in before)
