"""An independent solver of the incarcerations of a night of Empowered Mafia (EM-R33), as slow as it likes.

Written from the rulings alone: readings by trying every set, who makes a difference by trying every choice of
the others, rings step by step. The product's `paradox` has to agree with it on any night.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from random import Random

from knightfall.games.empowered.paradox import Supply, settle
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId

Jails = frozenset[Action]


@dataclass(frozen=True, slots=True)
class PowerNight:
    """What counts for power: who empowers and amplifies whom, who jails whom; `needy` jailers need power."""

    empower: tuple[Action, ...]
    amplify: tuple[Action, ...]
    jails: tuple[Action, ...]
    needy: frozenset[SlotId]


@dataclass(slots=True)
class _Round:
    """One round: which jails are known to hold (`inside`), and which are neither in nor out (`open`)."""

    night: PowerNight
    inside: set[Action] = field(default_factory=set)
    open: set[Action] = field(default_factory=set)


def solve(night: PowerNight) -> tuple[Jails, Jails]:
    """The jails that hold, and those that failed by their own paradox, where all of an even ring fails."""
    failed: Jails = frozenset()
    while True:
        left = frozenset(night.jails) - failed
        readings = [story for story in _subsets(left) if _holds(night, left, story) == story]
        if len(readings) == 1:
            return readings[0], failed
        failed |= _failing(_Round(night, set(), set(left)))


def _failing(round_: _Round) -> Jails:
    """The shortest rings of the first components that cannot be read in exactly one way."""
    night = round_.night
    while True:
        _settle(round_)
        bears = {i: {k for k in round_.open if _bears(round_, k, i)} for i in round_.open}
        knotted: Jails = frozenset()
        for component in _sources(bears):
            stories = [
                story
                for story in _subsets(component)
                if _holds(night, component, story | frozenset(round_.inside)) == story
            ]
            if len(stories) == 1:
                round_.inside |= stories[0]
                round_.open -= component
            else:
                knotted |= _shortest_rings(component, bears)
        if knotted:
            return knotted


def _settle(round_: _Round) -> None:
    """Take in and out what no reading changes, until nothing more is certain."""
    night, changed = round_.night, True
    while changed:
        changed = False
        most = _gone(round_.inside | round_.open)
        least = _gone(round_.inside)
        low, high = _powered(night, most), _powered(night, least)
        for jail in tuple(round_.open):
            needy = jail.actor in night.needy
            if jail.actor in least or (needy and jail.actor not in high):
                round_.open.discard(jail)
                changed = True
            elif jail.actor not in most and (not needy or jail.actor in low):
                round_.open.discard(jail)
                round_.inside.add(jail)
                changed = True


def _bears(round_: _Round, one: Action, other: Action) -> bool:
    """Whether the one holds the other's owner, or can make the difference to that owner's power: for some
    choice of the other open ones, any of them holding, there is power without it and none with it."""
    owner, night = other.actor, round_.night
    if one.targets[0] == owner:
        return True
    if owner not in night.needy:
        return False
    choices = (_gone(round_.inside | choice) for choice in _subsets(round_.open - {one}))
    return any(
        owner in _powered(night, gone) and owner not in _powered(night, gone | {one.targets[0]})
        for gone in choices
    )


def _powered(night: PowerNight, gone: Collection[SlotId]) -> set[SlotId]:
    reached = {action.targets[0] for action in night.empower if action.actor not in gone}
    while True:
        live = (a for a in night.amplify if a.actor in reached and a.actor not in gone)
        more = {target for action in live for target in action.targets} - reached
        if not more:
            return reached
        reached |= more


def _holds(night: PowerNight, among: Iterable[Action], assumed: Jails) -> Jails:
    """Which of them hold where the assumed ones do."""
    gone = _gone(assumed)
    power = _powered(night, gone)
    return frozenset(
        jail
        for jail in among
        if jail.actor not in gone and (jail.actor not in night.needy or jail.actor in power)
    )


def _gone(jails: Iterable[Action]) -> set[SlotId]:
    return {jail.targets[0] for jail in jails}


def _subsets(jails: Collection[Action]) -> Iterator[Jails]:
    ordered = sorted(jails)
    sizes = range(len(ordered) + 1)
    return map(frozenset, chain.from_iterable(combinations(ordered, size) for size in sizes))


def _sources(bears: dict[Action, set[Action]]) -> list[Jails]:
    """The components on which nothing outside bears."""
    behind = {i: set(bears[i]) for i in bears}
    for middle in bears:
        for i in bears:
            if middle in behind[i]:
                behind[i] |= behind[middle]
    return list(
        {frozenset(behind[i] | {i}) for i in bears if all(i in behind[k] or i == k for k in behind[i])}
    )


def _shortest_rings(component: Jails, bears: dict[Action, set[Action]]) -> Jails:
    """All that come back to themselves in the fewest steps that anyone of the component needs."""
    here = {i: {i} for i in component}
    for _ in component:
        here = {i: {k for at in here[i] for k in bears[at] & component} for i in component}
        if back := frozenset(i for i in component if i in here[i]):
            return back
    raise AssertionError("a component that cannot be read in one way has no ring")


def dense_night(chance: Random) -> PowerNight:
    """A night of five to nine who jail, empower and amplify each other, in which rings are common."""
    kinds = {"E": chance.randint(1, 3), "A": chance.randint(0, 3), "J": chance.randint(2, 5)}
    kinds["K"] = chance.randint(0, 2)
    slots = [SlotId(f"{kind}{number}") for kind, count in kinds.items() for number in range(1, count + 1)]

    def aimed(kind: str, ability: str, targets: int) -> tuple[Action, ...]:
        return tuple(
            Action(slot, ability, tuple(chance.sample([s for s in slots if s != slot], targets)))
            for slot in slots
            if slot.startswith(kind)
        )

    jails = aimed("J", "incarcerate", 1) + aimed("K", "incarcerate", 1)
    needy = frozenset(slot for slot in slots if slot.startswith("J"))
    return PowerNight(aimed("E", "empower", 1), aimed("A", "amplify", 2), jails, needy)


def supplied_night(chance: Random) -> PowerNight:
    """A night of eight at most, in which power goes by ways that meet and jails are aimed at those on them:
    paradoxes are common, and so are jails on a way that makes no difference."""
    empowerers, amplifiers, jailers = (
        [SlotId(f"{kind}{number}") for number in range(1, count + 1)]
        for kind, count in (
            ("E", chance.randint(1, 2)),
            ("A", chance.randint(2, 3)),
            ("J", chance.randint(2, 3)),
        )
    )
    suppliers, lit = empowerers + amplifiers, amplifiers + jailers
    return PowerNight(
        tuple(Action(slot, "empower", (chance.choice(lit),)) for slot in empowerers),
        tuple(
            Action(slot, "amplify", tuple(chance.sample([s for s in lit if s != slot], 2)))
            for slot in amplifiers
        ),
        tuple(Action(slot, "incarcerate", (chance.choice(suppliers),)) for slot in jailers),
        frozenset(jailers),
    )


def disagreement(night: PowerNight) -> str:
    """What the product says otherwise than this solver, with the night; "" where they agree."""
    held = settle(
        list(night.jails),
        Supply([*night.empower, *night.amplify]),
        frozenset(jail for jail in night.jails if jail.actor in night.needy),
        lambda _ring, _stories: frozenset(),
    )
    mine = solve(night)
    return "" if (held.holding, held.failed) == mine else f"{night}: found {held}, expected {mine}"
