"""The abilities of the mafia games: what each does to others at night, and a table with a row for each.

A game takes from `TABLE` the rows that it has, and states what it overrides: the ruling, a sentence, a word,
the name of the ability there. CONTRIBUTING.md tells how one is added.

There are two ways in which games order a night.

A game of fixed stages (Knight-Errant) calls the functions in its own order: who is away, jailed, held back;
what shields are left; which kills land; what reports say. A game of no fixed order (Custom Mafia) gives
`nar` the `ActionModifier` of each ability that changes others, and calls the functions for the rest. All work
on one `Sheet`, by what earlier stages wrote there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

from knightfall.engine.rng import Rng
from knightfall.mafia.ability_row import AbilityRow, Compact, Effect
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


# ── Redirect and drive: whose actions go to somebody else. ────────────────────────────────────────────────


class Redirect(ActionModifier):
    """The first target's actions go to the second; of an action with two targets the first is changed."""

    reason = Reason.TURNED
    turns = True

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
        wider = []
        for other in others:
            if other is mine:
                continue
            for number, place in enumerate(other.places):
                more = place | (two if place & one else 0) | (one if place & two else 0)
                if more != place:
                    other.places[number] = more
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


# ── The table. ────────────────────────────────────────────────────────────────────────────────────────────


class Ability(StrEnum):
    """The abilities that rules speak of by name. `TABLE` has all; a game may call one by another name."""

    MAFIA_KILL = "mafia_kill"
    KILL = "kill"
    STRONG_KILL = "strong_kill"
    COMMUTE = "commute"
    JAIL = "jail"
    ROLEBLOCK = "roleblock"
    HEAL = "heal"
    GUARD = "guard"
    COP = "cop"
    GUNSMITH = "gunsmith"
    ROLECOP = "rolecop"
    NEAPOLITAN = "neapolitan"
    TRACK = "track"
    WATCH = "watch"
    REDIRECT = "redirect"
    DRIVE = "drive"
    HIDDEN_KILL = "hidden_kill"
    HIDE = "hide"
    BABYSIT = "babysit"
    FRAME = "frame"
    VANILLA_COP = "vanilla_cop"
    TRAFFIC = "traffic"
    FOLLOW = "follow"
    VOYEUR = "voyeur"
    MOTION = "motion"
    REPORT = "report"
    ROLE_WATCH = "role_watch"
    FRUIT = "fruit"
    BEFRIEND = "befriend"
    NEIGHBORIZE = "neighborize"
    BULLETPROOF = "bulletproof"
    IMMUNITY = "immunity"
    EMPOWER = "empower"
    AMPLIFY = "amplify"


NOTHING = "nothing"
"""What cannot be stopped is stopped by this."""
_HELD = "a roleblock or a jail on its holder, a commuting target"
_COVERED = f"{_HELD}; on the target a heal, a jail, bulletproof or a bodyguard"
_KILLS, _CHECKS = frozenset({Effect.KILLS}), frozenset({Effect.CHECKS})
_DEEDS, _DONE = frozenset({Effect.SEES_DEEDS}), frozenset({Effect.SEES_DONE})
_CHECK_WORDS = ("check", "investigate")
_KILL_WORDS = (
    "kill",
    "shoot",
    "murder",
    "attack",
    "eliminate",
    "hit",
    "stab",
    "nk",
    "nightkill",
    "night kill",
)
_LOOK_WORDS = ("inspect", "examine", "scan", "peek", "peek at", "look at", "look into", "see")
"""Words that people say for every kill, and for every check."""

