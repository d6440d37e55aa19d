"""How a night of a custom game is resolved, when the moderator has to decide it, and who has won.

Commuters leave; then whatever changes other actions takes effect in its natural order (`mafia.nar`). Then
shields and kills, bombs, bodyguards, the weak, the lovers; then reports, on the visits that were made.

A night is played until actions change each other in a ring. From there each choice of the first is played to
its end, on a copy: if all come to the same, or nobody is told anything else by any of them, there is nothing
to ask; else the night is a `CycleQuestion` that holds what would come of each choice (CM-R2).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from knightfall.engine.game import TIES, Noted
from knightfall.engine.rng import Rng, SeededRng, foreseen
from knightfall.games.custom_mafia.abilities import (
    ABILITIES,
    ACTION_MODIFIERS,
    CHECKS,
    KILLS,
    MAFIAS_KILLS,
    REPORTS,
    STRONG_KILLS,
    Ability,
    Passive,
    Trait,
    is_vanilla,
)
from knightfall.games.custom_mafia.options import DEFAULT_RULES, RULING_OF_REASON, Rules
from knightfall.games.custom_mafia.roles import rolecop_name, tonight
from knightfall.games.custom_mafia.sights import HAPPENED, SIGHTS, is_unseen, sight
from knightfall.games.custom_mafia.state import CustomPosition, State, avengers
from knightfall.mafia import views
from knightfall.mafia.abilities import (
    Cover,
    GuardedCover,
    Lots,
    bereaved,
    callers,
    drawn,
    follow,
    footsteps,
    leave_home,
    observe,
    settle_guards,
    settle_heals,
    shoot_visitors,
    slay,
    strike,
    strike_back,
    toll,
)
from knightfall.mafia.ability_row import CardSeen
from knightfall.mafia.events import Card, CautionNote, Ending
from knightfall.mafia.game import Verdict
from knightfall.mafia.nar import NONE_HAPPENS, Cycle, Pass, go_first, label, resolve_modifiers
from knightfall.mafia.night import (
    JOINED,
    NO_RESULT,
    PARTED,
    SENT_OUT,
    Action,
    Answer,
    Death,
    Fate,
    Gift,
    Lot,
    Night,
    Note,
    Reason,
    Result,
    Sheet,
    by_target,
)
from knightfall.mafia.roles import SANITIES, TEAMS, THREATS, Alignment, Modifier, Role
from knightfall.mafia.state import ELIMINATED
from knightfall.mafia.wins import Winner
from knightfall.sentence import SlotId


class Turn(NamedTuple):
    """An action that went elsewhere: as it was sent, as it went, by whose actions in their order."""

    sent: Action
    went: Action
    by: tuple[Action, ...]


class CustomNight(NamedTuple):
    """A night decided. The notes of `night` show actions as they went, its results as they were sent;
    `settled` are the rings on which nothing hung (CM-R2), `linked` who are lovers since (CM-R106)."""

    night: Night
    turned: tuple[Turn, ...] = ()
    settled: tuple[tuple[Action, ...], ...] = ()
    linked: tuple[frozenset[SlotId], ...] = ()


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
_ROLEBLOCK, _JAIL = str(Ability.ROLEBLOCK), str(Ability.JAIL)
_TRACK, _WATCH = str(Ability.TRACK), str(Ability.WATCH)
GUILTY = "Guilty"
_HIDE, _BABYSIT, _FRAME, _COP = (
    str(Ability.HIDE),
    str(Ability.BABYSIT),
    str(Ability.FRAME),
    str(Ability.COP),
)
_FRUIT, _BEFRIEND, _NEIGHBORIZE = str(Ability.FRUIT), str(Ability.BEFRIEND), str(Ability.NEIGHBORIZE)
_ROOM_ANSWERS = {_NEIGHBORIZE: (JOINED, JOINED), str(Ability.PART): (PARTED, SENT_OUT)}
"""What its actor, and whom it reached, are told."""
_OWN, _WEAR = str(Ability.OWN), str(Ability.WEAR)
_MESSAGE = str(Ability.MESSAGE)
_SHIELD, _DETECTIVE = str(Ability.SHIELD), str(Ability.DETECTIVE)
_MACHO, _ASCETIC = Trait.MACHO, Trait.ASCETIC
_STRONGMAN, _BOMB, _GUN_OWNER = Trait.STRONGMAN, Trait.BOMB, Trait.GUN_OWNER
_ALERT, _CPR, _LINK = str(Ability.ALERT), str(Ability.CPR), str(Ability.LINK)
_SANE = ("Guilty", "Innocent")
_BULLETPROOF, _SERIAL_KILLER, _TOWN = Passive.BULLETPROOF, Alignment.SERIAL_KILLER, Alignment.TOWN
_LOYAL, _DISLOYAL, _LAZY = Modifier.LOYAL, Modifier.DISLOYAL, Modifier.LAZY
_SIMPLE, _COMPLEX = Modifier.SIMPLE, Modifier.COMPLEX
_WEAK, _CONDITIONS = Modifier.WEAK, frozenset({_LOYAL, _DISLOYAL, _LAZY, _SIMPLE, _COMPLEX})
_KILL, _SURE_KILL = str(Ability.KILL), "sure kill"
"""What kills of all abilities count as, those that nothing stops apart."""


MESSAGE_BEGINS = ": "
"""What stands in a line between whom a message is for and what it says."""


class Paper:
    """What is known of a night before anything happens, whichever way its rings are read.

    `admitted` are the actions in canonical order, `rejected` notes on all others; `reports` and `limited` are
    those that bring an answer and those that take a shot, `weak` kill their actor on another side (CM-R17);
    `conditional` may fail by a modifier. `proof` no kill can hurt, `vests` so many cannot.
    """

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
        # CM-R64: whatever is aimed at an Ascetic may come to nothing.
        if any(_ASCETIC in role.traits for role in roles.values()):
            self.conditional.update(one for one in self.admitted if one.targets and one.ability not in KILLS)
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

    def spares(self, cause: Action, went: Action) -> bool:
        """CM-R88: what is personal has no effect on the mafia's kill."""
        roles = self.position.roles
        personal = roles[cause.actor].asks(cause.ability, Modifier.PERSONAL)
        return personal and went.ability in MAFIAS_KILLS and roles[went.actor].in_team

    def failure(self, went: Action) -> str | None:
        """An Ascetic's door (CM-R64); loyal, disloyal and lazy (CM-R18, CM-R19); simple and complex
        (CM-R84)."""
        roles = self.position.roles
        if went.ability not in KILLS:
            for target in went.targets:
                if _ASCETIC in roles[target].traits and target != went.actor:
                    return Reason.ASCETIC
        modifiers = roles[went.actor].modifiers.get(went.ability, frozenset())
        if _LOYAL in modifiers or _DISLOYAL in modifiers:
            own = [_same_side(self.position, went.actor, target) for target in went.targets]
            if _LOYAL in modifiers and not all(own):
                return Reason.LOYAL
            if _DISLOYAL in modifiers and any(own):
                return Reason.DISLOYAL
        if _SIMPLE in modifiers or _COMPLEX in modifiers:
            bare = [is_vanilla(roles[target]) for target in went.targets]
            if _SIMPLE in modifiers and not all(bare):
                return Reason.SIMPLE
            if _COMPLEX in modifiers and any(bare):
                return Reason.COMPLEX
        if _LAZY in modifiers:
            others = [role for role in roles.values() if role.alignment is not _TOWN]
            return Reason.LAZY if len(others) <= 1 else None
        return None


