"""Natural Action Resolution: the order in which actions that change other actions take effect.

An action goes first when nothing else could possibly change it; then the next, until all are done. Where
each of them could be changed by another they form a cycle, and somebody has to say which goes first. What an
ability does to others is in `mafia.abilities`; here is only the order.

"Could possibly" is meant literally. A redirect that is still under way may itself be redirected, so what it
could change depends on where everything could still be sent. That is why each action is looked at with its
`Reach`: for each of its targets the set of all players whom it could come to be aimed at. Sets of players are
integers with a bit for each player, since a night asks for their unions and intersections thousands of times.

Actions that share no player, neither at home nor as a target, cannot change each other now or later: sending
only ever brings an action to the targets of another. So the night falls into clusters, and what is found out
about a cluster holds wherever the same actions stand there again, whatever became of the rest of the night.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from knightfall.mafia.night import Action, Fate, Note, Reason, Sheet
from knightfall.sentence import SlotId

_IDLE = Fate.IDLE  # bound once: looking a member up in its enum takes time
NONE_HAPPENS = "none"
"""The choice by which no action of a cycle happens."""


class Reach:
    """Where an action modifier stands, players as bits: `actor` has one, `places` has for each of its targets
    everybody whom it could still come to be aimed at."""

    def __init__(self, verb: str, actor: int, places: list[int]) -> None:
        self.verb, self.actor, self.places = verb, actor, places


def several(bits: int) -> bool:
    """Whether there is more than one player in a set: taking its lowest bit away leaves something."""
    return bits & (bits - 1) != 0


class ActionModifier(ABC):
    """An ability that changes other actions."""

    reason: ClassVar[Reason]
    """What the trace says where it takes effect."""
    turns: ClassVar[bool] = False
    """Whether it sends actions elsewhere."""
    lets: ClassVar[frozenset[str]] = frozenset()
    """What it lets through where it keeps actions from its target."""

    @abstractmethod
    def could_change(self, mine: Reach, other: Reach) -> bool:
        """Whether it could change the other, wherever the two could still be aimed."""

    def grows(self, mine: Reach, other: Reach) -> bool:
        """Whether from wider reaches it could change the other wherever it could from narrower ones, where
        these two are the narrowest."""
        return True

    def widen(self, mine: Reach, others: Iterable[Reach]) -> list[Reach]:
        """Add to the places of others where this could send them; returns those with anything new."""
        return []

    @abstractmethod
    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """Take effect on everything that is still under way."""


class Cycle(NamedTuple):
    """Actions that change each other in a ring; `key` names them, sorted."""

    key: str
    actions: tuple[Action, ...]


def label(action: Action) -> str:
    """`Ada:drive`: how a choice names an action; a player has one action of a verb a night."""
    return f"{action.actor}:{action.ability}"


class Pass:
    """One pass over a night's actions: who is under way to whom, who is held.

    `fails` tells of the `conditional` actions why one has no effect on those it reached, None where it has;
    `spares` whether a hold or a stop has none on an action that it would keep from happening.
    `judged` keeps each cluster that came up, for this pass and its copies.
    """

    def __init__(
        self,
        sheet: Sheet,
        actions: Iterable[Action],
        modifiers: Mapping[str, ActionModifier],
        conditional: Collection[Action],
        fails: Callable[[Action], str | None],
        spares: Callable[[Action, Action], bool] = lambda _, __: False,
    ) -> None:
        self.sheet, self.modifiers = sheet, modifiers
        self.conditional, self.fails, self.spares = conditional, fails, spares
        self.aims: dict[Action, tuple[SlotId, ...]] = {a: a.targets for a in actions if a.targets}
        self.waiting = [action for action in self.aims if action.ability in modifiers]
        self.turners: dict[Action, list[Action]] = {}
        self.went: dict[Action, Action] = {}
        # Nothing is ever sent to a player whom no action modifier names.
        named = dict.fromkeys(slot for a in self.waiting for slot in (a.actor, *a.targets))
        self.bits = {slot: 1 << place for place, slot in enumerate(named)}
        self.judged: dict[tuple[object, ...], Cluster] = {}

    def copy(self) -> Pass:
        """A pass that goes on from here by itself."""
        other = Pass.__new__(Pass)
        other.modifiers, other.conditional, other.fails = self.modifiers, self.conditional, self.fails
        other.spares = self.spares
        other.bits, other.judged, other.waiting = self.bits, self.judged, self.waiting
        other.sheet, other.aims, other.went = self.sheet.copy(), self.aims.copy(), self.went.copy()
        other.turners = {sent: by.copy() for sent, by in self.turners.items()}
        return other

    def reach(self, action: Action) -> Reach:
        """Where an action modifier is aimed as it stands."""
        bits = self.bits
        return Reach(action.ability, bits[action.actor], [bits[slot] for slot in self.aims[action]])

    def turn(self, sent: Action, targets: tuple[SlotId, ...], by: Action) -> None:
        """Send an action that is under way elsewhere."""
        if targets != self.aims[sent]:
            self.aims[sent] = targets
            self.turners.setdefault(sent, []).append(by)

    def arrive(self, sent: Action, strong: bool = False, unbarred: bool = False) -> Action | None:
        """The action where it comes to, no more under way; None where something stopped it. What is `strong`
        is stopped by nothing but an empty house; `unbarred`: nothing keeps it from its targets."""
        targets, sheet = self.aims.pop(sent), self.sheet
        actor, ability, aimed_at, options = went = sent
        if targets is not aimed_at:
            went = Action(actor, ability, targets, options)
        self.went[sent] = went
        if sheet.away:
            for target in targets:
                if target in sheet.away and target != actor:
                    sheet.stop(went, Reason.TARGET_COMMUTING, sheet.away[target])
                    return None
        if sheet.stops and not strong and not unbarred and (barred := self.barred(went)):
            sheet.stop(went, *barred)
            return None
        if not strong and (actor in sheet.jails or actor in sheet.blocks) and (obstacle := self.held(went)):
            sheet.stop(went, *obstacle)
            return None
        if sent in self.conditional and (why := self.fails(went)):
            sheet.notes.append(Note(went, _IDLE, why, None, sheet.rulings[why][ability]))
            return None
        return went

    def barred(self, went: Action) -> tuple[Reason, Action] | None:
        """What keeps an action of somebody else's from one of its targets."""
        for target in went.targets:
            for stop, reason in self.sheet.stops.get(target, ()):
                let = went.ability in self.modifiers[stop.ability].lets or self.spares(stop, went)
                if went.actor not in (target, stop.actor) and not let:
                    return reason, stop
        return None

    def held(self, went: Action) -> tuple[Reason, Action] | None:
        """A jail on its actor, or else a roleblock."""
        for holds, reason in (
            (self.sheet.jails, Reason.ACTOR_JAILED),
            (self.sheet.blocks, Reason.ACTOR_ROLEBLOCKED),
        ):
            for hold in holds.get(went.actor, ()):
                if not self.spares(hold, went):
                    return reason, hold
        return None


