"""The cases of Knight-Errant, put to its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, compare, failure
from knightfall.games.knight_errant.abilities import ROLES, Ability
from knightfall.games.knight_errant.rules import resolve, winner
from knightfall.games.knight_errant.state import KnightErrantPosition
from knightfall.mafia.cases import FREE, parse_action, parse_count, told_night
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId


def check_night(case: Mapping[str, Any]) -> CaseResult:
    """Resolve the night of a case and compare."""
    roles, state = case["roles"], case.get("state") or {}
    if unknown := sorted({role for role in roles.values() if role not in ROLES}):
        return failure(f"no such role: {', '.join(unknown)}")
    dead = set(state.get("dead") or ())
    living = {SlotId(name): ROLES[role] for name, role in roles.items() if name not in dead}
    position = KnightErrantPosition(living, int(case["night"]), state.get("shots") or {})
    night = resolve(position, [_action(line) for line in case["actions"]])
    return compare(case["expected"], told_night(night), free=FREE)


def _action(line: Mapping[str, Any]) -> Action:
    action = parse_action(line)
    if action.ability == Ability.COMMUTE and action.targets == (action.actor,):
        return Action(action.actor, action.ability)  # KE-R36: who commutes may be said to be their own target
    return action


def check_win(case: Mapping[str, Any]) -> CaseResult:
    """Ask who has won with the living of a case."""
    return compare(case["expected"], winner(parse_count(case)))


CASES: Mapping[str, Callable[[Case], CaseResult]] = MappingProxyType({"night": check_night, "win": check_win})