def begin(paper: Paper) -> Pass:
    """The night with the commuters away and everything else under way."""
    sheet = Sheet(RULING_OF_REASON)
    sheet.notes += paper.rejected
    leave_home(sheet, [action for action in paper.admitted if action.ability == _COMMUTE])
    return Pass(sheet, paper.admitted, ACTION_MODIFIERS, paper.conditional, paper.failure, paper.spares)


def finish(paper: Paper, run: Pass, lots: Lots, settled: tuple[tuple[Action, ...], ...] = ()) -> CustomNight:
    """Everything that changes no other action, in the order in which it counts. `settled` are the rings that
    were decided on the way here because nothing hangs on them."""
    position, sheet = paper.position, run.sheet
    # What is still under way, where it comes to something.
    arrived: dict[str, list[Action]] = {}
    reports: dict[Action, Action] = {}
    for sent in tuple(run.aims):
        ability, sure, macho = sent.ability, False, False
        if ability in KILLS:
            macho = _MACHO in position.roles[run.aims[sent][0]].traits
            sure = ability in STRONG_KILLS or _STRONGMAN in position.roles[sent.actor].traits
            ability = _SURE_KILL if sure else _KILL
        if (went := run.arrive(sent, sure, macho)) is None:
            continue
        if ability in REPORTS:
            reports[sent] = went
        else:
            arrived.setdefault(ability, []).append(went)
    posted, hides, sits = arrived.get(_GUARD, ()), arrived.get(_HIDE, ()), arrived.get(_BABYSIT, ())
    healing = [*arrived.get(_HEAL, ()), *sits]
    if "bodyguard" in position.rules.house:
        posted, healing = (), [*healing, *posted]
    linked = tuple([frozenset(link.targets) for link in arrived.get(_LINK, ())])
    alerts = _unheld(sheet, run, paper.admitted, _ALERT, Reason.HOLDS)
    homes = _visited(position, sheet, alerts, (*itertools.chain(*arrived.values()), *reports.values()))
    for quiet in (*hides, *arrived.get(_FRAME, ())):
        sheet.stand(quiet, Reason.HOLDS)
    _leave_to_moderator(sheet, run, paper.admitted, arrived.get(_OWN, ()))
    worn = {vest.actor: vest for vest in _unheld(sheet, run, paper.admitted, _WEAR, Reason.HOLDS)}
    worn |= {alert.actor: alert for alert in alerts}
    gifts = _gifts(sheet, arrived)
    kills, shot = _met(position, sheet, arrived.get(_KILL, ()), hides, arrived.get(_SHIELD, ()))
    strong = arrived.get(_SURE_KILL, ())
    revivers = arrived.get(_CPR, ())
    if revivers:
        # CM-R98: a heal for whom somebody tries to kill, and a kill for everybody else.
        attacked = {kill.targets[0] for kill in (*kills, *strong)}.union(*homes.values())
        healing += [one for one in revivers if one.targets[0] in attacked]
        kills = [*kills, *(one for one in revivers if one.targets[0] not in attacked)]
    sides = _Sides(strong, kills, healing, by_target(posted), worn, homes)
    drawn: tuple[Lot, ...] = ()
    if (sides.kills or homes) and TIES not in position.rules.house:
        several = len({kill.targets[0] for kill in sides.kills}) < len(sides.kills)
        if several or len(posted) > len(sides.guards):
            sides, drawn = _untied(paper, sheet, sides, lots)
    line, fights = _fight(paper, sheet, sides)
    for report in reports.values():
        sheet.stand(report, Reason.ANSWERED)
        if report.ability in _ROOM_ANSWERS:
            gifts.append(Gift(report.targets[0], report, _ROOM_ANSWERS[report.ability][1], True))
    dead, survived = toll(fights)
    # The dead of kills, in somebody's place, of weakness: one death a slot, with all that brought it; then
    # those who loved the dead (CM-R16).
    deaths = [*dead, *shot, *settle_guards(sheet, posted)]
    deaths += _weak_deaths(paper, sheet) if paper.weak else ()
    causes: dict[SlotId, tuple[Note, ...]] = {}
    for death in deaths:
        causes[death.slot] = causes.get(death.slot, ()) + death.attacks
    _take_along(position, causes, hides, sits, linked)
    dead = tuple([Death(slot, causes[slot]) for slot in sorted(causes)])
    visits = tuple([pair for pair in sheet.visits if pair[0] != pair[1]])  # nobody visits their own house
    framed = {frame.targets[0]: frame for frame in arrived.get(_FRAME, ())}
    return CustomNight(
        Night(
            dead,
            tuple([death for death in survived if death.slot not in causes]),
            _results(paper, run, visits, reports, framed) if paper.reports else (),
            _spent(paper, run, line),
            visits,
            tuple(sheet.notes),
            (),
            drawn,
            tuple(gifts),
        ),
        tuple([Turn(sent, run.went[sent], tuple(by)) for sent, by in run.turners.items()]),
        settled,
        linked,
    )


