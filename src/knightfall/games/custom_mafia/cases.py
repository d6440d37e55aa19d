"""A case of a custom game put to its rules, and what of the answer only its cases say.

A `night` case has, besides what every night case has: `roles` {player: role in words}, `config` {option:
value}, `state` {shots, used_last {player: [ability]}, aimed {player: {ability: {target: night}}}, killed
[players], dead}, `lovers` [[names]], `ruled` {key of a knot: choice}, `random_draws` [{label, value}] for
each draw of `cm.guard:…` and `cm.stopped:…`. Only its `expected` has `turned` {"Ada:heal": [final targets]},
`told` {player: what was given to them}, `codes` {"Ada:heal": refusal code} and `knot` {key, shape, choices
sorted} or null; with a knot there is nothing else yet. Causes of death are kill, bomb, gun, guard, shield,
weakness, hiding, babysitter, love; of several the first of these. A `win` case has also `jesters`,
`survivors`, `mafia a` to `mafia c`, `werewolves` and `config`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, compare, left_over, scripted_draws
from knightfall.engine.rng import Rng
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import CustomNight, CycleQuestion, Decided, resolve, winner
from knightfall.games.custom_mafia.state import (
    CustomPosition,
    fallen_abilities,
    heirs,
    lost_abilities,
    told_lovers,
)
from knightfall.mafia.cases import FREE, parse_action, told_night
from knightfall.mafia.nar import label
from knightfall.mafia.night import Fate, Reason
from knightfall.sentence import SlotId

JSON = dict[str, Any]


def check_night(case: Mapping[str, Any]) -> CaseResult:
    """Resolve the night of a case and compare."""
    draw = scripted_draws(case, ("cm.guard", "cm.stopped"))
    decided = decide(case, draw)
    if draw.unused:
        return left_over(draw)
    if isinstance(decided, CycleQuestion):
        return compare(case["expected"], asked(decided))
    return compare(case["expected"], told_night(decided.night) | own_words(decided), free=FREE)


def decide(case: Mapping[str, Any], draw: Rng | None = None) -> Decided:
    """Play the night of a case. Raises InputError for a role or an option that there is not."""
    state = case.get("state") or {}
    dead, used = set(state.get("dead") or ()), state.get("used_last") or {}
    roles = {SlotId(name): parse_role(role) for name, role in case["roles"].items()}
    roles |= {name: card for name, (card, _) in heirs(roles, dead).items()}
    position = CustomPosition(
        {name: role for name, role in roles.items() if name not in dead},
        int(case.get("night") or 1),
        state.get("shots") or {},
        parse_options(case.get("config") or {}),
        {SlotId(name): frozenset(abilities) for name, abilities in used.items()},
        told_lovers(roles, case.get("lovers") or (), dead),
        case.get("ruled") or {},
        fallen_abilities(roles[name] for name in roles if name in dead),
        state.get("aimed") or {},
        frozenset(state.get("killed") or ()),
        lost=lost_abilities(roles[name] for name in roles if name in dead),
    )

    return resolve(position, [parse_action(line) for line in case["actions"]], draw)


def asked(knot: CycleQuestion) -> JSON:
    """A question is all that there is: its names and choices."""
    choices = sorted(reading.choice for reading in knot.readings)
    return {"knot": {"key": knot.key, "shape": knot.shape, "choices": choices}}


def own_words(found: CustomNight) -> JSON:
    """Causes of death, why lines were rejected, where turned actions went."""
    # The first that did it.
    return {
        "deaths": [
            {
                "player": death.slot,
                "cause": (next(_CAUSE[note.reason] for note in death.attacks if note.fate is Fate.STOOD)),
            }
            for death in found.night.deaths
        ],
        "codes": {label(note.action): str(note.reason) for note in found.night.rejected},
        "told": {
            str(gift.reader): list(gift.answer) if isinstance(gift.answer, tuple) else gift.answer
            for gift in found.night.gifts
        },
        "turned": {label(turn.sent): list(turn.went.targets) for turn in found.turned},
        "knot": None,
    }


_CAUSE: Mapping[str, str] = {
    Reason.LANDED: "kill",
    Reason.UNSTOPPABLE: "kill",
    Reason.TOOK_THE_KILL: "guard",
    Reason.SHIELDS: "shield",
    Reason.STRUCK_BACK: "bomb",
    Reason.AT_THE_DOOR: "gun",
    Reason.LOVE: "love",
    Reason.WEAKNESS: "weakness",
    Reason.FOUND_OUT: "hiding",
    Reason.ALONE: "babysitter",
}


_CARD_OF_COUNT: Mapping[str, str] = {
    "town": "Vanilla Townie",
    "mafia": "Mafia Goon",
    "sk": "Serial Killer",
    "jesters": "Jester",
    "survivors": "Survivor",
    "mafia a": "Mafia A Goon",
    "mafia b": "Mafia B Goon",
    "mafia c": "Mafia C Goon",
    "werewolves": "Werewolf Goon",
}


def check_win(case: Mapping[str, Any]) -> CaseResult:
    """Ask who has won with the living of a case. Raises InputError for an option that there is not."""
    living = [
        parse_role(card) for count, card in _CARD_OF_COUNT.items() for _ in range(int(case.get(count) or 0))
    ]
    return compare(case["expected"], winner(living, parse_options(case.get("config") or {})))


CASES: Mapping[str, Callable[[Case], CaseResult]] = MappingProxyType({"night": check_night, "win": check_win})
