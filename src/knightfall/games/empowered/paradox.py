"""Who has power, and which incarcerations hold when they can undo the very power that they need.

Power flows from Empowerers, and on through every Amplifier that it reaches: the least set that is closed, so
Amplifiers alone never power each other (EM-R3).

An incarceration holds if its owner is not held by another that holds and has the power it needs, in the night
as those that hold leave it. A night in which exactly one set of incarcerations can hold is read so. Where
none or several can, the later-resolving ability fails: the incarcerations on the shortest ring of those that
bear on each other and cannot be settled. One bears on another if it holds its owner or can make the
difference to the owner's power: being on some way of that power is not enough. Then the question is asked
again without them; each round settles one at least. Nothing depends on the order of the actions or on names.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import NamedTuple

from knightfall.games.empowered.abilities import Ability
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId

_EMPOWER, _AMPLIFY = str(Ability.EMPOWER), str(Ability.AMPLIFY)


class Supply:
    """The empowering of one night: by whom, to whom. Immutable once made."""

    def __init__(self, actions: Iterable[Action], once: bool = False, any_way: bool = False) -> None:
        """`once`: an Amplifier passes on only what an Empowerer gave (the snapshot of EM-R3). `any_way`:
        whoever stands on any way of power bears on it, whether that makes a difference or not (EM-R33, as
        games of an earlier edition have it)."""
        self.empowered: list[tuple[SlotId, SlotId]] = []
        self.empowering: list[Action] = []
        self.amplified: dict[SlotId, Sequence[SlotId]] = {}
        self.amplifying: dict[SlotId, Action] = {}
        self.once, self.any_way = once, any_way
        for action in actions:
            if action.ability == _EMPOWER:
                self.empowered.append((action.actor, action.targets[0]))
                self.empowering.append(action)
            elif action.ability == _AMPLIFY:
                self.amplified[action.actor] = action.targets
                self.amplifying[action.actor] = action

    def powered(self, gone: Container[SlotId]) -> set[SlotId]:
        """Everyone with power where the actions of `gone` are undone."""
        powered = {target for owner, target in self.empowered if owner not in gone}
        if not self.amplified:
            return powered
        waiting = [slot for slot in powered if slot in self.amplified]
        while waiting:
            amplifier = waiting.pop()
            if amplifier in gone:
                continue
            fresh = [target for target in self.amplified[amplifier] if target not in powered]
            powered.update(fresh)
            if not self.once:
                waiting += [target for target in fresh if target in self.amplified]
        return powered

    def deciders(
        self, slot: SlotId, gone: AbstractSet[SlotId], aimed: AbstractSet[SlotId]
    ) -> frozenset[SlotId]:
        """Those of `aimed` who can make the difference to a slot's power, where `gone` are held already: for
        some choice of the other aimed ones the slot has power while one acts, and none when they are held.
        """
        if self.any_way:
            sure = slot in self.powered(gone | aimed)
            return frozenset() if sure else frozenset(self.on_some_way(slot, gone) & aimed)
        # EM-R33: whoever is held, the slot has power as long as one way from an Empowerer is free of them. So
        # one makes the difference exactly if a way is left that no other way makes needless: if they are in
        # one of the least sets of aimed ones who stand on a way.
        ways: list[frozenset[SlotId]] = []
        known: dict[SlotId, list[frozenset[SlotId]]] = {}
        waiting: list[tuple[SlotId, frozenset[SlotId]]] = [(slot, frozenset())]
        while waiting:
            # Backwards from the slot. A way begins with an Empowerer, who needs no power, so whoever empowers
            # one is on none.
            here, met = waiting.pop()
            ways += [
                met | {owner} if owner in aimed else met
                for owner, target in self.empowered
                if target == here and owner not in gone
            ]
            if here != slot and self.once:
                continue
            for amplifier, targets in self.amplified.items():
                if here not in targets or amplifier in gone:
                    continue
                further = met | {amplifier} if amplifier in aimed else met
                # Who came to this Amplifier past no more of the aimed did as well. That also ends every way
                # that runs in a circle (EM-R3), and keeps their number small however many lead here.
                passed = known.setdefault(amplifier, [])
                if not any(other <= further for other in passed):
                    passed.append(further)
                    waiting.append((amplifier, further))
        least = [way for way in ways if not any(other < way for other in ways)]
        return frozenset[SlotId]().union(*least)

    def on_some_way(self, slot: SlotId, gone: Container[SlotId]) -> set[SlotId]:
        """The Empowerers and Amplifiers on any way to a slot that meets nobody twice, and nobody gone."""
        found: set[SlotId] = set()
        waiting: list[tuple[SlotId, frozenset[SlotId]]] = [(slot, frozenset())]
        while waiting:
            here, way = waiting.pop()
            sources = {owner for owner, target in self.empowered if target == here and owner not in gone}
            if sources:
                found |= sources | way
            if here == slot or not self.once:
                waiting += [
                    (amplifier, way | {amplifier})
                    for amplifier, targets in self.amplified.items()
                    if here in targets and amplifier not in gone and amplifier not in way
                ]
        return found


def reached(supply: Supply, gone: Container[SlotId]) -> Mapping[SlotId, Action]:
    """Who is powered, each with one action that did it: for the moderator's why."""
    because: dict[SlotId, Action] = {}
    for action in supply.empowering:
        if action.actor not in gone:
            because.setdefault(action.targets[0], action)
    waiting = [slot for slot in because if slot in supply.amplified]
    while waiting:
        amplifier = waiting.pop(0)
        if amplifier not in gone:
            for target in supply.amplified[amplifier]:
                if target not in because:
                    because[target] = supply.amplifying[amplifier]
                    waiting += [target] if target in supply.amplified and not supply.once else []
    return because


