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
from knightfall.mafia.nar import NONE_HAPPENS, Cycle, Pass, go_first, label, resolve_modifiers
from knightfall.mafia.night import Action, Night

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
    readings = []
    for choice in (*map(label, found.actions), NONE_HAPPENS) if share else ():
        begun = run.copy()
        go_first(begun, found, choice)
        leads_to = _decide(paper, begun, {**ruled, found.key: choice}, share)
        readings.append(Reading(choice, choice == listed, leads_to))
    # Where every order leads to one night there is nothing to ask; that nothing happens is no order.
    ends = [reading.leads_to for reading in readings if reading.choice != NONE_HAPPENS]
    if ends and isinstance(ends[0], CustomNight):
        first = ends[0]
        if all(isinstance(end, CustomNight) and _come_to_the_same(first, end) for end in ends[1:]):
            return first
    verbs = sorted(str(action.ability) for action in found.actions)
    return CycleQuestion(found.key, "+".join(verbs), found.actions, tuple(readings))


def _listed(cycle: Cycle) -> str | None:
    """The one action of the highest priority; None where there are several."""
    highest = min(_RANK[action.ability] for action in cycle.actions)
    first = [action for action in cycle.actions if _RANK[action.ability] == highest]
    return label(first[0]) if len(first) == 1 else None


def _come_to_the_same(one: CustomNight, other: CustomNight) -> bool:
    """Whether two nights are one, whatever the order in which they were found."""
    mine, its = one.night, other.night
    return (
        (mine.deaths, mine.results, mine.spent) == (its.deaths, its.results, its.spent)
        and set(mine.visits) == set(its.visits)
        and _fates(mine) == _fates(its)
    )


def _fates(night: Night) -> set[tuple[object, ...]]:
    """What became of each action: of two players driven it does not matter which is named first."""
    return {
        (actor, ability, frozenset(targets), fate, reason)
        for (actor, ability, targets, _), fate, reason, *_ in night.trace
    }
