"""How a night of a custom game is resolved, and when the moderator has to decide it.

A night is played until actions change each other in a ring. From there each choice of the first is played to
its end, on a copy: if all come to the same there is nothing to ask; else the night is a `CycleQuestion` that
holds what would come of each choice (CM-R2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knightfall.games.custom_mafia.abilities import ABILITIES
from knightfall.games.custom_mafia.night import (
    CustomNight,
    CycleQuestion,
    Decided,
    Paper,
    Reading,
    begin,
    finish,
)
from knightfall.games.custom_mafia.night_position import CustomPosition
from knightfall.mafia.nar import NONE_HAPPENS, Cycle, Pass, label, resolve_modifiers
from knightfall.mafia.night import Action

_RANK: Mapping[str, int] = {row.id: row.rank for row in ABILITIES if row.rank is not None}
"""The wiki's list of priorities for what cannot be ordered otherwise."""

_MOST_NIGHTS = 120
"""How many ways out of a cycle are looked at: five actions in every order."""


def resolve(position: CustomPosition, actions: Iterable[Action]) -> Decided:
    """Decide a bare set of actions. Illegal lines are noted as rejected; nothing raises.

    A cycle that `position.ruled` does not answer is returned as such, unless every order leads to the same.
    """
    paper = Paper(position, actions)
    return _decide(paper, begin(paper), position.ruled, _MOST_NIGHTS)


def _decide(paper: Paper, run: Pass, ruled: Mapping[str, str], room: int) -> Decided:
    """Play on with these answers; `room`: how many nights may still be played to see where a cycle leads."""

    def choose(cycle: Cycle) -> str | None:
        """What was ruled; by option what the wiki's list says, where it says something."""
        choice = ruled.get(cycle.key, "")
        if choice in (NONE_HAPPENS, *map(label, cycle.actions)):
            return choice
        return _listed(cycle) if "knots" in paper.position.rules.house else None

    found = resolve_modifiers(run, choose)
    if found is None:
        return finish(paper, run)
    # Every action first, and none of them, each played to its end with an equal share of the room; a cycle
    # too wide to be looked into has no readings.
    listed, share = _listed(found), room // len(found.actions)
    readings = tuple(
        Reading(choice, choice == listed, _decide(paper, run.copy(), {**ruled, found.key: choice}, share))
        for choice in ((*map(label, found.actions), NONE_HAPPENS) if share else ())
    )
    # Where every order leads to one night there is nothing to ask; that nothing happens is no order.
    ends = [reading.leads_to for reading in readings if reading.choice != NONE_HAPPENS]
    if ends and isinstance(ends[0], CustomNight):
        told = _told(ends[0])
        if all(isinstance(end, CustomNight) and _told(end) == told for end in ends):
            return ends[0]
    verbs = sorted(str(action.ability) for action in found.actions)
    return CycleQuestion(found.key, "+".join(verbs), found.actions, readings)


def _listed(cycle: Cycle) -> str | None:
    """The one action of the highest priority; None where there are several."""
    highest = min(_RANK[action.ability] for action in cycle.actions)
    first = [action for action in cycle.actions if _RANK[action.ability] == highest]
    return label(first[0]) if len(first) == 1 else None


def _told(found: CustomNight) -> tuple[object, ...]:
    """What a night comes to, whatever the order in which it was found: of two players driven it does not
    matter which is named first."""
    night = found.night
    fates = frozenset(
        (actor, ability, frozenset(targets), fate, reason)
        for (actor, ability, targets, _), fate, reason, *_ in night.trace
    )
    return night.deaths, night.results, night.spent, frozenset(night.visits), fates
