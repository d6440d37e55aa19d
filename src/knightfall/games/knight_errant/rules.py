"""How a night of Knight-Errant is resolved.

Commutes, then jails, then roleblocks; what came first is not touched by what comes later (KE-R1). Then
heals and kills, the vest last; then checks, tracks and watches on the final list of visits. Each set is
computed from earlier sets only, so no order of submission matters and the time is linear in the number of
actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knightfall.games.knight_errant.abilities import BY_ID, CHECKS, IMMUNE, KILLS, PROOF, REPORTS, Ability
from knightfall.games.knight_errant.night_position import KnightErrantPosition as Position
from knightfall.games.knight_errant.options import RULING_OF_REASON
from knightfall.mafia.abilities import (
    Cover,
    callers,
    follow,
    footsteps,
    hold_blocks,
    leave_home,
    lock_jails,
    observe,
    passes_jails,
    settle_heals,
    slay,
    strike,
    toll,
    unblocked,
)
from knightfall.mafia.ability_row import CardSeen
from knightfall.mafia.night import (
    NO_RESULT,
    Action,
    Answer,
    Caution,
    Death,
    Fate,
    Night,
    Reason,
    Result,
    Sheet,
)
from knightfall.mafia.roles import Alignment
from knightfall.sentence import SlotId

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_HEAL, _VEST, _MAFIA_KILL = Ability.HEAL, Ability.BULLETPROOF, Ability.MAFIA_KILL
_TRACK, _WATCH = Ability.TRACK, Ability.WATCH
_AT_TARGET = frozenset({Reason.TARGET_COMMUTING, Reason.TARGET_JAILED})


def resolve(position: Position, actions: Iterable[Action]) -> Night:
    """Decide a bare set of actions. Illegal lines are noted as rejected; nothing raises."""
    sheet = Sheet(RULING_OF_REASON)
    admitted = position.admit(actions, sheet.notes)
    reports = [action for action in admitted if action.ability in REPORTS]
    later = _act(position, sheet, admitted)
    # Stage 6: heals, then regular kills, then vests (KE-R10, KE-R11, KE-R14).
    heals = [action for action in later if action.ability == _HEAL]
    worn = [action for action in later if action.ability == _VEST]
    kills = [action for action in later if action.ability in KILLS]
    # The shields of those a regular kill has reached: nobody else's are looked at.
    attacked = {action.targets[0] for action in kills}
    proof: dict[SlotId, Action | None] = {
        slot: None for slot in attacked if PROOF in position.roles[slot].traits
    }
    proof |= {vest.actor: vest for vest in worn}
    passive = "ke_r13" not in position.rules.house  # KE-R13: the vest works by itself
    vests = {slot: position.passive_left(slot, Ability.BULLETPROOF) for slot in attacked} if passive else {}
    cover = Cover(heals, proof, vests, "ke_r11" in position.rules.house)
    strike(sheet, kills, cover)
    settle_heals(sheet, heals, cover)
    for vest in worn:
        sheet.stand(vest, Reason.WORN)
    attacks = [
        note for note in sheet.notes if note.action.ability in KILLS and note.fate is not Fate.REJECTED
    ]
    dead, survived = toll(attacks)
    standing = _reporting(position, sheet, later, dead)
    # Checks that the Serial Killer's immunity answers, each with the uses it costs (KE-R35).
    hidden: dict[Action, int] = {}
    left: dict[SlotId, int] = {}
    single = "ke_r35" in position.rules.house
    for action in standing:
        if action.ability not in CHECKS or not _hides(position, action):
            continue
        slot = action.targets[0]
        uses = left.setdefault(slot, position.passive_left(slot, Ability.IMMUNITY))
        first = not any(other.targets[0] == slot for other in hidden)
        if uses or (not first and not single):
            hidden[action] = int(single or first)
            left[slot] = uses - hidden[action]
    # KE-R18: a kill on a teammate is legal, and worth a second look.
    cautions = tuple(
        Caution("teammate", action, "KE-R18")
        for action in admitted
        if action.ability == _MAFIA_KILL and position.roles[action.targets[0]].alignment is Alignment.MAFIA
    )
    return Night(
        dead,
        survived,
        _results(position, sheet, reports, standing, hidden) if reports else (),
        _spent(position, sheet, admitted, cover, hidden),
        tuple(sheet.visits),
        tuple(sheet.notes),
        cautions,
    )


def _act(position: Position, sheet: Sheet, admitted: list[Action]) -> list[Action]:
    """Stages 1 to 5: who is away, jailed, held back; strong kills; the later actions that go on."""
    house = position.rules.house
    own_jail = "ke_r7" in house  # KE-R7: a jailer may act on their own prisoner
    stages: tuple[list[Action], ...] = ([], [], [], [], [])
    for action in admitted:
        stages[_STAGE.get(action.ability, 4)].append(action)
    commutes, jails, blocks, strong, later = stages
    leave_home(sheet, commutes)
    if "commute_stops_own_actions" in house:
        # KE-R6, by option: who is away does nothing else.
        for stage in (jails, blocks, later):
            for action in stage:
                if action.actor in sheet.away:
                    sheet.stop(action, Reason.ACTOR_COMMUTING, sheet.away[action.actor])
            stage[:] = [action for action in stage if action.actor not in sheet.away]
    lock_jails(sheet, jails, "ke_r2" in house)
    from_jail = "ke_r5" not in house  # KE-R5: a roleblock out of a jail fails
    blocks = [action for action in blocks if passes_jails(sheet, action, from_jail, own_jail)]
    hold_blocks(sheet, blocks, "ke_r2" in house)
    slay(sheet, strong)  # KE-R8: the strong kill ignores everything
    return unblocked(sheet, [action for action in later if passes_jails(sheet, action, own_jail=own_jail)])


_STAGE: Mapping[str, int] = {
    Ability.COMMUTE: 0,
    Ability.JAIL: 1,
    Ability.ROLEBLOCK: 2,
    Ability.STRONG_KILL: 3,
}


def _reporting(
    position: Position, sheet: Sheet, later: list[Action], dead: tuple[Death, ...]
) -> list[Action]:
    """Stage 7 begins: the reports that stand are visits too (KE-R30), and the list of visits is final."""
    house = position.rules.house
    standing = [action for action in later if action.ability in REPORTS]
    if "ke_r16" in house:
        # KE-R16 `lost`: who dies tonight brings no report home.
        killers = {
            death.slot: next(note.action for note in death.attacks if note.fate is Fate.STOOD)
            for death in dead
        }
        for action in standing:
            if action.actor in killers:
                sheet.stop(action, Reason.ACTOR_KILLED, killers[action.actor])
        standing = [action for action in standing if action.actor not in killers]
    for action in standing:
        sheet.stand(action, Reason.ANSWERED)
    if "ke_r28" in house:  # KE-R28: by default what failed is no visit
        failed = [note.action for note in sheet.notes if note.reason in _AT_TARGET]
        sheet.visits += [(action.actor, action.targets[0]) for action in failed]
    return standing


def _hides(position: Position, check: Action) -> bool:
    """Whether an immunity can turn this check: by option not a gunsmith's, who sees through it (KE-R34)."""
    return check.ability == Ability.COP or position.rules["ke_r34"] != "godfather_true"


