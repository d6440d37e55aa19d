"""What happens in a night, once it is said which action of a ring goes first?

Commuters leave; then whatever changes other actions takes effect in its natural order (`mafia.natural`). Then
shields and kills, bombs, bodyguards, the weak, the lovers; then reports, on the visits that were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from knightfall.engine.game import SlotId
from knightfall.games.custom_mafia.dusk import Dusk, uses_left
from knightfall.games.custom_mafia.options import RULING_OF_REASON
from knightfall.games.custom_mafia.roles import rolecop_name
from knightfall.games.custom_mafia.verbs import KILLS, REPORTS, Ability, Passive, Trait
from knightfall.mafia.abilities import (
    block,
    bomb,
    commute,
    drive,
    guard,
    inspect,
    jail,
    kill,
    love,
    protect,
    redirect,
    track,
    watch,
)
from knightfall.mafia.natural import Course, Meddler, Tangle, unravel
from knightfall.mafia.night import (
    NO_RESULT,
    Action,
    Answer,
    Death,
    Fate,
    Night,
    Note,
    Reason,
    Result,
    Sheet,
)
from knightfall.mafia.roles import Alignment, Modifier


class Turn(NamedTuple):
    """An action that went elsewhere: as it was sent, as it went, by whose actions in their order."""

    sent: Action
    went: Action
    by: tuple[Action, ...]


class Found(NamedTuple):
    """A night decided. The notes of `night` show actions as they went, its results as they were sent."""

    night: Night
    turned: tuple[Turn, ...] = ()


class Reading(NamedTuple):
    """What would come of one choice: `choice` is the label of the action that goes first, or `none`.

    `listed`: the wiki's list of priorities would choose it. `leads_to` may be a knot again.
    """

    choice: str
    listed: bool
    leads_to: Found | Knot


class Knot(NamedTuple):
    """Actions that change each other in a ring, so that none of them can be the first (CM-R2).

    `key` names it in this night, `shape` in every night: the verbs alone.
    """

    key: str
    shape: str
    actions: tuple[Action, ...]
    readings: tuple[Reading, ...]


Decided: TypeAlias = Found | Knot

MEDDLERS: Mapping[str, Meddler] = {
    Ability.ROLEBLOCK: block.Block(),
    Ability.JAIL: jail.Jail(),
    Ability.REDIRECT: redirect.Redirect(),
    Ability.DRIVE: drive.Drive(),
}
"""What changes other actions."""

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_COMMUTE, _HEAL, _GUARD = Ability.COMMUTE, Ability.HEAL, Ability.GUARD
_TRACK, _WATCH = Ability.TRACK, Ability.WATCH
_STRONGMAN, _NINJA, _BOMB = Trait.STRONGMAN, Trait.NINJA, Trait.BOMB
_BULLETPROOF, _SERIAL_KILLER = Passive.BULLETPROOF, Alignment.SERIAL_KILLER
_HAPPENED = (Fate.STOOD, Fate.ABSORBED)


class Paper(NamedTuple):
    """The position, the actions admitted in canonical order, and notes on those that were not."""

    dusk: Dusk
    admitted: list[Action]
    rejected: tuple[Note, ...]


def play(paper: Paper, choose: Callable[[Tangle], str | None]) -> Found | Tangle:
    """The night, with `choose` to say what goes first in a ring; the ring where it says nothing."""
    dusk, sheet = paper.dusk, Sheet(RULING_OF_REASON)
    sheet.notes += paper.rejected
    commute.leave(sheet, [action for action in paper.admitted if action.ability == _COMMUTE])
    course = Course(sheet, paper.admitted, MEDDLERS, lambda went: _fails(dusk, went))
    tangle = unravel(course, choose)
    return tangle or _after(paper, course)


def _after(paper: Paper, course: Course) -> Found:
    """Everything that changes no other action, in the order in which it counts."""
    dusk, sheet = paper.dusk, course.sheet
    arrived = _arrivals(dusk, course)
    line, fights = _fight(dusk, sheet, arrived)
    reports = [went for went in arrived if went.ability in REPORTS]
    for report in reports:
        sheet.stand(report, Reason.ANSWERED)
    dead, survived = kill.toll(fights)
    # One death a slot, with all that brought it; then those who loved the dead (CM-R16).
    deaths = (*dead, *guard.settle(sheet, line.posted), *_weak(dusk, sheet))
    causes: dict[SlotId, tuple[Note, ...]] = {}
    for death in deaths:
        causes[death.slot] = causes.get(death.slot, ()) + death.attacks
    for slot, of in love.bereaved(dusk.lovers, causes.keys(), dusk.roles) if causes else ():
        causes[slot] = (Note(Action(slot, "love", (of,)), Fate.STOOD, Reason.LOVE, None, "CM-R16"),)
    dead = tuple(Death(slot, causes[slot]) for slot in sorted(causes))
    # CM-R20: shots sent, blocked ones too; and vests that worked (CM-R12).
    spent: dict[SlotId, dict[str, int]] = {}
    kept: set[Action] = set()
    if "blocked_shot" in paper.dusk.rules.house:
        kept = {note.action for note in course.sheet.notes if note.fate in (Fate.BLOCKED, Fate.LOST)}
    for action in paper.admitted:
        limited = paper.dusk.roles[action.actor].abilities[action.ability] is not None
        if limited and course.went.get(action, action) not in kept:
            spent.setdefault(action.actor, {})[action.ability] = 1
    for slot, left in line.cover.vests.items():
        if used := (uses_left(paper.dusk, slot, _BULLETPROOF) or 0) - left:
            spent.setdefault(slot, {})[_BULLETPROOF] = used
    return Found(
        Night(
            dead,
            tuple(death for death in survived if death.slot not in {one.slot for one in dead}),
            _results(paper, course, reports),
            spent,
            tuple(pair for pair in sheet.visits if pair[0] != pair[1]),
            tuple(sheet.notes),
        ),
        tuple(Turn(sent, course.went[sent], tuple(by)) for sent, by in course.turners.items()),
    )


def _fails(dusk: Dusk, went: Action) -> str | None:
    """Loyal, disloyal and lazy (CM-R18, CM-R19)."""
    role = dusk.roles[went.actor]
    modifiers = role.modifiers.get(went.ability)
    if not modifiers:
        return None
    own = [_same_side(dusk, went.actor, target) for target in went.targets]
    if Modifier.LOYAL in modifiers and not all(own):
        return Reason.LOYAL
    if Modifier.DISLOYAL in modifiers and any(own):
        return Reason.DISLOYAL
    others = sum(role.alignment is not Alignment.TOWN for role in dusk.roles.values())
    return Reason.LAZY if Modifier.LAZY in modifiers and others <= 1 else None


def _same_side(dusk: Dusk, one: SlotId, other: SlotId) -> bool:
    """Every Serial Killer is a side of his own."""
    side = dusk.roles[one].alignment
    return one == other or (side is dusk.roles[other].alignment and side is not _SERIAL_KILLER)


def _arrivals(dusk: Dusk, course: Course) -> list[Action]:
    """What is still under way, where it comes to something."""
    arrived = [course.arrive(sent, _strong(dusk, sent)) for sent in tuple(course.aims)]
    return [went for went in arrived if went is not None]


def _strong(dusk: Dusk, action: Action) -> bool:
    return action.ability in KILLS and _STRONGMAN in dusk.roles[action.actor].traits


def _fight(dusk: Dusk, sheet: Sheet, arrived: list[Action]) -> tuple[guard.Line, list[Note]]:
    """Kills, then the Bombs of the killed; returns the shields as they are left, and every attack."""
    heals = [went for went in arrived if went.ability == _HEAL]
    # CM-R10 to CM-R13.
    guards = [went for went in arrived if went.ability == _GUARD]
    vests = {
        slot: uses_left(dusk, slot, _BULLETPROOF)
        for slot, role in dusk.roles.items()
        if _BULLETPROOF in role.passives
    }
    proof: dict[SlotId, Action | None] = {slot: None for slot, left in vests.items() if left is None}
    limited = {slot: left for slot, left in vests.items() if left is not None}
    jails = {prisoner: jails[0] for prisoner, jails in sheet.jails.items()}
    line = guard.Line(protect.Cover(heals, proof, limited), jails, guards, "doctor_saves" in dusk.rules.house)
    kills = [went for went in arrived if went.ability in KILLS]
    kill.slay(sheet, [went for went in kills if _strong(dusk, went)])
    kill.strike(sheet, [went for went in kills if not _strong(dusk, went)], line)
    attacks = [n for n in sheet.notes if n.action.ability in KILLS and n.fate in _HAPPENED] if kills else []
    bombs = [death for death in kill.toll(attacks)[0] if _BOMB in dusk.roles[death.slot].traits]
    blows = bomb.strike_back(sheet, bombs, None if "bomb" in dusk.rules.house else line)
    sheet.notes += blows
    protect.settle(sheet, heals, line.cover)
    return line, attacks + blows


def _weak(dusk: Dusk, sheet: Sheet) -> Iterator[Death]:
    """CM-R17: who came to another side; no shield helps."""
    for action, fate, *_ in tuple(sheet.notes):
        weak = fate in _HAPPENED and dusk.roles[action.actor].asks(action.ability, Modifier.WEAK)
        if weak and not all(_same_side(dusk, action.actor, target) for target in action.targets):
            yield Death(action.actor, (Note(action, Fate.STOOD, Reason.WEAKNESS, None, "CM-R17"),))


def _results(paper: Paper, course: Course, reports: list[Action]) -> tuple[Result, ...]:
    """CM-R30: a report that failed says so; each is named as it was sent."""
    sent = [action for action in paper.admitted if action.ability in REPORTS]
    if not sent:
        return ()
    # Every visit but a Ninja's kill (CM-R28); nobody visits himself, and no bomb walks.
    seen = [
        (action.actor, target)
        for action, fate, *_ in course.sheet.notes
        if fate in _HAPPENED and action.ability != bomb.STRIKE_BACK
        if not (action.ability in KILLS and _NINJA in paper.dusk.roles[action.actor].traits)
        for target in action.targets
        if target != action.actor
    ]
    went, came = track.footsteps(seen), watch.callers(seen)

    def answer(action: Action) -> Answer:
        if action not in reports:
            return NO_RESULT
        if action.ability == _TRACK:
            return track.follow(action.targets[0], went)
        if action.ability == _WATCH:
            return watch.observe(action.targets[0], action.actor, came)
        # CM-R23 to CM-R25: by the card of whoever it reached.
        role = paper.dusk.roles[action.targets[0]]
        if action.ability == Ability.COP:
            if role.alignment is _SERIAL_KILLER and "cop_sees_killer" not in paper.dusk.rules.house:
                guilty = True
            else:
                guilty = role.alignment is Alignment.MAFIA or Trait.MILLER in role.traits
            return inspect.answer(guilty, Trait.GODFATHER in role.traits, ("Guilty", "Innocent"))
        if action.ability == Ability.GUNSMITH:
            return inspect.answer(Trait.ARMED in role.traits, False, ("Gun", "No gun"))
        return rolecop_name(role)

    return tuple(Result(action, answer(course.went[action])) for action in sent)
