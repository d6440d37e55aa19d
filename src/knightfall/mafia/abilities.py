"""The abilities of the mafia games: what each does to others at night.

`mafia.ability_table` has a row for each, with all that is said of it.

There are two ways in which games order a night.

A game of fixed stages (Knight-Errant) calls the functions in its own order: who is away, jailed, held back;
what shields are left; which kills land; what reports say. A game of no fixed order (Custom Mafia) gives
`nar` the `ActionModifier` of each ability that changes others, and calls the functions for the rest. All work
on one `Sheet`, by what earlier stages wrote there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from knightfall.engine.rng import Rng
from knightfall.mafia.chain import in_chain
from knightfall.mafia.nar import ActionModifier, Pass, Reach, several
from knightfall.mafia.night import NOBODY, Action, Answer, Death, Fate, Lot, Note, Reason, Sheet, by_target
from knightfall.sentence import SlotId

_STOOD = Fate.STOOD  # bound once: looking a member up in its enum takes time

# ── Commute: who is away, so that nothing aimed at them arrives. ──────────────────────────────────────────


def leave_home(sheet: Sheet, commutes: Iterable[Action]) -> None:
    """Everybody who commutes is away; nothing can stop it."""
    for commute in commutes:
        sheet.away[commute.actor] = commute
        sheet.stand(commute, Reason.AWAY)


# ── Roleblock: who is held back, and which of their actions fail. ─────────────────────────────────────────


def hold_blocks(sheet: Sheet, blocks: list[Action], chained: bool = False) -> None:
    """Every roleblock that got here holds. `chained`: roleblocks also stop roleblocks."""
    failed = in_chain(blocks, shared_target=False) if chained else {}
    for block in blocks:
        by = failed.get(block)
        if by is None:
            sheet.blocks.setdefault(block.targets[0], []).append(block)
            sheet.stand(block, Reason.HOLDS)
        else:
            sheet.stop(block, Reason.ACTOR_ROLEBLOCKED, by)


def unblocked(sheet: Sheet, actions: Iterable[Action]) -> list[Action]:
    """The actions whose actors nobody else holds."""
    free = []
    for action in actions:
        block = next((b for b in sheet.blocks.get(action.actor, ()) if b.actor != action.actor), None)
        if block is None:
            free.append(action)
        else:
            sheet.stop(action, Reason.ACTOR_ROLEBLOCKED, block)
    return free


class Block(ActionModifier):
    """A roleblock among actions of no fixed order: whatever its target has under way stops."""

    reason = Reason.HOLDS
    sees_aims = False

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """Anything that its target does."""
        return bool(other.actor & mine.places[0])

    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """The target is held."""
        run.sheet.blocks.setdefault(went.targets[0], []).append(went)


# ── Jail: who is locked up, and which later actions stop at the wall. ─────────────────────────────────────


def lock_jails(sheet: Sheet, jails: Iterable[Action], chained: bool = False) -> None:
    """A jail holds unless its target is away. `chained`: jails also stop jails."""
    there = []
    for jail in jails:
        if commute := sheet.away.get(jail.targets[0]):
            sheet.stop(jail, Reason.TARGET_COMMUTING, commute)
        else:
            there.append(jail)
    failed = in_chain(there, shared_target=True) if chained else {}
    for jail in there:
        by = failed.get(jail)
        if by is None:
            sheet.jails.setdefault(jail.targets[0], []).append(jail)
            sheet.stand(jail, Reason.HOLDS)
        else:
            side = Reason.ACTOR_JAILED if by.targets[0] == jail.actor else Reason.TARGET_JAILED
            sheet.stop(jail, side, by)


def passes_jails(sheet: Sheet, action: Action, from_jail: bool = True, own_jail: bool = False) -> bool:
    """Whether a later action arrives. The first obstacle wins: target away, actor jailed, target jailed.

    Only somebody else's jail stops it; `own_jail`: the actor's own stops it too. `from_jail` False: it also
    works out of a jail.
    """
    actor, target = action.actor, action.targets[0] if action.targets else action.actor
    if target in sheet.away and target != actor:
        sheet.stop(action, Reason.TARGET_COMMUTING, sheet.away[target])
        return False
    if from_jail and actor in sheet.jails and (jail := _by_other(sheet, actor, actor)):
        sheet.stop(action, Reason.ACTOR_JAILED, jail)
        return False
    if target in sheet.jails and (jail := _by_other(sheet, target, None if own_jail else actor)):
        sheet.stop(action, Reason.TARGET_JAILED, jail)
        return False
    return True


def _by_other(sheet: Sheet, prisoner: SlotId, exempt: SlotId | None) -> Action | None:
    """A jail on the prisoner that is not the exempt player's."""
    for jail in sheet.jails[prisoner]:
        if jail.actor != exempt:
            return jail
    return None


