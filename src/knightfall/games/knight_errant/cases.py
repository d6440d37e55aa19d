"""The cases of Knight-Errant, put to its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, compare
from knightfall.games.knight_errant.abilities import ROLES, Ability
from knightfall.games.knight_errant.rules import resolve, winner
from knightfall.games.knight_errant.state import KnightErrantPosition
from knightfall.mafia.cases import FREE, check_count, living_of, parse_action, told_night
from knightfall.mafia.night import Action


def check_night(case: Mapping[str, Any]) -> CaseResult:
    """Resolve the night of a case and compare."""
    shots = (case.get("state") or {}).get("shots") or {}
    position = KnightErrantPosition(living_of(case, ROLES), int(case["night"]), shots)
    night = resolve(position, [_action(line) for line in case["actions"]])
    return compare(case["expected"], told_night(night), free=FREE)


def _action(line: Mapping[str, Any]) -> Action:
    action = parse_action(line)
    if action.ability == Ability.COMMUTE and action.targets == (action.actor,):
        return Action(action.actor, action.ability)  # KE-R36: who commutes may be said to be their own target
    return action


CASES: Mapping[str, Callable[[Case], CaseResult]] = MappingProxyType(
    {"night": check_night, "win": partial(check_count, winner=winner)}
)