def _spent(paper: Paper, run: Pass, line: GuardedCover) -> dict[SlotId, dict[str, int]]:
    """Shots sent, blocked ones too (CM-R20), vests that worked (CM-R12), an Ascetic's nights (CM-R104)."""
    position, sheet = paper.position, run.sheet
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
    shut = {slot for note in sheet.notes if note.reason == Reason.ASCETIC for slot in note.action.targets}
    for slot in sorted(shut):
        if _ASCETIC in position.roles[slot].traits and position.roles[slot].trait_shots:
            spent.setdefault(slot, {})[_ASCETIC] = 1
    return spent


def _visited(
    position: CustomPosition, sheet: Sheet, alerts: Iterable[Action], arrived: Iterable[Action]
) -> dict[SlotId, set[SlotId]]:
    """CM-R96, CM-R97: who shoots whoever comes tonight, with who comes, in the order of the players."""
    homes = {alert.actor for alert in alerts}
    homes |= {slot for slot, role in position.roles.items() if _GUN_OWNER in role.traits}
    if not homes:
        return {}
    came = {*sheet.visits, *((went.actor, target) for went in arrived for target in went.targets)}
    return {
        home: visitors
        for home in position.roles
        if home in homes and (visitors := {actor for actor, target in came if target == home != actor})
    }


