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

The ring of a crowded night has a reading for each of its actions, and most of what could change most of the
others is the same in all of them. So a pass shares its `Findings` with its copies. Each says what holds as
long as certain actions stand as they did: one action changes another where both stand, or could come to do so
by way of some others; what could be sent nowhere near another at one time cannot be later. Where all could
still be sent is followed only for what none of that decides, and no further than to the first answer. None of
it is a guess: by whatever way it is found, a ring or a free action is the one of the rule above.
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
    lets: ClassVar[frozenset[str]] = frozenset()
    """What it lets through where it keeps actions from its target."""

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
    """Where an action modifier is aimed as it stands: a night has one for each action and aim, and it never
    widens.

    Sets of them are bits, too: each is one `mark`, while `bit` is the action's, wherever it is aimed. `aims`
    are all places, `players` these and the actor. `before` and `after` are those that surely change it and
    that it surely changes, as far as they were `asked` and `told`.
    """

    def __init__(self, action: Action, act: ActionModifier, actor: int, places: list[int], bit: int) -> None:
        super().__init__(action.ability, actor, places)
        self.action, self.act, self.bit = action, act, bit
        self.aims = 0
        for place in places:
            self.aims |= place
        self.players = self.aims | actor
        self.mark = self.before = self.after = self.asked = self.told = 0

    def surely_changes(self, other: Stand) -> bool:
        """Whether it could change the other as they stand, and so from all wider reaches."""
        return self.act.could_change(self, other) and self.act.grows(self, other)


class Findings:
    """What is known about the action modifiers of a night, whatever became of the others: a pass and all of
    its copies share it.

    `stands` are all that came up. `watch` has for each of them groups of others, as marks: as long as all of
    a group stand, one of them, with the mark named last, could change it. `clusters` are those that were
    judged, `horizon` is that of dusk. `acting` are those of a player, `aimed` those aimed at a player,
    `seeing` those of them that see what else is aimed at that player.
    """

    def __init__(self, modifiers: Mapping[str, ActionModifier], waiting: Sequence[Action]) -> None:
        # Nothing is ever sent to a player whom no action modifier names.
        named = dict.fromkeys(slot for a in waiting for slot in (a.actor, *a.targets))
        self.players = {slot: 1 << place for place, slot in enumerate(named)}
        self.modifiers = modifiers
        self.numbers = {action: at for at, action in enumerate(waiting)}
        self.stands: dict[tuple[Action, tuple[SlotId, ...]], Stand] = {}
        self.marked: list[Stand] = []
        self.acting = dict.fromkeys(self.players.values(), 0)
        self.aimed, self.seeing = self.acting.copy(), self.acting.copy()
        self.watch: dict[Stand, list[tuple[int, int]]] = {}
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
            stand.mark = 1 << len(self.marked)
            self.marked.append(stand)
            self.acting[stand.actor] |= stand.mark
            for place in places:
                self.aimed[place] |= stand.mark
                if act.sees_aims:
                    self.seeing[place] |= stand.mark
        return stand

    def of(self, marks: int) -> Iterator[Stand]:
        """Those with these marks."""
        marked = self.marked
        while marks:
            mark = marks & -marks
            yield marked[mark.bit_length() - 1]
            marks ^= mark

    def is_alone(self, at: Stand, among: int) -> bool:
        """Whether it shares no player with any of these others."""
        near = self.acting[at.actor] | self.aimed[at.actor]
        for place in at.places:
            near |= self.acting[place] | self.aimed[place]
        return not near & among & ~at.mark

    def is_surely_changed(self, at: Stand, among: int) -> bool:
        """Whether one of these surely changes it; no more of them are asked."""
        if at.before & among:
            return True
        fresh = among & ~at.asked & ~at.mark
        for by in self.of(fresh & self._near(at)):
            at.asked |= by.mark
            if by.surely_changes(at):
                at.before |= by.mark
                return True
        at.asked |= fresh
        return False

    def before(self, at: Stand, among: int) -> int:
        """Those of these that surely change it."""
        if fresh := among & ~at.asked & ~at.mark:
            at.asked |= fresh
            for by in self.of(fresh & self._near(at)):
                if by.surely_changes(at):
                    at.before |= by.mark
        return at.before & among

    def after(self, by: Stand, among: int) -> int:
        """Those of these that it surely changes."""
        if fresh := among & ~by.told & ~by.mark:
            by.told |= fresh
            near = 0
            for place in by.places:
                near |= self.acting[place] | (self.aimed[place] if by.act.sees_aims else 0)
            for at in self.of(fresh & near):
                if by.surely_changes(at):
                    by.after |= at.mark
        return by.after & among

    def _near(self, at: Stand) -> int:
        """All that bear on it, as they are aimed."""
        near = self.aimed[at.actor]
        for place in at.places:
            near |= self.seeing[place]
        return near


