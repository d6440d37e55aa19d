"""What everybody did in each night, told once the game is over.

The state does not keep it: the journal holds what was sent, and a replay resolves every night again. The
moderator's sheets among its events have the nights; the receipts tell who sent anything at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from knightfall.engine.game import Announced, Event, Noted, Told, values_of
from knightfall.mafia.events import AnswerRow, Ending, NightHistory, NightRow, NightSheet, Receipt, TraceRow
from knightfall.sentence import SlotId


def completed(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events of a whole game, its ending with every night."""
    known = tuple(events)
    # A mafia game's ending: that of another kind of game knows no nights.
    return tuple(
        Announced(replace(event.facts, nights=nights(known)))
        if isinstance(event, Announced) and isinstance(event.facts, Ending)
        else event
        for event in known
    )


def nights(events: Iterable[Event]) -> tuple[NightHistory, ...]:
    """Every night in order: who did what, what became of it, what they were told, who sent nothing."""
    told: list[NightHistory] = []
    sent_something: set[SlotId | None] = set()
    for event in events:
        if isinstance(event, Told) and isinstance(event.facts, Receipt):
            # Not everybody who has a receipt sent something: a partner's message may have replaced an order.
            sent_something.add(event.facts.sender)
        elif isinstance(event, Noted) and isinstance(event.facts, NightSheet):
            sheet = event.facts
            answers = {(row.actor, row.action): row for row in sheet.results}
            rows = (_row(row, answers.get((row.actor, row.action))) for row in sheet.trace)
            night = NightHistory(
                sheet.night,
                tuple(rows),
                tuple(death.name for death in sheet.deaths),
                tuple(slot for slot in sheet.silent if slot not in sent_something),
                tuple(slot for slot in sheet.silent if slot in sent_something),
            )
            told.append(night)
            sent_something = set()
    return tuple(told)


def _row(row: TraceRow, told: AnswerRow | None) -> NightRow:
    """An action with what its sender was told."""
    return NightRow(**values_of(row), answer=told.answer if told else "", behind=told.because if told else "")