def _leave_to_moderator(
    sheet: Sheet, run: Pass, admitted: Iterable[Action], arrived: Iterable[Action]
) -> None:
    """CM-R68: what came of cards of the moderator's own is theirs to say, unless their holders were held."""
    for action in arrived:
        sheet.stand(action, Reason.TYPED)
    _unheld(sheet, run, admitted, _OWN, Reason.TYPED)


def _unheld(
    sheet: Sheet, run: Pass, admitted: Iterable[Action], ability: str, reason: Reason
) -> list[Action]:
    """What names nobody, noted as it goes: what a block or a jail stops does not happen."""
    found = []
    for action in admitted:
        if action.ability == ability and not action.targets:
            if obstacle := run.held(action):
                sheet.stop(action, *obstacle)
            else:
                sheet.stand(action, reason)
                found.append(action)
    return found


def _gifts(sheet: Sheet, arrived: Mapping[str, Sequence[Action]]) -> list[Gift]:
    """Fruit, of nobody known (CM-R60), a friendly neighbor's word (CM-R61), messages (CM-R93), and whom
    somebody loves (CM-R106)."""
    found = []
    for ability, answer, named in ((_FRUIT, "fruit", False), (_BEFRIEND, "Town", True)):
        for action in arrived.get(ability, ()):
            sheet.stand(action, Reason.TOLD)
            found.append(Gift(action.targets[0], action, answer, named))
    for action in arrived.get(_LINK, ()):
        sheet.stand(action, Reason.LINKED)
        for one, other in (action.targets, action.targets[::-1]):
            found.append(Gift(one, action, (other,), False))
    for action in arrived.get(_MESSAGE, ()):
        sheet.stand(action, Reason.TOLD)
        text = "".join(action.options).removeprefix(MESSAGE_BEGINS)
        found.append(Gift(action.targets[0], action, text, False))
    return found


def _seeking(sheet: Sheet, kills: Sequence[Action], hides: Sequence[Action]) -> list[Action]:
    """The kills that find their target at home (CM-R50)."""
    hidden = {hide.actor: hide for hide in hides}
    found = []
    for kill in kills:
        if (hide := hidden.get(kill.targets[0])) is None:
            found.append(kill)
        else:
            sheet.stop(kill, Reason.HIDDEN, hide)
    return found


def _met(
    position: CustomPosition,
    sheet: Sheet,
    kills: Sequence[Action],
    hides: Sequence[Action],
    shields: Sequence[Action],
) -> tuple[Sequence[Action], list[Death]]:
    """The kills that find their target at home and no shield in their way, and the dead shields (CM-R92)."""
    if hides:
        kills = _seeking(sheet, kills, hides)
    if not shields:
        return kills, []
    waiting = by_target(sorted(shields, key=lambda one: list(position.roles).index(one.actor)))
    found, deaths = [], []
    for kill in kills:
        victim = kill.targets[0]
        macho = _MACHO in position.roles[victim].traits  # CM-R63
        shield = next((one for one in waiting.get(kill.actor, ()) if one.actor != victim and not macho), None)
        if shield is None:
            found.append(kill)
            continue
        waiting[kill.actor].remove(shield)
        sheet.absorb(kill, Reason.SHIELDED, shield)
        sheet.stand(shield, Reason.SHIELDS)
        end = Note(shield, Fate.STOOD, Reason.SHIELDS, kill, "CM-R92")
        deaths.append(Death(shield.actor, (end,)))
    for shield in (one for left in waiting.values() for one in left):
        sheet.stand(shield, Reason.UNUSED)
    return found, deaths


def _take_along(
    position: CustomPosition,
    causes: dict[SlotId, tuple[Note, ...]],
    hides: Sequence[Action],
    sits: Sequence[Action],
    linked: tuple[frozenset[SlotId], ...],
) -> None:
    """Add to the dead who hid behind one of them, or behind an enemy (CM-R50), whom a dead babysitter sat for
    (CM-R51), and who loved one (CM-R16), until nobody is left to follow. By option only a kill takes along
    who hid, and no enemy does."""
    roles, before, plain = position.roles, -1, "hider" in position.rules.house
    lovers = (*position.lovers, *linked)
    killed = {slot for slot, notes in causes.items() if any(note.reason not in _NO_KILL for note in notes)}
    while before < len(causes):
        before = len(causes)
        for hide in hides:
            side = roles[hide.targets[0]].alignment
            enemy = side in THREATS and not _same_side(position, hide.actor, hide.targets[0])
            falls = hide.targets[0] in killed if plain else enemy or hide.targets[0] in causes
            if hide.actor not in causes and falls:
                causes[hide.actor] = (Note(hide, Fate.STOOD, Reason.FOUND_OUT, None, "CM-R50"),)
        for sit in sits:
            if sit.actor in causes and sit.targets[0] not in causes:
                causes[sit.targets[0]] = (Note(sit, Fate.STOOD, Reason.ALONE, None, "CM-R51"),)
        if causes and lovers:
            for slot, of in bereaved(lovers, causes.keys(), roles):
                love = Action(slot, "love", (of,))
                causes.setdefault(slot, (Note(love, Fate.STOOD, Reason.LOVE, None, "CM-R16"),))