class Jail(Block):
    """A jail among actions of no fixed order: it holds like a roleblock. Its wall is a shield."""

    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """The target is locked up."""
        run.sheet.jails.setdefault(went.targets[0], []).append(went)


# ── Rolestop and abduction: whom no action of others reaches. ─────────────────────────────────────────────


class Rolestop(ActionModifier):
    """Keeps what others do from its target: all but drives and other rolestops."""

    reason = Reason.HOLDS
    lets = frozenset({"drive", "rolestop"})

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """What somebody else aims at its target."""
        return (
            other.verb not in self.lets
            and not other.actor & mine.actor
            and any(place & mine.places[0] for place in other.places)
        )

    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """Nothing comes to the target any more."""
        run.sheet.stops.setdefault(went.targets[0], []).append((went, Reason.ROLESTOPPED))


class Abduct(Rolestop):
    """A rolestop that holds its target like a roleblock."""

    lets = frozenset({"drive", "rolestop", "abduct"})

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """Anything that its target does, and what somebody else aims at them."""
        return bool(other.actor & mine.places[0]) or Rolestop.could_change(self, mine, other)

    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """The target is away from everything."""
        run.sheet.blocks.setdefault(went.targets[0], []).append(went)
        run.sheet.stops.setdefault(went.targets[0], []).append((went, Reason.ABDUCTED))


# ── Redirect and drive: whose actions go to somebody else. ────────────────────────────────────────────────


class Redirect(ActionModifier):
    """The first target's actions go to the second; of an action with two targets the first is changed."""

    reason = Reason.TURNED
    turns = True
    by_actor = True

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """An action that would come to somebody else; of two redirects of one player the order counts."""
        whom, to = mine.places
        if other.actor & whom:
            return several(to | other.places[0])  # unless it is surely aimed there already
        rivals = other.verb == "redirect" and other.places[0] & whom
        return bool(rivals) and several(to | other.places[1])

    def grows(self, mine: Reach, other: Reach) -> bool:
        """Not where the other redirects its second target: their order counts until it could turn the other
        itself, and then it sends it where it is aimed already."""
        return other.verb != "redirect" or other.places[0] != mine.places[1]

    def widen(self, mine: Reach, others: Iterable[Reach]) -> list[Reach]:
        """To the second target."""
        whom, to = mine.places
        wider = [o for o in others if o.actor & whom and to & ~o.places[0] and o is not mine]
        for other in wider:
            other.places[0] |= to
        return wider

    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """Everything of the first target that is under way."""
        turned, to = went.targets
        for action, aim in run.aims.items():
            if action.actor == turned:
                run.turn(action, (to, *aim[1:]), went)


class Drive(ActionModifier):
    """Whatever is aimed at one of the two comes to the other."""

    reason = Reason.TURNED
    turns = True

    def could_change(self, mine: Reach, other: Reach) -> bool:
        """An action aimed at one of them; a second drive of the same two changes nothing about it."""
        one, two = mine.places
        both = one | two
        if not several(both):
            return False  # both of its targets are surely one player: it swaps nobody
        if other.verb == "drive" and {one, two} == set(other.places):
            return several(one) or several(two)
        return bool((other.places[0] | other.places[-1]) & both)  # of its one target, or of two

    def widen(self, mine: Reach, others: Iterable[Reach]) -> list[Reach]:
        """From each of the two to the other."""
        one, two = mine.places
        both, wider = one | two, []
        for other in others:
            places = other.places
            for number, place in enumerate(places):
                if place & both and both & ~place and other is not mine:
                    more = place | (two if place & one else 0) | (one if place & two else 0)
                    if more != place:
                        places[number] = more
                        wider.append(other)
        return wider

    def act(self, run: Pass, sent: Action, went: Action) -> None:
        """Everything that is under way."""
        one, two = went.targets
        swap = {one: two, two: one}
        for action, aim in run.aims.items():
            if one in aim or two in aim:
                run.turn(action, tuple([swap.get(target, target) for target in aim]), went)


# ── Protect and guard: what stands between a player and a kill, and who dies in their place. ──────────────


