"""Conformance cases of mafia games: their lines read, and a night told in their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from knightfall.engine.cases import CaseResult, compare
from knightfall.mafia.night import Action, Night
from knightfall.mafia.roles import Role
from knightfall.mafia.wins import Count, Winner
from knightfall.sentence import SlotId

FREE = ("deaths", "blocked")
"""What a case may list in any order."""


def parse_action(line: Mapping[str, Any]) -> Action:
    """The action of a line {actor, ability, targets?, options?: {name: whether}}."""
    said = sorted(name for name, value in (line.get("options") or {}).items() if value)
    targets = tuple(SlotId(str(target)) for target in line.get("targets") or ())
    return Action(SlotId(str(line["actor"])), str(line["ability"]), targets, tuple(said))


def living_of(case: Mapping[str, Any], cards: Mapping[str, Role]) -> dict[SlotId, Role]:
    """Who lives in a case, with their cards. Raises ValueError for cards that the game has not."""
    roles, dead = case["roles"], set((case.get("state") or {}).get("dead") or ())
    if unknown := sorted({role for role in roles.values() if role not in cards}):
        raise ValueError(f"no such role: {', '.join(unknown)}")
    return {SlotId(name): cards[role] for name, role in roles.items() if name not in dead}


def check_count(case: Mapping[str, Any], winner: Callable[[Count], Winner | None]) -> CaseResult:
    """Ask who has won with so many of each side."""
    return compare(case["expected"], winner(parse_count(case)))


def parse_count(case: Mapping[str, Any]) -> Count:
    """How many of each side live in a `win` case."""
    return Count(*(int(case.get(side) or 0) for side in Count._fields))


def told_night(night: Night) -> dict[str, Any]:
    """{deaths: [{player, cause}], results, blocked, rejected, spent}, as every night case has them."""
    return {
        "deaths": [{"player": death.slot, "cause": "kill"} for death in night.deaths],
        "results": {
            result.action.actor: (list(result.answer) if isinstance(result.answer, tuple) else result.answer)
            for result in night.results
        },
        "blocked": [
            {"actor": note.action.actor, "ability": note.action.ability, "reason": str(note.reason)}
            for note in night.blocked
        ],
        "rejected": sorted(f"{note.action.actor}:{note.action.ability}" for note in night.rejected),
        "spent": {slot: dict(uses) for slot, uses in night.spent.items()},
    }