_NO_KILL = frozenset({Reason.WEAKNESS, Reason.LOVE, Reason.ALONE, Reason.FOUND_OUT})
"""What a death may come of that is no kill."""


def _same_side(position: CustomPosition, one: SlotId, other: SlotId) -> bool:
    """Whether two are on one side; every Serial Killer is a side alone."""
    side = position.roles[one].alignment
    return one == other or (side is position.roles[other].alignment and side is not _SERIAL_KILLER)


def _weak_deaths(paper: Paper, sheet: Sheet) -> list[Death]:
    """CM-R17: the weak who came to another side; no shield helps."""
    deaths = []
    for note in sheet.notes:
        action = note.action
        if note.fate not in HAPPENED or (action.actor, action.ability) not in paper.weak:
            continue
        if not all(_same_side(paper.position, action.actor, target) for target in action.targets):
            end = Note(action, Fate.STOOD, Reason.WEAKNESS, None, "CM-R17")
            deaths.append(Death(action.actor, (end,)))
    return deaths


class _Sides(NamedTuple):
    """Who fights: kills that nothing stops and those that shields stop, in the order in which they meet them;
    heals, and for each player the guards, in the order in which they step in; who wears a vest; and of
    whoever shoots who comes the visitors."""

    sure: Sequence[Action]
    kills: Sequence[Action]
    heals: Sequence[Action]
    guards: Mapping[SlotId, Sequence[Action]]
    worn: Mapping[SlotId, Action]
    homes: Mapping[SlotId, Collection[SlotId]]


def _untied(paper: Paper, sheet: Sheet, sides: _Sides, lots: Lots) -> tuple[_Sides, tuple[Lot, ...]]:
    """CM-R45: which of several kills on a Bomb are stopped, and which of several guards take the kills, are
    drawn where not all of them are or do. How many that is shows when the night is fought out on trial."""
    roles, seats = paper.position.roles, tuple(paper.position.roles)
    drawn: list[Lot] = []

    def untied(kind: str, slot: SlotId, tied: Sequence[Action], count: int) -> list[Action]:
        """The drawn ones, then the others."""
        lot = lots(kind, slot, sorted([action.actor for action in tied], key=seats.index), count, "CM-R45")
        drawn.append(lot)
        first = [next(action for action in tied if action.actor == actor) for actor in lot.drawn]
        return first + [action for action in tied if action not in first]

    # Of those who attack a Bomb only the ones that are not stopped are struck back at (CM-R15).
    kills = by_target(sides.kills)
    bombs = [slot for slot, some in kills.items() if len(some) > 1 and _BOMB in roles[slot].traits]
    if bombs:
        _, attacks = _fight(paper, sheet.copy(), sides)
        for slot in sorted(bombs, key=seats.index):
            met = [note.fate for note in attacks if note.action in kills[slot]]
            if 0 < met.count(Fate.ABSORBED) < len(met):
                kills[slot] = untied("cm.stopped", slot, kills[slot], met.count(Fate.ABSORBED))
        sides = sides._replace(kills=[kill for some in kills.values() for kill in some])
    shared = [slot for slot, some in sides.guards.items() if len(some) > 1]
    if shared:
        _, attacks = _fight(paper, sheet.copy(), sides)
        guards = dict(sides.guards)
        for slot in sorted(shared, key=seats.index):
            taken = [
                note for note in attacks if note.reason == Reason.GUARDED and note.action.targets[0] == slot
            ]
            if 0 < len(taken) < len(guards[slot]):
                guards[slot] = untied("cm.guard", slot, guards[slot], len(taken))
        sides = sides._replace(guards=guards)
    return sides, tuple(drawn)


