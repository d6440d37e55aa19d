"""The cases of Empowered Mafia, put to its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, compare
from knightfall.games.empowered.abilities import ROLES
from knightfall.games.empowered.rules import cause_of, resolve, winner
from knightfall.games.empowered.state import EmpoweredPosition
from knightfall.mafia.cases import FREE, check_count, living_of, parse_action, told_night
from knightfall.sentence import SlotId


def check_night(case: Mapping[str, Any]) -> CaseResult:
    """Resolve the night of a case and compare; `state.adaptability` says which Ninja still has it."""
    living, adaptability = living_of(case, ROLES), (case.get("state") or {}).get("adaptability") or {}
    lost = frozenset(SlotId(name) for name, there in adaptability.items() if not there)
    position = EmpoweredPosition(living, int(case.get("night") or 1), lost)
    found = resolve(position, [parse_action(line) for line in case["actions"]])
    ninjas = [slot for slot, role in living.items() if role.name == "Ninja"]
    told = told_night(found.night) | {
        "deaths": [{"player": death.slot, "cause": cause_of(death)} for death in found.night.deaths],
        "powered": sorted(found.powered),
        "incarcerated": sorted(found.incarcerated),
        "adaptability_left": {slot: slot not in found.lost for slot in ninjas},
    }
    return compare(case["expected"], told, free=FREE)


CASES: Mapping[str, Callable[[Case], CaseResult]] = MappingProxyType(
    {"night": check_night, "win": partial(check_count, winner=winner)}
)
