"""In what order do actions that change other actions take effect?

Natural Action Resolution: an action goes first when nothing else could possibly change it; then the next,
until all are done. Where each of them could be changed by another they form a cycle, and somebody has to say
which goes first. What an ability does to others is its own file in `mafia.abilities`; here is only the order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from knightfall.engine.game import SlotId
from knightfall.mafia.night import Action, Fate, Note, Reason, Sheet

NONE_HAPPENS = "none"
"""The choice by which no action of a cycle happens."""


class Reach:
    """Where a meddler stands: players as bits, its actor's one, and for each of its targets everybody whom it
    could still come to be aimed at."""

    __slots__ = ("actor", "places", "verb")

    def __init__(self, verb: str, actor: int, places: list[int]) -> None:
        self.verb, self.actor, self.places = verb, actor, places


def several(bits: int) -> bool:
    """More than one player?"""
    return bits & (bits - 1) != 0


class ActionModifier(Protocol):
    """An ability that changes other actions."""

    @property
    def reason(self) -> Reason:
        """What the trace says where it takes effect."""
        ...

    @property
    def turns(self) -> bool:
        """Does it send actions elsewhere?"""
        ...

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """Wherever the two could still be aimed: could it change the other?"""
        ...

    def widen(self, mine: Reach, other: Reach) -> bool:
        """Add to the other's places where this could send it; was there anything new?"""
        ...

    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """Take effect on everything that is still under way."""
        ...


class Cycle(NamedTuple):
    """Actions that change each other in a ring; `key` names them, sorted."""

    key: str
    actions: tuple[Action, ...]


def label(action: Action) -> str:
    """`Ada:drive`: how a choice names an action; a player has one action of a verb a night."""
    return f"{action.actor}:{action.ability}"


class Pass:
    """The working paper of one night: who is under way to whom, who is held.

    `fails` tells why an action has no effect on those it reached, None where it has.
    """

    __slots__ = ("aims", "bits", "fails", "meddlers", "sheet", "turners", "waiting", "went")

    def __init__(
        self,
        sheet: Sheet,
        actions: Iterable[Action],
        meddlers: Mapping[str, ActionModifier],
        fails: Callable[[Action], str | None],
    ) -> None:
        self.sheet, self.meddlers, self.fails = sheet, meddlers, fails
        self.aims: dict[Action, tuple[SlotId, ...]] = {a: a.targets for a in actions if a.targets}
        self.waiting = [action for action in self.aims if action.ability in meddlers]
        self.turners: dict[Action, list[Action]] = {}
        self.went: dict[Action, Action] = {}
        self.bits: dict[SlotId, int] = {}

    def bit(self, slot: SlotId) -> int:
        """A bit of its own for each player named."""
        return self.bits.setdefault(slot, 1 << len(self.bits))

    def turn(self, sent: Action, targets: tuple[SlotId, ...], by: Action) -> None:
        """Send an action that is under way elsewhere."""
        if targets != self.aims[sent]:
            self.aims[sent] = targets
            self.turners.setdefault(sent, []).append(by)

    def arrive(self, sent: Action, strong: bool = False) -> Action | None:
        """The action where it comes to, no more under way; None where something stopped it. Who is `strong`
        is stopped by nothing but an empty house."""
        went = self.went[sent] = self._gone(sent)
        if obstacle := self._empty_house(went) or (None if strong else self.held(went)):
            self.sheet.stop(went, *obstacle)
            return None
        if why := self.fails(went):
            self.sheet.notes.append(Note(went, Fate.IDLE, why, None, self.sheet.rulings[why][went.ability]))
            return None
        return went

    def _gone(self, sent: Action) -> Action:
        targets = self.aims.pop(sent)
        return sent if targets is sent.targets else sent._replace(targets=targets)

    def _empty_house(self, went: Action) -> tuple[Reason, Action] | None:
        for target in went.targets:
            if target in self.sheet.away and target != went.actor:
                return Reason.TARGET_COMMUTING, self.sheet.away[target]
        return None

    def held(self, went: Action) -> tuple[Reason, Action] | None:
        """A jail on its actor, or else a roleblock."""
        if jails := self.sheet.jails.get(went.actor):
            return Reason.ACTOR_JAILED, jails[0]
        if blocks := self.sheet.blocks.get(went.actor):
            return Reason.ACTOR_ROLEBLOCKED, blocks[0]
        return None