def _fight(paper: Paper, sheet: Sheet, sides: _Sides) -> tuple[GuardedCover, list[Note]]:
    """Kills, then the Bombs of the killed; returns the shields as they are left, and every attack."""
    position, heals = paper.position, sides.heals
    # CM-R10 to CM-R13; CM-R63: of others nothing protects a macho.
    macho = {slot for slot, role in position.roles.items() if _MACHO in role.traits}
    helped = [heal for heal in heals if heal.targets[0] not in macho - {heal.actor}] if macho else heals
    cover = Cover(helped, {**paper.proof, **sides.worn}, paper.vests)
    jails = {prisoner: jails[0] for prisoner, jails in sheet.jails.items() if prisoner not in macho}
    guards = {slot: some for slot, some in sides.guards.items() if slot not in macho}
    line = GuardedCover(cover, jails, guards, "doctor_saves" in position.rules.house)
    begun = len(sheet.notes)
    slay(sheet, sides.sure)
    strike(sheet, sides.kills, line)
    sheet.notes += shoot_visitors(sheet, sides.homes, line)
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
    run: Pass,
    visits: Sequence[tuple[SlotId, SlotId]],
    reports: Mapping[Action, Action],
    framed: Mapping[SlotId, Action],
) -> tuple[Result, ...]:
    """CM-R30: a report that failed says so; each is named as it was sent, and `reports` has where it went."""
    position, sheet = paper.position, run.sheet
    roles, house = position.roles, position.rules.house
    killers = {action.actor for action in paper.admitted if action.ability in KILLS}
    followed = {went.targets[0] for went in reports.values() if went.ability == _TRACK}
    watched = {went.targets[0] for went in reports.values() if went.ability == _WATCH}
    seen = []
    if followed or watched:
        # Every visit but a Ninja's kill (CM-R28).
        seen = list(visits)
        for note in sheet.notes:
            if note.fate in HAPPENED and is_unseen(roles, note.action):
                seen.remove((note.action.actor, note.action.targets[0]))
    walked = footsteps([pair for pair in seen if pair[0] in followed])
    came = callers([pair for pair in seen if pair[1] in watched])
    results = []
    for report in paper.reports:
        answer: Answer = NO_RESULT
        reason, cause, ruling, went = "", None, "", run.went.get(report, report)
        if report in reports:
            actor, ability, (target,), _ = went
            if ability == _TRACK:
                answer = follow(target, walked)
            elif ability == _WATCH:
                answer = observe(target, actor, came)
            elif ability in SIGHTS:
                answer = sight(ability, roles, sheet.notes, actor, target)
            elif ability == _DETECTIVE:
                has = target in position.killed or target in killers
                answer = "Has killed" if has else "Has not killed"
                reason = Reason.KILLED if has else Reason.NEVER_KILLED
            elif ability in _ROOM_ANSWERS:
                answer = _ROOM_ANSWERS[ability][0]
            else:
                # CM-R23 to CM-R25, CM-R44: by the card of whoever it reached.
                answer = CHECKS[ability](CardSeen(roles[target], house, rolecop_name))
                if ability == _COP and answer != GUILTY and target in framed:
                    answer, reason, cause, ruling = GUILTY, Reason.FRAMED, framed[target], "CM-R52"
                elif ability == _COP and answer != GUILTY and Trait.GODFATHER in roles[target].traits:
                    reason = Reason.UNMARKED
                if ability == _COP and (lie := SANITIES & roles[actor].modifiers.get(_COP, frozenset())):
                    answer = _untrue(str(answer), next(iter(lie)))
                    reason, cause, ruling = Reason.SANITY, None, "CM-R102"
        results.append(Result(report, answer, went, reason, cause, ruling))
    return tuple(results)


def _untrue(answer: str, lie: Modifier) -> str:
    """CM-R102: what an insane, a naive or a paranoid cop is told."""
    guilty, innocent = _SANE
    if lie is Modifier.INSANE:
        return innocent if answer == guilty else guilty
    return innocent if lie is Modifier.NAIVE else guilty


_RANK: Mapping[str, int] = {row.id: row.rank for row in ABILITIES if row.rank is not None}
"""The wiki's list of priorities for what cannot be ordered otherwise."""

_MOST_NIGHTS = 120
"""How many ways out of a cycle are looked at: five actions in every order."""