def _results(
    position: Position,
    sheet: Sheet,
    reports: list[Action],
    standing: list[Action],
    hidden: Mapping[Action, int],
) -> tuple[Result, ...]:
    """KE-R26: a report that failed says "No Result"; it is never "nobody" (KE-R27)."""
    went, came = footsteps(sheet.visits), callers(sheet.visits)

    def answer(action: Action) -> Answer:
        actor, ability, (target,), _ = action
        if action not in standing:
            return NO_RESULT
        if ability == _TRACK:
            return follow(target, went)
        if ability == _WATCH:  # KE-R31: watchers do not see themselves
            return observe(target, None if "ke_r31" in position.rules.house else actor, came)
        # KE-R33, KE-R34: by the card, and an immune card counts as innocent.
        card = position.roles[target]
        if action in hidden or (IMMUNE in card.traits and _hides(position, action)):
            return BY_ID[ability].unmarked
        return CHECKS[ability](CardSeen(card, position.rules.house))

    return tuple(Result(action, answer(action)) for action in reports)


def _spent(
    position: Position,
    sheet: Sheet,
    admitted: list[Action],
    cover: Cover,
    hidden: Mapping[Action, int],
) -> Mapping[SlotId, Mapping[str, int]]:
    """Uses consumed: blocked ones too (KE-R24), vests and immunity that worked (KE-R12, KE-R35)."""
    spent: dict[SlotId, dict[str, int]] = {}
    # KE-R24 `refunded`: what somebody stopped costs nothing.
    kept = (
        frozenset(note.action for note in sheet.notes if note.fate in (Fate.BLOCKED, Fate.LOST))
        if "ke_r24" in position.rules.house
        else ()
    )
    for action in admitted:
        if position.roles[action.actor].abilities[action.ability] is not None and action not in kept:
            spent.setdefault(action.actor, {})[action.ability] = 1
    for slot, left in cover.vests.items():
        if used := position.passive_left(slot, Ability.BULLETPROOF) - left:
            spent.setdefault(slot, {})[Ability.BULLETPROOF] = used
    for check, uses in hidden.items():
        if uses:
            of_target = spent.setdefault(check.targets[0], {})
            of_target[Ability.IMMUNITY] = of_target.get(Ability.IMMUNITY, 0) + uses
    return spent