_ROWS: tuple[AbilityRow, ...] = (
    AbilityRow(
        id=Ability.MAFIA_KILL,
        lines=("mafia kill", "mafia_kill"),
        called=("kill",),
        everyday=_KILL_WORDS,
        faction=True,
        gun=True,
        title="Factional Kill",
        pm="You kill that player. The mafia has one kill a night, whichever of you carries it. To have a "
        "partner carry it out, add to that line: by PARTNER.",
        deed="kill of",
        does="One member carries the faction's kill.",
        stopped_by=_COVERED,
        effects=_KILLS,
        compact=Compact.FACTION_KILL,
    ),
    AbilityRow(
        id=Ability.KILL,
        lines=("shoot", "vig"),
        called=("kill",),
        everyday=_KILL_WORDS,
        role="Vigilante",
        aliases=("vig", "vigi"),
        gun=True,
        title="Kill",
        pm="You kill that player.",
        deed="kill of",
        does="Kills a player.",
        stopped_by=_COVERED,
        effects=_KILLS,
        compact=Compact.KILL,
    ),
    AbilityRow(
        id=Ability.STRONG_KILL,
        lines=("strong kill", "strong-kill", "strong_kill", "strongkill"),
        everyday=("strongman", "strongman kill", "unstoppable kill"),
        title="Strong Kill",
        pm="You kill that player, instead of using your normal kill. Nothing stops a strong kill.",
        deed="strong kill of",
        does="Kills a player, and nothing but an empty house stops it.",
        stopped_by="a commuting target only",
        effects=_KILLS,
        compact=Compact.STRONG_KILL,
    ),
    AbilityRow(
        id=Ability.COMMUTE,
        lines=("commute",),
        everyday=("leave", "hide", "go away", "leave town", "be away"),
        targets=0,
        role="Commuter",
        title="Commute",
        pm="You are away that night. Whatever others aim at you fails.",
        deed="commute",
        does="Is away for the night: what is aimed at them fails.",
        stopped_by=NOTHING,
        compact=Compact.COMMUTE,
    ),
    AbilityRow(
        id=Ability.JAIL,
        lines=("jail",),
        everyday=("jailkeep", "lock up", "lock", "imprison", "arrest", "detain"),
        role="Jailkeeper",
        aliases=("jk", "jail keeper"),
        gun=True,
        title="Jail",
        pm="Whatever that player set out to do that night fails, and they cannot be killed, except by a "
        "Strongman.",
        deed="jail of",
        does="Jails a player, who can neither act nor be killed.",
        stopped_by=_HELD,
        effects=frozenset({Effect.HOLDS, Effect.SHIELDS}),
        act=Jail(),
        rank=1,
        compact=Compact.JAIL,
    ),
    AbilityRow(
        id=Ability.ROLEBLOCK,
        lines=("roleblock", "block"),
        everyday=("rb", "stop", "hook", "distract", "occupy", "role block"),
        role="Roleblocker",
        aliases=("rb", "role blocker"),
        title="Roleblock",
        pm="Whatever that player set out to do that night fails.",
        deed="roleblock of",
        does="Stops what a player does.",
        stopped_by=_HELD,
        effects=frozenset({Effect.HOLDS}),
        act=Block(),
        rank=1,
        compact=Compact.ROLEBLOCK,
    ),
    AbilityRow(
        id=Ability.HEAL,
        lines=("heal", "protect", "save"),
        everyday=("doc", "doctor", "cover", "guard", "keep safe", "look after"),
        role="Doctor",
        aliases=("doc",),
        title="Heal",
        pm="You protect that player from being killed that night.",
        deed="heal of",
        does="Protects a player from being killed.",
        stopped_by=_HELD,
        effects=frozenset({Effect.SHIELDS}),
        compact=Compact.HEAL,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.GUARD,
        lines=("guard", "bodyguard"),
        everyday=("protect", "cover", "defend", "save", "die for"),
        role="Bodyguard",
        aliases=("bg", "body guard"),
        gun=True,
        title="Guard",
        pm="If nothing else stops a kill on that player, you die in their place. Nothing saves you then.",
        deed="guarding of",
        does="Dies in a player's place if nothing else stops the kill.",
        stopped_by=_HELD,
        compact=Compact.GUARD,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.COP,
        lines=("cop",),
        called=("cop", *_CHECK_WORDS),
        everyday=("cop check", *_LOOK_WORDS),
        role="Cop",
        gun=True,
        title="Investigate",
        pm="You learn Guilty or Innocent.",
        deed="check of",
        does="Learns whether a player is Guilty or Innocent.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player is guilty",
        answers={"Innocent": "of the town, or a Godfather", "Guilty": "mafia, Serial Killer or Miller"},
        compact=Compact.CHECK,
        guilt={"Guilty": 1, "Innocent": -1},
    ),
    AbilityRow(
        id=Ability.GUNSMITH,
        lines=("gunsmith",),
        called=("gunsmith", *_CHECK_WORDS),
        everyday=("gun check", *_LOOK_WORDS),
        role="Gunsmith",
        gun=True,
        title="Investigate",
        pm="You learn Gun or No gun. Mafiosi, Serial Killers, Vigilantes, Cops, Gunsmiths, Jailkeepers and "
        "Bodyguards have a gun.",
        deed="gun check of",
        does="Learns whether a player has a gun.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player has a gun",
        answers={"No gun": "no card that brings one", "Gun": "a card that brings a gun"},
        compact=Compact.CHECK,
        guilt={"Gun": 0.4, "No gun": -0.4},
    ),
    AbilityRow(
        id=Ability.ROLECOP,
        lines=("rolecop", "role cop"),
        called=("rolecop", *_CHECK_WORDS),
        everyday=("role check", *_LOOK_WORDS),
        role="Rolecop",
        aliases=("role cop",),
        title="Investigate",
        pm="You learn that player's role, but not their side.",
        deed="role check of",
        does="Learns a player's role, but not their side.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="which role a player has",
        compact=Compact.CHECK,
    ),
    AbilityRow(
        id=Ability.NEAPOLITAN,
        lines=("neapolitan",),
        called=("neapolitan", *_CHECK_WORDS),
        everyday=("vanilla check", *_LOOK_WORDS),
        role="Neapolitan",
        title="Investigate",
        pm="You learn Vanilla Townie or Not a Vanilla Townie.",
        deed="vanilla check of",
        does="Learns whether a player is a Vanilla Townie.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player is a Vanilla Townie",
        answers={
            "Not a Vanilla Townie": "a power, or not of the town",
            "Vanilla Townie": "of the town, without a power",
        },
        compact=Compact.CHECK,
        guilt={"Vanilla Townie": -1},
    ),
    AbilityRow(
        id=Ability.TRACK,
        lines=("track", "follow"),
        everyday=("tail", "shadow", "stalk", "trail"),
        role="Tracker",
        title="Track",
        pm="You learn whom that player visited: names, or “nobody”.",
        deed="track of",
        does="Learns whom a player visited.",
        stopped_by=_HELD,
        effects=frozenset({Effect.FOLLOWS}),
        asks="whom a player visited",
        compact=Compact.TRACK,
    ),
    AbilityRow(
        id=Ability.WATCH,
        lines=("watch",),
        everyday=("observe", "stake out", "look out for", "keep an eye on"),
        role="Watcher",
        title="Watch",
        pm="You learn who visited that player: names, or “nobody”. You do not see yourself.",
        deed="watch of",
        does="Learns who visited a player.",
        stopped_by=_HELD,
        effects=frozenset({Effect.WATCHES}),
        asks="who visited a player",
        compact=Compact.WATCH,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.REDIRECT,
        lines=("redirect",),
        everyday=("send", "turn", "divert"),
        targets=2,
        between=("to", "onto"),
        role="Redirector",
        title="Redirect",
        pm="What the first player set out to do that night goes to the second player.",
        deed="redirection of",
        does="Sends what one player does to another player.",
        stopped_by=_HELD,
        act=Redirect(),
        rank=2,
    ),
    AbilityRow(
        id=Ability.DRIVE,
        lines=("drive", "swap"),
        everyday=("switch", "bus", "bus drive", "exchange"),
        targets=2,
        between=("and", "with"),
        role="Bus Driver",
        aliases=("busdriver",),
        title="Drive",
        pm="Whatever is aimed at one of these players that night goes to the other.",
        deed="drive of",
        does="Swaps two players: what is aimed at one reaches the other.",
        stopped_by=_HELD,
        act=Drive(),
        rank=0,
    ),
    AbilityRow(
        id=Ability.BULLETPROOF,
        lines=("bulletproof", "vest"),
        called=("vest",),
        everyday=("shield", "bullet proof", "protect myself", "wear my vest"),
        targets=0,
        title="Bulletproof",
        pm="No regular kill can hurt you that night.",
        deed="vest",
        compact=Compact.VEST,
    ),
    AbilityRow(
        id=Ability.IMMUNITY, called=("immunity",), targets=0, deed="immunity", compact=Compact.IMMUNITY
    ),
    AbilityRow(
        id=Ability.EMPOWER,
        lines=("empower",),
        everyday=("power", "power up", "boost", "strengthen"),
        title="Empower",
        pm="That player has power that night.",
        deed="empowering of",
        effects=frozenset({Effect.POWERS}),
        compact=Compact.EMPOWER,
        trusted=True,
    ),
    AbilityRow(
        id=Ability.AMPLIFY,
        lines=("amplify",),
        everyday=("amp", "boost"),
        targets=2,
        between=("and",),
        title="Amplify",
        pm="If you have power, both of these players have power that night, too.",
        deed="amplifying of",
        effects=frozenset({Effect.POWERS}),
        compact=Compact.AMPLIFY,
    ),
    AbilityRow(
        id=Ability.HIDDEN_KILL,
        lines=("ninja kill", "ninja", "hidden kill"),
        everyday=("unseen kill",),
        gun=True,
        title="Hidden Kill",
        pm="You kill that player, instead of using your normal kill. Nobody who tracks or watches sees it.",
        deed="hidden kill of",
        does="Kills a player, unseen.",
        stopped_by=_COVERED,
        effects=_KILLS,
    ),
    AbilityRow(
        id=Ability.HIDE,
        lines=("hide behind", "hide with", "hide"),
        called=("hide",),
        role="Hider",
        title="Hide",
        pm="No regular kill can reach you that night. If that player dies, or is mafia or a killer, you die, "
        "too.",
        deed="hiding behind",
        does="Hides behind a player from every kill, and dies if that player dies or is no town player.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.BABYSIT,
        lines=("babysit", "sit"),
        everyday=("protect", "cover", "save", "look after"),
        role="Babysitter",
        title="Babysit",
        pm="You protect that player from being killed that night; if you die that night, they die, too.",
        deed="babysitting of",
        does="Protects a player from being killed; if the Babysitter dies that night, the player does, too.",
        stopped_by=_HELD,
        effects=frozenset({Effect.SHIELDS}),
        trusted=True,
    ),
    AbilityRow(
        id=Ability.FRAME,
        lines=("frame",),
        everyday=("make guilty",),
        role="Framer",
        title="Frame",
        pm="Cops find that player Guilty that night.",
        deed="framing of",
        does="Makes a player Guilty to every Cop that night.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.VANILLA_COP,
        lines=("vanilla cop", "vanilla"),
        called=("vanilla", *_CHECK_WORDS),
        everyday=("vanilla check", *_LOOK_WORDS),
        role="Vanilla Cop",
        title="Investigate",
        pm="You learn Vanilla or Not vanilla: whether that player has any ability, whatever their side.",
        deed="vanilla check of",
        does="Learns whether a player has no ability, whatever their side.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player has no ability",
        answers={"Not vanilla": "a role with an ability", "Vanilla": "a Vanilla Townie or a Goon"},
    ),
    AbilityRow(
        id=Ability.TRAFFIC,
        lines=("traffic", "analyse", "analyze"),
        called=("traffic", *_CHECK_WORDS),
        everyday=("traffic check", *_LOOK_WORDS),
        role="Traffic Analyst",
        aliases=("pt cop",),
        title="Investigate",
        pm="You learn Talks or Does not talk: whether that player's card lets them talk with "
        "others in private.",
        deed="traffic check of",
        does="Learns whether a player's card lets them talk with others in private.",
        stopped_by=_HELD,
        effects=_CHECKS,
        asks="whether a player talks with others in private",
        answers={
            "Does not talk": "no private talk by the card",
            "Talks": "mafia, Mason, Neighbor or Neighborizer",
        },
        guilt={"Talks": 0.2, "Does not talk": -0.2},
    ),
    AbilityRow(
        id=Ability.FOLLOW,
        lines=("follow",),
        called=("follow",),
        everyday=("tail", "shadow", "stalk"),
        role="Follower",
        title="Follow",
        pm="You learn what kind of action that player did that night, such as “kill”, but not to whom; or "
        "“nothing”.",
        deed="following of",
        does="Learns what kind of action a player did, but not to whom.",
        stopped_by=_HELD,
        effects=_DEEDS,
        asks="what a player did",
    ),
    AbilityRow(
        id=Ability.VOYEUR,
        lines=("peep", "voyeur", "spy on"),
        called=("peep",),
        everyday=("spy", "look through the window"),
        role="Voyeur",
        title="Peep",
        pm="You learn what kinds of action were done to that player, but not by whom; or “nothing”.",
        deed="peeping at",
        does="Learns what kinds of action were done to a player, but not by whom.",
        stopped_by=_HELD,
        effects=_DONE,
        asks="what was done to a player",
    ),
    AbilityRow(
        id=Ability.MOTION,
        lines=("detect", "motion"),
        called=("detect",),
        everyday=("motion detect", "sense"),
        role="Motion Detector",
        title="Detect",
        pm="You learn Motion or No motion: whether that player did anything that night, or anybody else did "
        "anything to them.",
        deed="motion check of",
        does="Learns whether a player did anything, or anything was done to them.",
        stopped_by=_HELD,
        effects=_DEEDS | _DONE,
        asks="whether there was motion at a player's",
        answers={"No motion": "nobody came or went", "Motion": "they did something, or something was done"},
    ),
    AbilityRow(
        id=Ability.REPORT,
        lines=("report",),
        called=("report",),
        everyday=("report on", "interview"),
        role="Reporter",
        title="Report",
        pm="You learn Went out or Stayed in: whether that player visited anybody that night.",
        deed="report on",
        does="Learns whether a player visited anybody, but not whom.",
        stopped_by=_HELD,
        effects=_DEEDS,
        asks="whether a player visited anybody",
        answers={"Stayed in": "they visited nobody", "Went out": "they visited somebody"},
    ),
    AbilityRow(
        id=Ability.ROLE_WATCH,
        lines=("role watch", "rolewatch"),
        everyday=("watch", "observe"),
        role="Role Watcher",
        title="Role Watch",
        pm="You learn the roles, without side and name, of who visited that player; or “nobody”.",
        deed="role watch of",
        does="Learns the roles of who visited a player, but not their names.",
        stopped_by=_HELD,
        effects=_DONE,
        asks="which roles visited a player",
    ),
    AbilityRow(
        id=Ability.FRUIT,
        lines=("fruit", "vend", "give fruit to"),
        called=("fruit",),
        everyday=("give fruit", "sell fruit", "feed"),
        role="Fruit Vendor",
        title="Fruit",
        pm="That player is told that somebody gave them fruit; nothing else happens.",
        deed="fruit for",
        does="Gives a player fruit: they are told so, and not by whom.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.BEFRIEND,
        lines=("befriend", "greet"),
        everyday=("visit", "say hello to", "tell"),
        role="Friendly Neighbor",
        aliases=("friendly neighbour",),
        title="Befriend",
        pm="That player is told your name, and that you are of the town.",
        deed="befriending of",
        does="Tells a player that its holder is of the town.",
        stopped_by=_HELD,
    ),
    AbilityRow(
        id=Ability.NEIGHBORIZE,
        lines=("neighborize", "neighbourize", "neighborise", "neighbourise"),
        called=("neighborize",),
        everyday=("invite", "recruit", "add"),
        role="Neighborizer",
        aliases=("neighbourizer", "neighboriser", "neighbouriser"),
        title="Neighborize",
        pm="That player becomes your neighbor: from the next day on you and all of them talk in a private "
        "thread.",
        deed="neighborizing of",
        does="Makes a player a neighbor, who talks with its holder in private from then on.",
        stopped_by=_HELD,
        effects=frozenset({Effect.JOINS}),
        asks="whether a player is a neighbor now",
        answers={"joined": "a neighbor from now on"},
    ),
    # What nobody submits: the blow of a Bomb, and a death of love.
    AbilityRow(id=STRIKE_BACK, called=("bomb",), deed="blast at"),
    AbilityRow(id="love", called=("in love with",), deed="love for"),
)

TABLE: Mapping[str, AbilityRow] = {row.id: row for row in _ROWS}
"""Every ability by its name in most games. Their order is that of their numbers in a simulation: a new row
comes last of those that somebody submits."""