class Cover:
    """The shields of one night: heals that wait, players no regular kill can hurt, vests that are left.

    `heals` are used up one a kill, `proof` never, `vests` count down; `vest_first` turns heal and vest round.
    """

    def __init__(
        self,
        heals: Iterable[Action],
        proof: Mapping[SlotId, Action | None],
        vests: Mapping[SlotId, int],
        vest_first: bool = False,
    ) -> None:
        self.heals = by_target(heals)
        self.proof = proof
        self.vests = dict(vests)
        self.used: set[Action] = set()
        self.vest_first = vest_first

    def against(self, target: SlotId) -> tuple[Reason, Action | None] | None:
        """What stops the next regular kill on the target; it is used up by asking."""
        if self.vest_first and self._vest(target):
            return Reason.VEST, None
        if waiting := self.heals.get(target):
            self.used.add(heal := waiting.pop(0))
            return Reason.HEALED, heal
        if target in self.proof:
            return Reason.BULLETPROOF, self.proof[target]
        return (Reason.VEST, None) if self._vest(target) else None

    def _vest(self, target: SlotId) -> bool:
        left = self.vests.get(target, 0)
        if left > 0:
            self.vests[target] = left - 1
        return left > 0


def settle_heals(sheet: Sheet, heals: Iterable[Action], cover: Cover) -> None:
    """After the kills: note which heals saved somebody."""
    for heal in heals:
        sheet.stand(heal, Reason.SAVED if heal in cover.used else Reason.UNUSED)


class GuardedCover:
    """All that stands between players and kills: heals, walls and proofs, vests, then bodyguards.

    `jails` are the walls, `guards` who steps in for whom, each in their turn; `tireless`: one heal stops
    every kill.
    """

    def __init__(
        self,
        cover: Cover,
        jails: Mapping[SlotId, Action],
        guards: Mapping[SlotId, Sequence[Action]],
        tireless: bool,
    ) -> None:
        self.cover, self.jails, self.tireless = cover, jails, tireless
        self.guards = {slot: list(turns) for slot, turns in guards.items()}

    def against(self, target: SlotId) -> tuple[Reason, Action | None] | None:
        """What stops the next regular kill on the target; it is used up by asking."""
        heals = self.cover.heals.get(target)
        if heals and self.tireless:
            self.cover.used.add(heals[0])
            return Reason.HEALED, heals[0]
        if not heals and target in self.jails:
            return Reason.IN_JAIL, self.jails[target]
        if shield := self.cover.against(target):
            return shield
        waiting = self.guards.get(target)
        return (Reason.GUARDED, waiting.pop(0)) if waiting else None


def settle_guards(sheet: Sheet, guards: Collection[Action]) -> tuple[Death, ...]:
    """After the kills: each bodyguard who stepped in is dead, the others note that no kill came."""
    if not guards:
        return ()
    kills = {note.cause: note.action for note in sheet.notes if note.reason == Reason.GUARDED}
    for guard in guards:
        sheet.stand(guard, Reason.TOOK_THE_KILL if guard in kills else Reason.UNUSED)
    ruling = sheet.rulings[Reason.TOOK_THE_KILL]
    return tuple(
        Death(
            guard.actor,
            (Note(guard, Fate.STOOD, Reason.TOOK_THE_KILL, kills[guard], ruling[guard.ability]),),
        )
        for guard in guards
        if guard in kills
    )


# ── Lots: which of several, where nothing else tells them apart. ──────────────────────────────────────────

Lots: TypeAlias = Callable[[str, SlotId, Sequence[SlotId], int, str], Lot]
"""Draws so many of some slots, as `drawn` does."""


def drawn(draw: Rng, kind: str, slot: SlotId, among: Sequence[SlotId], count: int, ruling: str) -> Lot:
    """So many of the slots, which are in the order of seats: a draw for each, among those not drawn yet."""
    left, found = list(among), list[SlotId]()
    for repeat in range(count):
        found.append(draw.choice(f"{kind}:{slot}", tuple(left), repeat))
        left.remove(found[-1])
    return Lot(kind, slot, tuple(among), tuple(found), ruling)


# ── Kill: who dies, by which kills, and what stopped the others. ──────────────────────────────────────────


def slay(sheet: Sheet, kills: Iterable[Action]) -> None:
    """Kills that nothing can stop."""
    for kill in kills:
        sheet.stand(kill, Reason.UNSTOPPABLE)


class Shields(Protocol):
    """What may stand between a player and a kill."""

    def against(self, target: SlotId) -> tuple[Reason, Action | None] | None:
        """What stops the next regular kill on the target; it is used up by asking."""
        ...


def strike(sheet: Sheet, kills: Iterable[Action], cover: Shields) -> None:
    """Regular kills that reached their target: each is stopped by one shield, or lands."""
    for kill in kills:
        shield = cover.against(kill.targets[0])
        if shield is None:
            sheet.stand(kill, Reason.LANDED)
        else:
            sheet.absorb(kill, *shield)