# ── Which incarcerations hold. ────────────────────────────────────────────────────────────────────────────

Set = frozenset[Action]
_NONE: Set = frozenset()
Ring = Callable[[Set, int], Set]
"""Which of the incarcerations on a ring that has so many readings hold nevertheless."""


class Held(NamedTuple):
    """`holding` are in force; `failed` were undone by their own paradox (EM-R33)."""

    holding: Set
    failed: Set


class _Part(NamedTuple):
    """What surely holds so far, and what is open."""

    inside: Set
    open: Set


def settle(incarcerations: Sequence[Action], supply: Supply, needy: Set, ring: Ring) -> Held:
    """Decide a night's incarcerations; `needy` are those that need power."""
    failed, forced = _NONE, _NONE
    if not incarcerations:
        return Held(_NONE, _NONE)
    everything = frozenset(incarcerations)
    while True:
        night = _Night(supply, needy, forced)
        start = night.certain(_Part(forced, everything - failed - forced))
        if not start.open:
            return Held(start.inside, failed)
        # Two readings are enough to know that there is not exactly one.
        stories = list(islice(night.readings(start), 2))
        if len(stories) == 1:
            return Held(stories[0], failed)
        # EM-R33: what cannot be read in one way fails, ring by ring, and the rest is asked again. Every round
        # takes one incarceration at least out of the question, so the loop ends.
        for part, story_count in night.knots(start):
            kept = ring(part, story_count)
            forced, failed = forced | kept, failed | (part - kept)


