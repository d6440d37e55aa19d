"""How did a day end, by its votes?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from knightfall.core.rng import Rng
from knightfall.core.roster import Slot
from knightfall.votes.election import Rule, Tie
from knightfall.votes.standing import Wagon
from knightfall.votes.tally import Tally


class TownClass(Enum):
    """In which order an anti-town tie falls (EM-R26)."""

    POWER = 1
    VANILLA = 2
    ANTI_TOWN = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """`how` is hammer, plurality, no_elimination or undecided; `eliminated` is empty where nobody is, and
    holds more than one only where all who are tied fall."""

    eliminated: tuple[Slot, ...]
    how: str


NOBODY = Outcome((), "no_elimination")
UNDECIDED = Outcome((), "undecided")


def day_outcome(
    tally: Tally,
    rule: Rule,
    day: int,
    over: bool,
    draw: Rng | None = None,
    classes: Mapping[str, TownClass] | None = None,
) -> Outcome | None:
    """How day `day` ended; None while it runs.

    The leader without a majority is named only where the rule says so. `draw` settles ties that chance
    decides and `classes` tell an anti-town tie who is what, by name; without them such a tie is undecided.
    """
    if tally.hammer is not None:
        return _of(tally.hammer.target, "hammer")
    if not over:
        return None
    needed = rule.needed_at_deadline(tally.alive, sum(wagon.count for wagon in tally.wagons), day)
    if needed is None:
        return UNDECIDED
    leading = [wagon for wagon in tally.wagons if wagon.count == tally.wagons[0].count >= needed]
    if not leading:
        return NOBODY
    if len(leading) == 1:
        return _of(leading[0].target, "plurality")
    return _TIES[rule.tie](leading, _Chance(draw, classes))


@dataclass(frozen=True, slots=True)
class _Chance:
    """What a tie may need to know beside the votes."""

    draw: Rng | None
    classes: Mapping[str, TownClass] | None


def _of(target: Slot | None, how: str) -> Outcome:
    return Outcome((target,), how) if target else NOBODY


def _nobody(_leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    return NOBODY


def _ask(_leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    return UNDECIDED


def _all(leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    return Outcome(tuple(wagon.target for wagon in leading if wagon.target), "plurality")


def _first_to_reach(leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    """Who first had as many votes as now, whether or not he had fewer in between."""
    return _of(min(leading, key=lambda wagon: wagon.first).target, "plurality")


def _longest_held(leading: Sequence[Wagon], _chance: _Chance) -> Outcome:
    """Who has had as many votes as now for the longest time without a break."""
    return _of(min(leading, key=lambda wagon: wagon.since).target, "plurality")


def _random(leading: Sequence[Wagon], chance: _Chance) -> Outcome:
    if chance.draw is None:
        return UNDECIDED
    return _of(_drawn(leading, chance.draw), "plurality")


def _anti_town(leading: Sequence[Wagon], chance: _Chance) -> Outcome:
    """EM-R26: a tied no elimination wins; else power roles of the town, then vanilla, then the others."""
    if any(wagon.target is None for wagon in leading):
        return NOBODY
    if chance.draw is None or chance.classes is None:
        return UNDECIDED
    ranks = {wagon: chance.classes[wagon.target.name].value for wagon in leading if wagon.target}
    worst = min(ranks.values())
    return _of(_drawn([wagon for wagon in leading if ranks[wagon] == worst], chance.draw), "plurality")


def _drawn(leading: Sequence[Wagon], draw: Rng) -> Slot | None:
    """One of them by the seed; the order of the wagons plays no part."""
    names = sorted(wagon.target.name if wagon.target else "" for wagon in leading)
    chosen = draw.choice("vote.tie", names)
    return next(wagon.target for wagon in leading if (wagon.target.name if wagon.target else "") == chosen)


_TIES: Mapping[Tie, Callable[[Sequence[Wagon], _Chance], Outcome]] = {
    Tie.NO_ELIMINATION: _nobody,
    Tie.RANDOM: _random,
    Tie.FIRST_TO_REACH: _first_to_reach,
    Tie.LONGEST_HELD: _longest_held,
    Tie.ANTI_TOWN: _anti_town,
    Tie.ALL: _all,
    Tie.ASK: _ask,
}