def unravel(run: Pass, choose: Callable[[Cycle], str | None]) -> Cycle | None:
    """Let every meddler take effect in its natural order.

    `choose` says for a cycle the label of the action that goes first, or `NONE_HAPPENS`; where it says None
    the cycle is returned, and the night is not decided.
    """
    while run.waiting:
        changers = {action: _changers(run, action) for action in run.waiting}
        free = [action for action, by in changers.items() if not by]
        if not free:
            # The first group, by its names, of those that change each other and that nothing outside
            # changes.
            before = {action: _reach(changers, action) for action in changers}
            rings = [
                before[action] for action in changers if all(action in before[by] for by in before[action])
            ]
            keyed = {" ".join(sorted(map(label, ring))): ring for ring in rings}
            key = min(keyed)
            cycle = Cycle(key, tuple(sorted(keyed[key])))
            choice = choose(cycle)
            if choice is None:
                return cycle
            free = _chosen(run, cycle, choice)
        # These act, in canonical order; whoever is held now does nothing any more.
        run.waiting = [action for action in run.waiting if action not in free]
        for sent in free:
            if (went := run.arrive(sent)) is not None:
                meddler = run.meddlers[sent.ability]
                run.sheet.stand(went, meddler.reason)
                meddler.act(run, sent, went)
        stopped = [action for action in run.waiting if run.held(action)]
        for sent in stopped:
            run.arrive(sent)
        run.waiting = [action for action in run.waiting if action not in stopped]
    return None


def _changers(run: Pass, action: Action) -> list[Action]:
    """Who could change it, wherever they themselves could still be sent by anybody but it."""
    if len(run.waiting) == 1:
        return []
    spots = _spots(run, action)
    mine = spots[action]
    return [
        by
        for by, spot in spots.items()
        if by is not action and run.meddlers[by.ability].could_change(spot, mine)
    ]


def _spots(run: Pass, without: Action) -> dict[Action, Reach]:
    """Everywhere that each meddler could still be sent, by the others without one of them."""
    spots = {action: _spot(run, action) for action in run.waiting}
    turners = [by for by in run.waiting if by is not without and run.meddlers[by.ability].turns]
    pairs = [(by, action) for by in turners for action in run.waiting if by is not action]
    wider = bool(pairs)
    while wider:
        wider = False
        for by, action in pairs:
            wider |= run.meddlers[by.ability].widen(spots[by], spots[action])
    return spots


def _spot(run: Pass, action: Action) -> Reach:
    bit = run.bit
    return Reach(action.ability, bit(action.actor), [bit(target) for target in run.aims[action]])


def _reach(changers: Mapping[Action, Sequence[Action]], action: Action) -> set[Action]:
    """All that could change it, directly or by way of others."""
    found, open_ = set[Action](), [action]
    while open_:
        new = [by for by in changers[open_.pop()] if by not in found]
        found.update(new)
        open_ += new
    return found


def _chosen(run: Pass, cycle: Cycle, choice: str) -> list[Action]:
    """The action that goes first; where none happens all stop, each because of the next."""
    if choice != NONE_HAPPENS:
        return [action for action in cycle.actions if label(action) == choice]
    ring = cycle.actions
    for action, other in zip(ring, (*ring[1:], ring[0]), strict=True):
        went = run.went[action] = action._replace(targets=run.aims.pop(action))
        run.sheet.stop(went, Reason.KNOT, other)
    run.waiting = [action for action in run.waiting if action not in ring]
    return []
