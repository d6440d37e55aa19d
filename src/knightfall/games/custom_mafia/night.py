"""What happens in a night, once it is said which action of a ring goes first.

Commuters leave; then whatever changes other actions takes effect in its natural order (`mafia.nar`). Then
shields and kills, bombs, bodyguards, the weak, the lovers; then reports, on the visits that were made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from knightfall.games.custom_mafia.abilities import (
    ACTION_MODIFIERS,
    CHECKS,
    KILLS,
    REPORTS,
    Ability,
    Passive,
    Trait,
)
from knightfall.games.custom_mafia.night_position import CustomPosition
from knightfall.games.custom_mafia.options import RULING_OF_REASON
from knightfall.games.custom_mafia.role_grammar import rolecop_name
from knightfall.mafia.abilities import (
    Cover,
    GuardedCover,
    bereaved,
    callers,
    follow,
    footsteps,
    leave_home,
    observe,
    settle_guards,
    settle_heals,
    slay,
    strike,
    strike_back,
    toll,
)
from knightfall.mafia.ability_row import CardSeen
from knightfall.mafia.nar import Pass
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
    new,
)
from knightfall.mafia.roles import Alignment, Modifier
from knightfall.sentence import SlotId


class Turn(NamedTuple):
    """An action that went elsewhere: as it was sent, as it went, by whose actions in their order."""

    sent: Action
    went: Action
    by: tuple[Action, ...]


class CustomNight(NamedTuple):
    """A night decided. The notes of `night` show actions as they went, its results as they were sent."""

    night: Night
    turned: tuple[Turn, ...] = ()


class Reading(NamedTuple):
    """What would come of one choice: `choice` is the label of the action that goes first, or `none`.

    `listed`: the wiki's list of priorities would choose it. `leads_to` may be a cycle again.
    """

    choice: str
    listed: bool
    leads_to: CustomNight | CycleQuestion


class CycleQuestion(NamedTuple):
    """Actions that change each other in a ring, so that none of them can be the first (CM-R2).

    `key` names it in this night, `shape` in every night: the verbs alone.
    """

    key: str
    shape: str
    actions: tuple[Action, ...]
    readings: tuple[Reading, ...]


Decided: TypeAlias = CustomNight | CycleQuestion

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_COMMUTE, _HEAL, _GUARD = str(Ability.COMMUTE), str(Ability.HEAL), str(Ability.GUARD)
_TRACK, _WATCH = str(Ability.TRACK), str(Ability.WATCH)
_STRONGMAN, _NINJA, _BOMB = Trait.STRONGMAN, Trait.NINJA, Trait.BOMB
_BULLETPROOF, _SERIAL_KILLER, _TOWN = Passive.BULLETPROOF, Alignment.SERIAL_KILLER, Alignment.TOWN
_LOYAL, _DISLOYAL, _LAZY = Modifier.LOYAL, Modifier.DISLOYAL, Modifier.LAZY
_HAPPENED = (Fate.STOOD, Fate.ABSORBED)
_WEAK, _CONDITIONS = Modifier.WEAK, frozenset({_LOYAL, _DISLOYAL, _LAZY})
_KILL, _SURE_KILL = str(Ability.KILL), "sure kill"
"""What kills of all abilities count as, those that nothing stops apart."""


class Paper:
    """What is known of a night before anything happens, whichever way its rings are read.

    `admitted` are the actions in canonical order, `rejected` notes on all others; `reports` and `limited` are
    those that bring an answer and those that take a shot, `weak` kill their actor on another side (CM-R17);
    `conditional` may fail by a modifier. `proof` no kill can hurt, `vests` so many cannot.
    """

    __slots__ = (
        "admitted",
        "conditional",
        "limited",
        "position",
        "proof",
        "rejected",
        "reports",
        "vests",
        "weak",
    )

    def __init__(self, position: CustomPosition, actions: Iterable[Action]) -> None:
        roles = position.roles
        self.position = position
        self.rejected: list[Note] = []
        self.admitted = position.admit(actions, self.rejected)
        self.reports: list[Action] = []
        self.limited: list[Action] = []
        self.weak: set[tuple[SlotId, str]] = set()
        self.conditional: set[Action] = set()
        for action in self.admitted:
            actor, ability, _, _ = action
            role = roles[actor]
            if ability in REPORTS:
                self.reports.append(action)
            if role.abilities[ability] is not None:
                self.limited.append(action)
            if role.modifiers and ability in role.modifiers:
                modifiers = role.modifiers[ability]
                if _WEAK in modifiers:
                    self.weak.add((actor, ability))
                if not _CONDITIONS.isdisjoint(modifiers):
                    self.conditional.add(action)
        # CM-R12.
        self.proof: dict[SlotId, Action | None] = {}
        self.vests: dict[SlotId, int] = {}
        for slot, role in roles.items():
            if role.passives and _BULLETPROOF in role.passives:
                left = position.uses_left(slot, _BULLETPROOF)
                if left is None:
                    self.proof[slot] = None
                else:
                    self.vests[slot] = left

    def failure(self, went: Action) -> str | None:
        """Loyal, disloyal and lazy (CM-R18, CM-R19)."""
        modifiers = self.position.roles[went.actor].modifiers[went.ability]
        if _LOYAL in modifiers or _DISLOYAL in modifiers:
            own = [_same_side(self.position, went.actor, target) for target in went.targets]
            if _LOYAL in modifiers and not all(own):
                return Reason.LOYAL
            if _DISLOYAL in modifiers and any(own):
                return Reason.DISLOYAL
        if _LAZY in modifiers:
            others = [role for role in self.position.roles.values() if role.alignment is not _TOWN]
            return Reason.LAZY if len(others) <= 1 else None
        return None


def begin(paper: Paper) -> Pass:
    """The night with the commuters away and everything else under way."""
    sheet = Sheet(RULING_OF_REASON)
    sheet.notes += paper.rejected
    leave_home(sheet, [action for action in paper.admitted if action.ability == _COMMUTE])
    return Pass(sheet, paper.admitted, ACTION_MODIFIERS, paper.conditional, paper.failure)


def finish(paper: Paper, run: Pass) -> CustomNight:
    """Everything that changes no other action, in the order in which it counts."""
    position, sheet = paper.position, run.sheet
    # What is still under way, where it comes to something.
    arrived: dict[str, list[Action]] = {}
    reports: dict[Action, Action] = {}
    for sent in tuple(run.aims):
        ability, sure = sent.ability, False
        if ability in KILLS:
            sure = _STRONGMAN in position.roles[sent.actor].traits
            ability = _SURE_KILL if sure else _KILL
        if (went := run.arrive(sent, sure)) is None:
            continue
        if ability in REPORTS:
            reports[sent] = went
        else:
            arrived.setdefault(ability, []).append(went)
    line, fights = _fight(paper, sheet, arrived)
    for report in reports.values():
        sheet.stand(report, Reason.ANSWERED)
    dead, survived = toll(fights)
    # The dead of kills, in somebody's place, of weakness: one death a slot, with all that brought it; then
    # those who loved the dead (CM-R16).
    deaths = [*dead, *settle_guards(sheet, line.posted), *(_weak_deaths(paper, sheet) if paper.weak else ())]
    causes: dict[SlotId, tuple[Note, ...]] = {}
    for death in deaths:
        causes[death.slot] = causes.get(death.slot, ()) + death.attacks
    if causes and position.lovers:
        for slot, of in bereaved(position.lovers, causes.keys(), position.roles):
            causes[slot] = (Note(Action(slot, "love", (of,)), Fate.STOOD, Reason.LOVE, None, "CM-R16"),)
    dead = tuple([Death(slot, causes[slot]) for slot in sorted(causes)])
    # CM-R20: shots sent, blocked ones too; and vests that worked (CM-R12).
    spent: dict[SlotId, dict[str, int]] = {}
    kept: set[Action] = set()
    if "blocked_shot" in position.rules.house:
        kept = {note.action for note in sheet.notes if note.fate in (Fate.BLOCKED, Fate.LOST)}
    for action in paper.limited:
        if run.went.get(action, action) not in kept:
            spent.setdefault(action.actor, {})[action.ability] = 1
    for slot, left in line.cover.vests.items():
        if used := paper.vests[slot] - left:
            spent.setdefault(slot, {})[_BULLETPROOF] = used
    visits = tuple([pair for pair in sheet.visits if pair[0] != pair[1]])  # nobody visits their own house
    return CustomNight(
        Night(
            dead,
            tuple([death for death in survived if death.slot not in causes]),
            _results(paper, visits, fights, reports) if paper.reports else (),
            spent,
            visits,
            tuple(sheet.notes),
        ),
        tuple([Turn(sent, run.went[sent], tuple(by)) for sent, by in run.turners.items()]),
    )


def _same_side(position: CustomPosition, one: SlotId, other: SlotId) -> bool:
    """Whether two are on one side; every Serial Killer is a side alone."""
    side = position.roles[one].alignment
    return one == other or (side is position.roles[other].alignment and side is not _SERIAL_KILLER)


def _weak_deaths(paper: Paper, sheet: Sheet) -> list[Death]:
    """CM-R17: the weak who came to another side; no shield helps."""
    deaths = []
    for note in sheet.notes:
        action = note.action
        if note.fate not in _HAPPENED or (action.actor, action.ability) not in paper.weak:
            continue
        if not all(_same_side(paper.position, action.actor, target) for target in action.targets):
            end = Note(action, Fate.STOOD, Reason.WEAKNESS, None, "CM-R17")
            deaths.append(Death(action.actor, (end,)))
    return deaths


def _fight(
    paper: Paper, sheet: Sheet, arrived: Mapping[str, list[Action]]
) -> tuple[GuardedCover, list[Note]]:
    """Kills, then the Bombs of the killed; returns the shields as they are left, and every attack."""
    position = paper.position
    heals = arrived.get(_HEAL, ())
    # CM-R10 to CM-R13.
    cover = Cover(heals, paper.proof, paper.vests)
    jails = {prisoner: jails[0] for prisoner, jails in sheet.jails.items()}
    line = GuardedCover(cover, jails, arrived.get(_GUARD, ()), "doctor_saves" in position.rules.house)
    begun = len(sheet.notes)
    slay(sheet, arrived.get(_SURE_KILL, ()))
    strike(sheet, arrived.get(_KILL, ()), line)
    attacks = sheet.notes[begun:]
    blows: list[Note] = []
    if any(_BOMB in position.roles[attack.action.targets[0]].traits for attack in attacks):
        bombs = [death for death in toll(attacks)[0] if _BOMB in position.roles[death.slot].traits]
        blows = strike_back(sheet, bombs, None if "bomb" in position.rules.house else line)
        sheet.notes += blows
    settle_heals(sheet, heals, line.cover)
    return line, attacks + blows


def _results(
    paper: Paper,
    visits: Sequence[tuple[SlotId, SlotId]],
    fights: Sequence[Note],
    reports: Mapping[Action, Action],
) -> tuple[Result, ...]:
    """CM-R30: a report that failed says so; each is named as it was sent, and `reports` has where it went."""
    roles, house = paper.position.roles, paper.position.rules.house
    followed = {went.targets[0] for went in reports.values() if went.ability == _TRACK}
    watched = {went.targets[0] for went in reports.values() if went.ability == _WATCH}
    seen = []
    if followed or watched:
        # Every visit but a Ninja's kill (CM-R28).
        seen = list(visits)
        for kill in [note.action for note in fights if note.action.ability in KILLS]:
            if _NINJA in roles[kill.actor].traits and kill.actor != kill.targets[0]:
                seen.remove((kill.actor, kill.targets[0]))
    walked = footsteps([pair for pair in seen if pair[0] in followed])
    came = callers([pair for pair in seen if pair[1] in watched])
    results = []
    for report in paper.reports:
        answer: Answer = NO_RESULT
        if report in reports:
            actor, ability, (target,), _ = reports[report]
            if ability == _TRACK:
                answer = follow(target, walked)
            elif ability == _WATCH:
                answer = observe(target, actor, came)
            else:
                # CM-R23 to CM-R25, CM-R44: by the card of whoever it reached.
                answer = CHECKS[ability](new(CardSeen, (roles[target], house, rolecop_name)))
        results.append(new(Result, (report, answer)))
    return tuple(results)
