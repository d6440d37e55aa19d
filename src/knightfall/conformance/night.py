"""How is a `night` case put to a game, and its night told in the words of the cases?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from knightfall.conformance.cases import Case, CaseResult, compare, failure
from knightfall.core.game import SlotId
from knightfall.games.knight_errant import ROLES, Ability, Dusk, resolve
from knightfall.mafia.night import Action, Night, Note, Result

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
    dusk = Dusk(living, int(case["night"]), state.get("shots") or {})
    night = resolve(dusk, [_action(line) for line in case["actions"]])
    return compare(case["expected"], _told(night), free=("deaths", "blocked"))


def _action(line: Mapping[str, Any]) -> Action:
    actor, ability = SlotId(str(line["actor"])), str(line["ability"])
    targets = tuple(SlotId(str(target)) for target in line.get("targets") or ())
    if ability == Ability.COMMUTE and targets == (actor,):
        targets = ()  # KE-R36: who commutes may be said to target himself
    return Action(actor, ability, targets)


def _told(night: Night) -> JSON:
    return {
        "deaths": [{"player": death.slot, "cause": "kill"} for death in night.deaths],
        "results": {result.action.actor: _answer(result) for result in night.results},
        "blocked": [_blocked(note) for note in night.blocked],
        "rejected": sorted(f"{note.action.actor}:{note.action.ability}" for note in night.rejected),
        "spent": {slot: dict(uses) for slot, uses in night.spent.items()},
    }


def _answer(result: Result) -> str | list[str]:
    return result.answer if isinstance(result.answer, str) else list(result.answer)


def _blocked(note: Note) -> JSON:
    return {"actor": note.action.actor, "ability": note.action.ability, "reason": str(note.reason)}


_PLAYERS: Mapping[str, Callable[[Mapping[str, Any]], CaseResult]] = {"knight_errant": _knight_errant}
