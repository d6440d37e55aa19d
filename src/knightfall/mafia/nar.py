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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    by_actor: ClassVar[bool] = False
    """Whether it sends what certain players do, wherever that is aimed: none of it anew unless its own reach
    has widened."""
    sees_aims: ClassVar[bool] = True
    """Whether what it could change hangs on where others are aimed, not only on who they are."""

    @abstractmethod
    def could_change(self, mine: Reach, other: Reach) -> bool:
        """Whether it could change the other, wherever the two could still be aimed: never where none of its
        places is the actor or a place of the other."""

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


class Stand(Reach):
    """Where an action modifier is aimed as it stands: there is one of them for each action and aim of a night,
    and it never widens. `aims` are all of its places, `seen` too if it sees those of others, `players` these
    and its actor; `bit` is the action's."""

    def __init__(self, action: Action, act: ActionModifier, actor: int, places: list[int], bit: int) -> None:
        super().__init__(action.ability, actor, places)
        self.action, self.act, self.bit = action, act, bit
        self.aims = 0
        for place in places:
            self.aims |= place
        self.players = self.aims | actor
        self.seen = self.aims if act.sees_aims else 0

    def surely_changes(self, other: Stand) -> bool:
        """Whether it could change the other as they stand, and so from all wider reaches."""
        return (
            bool(self.aims & other.actor or self.seen & other.aims)
            and self.act.could_change(self, other)
            and self.act.grows(self, other)
        )


class Findings:
    """What is known about the action modifiers of a night, whatever became of the others: a pass and all of
    its copies share it.

    `stands` are all that came up. `watch` has for each of them groups of others: as long as all of a group
    stand, the last of them could change it. `clusters` are those that were judged, `horizon` is that of dusk.
    """

    def __init__(self, modifiers: Mapping[str, ActionModifier], waiting: Sequence[Action]) -> None:
        # Nothing is ever sent to a player whom no action modifier names.
        named = dict.fromkeys(slot for a in waiting for slot in (a.actor, *a.targets))
        self.players = {slot: 1 << place for place, slot in enumerate(named)}
        self.modifiers = modifiers
        self.numbers = {action: at for at, action in enumerate(waiting)}
        self.stands: dict[tuple[Action, tuple[SlotId, ...]], Stand] = {}
        self.watch: dict[Stand, list[tuple[Stand, ...]]] = {}
        self.clusters: dict[tuple[Stand, ...], Cluster] = {}
        self.dusk = [self.stand(action, action.targets) for action in waiting]
        self.horizon = Horizon(self.dusk)

    def stand(self, action: Action, aims: tuple[SlotId, ...]) -> Stand:
        """The action, so aimed."""
        stand = self.stands.get((action, aims))
        if stand is None:
            bits, act = self.players, self.modifiers[action.ability]
            places, bit = [bits[slot] for slot in aims], 1 << self.numbers[action]
            stand = self.stands[action, aims] = Stand(action, act, bits[action.actor], places, bit)
        return stand


class Spread:
    """Where actions could still be sent by each other, except by one of them.

    It is a fixed point: what is sent elsewhere may send others elsewhere in its turn. `because` has for each
    reach all who had a part in its becoming wider, as bits.
    """

    def __init__(self, company: Collection[Stand], but: Stand | None = None) -> None:
        self.but = but
        self.reaches = {one: Reach(one.verb, one.actor, list(one.places)) for one in company}
        self.because: dict[Reach, int] = {}

    def run(self) -> Spread:
        """To the end."""
        for _ in self._sent():
            pass
        return self

    def some_changers(self, among: Collection[Stand]) -> list[tuple[Stand, ...]] | None:
        """Groups because of which the one left out could be changed by one of these, as soon as some are found:
        the last of a group changes it when the others have sent it there. Empty where they do so no more from
        wider reaches; None where none of these could change it."""
        at = self.but
        assert at is not None
        mine, because = self.reaches[at], self.because
        own = {self.reaches[by]: by for by in among if by is not at}
        for moved in self._sent():
            found = []
            for reach in own if mine in moved else dict.fromkeys(moved):
                by = own.get(reach)
                if by is not None and by.act.could_change(reach, mine) and by.act.grows(by, at):
                    parts = because.get(reach, 0) | because.get(mine, 0)
                    found.append((*[one for one in self.reaches if one.bit & parts and one is not by], by))
            if found:
                return found
        return [] if any(by.act.could_change(reach, mine) for reach, by in own.items()) else None

    def changers(self) -> list[Stand]:
        """After the end, all that could change the one left out."""
        at = self.but
        assert at is not None
        mine = self.reaches[at]
        return [by for by, reach in self.reaches.items() if by is not at and by.act.could_change(reach, mine)]

    def _sent(self) -> Iterator[Sequence[Reach]]:
        """Widen until nobody sends anybody further; each time those that were widened."""
        reaches = self.reaches
        turners = [one for one in reaches if one.act.turns and one is not self.but]
        everybody, moved = list(reaches.values()), dict[Reach, None]()
        # At first each sends what it is aimed at; what only came there meanwhile is told from the moved.
        for one in turners:
            mine, aims = reaches[one], one.aims
            near = [reach for other, reach in reaches.items() if other.players & aims]
            if wider := one.act.widen(mine, near):
                self._note(wider, one, moved)
                yield wider
        while moved:
            last, moved = moved, {}
            for one in turners:
                mine = reaches[one]
                others = everybody if mine in last else () if one.act.by_actor else last
                if others and (wider := one.act.widen(mine, others)):
                    self._note(wider, one, moved)
                    yield wider

    def _note(self, wider: Sequence[Reach], by: Stand, moved: dict[Reach, None]) -> None:
        """Who had a part in it."""
        because = self.because
        parts = because.get(self.reaches[by], 0) | by.bit
        for reach in wider:
            moved[reach] = None
            because[reach] = because.get(reach, 0) | parts


