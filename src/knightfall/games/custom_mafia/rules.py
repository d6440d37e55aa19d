"""How is a night of a custom game decided, and when is it the moderator's to decide?

A night is played by `night.play`. Where actions change each other in a ring, each choice of the first is
played to its end: if all come to the same there is nothing to ask; else the night is a `CycleQuestion` that
holds what would come of each choice (CM-R2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from knightfall.games.custom_mafia.abilities import Ability
from knightfall.games.custom_mafia.night import CustomNight, CycleQuestion, Decided, Paper, Reading, play
from knightfall.games.custom_mafia.night_position import CustomPosition
from knightfall.games.custom_mafia.options import RULING_OF_REASON
from knightfall.mafia.nar import NONE_HAPPENS, Cycle, label
from knightfall.mafia.night import Action, Sheet

_RANK: Mapping[str, int] = {Ability.DRIVE: 0, Ability.ROLEBLOCK: 1, Ability.JAIL: 1, Ability.REDIRECT: 2}
"""The wiki's list of priorities for what cannot be ordered otherwise."""

_MOST_NIGHTS = 120
"""How many ways out of a knot are looked at: five actions in every order."""


def resolve(position: CustomPosition, actions: Iterable[Action]) -> Decided:
    """Decide a bare set of actions. Illegal lines are noted as rejected; nothing raises.

    A knot that `position.ruled` does not answer is returned as such, unless every order leads to the same.
    """
    sheet = Sheet(RULING_OF_REASON)
    admitted = position.admit(actions, sheet.notes)
    return _decide(Paper(position, admitted, tuple(sheet.notes)), position.ruled, _MOST_NIGHTS)


def _decide(paper: Paper, ruled: Mapping[str, str], room: int) -> Decided:
    """Play with these answers; `room`: how many nights may still be played to see where a knot leads."""
    found = play(paper, partial(_choose, paper.position, ruled))
    if isinstance(found, CustomNight):
        return found
    readings = tuple(_readings(paper, found, ruled, room))
    return _agreed(readings) or _knot(found, readings)


def _choose(position: CustomPosition, ruled: Mapping[str, str], cycle: Cycle) -> str | None:
    """What was ruled; by option what the wiki's list says, where it says something."""
    choice = ruled.get(cycle.key, "")
    if choice in (NONE_HAPPENS, *map(label, cycle.actions)):
        return choice
    return _listed(cycle) if "knots" in position.rules.house else None


def _listed(cycle: Cycle) -> str | None:
    """The one action of the highest priority; None where there are several."""
    highest = min(_RANK[action.ability] for action in cycle.actions)
    first = [action for action in cycle.actions if _RANK[action.ability] == highest]
    return label(first[0]) if len(first) == 1 else None


def _readings(paper: Paper, cycle: Cycle, ruled: Mapping[str, str], room: int) -> Iterator[Reading]:
    """Every action first, and none of them; a knot too wide to be looked into has none."""
    listed, share = _listed(cycle), room // len(cycle.actions)
    for choice in (*map(label, cycle.actions), NONE_HAPPENS) if share else ():
        yield Reading(choice, choice == listed, _decide(paper, {**ruled, cycle.key: choice}, share))


def _agreed(readings: tuple[Reading, ...]) -> CustomNight | None:
    """The night that every order leads to; that nothing happens is no order."""
    ends = [reading.leads_to for reading in readings if reading.choice != NONE_HAPPENS]
    if not ends or not isinstance(ends[0], CustomNight):
        return None
    same = all(isinstance(end, CustomNight) and _told(end) == _told(ends[0]) for end in ends)
    return ends[0] if same else None


def _told(found: CustomNight) -> tuple[object, ...]:
    """What a night comes to, whatever the order in which it was found."""
    night = found.night
    return night.deaths, night.results, night.spent, frozenset(night.visits), frozenset(_fates(found))


def _fates(found: CustomNight) -> Iterator[tuple[object, ...]]:
    """What became of each action; of two players driven it does not matter which is named first."""
    for (actor, ability, targets, _), fate, reason, *_ in found.night.trace:
        yield actor, ability, frozenset(targets), fate, reason


def _knot(cycle: Cycle, readings: tuple[Reading, ...]) -> CycleQuestion:
    verbs = sorted(str(action.ability) for action in cycle.actions)
    return CycleQuestion(cycle.key, "+".join(verbs), cycle.actions, readings)
