"""How a night of Empowered Mafia is resolved, who has won, and whom a tied vote is drawn from.

Power and incarcerations first, together (`paradox`); what the prisoners set out to do is cancelled. Then all
kills at once, then the Bombs of the killed, again and again (EM-R19). Then reports, on what stands and can be
seen. Each step is computed from a set, so no order of submission matters. Who has won is asked after all
deaths of the moment, the mafia first (EM-R24).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from knightfall.engine.game import TIES, Noted
from knightfall.engine.rng import Rng, SeededRng
from knightfall.games.empowered.abilities import (
    BOMB,
    BY_ID,
    CHECKS,
    PIERCING,
    REPORTS,
    SERIAL_BOMB,
    UNPOWERED,
    Ability,
    Extra,
)
from knightfall.games.empowered.options import DEFAULT_RULES, Rules
from knightfall.games.empowered.paradox import Held, Supply, reached, settle
from knightfall.games.empowered.state import MAY_ADAPT, EmpoweredPosition, State
from knightfall.mafia import views
from knightfall.mafia.abilities import callers, drawn, follow, footsteps, observe, toll
from knightfall.mafia.ability_row import CardSeen
from knightfall.mafia.events import CautionNote, Ending
from knightfall.mafia.game import Verdict
from knightfall.mafia.night import (
    NO_RESULT,
    Action,
    Answer,
    Death,
    Fate,
    Lot,
    Night,
    Note,
    Reason,
    Result,
    by_target,
)
from knightfall.mafia.roles import Alignment
from knightfall.mafia.wins import Count, Winner, count_sides
from knightfall.sentence import SlotId

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_EMPOWER, _AMPLIFY = str(Ability.EMPOWER), str(Ability.AMPLIFY)
_INCARCERATE, _MURDER, _VIG = str(Ability.INCARCERATE), str(Ability.MURDER), str(Ability.VIG)
_PROTECT, _DETONATE = str(Ability.PROTECT), str(Ability.DETONATE)
_TRACK = str(Ability.TRACK)
_OBLITERATE, _INVISIBLE = str(Extra.OBLITERATE), str(Extra.INVISIBLE)
_STOOD, _ABSORBED, _IDLE, _BLOCKED = Fate.STOOD, Fate.ABSORBED, Fate.IDLE, Fate.BLOCKED
_UNPOWERED = Reason.UNPOWERED
_MAFIA = Alignment.MAFIA


class EmpoweredNight(NamedTuple):
    """A night decided: what every mafia game tells, and what this one adds."""

    night: Night
    powered: frozenset[SlotId]
    incarcerated: frozenset[SlotId]
    lost: frozenset[SlotId]
    """The Ninjas without Adaptability from now on."""


def resolve(
    position: EmpoweredPosition, actions: Iterable[Action], draw: Rng | None = None
) -> EmpoweredNight:
    """Decide a bare set of actions. Illegal lines are noted as rejected; nothing raises. `draw` decides ties
    inside a role (EM-R15); without one they are drawn without a seed."""
    return _Decision(position, actions, draw).outcome()


class _Decision:
    """The working paper of one night: thrown away with the night decided.

    `admitted` has the actions by ability, in canonical order, and `working` those of them that took effect.
    `notes` tell of each what became of it, of `shots` at their place; by `choosing` somebody chose somebody.
    """

    def __init__(self, position: EmpoweredPosition, actions: Iterable[Action], draw: Rng | None) -> None:
        self.position, self.house, self.draw = position, position.rules.house, draw
        self.lots: list[Lot] = []
        self.trace: list[Note] = []
        self.admitted: dict[str, list[Action]] = {}
        for action in position.admit(actions, self.trace):
            self.admitted.setdefault(action.ability, []).append(action)
        supply = Supply(
            [*self.of(_EMPOWER), *self.of(_AMPLIFY)], "em_r3" in self.house, "em_r33" in self.house
        )
        jails = self.of(_INCARCERATE)
        self.held: Held = settle(
            jails, supply, frozenset([a for a in jails if self.needs_power(a)]), self.kept_of_ring
        )
        self.jailers = {action.targets[0]: action for action in sorted(self.held.holding, reverse=True)}
        self.gone = frozenset(self.jailers)
        self.powered = frozenset(supply.powered(self.gone))
        self.because = reached(supply, self.gone)
        # What stands was neither cancelled nor undone; of it what works has the power that it needs.
        self.notes: list[Note] = []
        self.shots: list[tuple[int, Action]] = []
        self.working: dict[str, list[Action]] = {}
        standing = self.judge()
        # EM-R5: powered or not, whoever is chosen is chosen.
        self.choosing = standing
        if "em_r5" in self.house:
            self.choosing = [action for works in self.working.values() for action in works]

    def judge(self) -> list[Action]:
        """What stands of what was admitted; notes of each action what became of it, and which work."""
        standing: list[Action] = []
        for ability, candidates in self.admitted.items():
            needy = ability not in UNPOWERED
            reason, ruling = _DONE[ability]
            kills = ability in (_MURDER, _VIG)
            works = self.working[ability] = []
            for action in candidates:
                actor = action.actor
                if action in self.held.failed:
                    self.notes.append(Note(action, _BLOCKED, Reason.PARADOX, None, "EM-R33"))
                    continue
                if actor in self.gone and not self.stands(action):
                    jail = self.jailers[actor]
                    self.notes.append(Note(action, _BLOCKED, Reason.INCARCERATED, jail, "EM-R6"))
                    continue
                standing.append(action)
                if needy and actor not in self.powered and self.needs_power(action):
                    self.notes.append(Note(action, _IDLE, _UNPOWERED, None, "EM-R5"))
                    continue
                if kills:
                    self.shots.append((len(self.notes), action))
                works.append(action)
                self.notes.append(Note(action, _STOOD, reason, self.because.get(actor), ruling))
        return standing

    def of(self, ability: str) -> Sequence[Action]:
        """The admitted actions of an ability."""
        return self.admitted.get(ability, ())

    def needs_power(self, action: Action) -> bool:
        """EM-R1: the cards of the mafia work without, unless the option says otherwise."""
        if action.ability in UNPOWERED:
            return False
        return self.position.roles[action.actor].alignment is not _MAFIA or "em_r1" in self.house

    def kept_of_ring(self, ring: frozenset[Action], stories: int) -> frozenset[Action]:
        """The option for even rings; an odd one has no reading and fails whatever the option."""
        how = self.position.rules["ring"]
        if stories < 2 or how == "all_fail":
            return frozenset()
        if how == "all_hold":
            return ring
        known = [action for action in ring if action in self.position.arrival]
        return frozenset(sorted(known, key=self.position.arrival.__getitem__)[:1])

    def stands(self, action: Action) -> bool:
        """Neither cancelled nor failed; it may still lack power. On a ring where all hold they stand."""
        if action in self.held.failed:
            return False
        return action.actor not in self.gone or action in self.held.holding or self.unstoppable(action)

    def unstoppable(self, action: Action) -> bool:
        """EM-R10: a Strongman's Murder goes on from jail; EM-R11: a Ninja's does not."""
        piercing = PIERCING in self.position.roles[action.actor].traits and self.pierces(action)
        return piercing and "em_r10" not in self.house

    def pierces(self, action: Action) -> bool:
        """EM-R9: Obliteration."""
        if action.ability != _MURDER:
            return False
        if "em_r1" in self.house and action.actor not in self.powered:
            return False
        return _OBLITERATE in action.options or PIERCING in self.position.roles[action.actor].traits

    def outcome(self) -> EmpoweredNight:
        """Kills, results and the trace, from what stands."""
        attacks = self.attacks()
        # Everybody who was seen to go to somebody (EM-R14, EM-R32).
        visits = tuple(
            dict.fromkeys(
                [
                    (action.actor, target)
                    for action in self.choosing
                    if not action.options or _INVISIBLE not in action.options
                    for target in action.targets
                ]
            )
        )
        deaths, survived = toll(attacks)
        # The trace tells of a kill how it ended, and of explosions, which nobody submitted, last.
        for (place, _), note in zip(self.shots, attacks, strict=False):
            self.notes[place] = note
        trace = (*self.trace, *self.notes, *attacks[len(self.shots) :])
        results, lots = self.results(deaths, visits), tuple(self.lots)
        night = Night(deaths, survived, results, {}, visits, trace, (), lots)
        return EmpoweredNight(night, self.powered, self.gone, self.position.lost | self.used_up())

    def attacks(self) -> list[Note]:
        """Every kill of the night, landed or not, the Bombs of the killed last."""
        saviours = by_target(self.working.get(_PROTECT, ()))
        if saviours and "em_r15" in self.house and TIES not in self.house:
            self.draw_stopped(saviours)
        attacks = [self.attack(shot, saviours, self.pierces(shot)) for _, shot in self.shots]
        attacks += [self.attack(blast, saviours, False) for blast in self.blasts()]
        for note in attacks:  # grows while it is read: EM-R19
            if note.fate is _STOOD and self.echoes(note, attacks):
                echo = Action(note.action.targets[0], _DETONATE, (note.action.actor,))
                if not any(other.action == echo for other in attacks):
                    attacks.append(self.attack(echo, saviours, False, note.action))
        return attacks

    def draw_stopped(self, saviours: Mapping[SlotId, Sequence[Action]]) -> None:
        """EM-R15, where a Protection stops one kill: whose kill on a powered Bomb is stopped, if not every
        one is, is drawn; the drawn ones come first."""
        seats = tuple(self.position.roles)
        for slot, shields in saviours.items():
            if BOMB not in self.position.roles[slot].traits or slot not in self.powered or slot in self.gone:
                continue
            shots = [shot for _, shot in self.shots if shot.targets[0] == slot and not self.pierces(shot)]
            if len(shields) < len(shots):
                among = sorted([shot.actor for shot in shots], key=seats.index)
                source = (self.draw or SeededRng(b"")).at("night", self.position.night)
                lot = drawn(source, "em.stopped", slot, among, len(shields), "EM-R15")
                self.lots.append(lot)
                self.shots.sort(key=lambda row: row[1] not in shots or row[1].actor not in lot.drawn)

    def echoes(self, landed: Note, attacks: list[Note]) -> bool:
        """EM-R17, EM-R18: a powered Bomb attacks whoever killed them; by option only one of them."""
        victim = landed.action.targets[0]
        if victim not in self.powered or BOMB not in self.position.roles[victim].traits:
            return False
        if "em_r17" not in self.house:
            return True
        killers = [n.action for n in attacks if n.fate is _STOOD and n.action.targets[0] == victim]
        return landed.action == min(killers, key=self.lot)

    def lot(self, kill: Action) -> tuple[int, Action]:
        """The drawn place of a killer; by name where nothing was drawn."""
        return self.position.lot.get(kill.actor, 0), kill

    def blasts(self) -> list[Action]:
        """EM-R16: everyone who targets a powered Serial Bomber."""
        roles = self.position.roles
        bombers = {slot for slot in self.powered if SERIAL_BOMB in roles[slot].traits}
        if not bombers:
            return []
        seen_only = "em_r14" in self.house
        pairs = (
            (bomber, action.actor)
            for action in self.choosing
            if not (seen_only and _INVISIBLE in action.options)
            for bomber in action.targets
            if bomber in bombers and action.actor != bomber
        )
        return [Action(bomber, _DETONATE, (actor,)) for bomber, actor in dict.fromkeys(pairs)]

    def attack(
        self, kill: Action, saviours: dict[SlotId, list[Action]], pierces: bool, cause: Action | None = None
    ) -> Note:
        """EM-R7, EM-R15: a prisoner cannot be killed and protection stops all kills, but no Obliteration."""
        victim = kill.targets[0]
        if not pierces and victim in self.jailers:
            return Note(kill, _ABSORBED, Reason.IN_JAIL, self.jailers[victim], "EM-R7")
        if not pierces and saviours.get(victim):
            shields = saviours[victim]
            shield = shields.pop(0) if "em_r15" in self.house else shields[0]
            return Note(kill, _ABSORBED, Reason.SAVED, shield, "EM-R15")
        reason = Reason.UNSTOPPABLE if pierces else Reason.LANDED
        if pierces:
            kill_ruling = "EM-R9"
        elif kill.ability == _DETONATE:
            kill_ruling = "EM-R17" if cause else "EM-R16"
        else:
            kill_ruling = "EM-R19"
        return Note(kill, _STOOD, reason, cause or self.because.get(kill.actor), kill_ruling)

    def results(
        self, dead: tuple[Death, ...], visits: tuple[tuple[SlotId, SlotId], ...]
    ) -> tuple[Result, ...]:
        """An answer for every accepted check; None: no message (EM-R21)."""
        fallen = {death.slot for death in dead} if "em_r20" in self.house else ()
        silence = NO_RESULT if "em_r21" in self.house else None
        results = []
        for ability, reports in self.admitted.items():
            if ability in REPORTS:
                works = self.working[ability]
                for report in reports:
                    answer = self.answer(report, visits) if report in works else silence
                    results.append(Result(report, None if report.actor in fallen else answer))
        return tuple(results)

    def answer(self, report: Action, visits: tuple[tuple[SlotId, SlotId], ...]) -> Answer:
        """What a check, track or stakeout finds."""
        actor, ability, (target,), _ = report
        if ability in CHECKS:
            return CHECKS[ability](CardSeen(self.position.roles[target], self.house))
        if ability == _TRACK:
            return follow(target, footsteps(visits))  # EM-R32
        return observe(target, None if "em_r22" in self.house else actor, callers(visits))  # EM-R22

    def used_up(self) -> frozenset[SlotId]:
        """EM-R12: who used Adaptability without power has lost it; what was stopped costs nothing."""
        always = "em_r12" in self.house
        return frozenset(
            [
                action.actor
                for ability in MAY_ADAPT
                for action in self.of(ability)
                if action.actor not in self.powered and self.position.adapts(action)
                if always or self.stands(action)
            ]
        )


_REASONS: dict[str, Reason] = {
    _INCARCERATE: Reason.HOLDS,
    _PROTECT: Reason.WATCHES_OVER,
    **dict.fromkeys(REPORTS, Reason.ANSWERED),
}
_DONE = {ability: (_REASONS.get(ability, Reason.POWERED), row.ruling) for ability, row in BY_ID.items()}
"""What is noted of an action that stands and works: the reason and its ruling."""


def cause_of(death: Death) -> str:
    """What the public is told of a death: `shooting`, `explosion`, or both."""
    landed = {note.action.ability == _DETONATE for note in death.attacks if note.fate is _STOOD}
    return "explosion+shooting" if len(landed) == 2 else "explosion" if True in landed else "shooting"


QUIET_LIMIT = 6
"""Three days and three nights in a row without a death end the game for everybody (house rule)."""


def winner(count: Count, rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    if not count.alive and rules["em_r24"] == "draw":
        return Winner.DRAW
    if count.mafia >= count.town:
        return Winner.MAFIA  # EM-R24: nobody against nobody, too
    if count.mafia > 1:
        return None
    alone = count.town < 2 and rules["em_r25"] == "nobody"  # EM-R25: the card wants two survivors
    return Winner.DRAW if alone else Winner.TOWN


def won(state: State) -> Winner | None:
    """Who has won in a position, in which it also counts how long nobody has died."""
    found = winner(count_sides(state.living.values()), state.rules)
    return Winner.DRAW if found is None and state.quiet >= QUIET_LIMIT else found


def judge(state: State) -> Verdict:
    """EM-R24: a win of the mafia over an empty table is worth a second look."""
    found = won(state)
    if found is Winner.MAFIA and not state.living:
        text = "nobody is left: nobody against nobody is a win of the mafia"
        return Verdict(found, (Noted(CautionNote(text, "EM-R24")),))
    return Verdict(found)


def ending(state: State) -> Ending:
    """Who won and why, in a word that the template knows; and every role."""
    count = count_sides(state.living.values())
    if not count.alive:
        reason = "nobody_left"
    elif state.winner is Winner.MAFIA:
        reason = "parity"
    elif state.winner is Winner.TOWN:
        reason = "one_mafioso" if count.mafia else "no_mafioso"
    elif not count.mafia:
        reason = "one_townsman"
    else:
        reason = "quiet" if state.quiet >= QUIET_LIMIT else "declared"
    return views.ending(state, reason)


def tie_pool(state: State, tied: Sequence[SlotId | None]) -> tuple[SlotId | None, ...]:
    """EM-R26: whom a tied vote is drawn from; None is no elimination.

    Whoever hurts the town most: a tied "no elimination" wins; then come the town's power roles, and every
    role of the town is one; then the mafia. By option everybody tied has the same chance. The public learns
    who was tied and who was drawn, never from which class.
    """
    if state.rules["em_r26"] == "uniform":
        return tuple(tied)
    if None in tied:
        return (None,)
    town = tuple(slot for slot in tied if slot and state.cards[slot].alignment is Alignment.TOWN)
    return town or tuple(tied)
