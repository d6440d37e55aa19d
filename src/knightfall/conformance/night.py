"""A `night` case put to a game, and its night told in the words of the cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from knightfall.conformance import custom_mafia
from knightfall.conformance.cases import Case, CaseResult, compare, failure
from knightfall.engine.game import SlotId
from knightfall.games import empowered
from knightfall.games.custom_mafia.night import CycleQuestion
from knightfall.games.knight_errant import ROLES, Ability, KnightErrantPosition, resolve
from knightfall.mafia.night import Action, Night

JSON = dict[str, Any]


def check(case: Case) -> CaseResult:
    """Play the night of a case and compare."""
    game = case.get("game")
    play = _PLAYERS.get(game) if isinstance(game, str) else None
    if play is None:
        return failure(f"game {game!r} has no night cases yet; known: {', '.join(_PLAYERS)}")
    return play(case)


def _knight_errant(case: Mapping[str, Any]) -> CaseResult:
    roles, state = case["roles"], case.get("state") or {}
    if unknown := sorted({role for role in roles.values() if role not in ROLES}):
        return failure(f"no such role: {', '.join(unknown)}")
    dead = set(state.get("dead") or ())
    living = {SlotId(name): ROLES[role] for name, role in roles.items() if name not in dead}
    position = KnightErrantPosition(living, int(case["night"]), state.get("shots") or {})
    night = resolve(position, [_action(line) for line in case["actions"]])
    return compare(case["expected"], _told(night), free=("deaths", "blocked"))


def _action(line: Mapping[str, Any]) -> Action:
    actor, ability = SlotId(str(line["actor"])), str(line["ability"])
    targets = tuple(SlotId(str(target)) for target in line.get("targets") or ())
    if ability == Ability.COMMUTE and targets == (actor,):
        targets = ()  # KE-R36: who commutes may be said to be their own target
    return Action(actor, ability, targets)


def _told(night: Night) -> JSON:
    return {
        "deaths": [{"player": death.slot, "cause": "kill"} for death in night.deaths],
        "results": {
            result.action.actor: (list(result.answer) if isinstance(result.answer, tuple) else result.answer)
            for result in night.results
        },
        "blocked": [
            ({"actor": note.action.actor, "ability": note.action.ability, "reason": str(note.reason)})
            for note in night.blocked
        ],
        "rejected": sorted(f"{note.action.actor}:{note.action.ability}" for note in night.rejected),
        "spent": {slot: dict(uses) for slot, uses in night.spent.items()},
    }


def _empowered(case: Mapping[str, Any]) -> CaseResult:
    roles, state = case["roles"], case.get("state") or {}
    if unknown := sorted({role for role in roles.values() if role not in empowered.ROLES}):
        return failure(f"no such role: {', '.join(unknown)}")
    dead, adaptability = set(state.get("dead") or ()), state.get("adaptability") or {}
    living = {SlotId(name): empowered.ROLES[role] for name, role in roles.items() if name not in dead}
    lost = frozenset(SlotId(name) for name, there in adaptability.items() if not there)
    found = empowered.resolve(
        empowered.EmpoweredPosition(living, int(case.get("night") or 1), lost),
        [_line(line) for line in case["actions"]],
    )
    ninjas = [slot for slot, role in living.items() if role.name == "Ninja"]
    told = _told(found.night) | {
        "deaths": [{"player": d.slot, "cause": empowered.cause_of(d)} for d in found.night.deaths],
        "powered": sorted(found.powered),
        "incarcerated": sorted(found.incarcerated),
        "adaptability_left": {slot: slot not in found.lost for slot in ninjas},
    }
    return compare(case["expected"], told, free=("deaths", "blocked"))


def _line(line: Mapping[str, Any]) -> Action:
    extras = line.get("options") or {}
    said = sorted(name for name, value in extras.items() if value)
    targets = tuple(SlotId(str(target)) for target in line.get("targets") or ())
    return Action(SlotId(str(line["actor"])), str(line["ability"]), targets, tuple(said))


def _custom_mafia(case: Mapping[str, Any]) -> CaseResult:
    decided = custom_mafia.decide(case)
    if isinstance(decided, CycleQuestion):
        return compare(case["expected"], custom_mafia.asked(decided))
    told = _told(decided.night) | custom_mafia.own_words(decided)
    return compare(case["expected"], told, free=("deaths", "blocked"))


_PLAYERS: Mapping[str, Callable[[Mapping[str, Any]], CaseResult]] = {
    "knight_errant": _knight_errant,
    "empowered": _empowered,
    "custom_mafia": _custom_mafia,
}