def resolve(position: CustomPosition, actions: Iterable[Action], draw: Rng | None = None) -> Decided:
    """Decide a bare set of actions. Illegal lines are noted as rejected; nothing raises.

    `draw` decides ties inside a role (CM-R45); without one they are drawn without a seed. A cycle that
    `position.ruled` does not answer is returned as such, unless every order leads to the same, or nothing
    hangs on it.
    """
    roles = {
        slot: tonight(role, position.night, position.shots.get(slot, {}))
        if role.modifiers or role.trait_shots
        else role
        for slot, role in position.roles.items()
    }
    paper = Paper(replace(position, roles=roles), actions)

    def lots(kind: str, slot: SlotId, among: Sequence[SlotId], count: int, ruling: str) -> Lot:
        return drawn(_source(draw, position), kind, slot, among, count, ruling)

    def ahead(kind: str, slot: SlotId, among: Sequence[SlotId], count: int, ruling: str) -> Lot:
        return drawn(foreseen(_source(draw, position)), kind, slot, among, count, ruling)

    return _decide(paper, begin(paper), _Way(position.ruled, _MOST_NIGHTS, lots, ahead))


def _source(draw: Rng | None, position: CustomPosition) -> Rng:
    return (draw or SeededRng(b"")).at("night", position.night)


class _Way(NamedTuple):
    """How a night is read from here on: the choices for its cycles; how many nights may still be played to
    see where a cycle leads; how ties are drawn, and how it is seen beforehand what would be drawn; the rings
    that were settled so far."""

    ruled: Mapping[str, str]
    room: int
    lots: Lots
    ahead: Lots
    settled: tuple[tuple[Action, ...], ...] = ()


def _decide(paper: Paper, run: Pass, way: _Way) -> Decided:
    """Play the night on from here."""
    house = paper.position.rules.house

    def choose(cycle: Cycle) -> str | None:
        """What was ruled; by option what the wiki's list says, where it says something."""
        choice = way.ruled.get(cycle.key, "")
        if choice in (NONE_HAPPENS, *map(label, cycle.actions)):
            return choice
        if "block_and_jail" in house and (first := _roleblock_first(cycle)) is not None:
            return first
        return _listed(cycle) if "knots" in house else None

    found = resolve_modifiers(run, choose)
    if found is None:
        return finish(paper, run, way.lots, way.settled)
    # Every action first, and none of them, each played to its end with an equal share of the room; a cycle
    # too wide to be looked into has no readings.
    listed, share = _listed(found), way.room // len(found.actions)

    def follow(choice: str, lots: Lots, settled: tuple[tuple[Action, ...], ...]) -> Decided:
        """Where a choice leads."""
        begun = run.copy()
        go_first(begun, found, choice, Reason.IDLE_KNOT if settled else Reason.KNOT)
        onward = _Way({**way.ruled, found.key: choice}, share, lots, way.ahead, (*way.settled, *settled))
        return _decide(paper, begun, onward)

    readings = []
    for choice in (*map(label, found.actions), NONE_HAPPENS) if share else ():
        readings.append(Reading(choice, choice == listed, follow(choice, way.ahead, ())))
    # Where every order leads to one night there is nothing to ask; that nothing happens is no order.
    ends = [reading.leads_to for reading in readings if reading.choice != NONE_HAPPENS]
    if ends and isinstance(ends[0], CustomNight):
        first = ends[0]
        if all(isinstance(end, CustomNight) and _come_to_the_same(first, end) for end in ends[1:]):
            return follow(readings[0].choice, way.lots, ()) if first.night.lots else first
    # Nor where nobody is told anything else by any reading: then none of the ring happens, for any order
    # would say of one that it came first.
    if readings and "idle_knots" not in house:
        told = [_told(reading.leads_to) for reading in readings]
        if told[0] is not None and all(one == told[0] for one in told[1:]):
            return follow(NONE_HAPPENS, way.lots, (found.actions,))
    verbs = sorted(str(action.ability) for action in found.actions)
    return CycleQuestion(found.key, "+".join(verbs), found.actions, tuple(readings))


def _told(end: Decided) -> object:
    """All that players learn of a reading, tonight or by what it leaves for later nights: who died, what was
    answered, which uses are left. Of a reading that leads to another question what each answer to that tells;
    None where that is not known."""
    if isinstance(end, CustomNight):
        night = end.night
        return {death.slot for death in night.deaths}, night.results, night.spent, night.gifts
    further = [(reading.choice, _told(reading.leads_to)) for reading in end.readings]
    return (end.key, further) if further and all(told is not None for _, told in further) else None


def _roleblock_first(cycle: Cycle) -> str | None:
    """The one roleblock of a ring of roleblocks and jails alone; None where there is none, or several."""
    if not {action.ability for action in cycle.actions} <= {_ROLEBLOCK, _JAIL}:
        return None
    blocks = [action for action in cycle.actions if action.ability == _ROLEBLOCK]
    return label(blocks[0]) if len(blocks) == 1 else None