def resolve_modifiers(run: Pass, choose: Callable[[Cycle], str | None]) -> Cycle | None:
    """Let every action modifier take effect in its natural order.

    `choose` says for a cycle the label of the action that goes first, or `NONE_HAPPENS`; where it says None
    the cycle is returned, and the pass stands before it: with `go_first` and a choice it goes on from there.
    """
    while run.waiting:
        # What nothing can change, as things stand now, goes first.
        free, found = clusters(run)
        for cluster in found:
            free += cluster.free
        if free:
            _let_act(run, free if len(free) == 1 else [action for action in run.waiting if action in free])
            continue
        # Everything can be changed. Of several rings the first by name.
        cycle = min((cluster.cycle for cluster in found), key=lambda cycle: cycle.key)
        choice = choose(cycle)
        if choice is None:
            return cycle
        go_first(run, cycle, choice)
    return None


def go_first(run: Pass, cycle: Cycle, choice: str, idle: Reason = Reason.KNOT) -> None:
    """Let the action of the cycle go first that the choice names, or none of its actions happen: for the
    reason `idle`."""
    if choice == NONE_HAPPENS:
        _drop(run, cycle.actions, idle)
    _let_act(run, [action for action in cycle.actions if label(action) == choice])


def _let_act(run: Pass, free: list[Action]) -> None:
    """These take effect, in canonical order; whoever is held now does nothing any more."""
    run.waiting = [action for action in run.waiting if action not in free]
    for sent in free:
        if (went := run.arrive(sent)) is not None:
            modifier = run.modifiers[sent.ability]
            run.sheet.stand(went, modifier.reason)
            modifier.act(run, sent, went)
    sheet = run.sheet
    stopped = [
        action for action in run.waiting if action.actor in sheet.jails or action.actor in sheet.blocks
    ]
    if stopped:
        run.waiting = [action for action in run.waiting if action not in stopped]
        for sent in stopped:
            run.arrive(sent)


