"""How a night of a custom game is resolved, and when the moderator has to decide it.

A night is played until actions change each other in a ring. From there each choice of the first is played to
its end, on a copy: if all come to the same, or nobody is told anything else by any of them, there is nothing
to ask; else the night is a `CycleQuestion` that holds what would come of each choice (CM-R2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from knightfall.engine.rng import Rng, SeededRng, foreseen
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
from knightfall.mafia.abilities import Lots, drawn
from knightfall.mafia.nar import NONE_HAPPENS, Cycle, Pass, go_first, label, resolve_modifiers
from knightfall.mafia.night import Action, Lot, Night, Reason
from knightfall.sentence import SlotId

_RANK: Mapping[str, int] = {row.id: row.rank for row in ABILITIES if row.rank is not None}
"""The wiki's list of priorities for what cannot be ordered otherwise."""

_MOST_NIGHTS = 120
"""How many ways out of a cycle are looked at: five actions in every order."""


def resolve(position: CustomPosition, actions: Iterable[Action], draw: Rng | None = None) -> Decided:
    """Decide a bare set of actions. Illegal lines are noted as rejected; nothing raises.

    `draw` decides ties inside a role (CM-R45); without one they are drawn without a seed. A cycle that
    `position.ruled` does not answer is returned as such, unless every order leads to the same, or nothing
    hangs on it.
    """
    paper = Paper(position, actions)

    def lots(kind: str, slot: SlotId, among: Sequence[SlotId], count: int, ruling: str) -> Lot:
        return drawn(_source(draw, position), kind, slot, among, count, ruling)

    def ahead(kind: str, slot: SlotId, among: Sequence[SlotId], count: int, ruling: str) -> Lot:
        return drawn(foreseen(_source(draw, position)), kind, slot, among, count, ruling)

    return _decide(paper, begin(paper), _Way(position.ruled, _MOST_NIGHTS, lots, ahead))


def _source(draw: Rng | None, position: CustomPosition) -> Rng:
    return (draw or SeededRng(b"")).at("night", position.night)


class _Way(NamedTuple):
    """How a night is read from here on: the choices for its cycles; how many nights may still be played to
    see where a cycle leads; how ties are drawn, and how it is seen beforehand what would be drawn; the rings
    that were settled so far."""

    ruled: Mapping[str, str]
    room: int
    lots: Lots
    ahead: Lots
    settled: tuple[tuple[Action, ...], ...] = ()


def _decide(paper: Paper, run: Pass, way: _Way) -> Decided:
    """Play the night on from here."""
    house = paper.position.rules.house

    def choose(cycle: Cycle) -> str | None:
        """What was ruled; by option what the wiki's list says, where it says something."""
        choice = way.ruled.get(cycle.key, "")
        if choice in (NONE_HAPPENS, *map(label, cycle.actions)):
            return choice
        return _listed(cycle) if "knots" in house else None

    found = resolve_modifiers(run, choose)
    if found is None:
        return finish(paper, run, way.lots, way.settled)
    # Every action first, and none of them, each played to its end with an equal share of the room; a cycle
    # too wide to be looked into has no readings.
    listed, share = _listed(found), way.room // len(found.actions)

    def follow(choice: str, lots: Lots, settled: tuple[tuple[Action, ...], ...]) -> Decided:
        """Where a choice leads."""
        begun = run.copy()
        go_first(begun, found, choice, Reason.IDLE_KNOT if settled else Reason.KNOT)
        onward = _Way({**way.ruled, found.key: choice}, share, lots, way.ahead, (*way.settled, *settled))
        return _decide(paper, begun, onward)

    readings = []
    for choice in (*map(label, found.actions), NONE_HAPPENS) if share else ():
        readings.append(Reading(choice, choice == listed, follow(choice, way.ahead, ())))
    # Where every order leads to one night there is nothing to ask; that nothing happens is no order.
    ends = [reading.leads_to for reading in readings if reading.choice != NONE_HAPPENS]
    if ends and isinstance(ends[0], CustomNight):
        first = ends[0]
        if all(isinstance(end, CustomNight) and _come_to_the_same(first, end) for end in ends[1:]):
            return follow(readings[0].choice, way.lots, ()) if first.night.lots else first
    # Nor where nobody is told anything else by any reading: then none of the ring happens, for any order
    # would say of one that it came first.
    if readings and "idle_knots" not in house:
        told = [_told(reading.leads_to) for reading in readings]
        if told[0] is not None and all(one == told[0] for one in told[1:]):
            return follow(NONE_HAPPENS, way.lots, (found.actions,))
    verbs = sorted(str(action.ability) for action in found.actions)
    return CycleQuestion(found.key, "+".join(verbs), found.actions, tuple(readings))


def _told(end: Decided) -> object:
    """All that players learn of a reading, tonight or by what it leaves for later nights: who died, what was
    answered, which uses are left. Of a reading that leads to another question what each answer to that tells;
    None where that is not known."""
    if isinstance(end, CustomNight):
        night = end.night
        return {death.slot for death in night.deaths}, night.results, night.spent
    further = [(reading.choice, _told(reading.leads_to)) for reading in end.readings]
    return (end.key, further) if further and all(told is not None for _, told in further) else None


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