class _Night:
    """One round of the question: the supply, and what is forced to hold."""

    def __init__(self, supply: Supply, needy: Set, forced: Set) -> None:
        self.supply, self.needy, self.forced = supply, needy, forced

    def readings(self, part: _Part) -> Iterator[Set]:
        """Every consistent set of incarcerations that agrees with what is settled."""
        part = self.certain(part)
        if not part.open:
            yield part.inside
            return
        # A source is borne on by nothing else that is open, so its readings are its own; each leads to those
        # of the rest. The choice of a source does not matter, but has to be made by names, not by order.
        source = min(self.sources(part), key=lambda source: sorted(map(_text, source)))
        for story in self.stories(source, part):
            yield from self.readings(_Part(part.inside | story, part.open - source))

    def certain(self, part: _Part) -> _Part:
        """Settle all that no reading changes: out where its owner is surely held or without power, in where
        the owner is surely free and powered."""
        inside, undecided = part
        while undecided:
            # Bounds: held are at least the targets of what holds and at most those of all that may. The more
            # are held the fewer give power, so `low` are powered in every reading and `high` in some perhaps.
            least, most = _targets(inside), _targets(inside | undecided)
            low, high = self.supply.powered(most), self.supply.powered(least)
            sure = list[Action]()
            left = list[Action]()
            for i in undecided:
                owner, needy = i.actor, i in self.needy
                if owner in least or (needy and owner not in high):
                    continue
                (sure if owner not in most and (not needy or owner in low) else left).append(i)
            if len(left) == len(undecided):
                break
            inside, undecided = inside.union(sure), frozenset(left)
        return _Part(inside, undecided)

    def knots(self, part: _Part) -> list[tuple[Set, int]]:
        """The shortest rings of the parts that cannot be read in exactly one way, each with whether none (0)
        or several (2) ways were found."""
        while True:
            part = self.certain(part)
            found = [(source, list(islice(self.stories(source, part), 2))) for source in self.sources(part)]
            knots = [(source, stories) for source, stories in found if len(stories) != 1]
            if knots:
                # Of an unreadable part only the shortest rings are the paradox; what hangs on them is not.
                bears = self.bearing(part)
                return [(_shortest_rings(source, bears), len(stories)) for source, stories in knots]
            for source, (story,) in found:
                part = _Part(part.inside | story, part.open - source)

    def stories(self, component: Set, part: _Part) -> Iterator[Set]:
        """The consistent sets within a component on which nothing else that is open bears."""
        for guess in self.guesses(_Part(part.inside, component)):
            story = guess & component
            if self.holds(component, part.inside | story) == story:
                yield story

    def guesses(self, part: _Part) -> Iterator[Set]:
        """Assume of one that it holds, then that it does not, with all that follows: every consistent set is
        among these, and most sets never come up."""
        inside, undecided = self.certain(part)
        if not undecided:
            yield inside
            return
        first = min(undecided, key=_text)
        yield from self.guesses(_Part(inside | {first}, undecided - {first}))
        yield from self.guesses(_Part(inside, undecided - {first}))

    def holds(self, component: Set, assumed: Set) -> Set:
        """Which of the component hold where `assumed` hold."""
        gone = _targets(assumed)
        powered = self.supply.powered(gone)
        return frozenset(
            i for i in component if i.actor not in gone and (i not in self.needy or i.actor in powered)
        )

    def bearing(self, part: _Part) -> Mapping[Action, Set]:
        """For each open incarceration the open ones that bear on it: they hold its owner, or can make the
        difference to the power that it needs."""
        gone, aimed = _targets(part.inside), _targets(part.open)
        bears = {}
        for i in part.open:
            touchy = {i.actor}
            if i in self.needy:
                touchy |= self.supply.deciders(i.actor, gone, aimed)
            bears[i] = frozenset(k for k in part.open if k.targets[0] in touchy)
        return bears

    def sources(self, part: _Part) -> list[Set]:
        """The strongly connected parts on which no other open part bears."""
        bears = self.bearing(part)
        # A part is an incarceration with all that bears on it; a source where each of these bears back.
        before = {i: _closure(i, bears) for i in part.open}
        return list({before[i] | {i} for i in part.open if all(i in before[k] or k == i for k in before[i])})


def _closure(of: Action, bears: Mapping[Action, Set]) -> Set:
    """Everything that bears on one, directly or by way of others."""
    found: set[Action] = set()
    waiting = [of]
    while waiting:
        new = bears[waiting.pop()] - found
        found |= new
        waiting += new
    return frozenset(found)


def _shortest_rings(component: Set, bears: Mapping[Action, Set]) -> Set:
    """All that lie on a shortest ring of the component."""
    lengths = {i: _way_back(i, component, bears) for i in component}
    shortest = min(lengths.values())
    return frozenset(i for i, length in lengths.items() if length == shortest)


def _way_back(start: Action, component: Set, bears: Mapping[Action, Set]) -> int:
    """The length of the shortest ring through one of the component."""
    # Breadth first along what bears on it, a step at a time, until it comes round to the start.
    steps, here, seen = 1, bears[start] & component, set[Action]()
    while start not in here and here:
        seen |= here
        here = frozenset(k for i in here for k in bears[i] & component) - seen
        steps += 1
    return steps if start in here else len(bears) + 2


def _targets(incarcerations: Set) -> set[SlotId]:
    return {i.targets[0] for i in incarcerations}


def _text(action: Action) -> str:
    return f"{action.actor}>{action.targets[0]}"