class Cluster:
    """Actions that share players with each other and with no other that waits, where they stand now.

    `free` are those that nothing can change. Actions are meant by their place in the cluster, and sets of
    them are bits.
    """

    def __init__(
        self, actions: Sequence[Action], reaches: list[Reach], modifiers: Mapping[str, ActionModifier]
    ) -> None:
        self.actions, self.start = actions, reaches
        self.acts = [modifiers[action.ability] for action in actions]
        self.known: dict[int, int] = {}
        # Who could surely be changed is not free, whatever is sent elsewhere.
        doubtful = [at for at in range(len(actions)) if not self.surely_changed(at)]
        self.free = [actions[at] for at in doubtful if not self.changers(at)]

    @cached_property
    def cycle(self) -> Cycle:
        """The first ring by name, where nothing is free.

        A ring is an action with all that could change it, where each of these has the action behind it in
        turn: nothing outside bears on it.
        """
        everybody = range(len(self.actions))
        before = self.behind()
        rings = {
            before[at]
            for at in everybody
            if all(before[by] >> at & 1 for by in everybody if before[at] >> by & 1)
        }
        named = [tuple(sorted(self.actions[at] for at in everybody if ring >> at & 1)) for ring in rings]
        return min(
            (Cycle(" ".join(sorted(map(label, ring))), ring) for ring in named), key=lambda cycle: cycle.key
        )

    def behind(self) -> list[int]:
        """For each action all that could change it, directly or by way of others."""
        everybody = range(len(self.actions))
        least = [self.bounds(at)[0] for at in everybody]
        most = [self.bounds(at)[1] for at in everybody]
        # Where it is not known who could change an action, what is behind each is often known all the same.
        for at in everybody:
            if least[at] != most[at]:
                behind = _closed(least)
                if behind == _closed(most):
                    return behind
                least[at] = most[at] = self.changers(at)
        return _closed(least)

    def surely_changed(self, at: int) -> bool:
        """Whether another could change the action where all stand now, and so from all wider reaches."""
        mine = self.start[at]
        for act, reach in zip(self.acts, self.start, strict=True):
            if reach is not mine and act.could_change(reach, mine) and act.grows(reach, mine):
                return True
        return False

    def steady(self, at: int) -> bool:
        """Whether all who could change the action now could do so from all wider reaches."""
        mine = self.start[at]
        for act, reach in zip(self.acts, self.start, strict=True):
            if reach is not mine and not act.grows(reach, mine):
                return False
        return True

    def bounds(self, at: int) -> tuple[int, int]:
        """All that surely could change an action, and all that possibly could; see `changers`."""
        reaches, senders = self.widest
        if at not in senders:
            # Without what sends nobody anywhere the reaches are the same.
            exactly = self.changers_from(at, reaches)
            return exactly, exactly
        if self.steady(at):
            return self.changers_from(at, self.start), self.changers_from(at, reaches)
        return 0, (1 << len(self.actions)) - 1 & ~(1 << at)

    def changers(self, at: int) -> int:
        """All that could change an action, wherever they themselves could still be sent by anybody but it: a
        fixed point, for what is sent elsewhere may send others elsewhere in its turn."""
        if at not in self.known:
            least, most = self.bounds(at)
            if least != most:
                reaches = _copied(self.start)
                self.spread(reaches, [by for by, act in enumerate(self.acts) if act.turns and by != at])
                least = self.changers_from(at, reaches)
            self.known[at] = least
        return self.known[at]

    def changers_from(self, at: int, reaches: Sequence[Reach]) -> int:
        """Who could change the action from these reaches."""
        mine, found, bit = reaches[at], 0, 1
        for act, reach in zip(self.acts, reaches, strict=True):
            if reach is not mine and act.could_change(reach, mine):
                found |= bit
            bit <<= 1
        return found

    @cached_property
    def widest(self) -> tuple[list[Reach], set[int]]:
        """Everywhere that all could still be sent by all, and who sends anybody at all."""
        turners = [at for at, act in enumerate(self.acts) if act.turns]
        if not turners:
            return self.start, set()
        reaches = _copied(self.start)
        return reaches, self.spread(reaches, turners)

    def spread(self, reaches: list[Reach], sending: Sequence[int]) -> set[int]:
        """Widen the reaches until nobody `sending` sends anybody further; returns who sent anybody."""
        senders = set[int]()
        last: Collection[Reach] = reaches
        while last:
            changed = dict[Reach, None]()
            for at in sending:
                mine = reaches[at]
                if wider := self.acts[at].widen(mine, reaches if mine in last else last):
                    changed |= dict.fromkeys(wider)
                    senders.add(at)
            last = changed
        return senders