def toll(attacks: Iterable[Note]) -> tuple[tuple[Death, ...], tuple[Death, ...]]:
    """The dead and the survivors among the attacked, sorted by slot, each with every kill aimed at them."""
    by_target: dict[SlotId, list[Note]] = {}
    for note in attacks:
        by_target.setdefault(note.action.targets[0], []).append(note)
    dead: list[Death] = []
    survived: list[Death] = []
    for slot in sorted(by_target):
        notes = tuple(by_target[slot])
        fell = _STOOD in [note.fate for note in notes]
        (dead if fell else survived).append(Death(slot, notes))
    return tuple(dead), tuple(survived)


# ── Bomb and love: who is struck back, and who dies of another's death. ───────────────────────────────────

STRIKE_BACK = "bomb"


def strike_back(sheet: Sheet, bombs: Iterable[Death], shields: Shields | None) -> list[Note]:
    """One kill for each of a dead Bomb's killers; no visit. `shields` None: nothing stops it."""
    ruling = sheet.rulings[Reason.STRUCK_BACK][STRIKE_BACK]
    notes = []
    for bomb in bombs:
        killers = sorted({note.action.actor for note in bomb.attacks if note.fate is Fate.STOOD})
        for killer in killers:
            blow = Action(bomb.slot, STRIKE_BACK, (killer,))
            shield = shields.against(killer) if shields else None
            fate = Fate.ABSORBED if shield else Fate.STOOD
            reason, cause = shield or (Reason.STRUCK_BACK, None)
            notes.append(Note(blow, fate, reason, cause, ruling))
    return notes


SHOOT_AT_THE_DOOR = "gun"


def shoot_visitors(sheet: Sheet, homes: Mapping[SlotId, Collection[SlotId]], shields: Shields) -> list[Note]:
    """One kill on each visitor of those who shoot whoever comes; no visit."""
    ruling = sheet.rulings[Reason.AT_THE_DOOR][SHOOT_AT_THE_DOOR]
    notes = []
    for home, visitors in homes.items():
        for visitor in sorted(visitors):
            shot = Action(home, SHOOT_AT_THE_DOOR, (visitor,))
            shield = shields.against(visitor)
            reason, cause = shield or (Reason.AT_THE_DOOR, None)
            notes.append(Note(shot, Fate.ABSORBED if shield else Fate.STOOD, reason, cause, ruling))
    return notes


def bereaved(
    lovers: Iterable[frozenset[SlotId]], dead: Collection[SlotId], living: Collection[SlotId]
) -> list[tuple[SlotId, SlotId]]:
    """Each living lover of a dead one, with the lover first lost, sorted; who dies takes others along."""
    lost = {SlotId(slot): slot for slot in dead}
    # A player may love in two groups, so a death of love can go on into another: again until nobody is new.
    fresh = True
    while fresh:
        fresh = False
        for group in lovers:
            gone = sorted(slot for slot in group if slot in lost)
            left = [slot for slot in group if gone and slot in living and slot not in lost]
            lost |= dict.fromkeys(left, gone[0] if gone else SlotId(""))
            fresh |= bool(left)
    return sorted((slot, of) for slot, of in lost.items() if slot not in dead)


# ── Reports: a check, a track, a watch. ───────────────────────────────────────────────────────────────────


def check_answer(marked: bool, hidden: bool, words: tuple[str, str]) -> str:
    """`words`: what is said of the marked, and of everybody else; who is hidden counts as everybody else."""
    return words[0] if marked and not hidden else words[1]


def footsteps(visits: Iterable[tuple[SlotId, SlotId]]) -> dict[SlotId, set[SlotId]]:
    """Visitor → everyone visited, each once."""
    went: dict[SlotId, set[SlotId]] = {}
    for visitor, visited in visits:
        went.setdefault(visitor, set()).add(visited)
    return went


def follow(target: SlotId, went: Mapping[SlotId, Collection[SlotId]]) -> Answer:
    """The names the target visited, sorted; "nobody" where there is none."""
    return tuple(sorted(went.get(target, ()))) or NOBODY


def callers(visits: Iterable[tuple[SlotId, SlotId]]) -> dict[SlotId, set[SlotId]]:
    """Visited → all visitors, each once."""
    return footsteps((visited, visitor) for visitor, visited in visits)


def observe(target: SlotId, unseen: SlotId | None, came: Mapping[SlotId, Collection[SlotId]]) -> Answer:
    """The target's visitors, sorted, without `unseen` (the watcher); "nobody" where there is none."""
    return tuple(sorted(name for name in came.get(target, ()) if name != unseen)) or NOBODY
