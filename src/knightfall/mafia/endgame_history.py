"""What everybody did in each night, told once the game is over.

The state does not keep it: the journal holds what was sent, and a replay resolves every night again. The
moderator's sheets among its events have the nights; the receipts tell who sent anything at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from knightfall.engine.game import Announced, Event, LooseFacts, Noted, Told, Untyped, by_name

_Sheet: TypeAlias = Mapping[str, Any]  # the facts of `explain.night_facts`

ENDING = "ending"
SHEET = "moderator_night"
RECEIPT = "receipt"


@dataclass(frozen=True, slots=True)
class Proof:
    """What lets everybody deal the game again: all of it is published at the end, `file` to be checked.

    `sealed`: only the seeds of some parts are published; `draws`: how many draws `file` tells; `by_hand` are
    those that the moderator made. Without a seed none can be published.
    """

    commitment: str
    seed: str
    salt: str
    file: str
    sealed: bool = False
    draws: int = 0
    by_hand: tuple[str, ...] = ()


def completed(events: Iterable[Event], proof: Proof | None = None) -> tuple[Event, ...]:
    """The events of a whole game, its ending with every night and, where there is one, the deal's proof."""
    known = tuple(events)
    # A mafia game's ending: that of another kind of game knows no nights.
    return tuple(
        replace(event, facts=Untyped(ENDING, {**event.facts, "nights": nights(known), "proof": proof}))
        if isinstance(event, Announced)
        and event.kind == ENDING
        and isinstance(event.facts, Untyped)
        and "nights" in event.facts
        else event
        for event in known
    )


def nights(events: Iterable[Event]) -> list[LooseFacts]:
    """Every night in order: who did what, what became of it, what they were told, who sent nothing."""
    told: list[LooseFacts] = []
    sent_something: set[str] = set()
    for event in events:
        if isinstance(event, Told) and event.kind == RECEIPT:
            # Not everybody who has a receipt sent something: a partner's message may have replaced an order.
            sent_something.add(str(by_name(event.facts).get("sender")))
        elif isinstance(event, Noted) and event.kind == SHEET:
            sheet: Mapping[str, Any] = event.facts
            answers = {(row["actor"], row["action"]): row["answer"] for row in sheet["results"]}
            rows = [
                {**row, "answer": answers.get((row["actor"], row["action"]), "")} for row in sheet["trace"]
            ]
            night = {
                "night": sheet["night"],
                "rows": rows,
                "dead": [death["name"] for death in sheet["deaths"]],
                "default": [slot for slot in sheet["silent"] if slot not in sent_something],
                "nothing": [slot for slot in sheet["silent"] if slot in sent_something],
            }
            told.append(night)
            sent_something = set()
    return told