def _listed(cycle: Cycle) -> str | None:
    """The one action of the highest priority; None where there are several."""
    highest = min(_RANK[action.ability] for action in cycle.actions)
    first = [action for action in cycle.actions if _RANK[action.ability] == highest]
    return label(first[0]) if len(first) == 1 else None


def _come_to_the_same(one: CustomNight, other: CustomNight) -> bool:
    """Whether two nights are one, whatever the order in which they were found."""
    mine, its = one.night, other.night
    return (
        (mine.deaths, mine.results, mine.spent, mine.gifts) == (its.deaths, its.results, its.spent, its.gifts)
        and set(mine.visits) == set(its.visits)
        and _fates(mine) == _fates(its)
    )


def _fates(night: Night) -> set[tuple[object, ...]]:
    """What became of each action: of two players driven it does not matter which is named first."""
    return {
        (actor, ability, frozenset(targets), fate, reason)
        for (actor, ability, targets, _), fate, reason, *_ in night.trace
    }


QUIET = 5
"""After so many days and nights without a death the moderator is asked to have a look."""


_TEAM_WINNERS = frozenset(map(Winner, TEAMS))


def winner(living: Iterable[Role], rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    count = Counter(role.alignment for role in living)
    # CM-R38: survivors left aside, nobody but the killer lives; by option, or one other.
    rivals = count.total() - count[Alignment.SURVIVOR] - 1
    if count[Alignment.SERIAL_KILLER] == 1 and rivals <= (rules["killer_wins"] == "one_on_one"):
        return Winner.SERIAL_KILLER
    if count[Alignment.SERIAL_KILLER]:
        return None  # a threat to everybody else
    teams = [side for side in TEAMS if count[side]]
    if not teams:
        return Winner.TOWN if count[Alignment.TOWN] else Winner.DRAW  # CM-R36, CM-R41
    if len(teams) > 1:
        return None
    if rules["town_wins"] == "one" and count[teams[0]] == 1 and count[Alignment.TOWN]:
        return Winner.TOWN
    # CM-R37: half of the living; by option more than half, or no town player lives.
    if rules["mafia_wins"] == "last_side":
        team_wins = not count[Alignment.TOWN]
    else:
        team_wins = 2 * count[teams[0]] > count.total() - (rules["mafia_wins"] == "parity")
    return Winner(teams[0]) if team_wins else None


def judge(state: State) -> Verdict:
    """A Jester's win first, where it ends the game (CM-R39); then the sides; then whether nobody is dying."""
    if state.rules["jester"] == "ends":
        jesters = [slot for slot, card in state.cards.items() if card.alignment is Alignment.JESTER]
        if any(slot in state.left and state.left[slot].how == ELIMINATED for slot in jesters):
            return Verdict(Winner.JESTER)
    won = winner(state.living.values(), state.rules.chosen)
    if won and won is not Winner.TOWN and avengers(state):
        return Verdict()  # CM-R72: somebody may still die
    if won or not is_stuck(state):
        return Verdict(won)
    quiet = f"nobody has died in {state.quiet} days and nights"
    why = quiet if state.quiet >= QUIET else "two killers of two sides are left"
    note = CautionNote(f"{why}: where nobody can win any more, say draw", "CM-R42")
    return Verdict(None, (Noted(note),))


def is_stuck(state: State) -> bool:
    """Whether a draw is worth a thought: nobody died for so long, or two killers of two sides are left."""
    sides = [card.alignment for card in state.living.values()]
    killers = {*TEAMS, Alignment.SERIAL_KILLER}.intersection(sides)
    return state.quiet >= QUIET or len(sides) == len(killers) == 2


def ending(state: State) -> Ending:
    """Who won and why, who wins along (CM-R39, CM-R40), who is left, and every card."""
    match state.winner:
        case Winner.TOWN:
            alone = any(role.alignment in TEAMS for role in state.living.values())
            reason = "one_threat" if alone else "no_threat"
        case team if team in _TEAM_WINNERS:
            reason = state.rules["mafia_wins"]
        case Winner.SERIAL_KILLER:
            reason = state.rules["killer_wins"]
        case Winner.JESTER:
            reason = "voted_out"
        case _:
            over = winner(state.living.values(), state.rules.chosen) is Winner.DRAW
            reason = "nobody_left" if over else "declared"
    won = views.winners(state)
    side = tuple(slot for slot in won if str(state.cards[slot].alignment) == str(state.winner))
    along = tuple(Card(slot, state.cards[slot].name) for slot in won if slot not in side)
    return replace(views.ending(state, reason), winners=side, along=along)