class Spread:
    """Where actions could still be sent by each other, except by one of them.

    It is a fixed point: what is sent elsewhere may send others elsewhere in its turn. `because` has for each
    reach all who had a part in its becoming wider, as marks.
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

    def some_changers(self, among: Collection[Stand]) -> list[tuple[int, int]] | None:
        """Groups because of which the one left out could be changed by one of these, as `Findings.watch` has
        them, as soon as some are found. Empty where they do so no more from wider reaches; None where none of
        these could change it."""
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
                    found.append((parts | by.mark, by.mark))
            if found:
                return found
        return [] if any(by.act.could_change(reach, mine) for reach, by in own.items()) else None

    def changers(self) -> int:
        """After the end, all that could change the one left out, as marks."""
        at = self.but
        assert at is not None
        mine, found = self.reaches[at], 0
        for by, reach in self.reaches.items():
            if by is not at and by.act.could_change(reach, mine):
                found |= by.mark
        return found

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
        parts = because.get(self.reaches[by], 0) | by.mark
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
        return not any((might & by.bit or not by.act.grows(by, at)) and by is not at for by in others)

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

    `fails` tells of the `conditional` actions why one has no effect on those it reached, None where it has;
    `spares` whether a hold or a stop has none on an action that it would keep from happening. `stands` are
    the action modifiers that wait, in canonical order; `clusters` those that they fell into when a ring was
    last looked for, `horizons` how far each could be sent at that time.
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
        other.spares = self.spares
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

    def free(self) -> list[Action]:
        """The action modifiers that nothing could change, as things stand now."""
        watch, standing = self.findings.watch, 0
        for at in self.stands.values():
            standing |= at.mark
        free = []
        for at in self.stands.values():
            if at.before & standing:
                continue
            for group, _ in watch.get(at, ()):
                if standing & group == group:
                    break
            else:
                if self._is_free(at, standing):
                    free.append(at.action)
        return free

    def _is_free(self, at: Stand, standing: int) -> bool:
        """Whether nothing could change an action, wherever others could still be sent by anybody but it."""
        findings, others = self.findings, self.stands.values()
        if findings.is_surely_changed(at, standing):
            return False
        if findings.is_alone(at, standing):
            return True
        if self.horizons.get(at.action, findings.horizon).out_of_reach(at, others):
            return True
        company = _company(at, others)
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
    stopped = [action for action in run.stands if action.actor in sheet.jails or action.actor in sheet.blocks]
    for sent in stopped:
        del run.stands[sent]
        run.arrive(sent)


class Cluster(Horizon):
    """Action modifiers that share players with each other and with no other that waits; none of them is free.

    `changers` and `changed` are what is known beyond those that surely change each: from where they could be
    sent.
    """

    def __init__(self, company: Sequence[Stand], findings: Findings, earlier: Horizon) -> None:
        super().__init__(company)
        self.findings, self.earlier = findings, earlier
        self.marks = 0
        for one in company:
            self.marks |= one.mark
        self.changers, self.changed = dict.fromkeys(company, 0), dict.fromkeys(company, 0)
        for at in company:
            for group, by in findings.watch.get(at, ()):
                if self.marks & group == group:
                    self._learn(at, by)

    @cached_property
    def cycle(self) -> Cycle:
        """The first ring by name.

        A ring is an action with all that could change it, directly or by way of others, where each of these
        has the action behind it in turn: nothing outside bears on it.
        """
        named = []
        left, of = self.marks, self.findings.of
        while left:
            ring = self._ring(next(of(left)))
            actions = tuple(sorted([one.action for one in of(ring)]))
            named.append(Cycle(" ".join(sorted(map(label, actions))), actions))
            # Whatever has this ring behind it is in no other.
            left &= ~self._ahead(ring, self.marks)
        return min(named, key=lambda cycle: cycle.key)

    def _learn(self, at: Stand, changers: int) -> None:
        self.changers[at] |= changers
        for by in self.findings.of(changers):
            self.changed[by] |= at.mark

    def _ring(self, at: Stand) -> int:
        """One that is behind the action, or the one that it is in."""
        among = self.marks
        while True:
            behind = self._behind(at, among)
            if beyond := behind & ~self._ahead(at.mark, behind):
                at, among = next(self.findings.of(beyond)), behind  # less is behind it: this action is not
            elif changers := self._outside(behind):
                at, among = next(self.findings.of(changers)), self.marks
            else:
                return behind

    def _behind(self, at: Stand, among: int) -> int:
        """An action with all of these that are known to change it, directly or by way of others."""
        findings, reached, left = self.findings, [at], among & ~at.mark
        for here in reached:
            if fresh := findings.before(here, left) | self.changers[here] & left:
                reached += findings.of(fresh)
                left &= ~fresh
                if not left:
                    break
        return among & ~left | at.mark

    def _ahead(self, begun: int, among: int) -> int:
        """Actions with all of these that they are known to change, directly or by way of others."""
        findings, left = self.findings, among & ~begun
        reached = list(findings.of(begun)) if left else []
        for here in reached:
            if fresh := findings.after(here, left) | self.changed[here] & left:
                reached += findings.of(fresh)
                left &= ~fresh
                if not left:
                    break
        return among & ~left | begun

    def _outside(self, ring: int) -> int:
        """Actions outside that could change one of these after all, which is known from now on; 0 where there
        are none."""
        if ring == self.marks:
            return 0
        outside, proved = list(self.findings.of(self.marks & ~ring)), False
        for at in self.findings.of(ring):
            if self.earlier.out_of_reach(at, outside) or (proved and self.out_of_reach(at, outside)):
                continue
            spread = Spread(self.company, at)
            found = spread.some_changers(outside)
            if found is None:
                proved = True  # others may be out of reach as well, which is found out at once
                continue
            self.findings.watch.setdefault(at, []).extend(found)
            changers = 0
            for _, by in found:
                changers |= by
            self._learn(at, changers := changers or spread.changers())
            return changers & ~ring
        return 0


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