class Horizon:
    """Everywhere that some actions, which share their players with no others, could still be sent.

    Whatever happens only takes senders away, and brings an action to where it could be sent: so this is true
    until the end of the night, if ever less exactly.
    """

    def __init__(self, company: Sequence[Stand]) -> None:
        self.company = company
        self.known: dict[int, int] = {}

    @cached_property
    def widest(self) -> list[tuple[Stand, Reach]]:
        """Where all could still be sent by all."""
        return [*Spread(self.company).run().reaches.items()]

    def out_of_reach(self, at: Stand, others: Iterable[Stand]) -> bool:
        """Whether it is plain that none of the others could change an action, wherever they could be sent."""
        might = self._might_change(at.bit)
        for by in others:
            if (might & by.bit or not by.act.grows(by, at)) and by is not at:
                return False
        return True

    def _might_change(self, bit: int) -> int:
        """Of the actions those that could change this one from their widest reaches, as bits."""
        if bit not in self.known:
            [mine] = [reach for one, reach in self.widest if one.bit == bit]
            found = 0
            for by, reach in self.widest:
                if reach is not mine and by.act.could_change(reach, mine):
                    found |= by.bit
            self.known[bit] = found
        return self.known[bit]


class Pass:
    """One pass over a night's actions: who is under way to whom, who is held.

    `fails` tells of the `conditional` actions why one has no effect on those it reached, None where it has.
    `stands` are the action modifiers that wait, in canonical order; `clusters` those that they fell into when a
    ring was last looked for.
    """

    def __init__(
        self,
        sheet: Sheet,
        actions: Iterable[Action],
        modifiers: Mapping[str, ActionModifier],
        conditional: Collection[Action],
        fails: Callable[[Action], str | None],
    ) -> None:
        self.sheet, self.modifiers = sheet, modifiers
        self.conditional, self.fails = conditional, fails
        self.aims: dict[Action, tuple[SlotId, ...]] = {a: a.targets for a in actions if a.targets}
        self.turners: dict[Action, list[Action]] = {}
        self.went: dict[Action, Action] = {}
        self.findings = Findings(modifiers, [action for action in self.aims if action.ability in modifiers])
        self.stands = {stand.action: stand for stand in self.findings.dusk}
        self.clusters: list[Cluster] = []
        self.horizons: dict[Action, Horizon] = {}

    @property
    def waiting(self) -> list[Action]:
        """The action modifiers that have not acted yet, in canonical order."""
        return list(self.stands)

    def copy(self) -> Pass:
        """A pass that goes on from here by itself."""
        other = Pass.__new__(Pass)
        other.modifiers, other.conditional, other.fails = self.modifiers, self.conditional, self.fails
        other.findings, other.stands = self.findings, self.stands.copy()
        other.clusters, other.horizons = self.clusters, self.horizons
        other.sheet, other.aims, other.went = self.sheet.copy(), self.aims.copy(), self.went.copy()
        other.turners = {sent: by.copy() for sent, by in self.turners.items()}
        return other

    def reach(self, action: Action) -> Reach:
        """Where an action modifier is aimed as it stands, to be widened."""
        stand = self.stands[action]
        return Reach(stand.verb, stand.actor, list(stand.places))

    def turn(self, sent: Action, targets: tuple[SlotId, ...], by: Action) -> None:
        """Send an action that is under way elsewhere."""
        if targets != self.aims[sent]:
            self.aims[sent] = targets
            self.turners.setdefault(sent, []).append(by)
            if sent in self.stands:
                self.stands[sent] = self.findings.stand(sent, targets)

    def arrive(self, sent: Action, strong: bool = False) -> Action | None:
        """The action where it comes to, no more under way; None where something stopped it. What is `strong`
        is stopped by nothing but an empty house."""
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
        if not strong and (actor in sheet.jails or actor in sheet.blocks) and (obstacle := self.held(went)):
            sheet.stop(went, *obstacle)
            return None
        if sent in self.conditional and (why := self.fails(went)):
            sheet.notes.append(Note(went, _IDLE, why, None, sheet.rulings[why][ability]))
            return None
        return went

    def held(self, went: Action) -> tuple[Reason, Action] | None:
        """A jail on its actor, or else a roleblock."""
        if jails := self.sheet.jails.get(went.actor):
            return Reason.ACTOR_JAILED, jails[0]
        if blocks := self.sheet.blocks.get(went.actor):
            return Reason.ACTOR_ROLEBLOCKED, blocks[0]
        return None

    def free(self) -> list[Action]:
        """The action modifiers that nothing could change, as things stand now."""
        watch = self.findings.watch
        stands = set(self.stands.values())
        free = []
        for at in self.stands.values():
            for others in watch.get(at, ()):
                if stands.issuperset(others):
                    break
            else:
                if self._is_free(at):
                    free.append(at.action)
        return free

    def _is_free(self, at: Stand) -> bool:
        """Whether nothing could change an action, wherever others could still be sent by anybody but it."""
        findings, standing = self.findings, self.stands.values()
        alone = True
        for by in standing:
            if by.players & at.players and by is not at:
                alone = False
                if by.surely_changes(at):
                    findings.watch.setdefault(at, []).append((by,))
                    return False
        if alone or self.horizons.get(at.action, findings.horizon).out_of_reach(at, standing):
            return True
        company = _company(at, standing)
        found = Spread(company, at).some_changers(company)
        if found:
            findings.watch.setdefault(at, []).extend(found)
        return found is None


