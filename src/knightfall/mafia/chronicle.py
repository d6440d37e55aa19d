"""What did everybody do in each night, told once the game is over?

The state does not keep it: the journal holds what was sent, and a replay resolves every night again. The
moderator's sheets among its events have the nights; the receipts tell who sent anything at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from knightfall.core.game import Announced, Event, Facts, Noted, Told

_Sheet: TypeAlias = Mapping[str, Any]  # the facts of `explain.night_facts`

ENDING = "ending"
SHEET = "moderator_night"
RECEIPT = "receipt"


@dataclass(frozen=True, slots=True)
class Proof:
    """What lets everybody deal the game again: all of it is published at the end, `file` to be checked."""

    commitment: str
    seed: str
    salt: str
    file: str


def completed(events: Iterable[Event], proof: Proof | None = None) -> tuple[Event, ...]:
    """The events of a whole game, its ending with every night and, where there is one, the deal's proof."""
    known = tuple(events)
    return tuple(_full(event, nights(known), proof) if _ends(event) else event for event in known)


def _ends(event: Event) -> bool:
    """A mafia game's ending: that of another kind of game knows no nights."""
    return isinstance(event, Announced) and event.kind == ENDING and "nights" in event.facts


def _full(event: Event, told: list[Facts], proof: Proof | None) -> Event:
    return replace(event, facts={**event.facts, "nights": told, "proof": proof})


def nights(events: Iterable[Event]) -> list[Facts]:
    """Every night in order: who did what, what became of it, what he was told, who sent nothing."""
    told: list[Facts] = []
    heard: set[str] = set()
    for event in events:
        if isinstance(event, Told) and event.kind == RECEIPT:
            heard |= set(event.slots)
        elif isinstance(event, Noted) and event.kind == SHEET:
            told.append(_night(event.facts, heard))
            heard = set()
    return told


def _night(sheet: _Sheet, heard: set[str]) -> Facts:
    answers = {(row["actor"], row["action"]): row["answer"] for row in sheet["results"]}
    rows = [{**row, "answer": answers.get((row["actor"], row["action"]), "")} for row in sheet["trace"]]
    return {
        "night": sheet["night"],
        "rows": rows,
        "dead": [death["name"] for death in sheet["deaths"]],
        "default": [slot for slot in sheet["silent"] if slot not in heard],
        "nothing": [slot for slot in sheet["silent"] if slot in heard],
    }