def clusters(run: Pass) -> tuple[list[Action], list[Cluster]]:
    """What waits and shares its players with nothing else that does; and all else with what shares players
    with it, directly or by way of others."""
    groups: list[tuple[int, list[int]]] = []
    bits, aims = run.bits, run.aims
    for at, action in enumerate(run.waiting):
        players, together = bits[action.actor], [at]
        for slot in aims[action]:
            players |= bits[slot]
        apart = []
        for group in groups:
            if group[0] & players:
                players |= group[0]
                together = [*group[1], *together]
            else:
                apart.append(group)
        groups = [*apart, (players, together)]
    alone, found = [], []
    for _, together in groups:
        if len(together) == 1:
            alone.append(run.waiting[together[0]])
            continue
        together.sort()
        actions = [run.waiting[at] for at in together]
        key = tuple([(action, run.aims[action]) for action in actions])
        cluster = run.judged.get(key)
        if cluster is None:
            cluster = run.judged[key] = Cluster(actions, [run.reach(a) for a in actions], run.modifiers)
        found.append(cluster)
    return alone, found


def _copied(reaches: list[Reach]) -> list[Reach]:
    return [Reach(reach.verb, reach.actor, list(reach.places)) for reach in reaches]


def _closed(changers: Sequence[int]) -> list[int]:
    """For each place in bits all behind it, directly or by way of others."""
    behind = list(changers)
    for by in range(len(behind)):
        for at, before in enumerate(behind):
            if before >> by & 1:
                behind[at] = before | behind[by]
    return behind


def _drop(run: Pass, ring: tuple[Action, ...], idle: Reason) -> None:
    """No action of a ring happens: each is stopped because of the next."""
    for action, other in zip(ring, (*ring[1:], ring[0]), strict=True):
        went = run.went[action] = action._replace(targets=run.aims.pop(action))
        run.sheet.stop(went, idle, other)
    run.waiting = [action for action in run.waiting if action not in ring]