def resolve_modifiers(run: Pass, choose: Callable[[Cycle], str | None]) -> Cycle | None:
    """Let every action modifier take effect in its natural order.

    `choose` says for a cycle the label of the action that goes first, or `NONE_HAPPENS`; where it says None
    the cycle is returned, and the pass stands before it: with `go_first` and a choice it goes on from there.
    """
    while run.stands:
        # What nothing can change, as things stand now, goes first.
        if free := run.free():
            _let_act(run, free)
            continue
        cycle = first_ring(run)
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
    for sent in free:
        del run.stands[sent]
    for sent in free:
        if (went := run.arrive(sent)) is not None:
            modifier = run.modifiers[sent.ability]
            run.sheet.stand(went, modifier.reason)
            modifier.act(run, sent, went)
    sheet = run.sheet
    stopped = [
        action for action in run.stands if action.actor in sheet.jails or action.actor in sheet.blocks
    ]
    for sent in stopped:
        del run.stands[sent]
        run.arrive(sent)


class Cluster(Horizon):
    """Action modifiers that share players with each other and with no other that waits, where nothing is free.

    `found` are all that are known to change each from where they could be sent.
    """

    def __init__(self, company: Sequence[Stand], findings: Findings, earlier: Horizon) -> None:
        super().__init__(company)
        self.findings, self.earlier = findings, earlier
        stands = set(company)
        self.found: dict[Stand, set[Stand]] = {
            at: {group[-1] for group in findings.watch.get(at, ()) if stands.issuperset(group)}
            for at in company
        }

    @cached_property
    def cycle(self) -> Cycle:
        """The first ring by name.

        A ring is an action with all that could change it, directly or by way of others, where each of these
        has the action behind it in turn: nothing outside bears on it.
        """
        named = []
        left = set(self.company)
        while left:
            ring = self._ring(next(one for one in self.company if one in left))
            actions = tuple(sorted([one.action for one in ring]))
            named.append(Cycle(" ".join(sorted(map(label, actions))), actions))
            # Whatever has this ring behind it is in no other.
            left.difference_update(ring)
            if left:
                left.difference_update(self._ahead(ring, self.company))
        return min(named, key=lambda cycle: cycle.key)

    def _ring(self, at: Stand) -> list[Stand]:
        """One that is behind the action, or the one that it is in."""
        among: Sequence[Stand] = self.company
        while True:
            behind = self._behind(at, among)
            ahead = set(self._ahead([at], behind))
            beyond = next((one for one in reversed(behind) if one not in ahead), None)
            if beyond is not None:
                at, among = beyond, behind  # less is behind it: this action is not
            elif (changer := self._outside(behind)) is not None:
                at, among = changer, self.company
            else:
                return behind

    def _behind(self, at: Stand, among: Sequence[Stand]) -> list[Stand]:
        """An action with all that could change it, as far as is known, directly or by way of others."""
        reached, left = [at], [one for one in among if one is not at]
        for here in reached:
            actor, aims, found = here.actor, here.aims, self.found[here]
            fresh = [
                one
                for one in left
                if ((one.aims & actor or one.seen & aims) and one.surely_changes(here)) or one in found
            ]
            if fresh:
                reached += fresh
                new = set(fresh)
                left = [one for one in left if one not in new]
                if not left:
                    break
        return reached

    def _ahead(self, begun: Sequence[Stand], among: Sequence[Stand]) -> list[Stand]:
        """Actions with all that they could change, as far as is known, directly or by way of others."""
        reached, new = list(begun), set(begun)
        left, found = among, self.found
        for here in reached:
            left = [one for one in left if one not in new] if new else left
            if not left:
                break
            aims, seen = here.aims, here.seen
            fresh = [
                one
                for one in left
                if ((aims & one.actor or seen & one.aims) and here.surely_changes(one)) or here in found[one]
            ]
            reached += fresh
            new = set(fresh)
        return reached

    def _outside(self, ring: Collection[Stand]) -> Stand | None:
        """An action outside that could change one of these after all, which is known from now on; None where
        there is none."""
        inside = set(ring)
        outside = [one for one in self.company if one not in inside]
        if not outside:
            return None
        sure = False
        for at in ring:
            if self.earlier.out_of_reach(at, outside) or (sure and self.out_of_reach(at, outside)):
                continue
            found = Spread(self.company, at).some_changers(outside)
            sure = True
            if found:
                self.findings.watch.setdefault(at, []).extend(found)
            if found is not None:
                changers = [group[-1] for group in found] or Spread(self.company, at).run().changers()
                self.found[at].update(changers)
                return next(one for one in changers if one not in inside)
        return None


def first_ring(run: Pass) -> Cycle:
    """Where nothing is free, the first ring by name."""
    # What an action does stays in its cluster: where all of one stand as they did, nothing has changed.
    stands, clusters = set(run.stands.values()), run.findings.clusters
    found = [cluster for cluster in run.clusters if stands.issuperset(cluster.company)]
    stands.difference_update(*[cluster.company for cluster in found])
    left = [one for one in run.stands.values() if one in stands]
    horizons = run.horizons
    while left:
        company = _company(left[0], left)
        key = tuple(company)
        cluster = clusters.get(key)
        if cluster is None:
            earlier = horizons.get(company[0].action, run.findings.horizon)
            cluster = clusters[key] = Cluster(key, run.findings, earlier)
        found.append(cluster)
        stands.difference_update(company)
        left = [one for one in left if one in stands]
        horizons = {**horizons, **dict.fromkeys([one.action for one in company], cluster)}
    run.clusters, run.horizons = found, horizons
    return min([cluster.cycle for cluster in found], key=lambda cycle: cycle.key)


def _company(at: Stand, standing: Iterable[Stand]) -> list[Stand]:
    """An action with all that share players with it, directly or by way of others."""
    found: list[Stand] = []
    near, left, players = [at], [one for one in standing if one is not at], 0
    while near:
        found += near
        for one in near:
            players |= one.players
        near = [one for one in left if one.players & players]
        left = [one for one in left if not one.players & players]
    return found


def _drop(run: Pass, ring: tuple[Action, ...], idle: Reason) -> None:
    """No action of a ring happens: each is stopped because of the next."""
    for action, other in zip(ring, (*ring[1:], ring[0]), strict=True):
        went = run.went[action] = action._replace(targets=run.aims.pop(action))
        run.sheet.stop(went, idle, other)
        del run.stands[action]
