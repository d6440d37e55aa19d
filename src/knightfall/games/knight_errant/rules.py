"""How a night of Knight-Errant is resolved, and who has won.

Commutes, then jails, then roleblocks; what came first is not touched by what comes later (KE-R1). Then
heals and kills, the vest last; then checks, tracks and watches on the final list of visits. Each set is
computed from earlier sets only, so no order of submission matters and the time is linear in the number of
actions. The conditions to win of KE-R37 to KE-R42 exclude each other; they are asked after all deaths of the
moment (KE-R40).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knightfall.engine.game import TIES, Noted
from knightfall.engine.rng import Rng, SeededRng
from knightfall.games.knight_errant.abilities import BY_ID, CHECKS, IMMUNE, KILLS, PROOF, REPORTS, Ability
from knightfall.games.knight_errant.options import DEFAULT_RULES, RULING_OF_REASON, Rules
from knightfall.games.knight_errant.state import KnightErrantPosition as Position
from knightfall.games.knight_errant.state import State
from knightfall.mafia import views
from knightfall.mafia.abilities import (
    Cover,
    callers,
    drawn,
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
from knightfall.mafia.events import CautionNote, Ending
from knightfall.mafia.game import Verdict
from knightfall.mafia.night import (
    NO_RESULT,
    Action,
    Caution,
    Death,
    Fate,
    Lot,
    Night,
    Reason,
    Result,
    Sheet,
    by_target,
)
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.wins import Count, Winner, at_parity, count_sides, in_majority
from knightfall.sentence import SlotId

# Bound once: looking a member up in its enum takes longer than the comparison itself.
_HEAL, _VEST, _MAFIA_KILL = Ability.HEAL, Ability.BULLETPROOF, Ability.MAFIA_KILL
_TRACK, _WATCH = Ability.TRACK, Ability.WATCH
_AT_TARGET = frozenset({Reason.TARGET_COMMUTING, Reason.TARGET_JAILED})


def resolve(position: Position, actions: Iterable[Action], draw: Rng | None = None) -> Night:
    """Decide a bare set of actions. Illegal lines are noted as rejected; nothing raises. `draw` decides ties
    inside a role (KE-R35); without one they are drawn without a seed."""
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
    hidden, lots = _hidden(position, standing, draw)
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
        lots,
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


def _hidden(
    position: Position, standing: list[Action], draw: Rng | None
) -> tuple[dict[Action, int], tuple[Lot, ...]]:
    """The checks that the Serial Killer's immunity answers, each with the uses it costs (KE-R35)."""
    checks = by_target(one for one in standing if one.ability in CHECKS and _hides(position, one))
    hidden: dict[Action, int] = {}
    lots: list[Lot] = []
    house, seats = position.rules.house, tuple(position.roles)
    for slot, met in checks.items():
        uses = position.passive_left(slot, Ability.IMMUNITY)
        if "ke_r35" not in house:
            # By default one use covers all checks of the night.
            hidden |= {check: int(check is met[0]) for check in met if uses}
            continue
        if 0 < uses < len(met) and TIES not in house:
            among = sorted([check.actor for check in met], key=seats.index)
            source = (draw or SeededRng(b"")).at("night", position.night)
            lots.append(drawn(source, "ke.immunity", slot, among, uses, "KE-R35"))
            met = [check for check in met if check.actor in lots[-1].drawn]
        hidden |= dict.fromkeys(met[:uses], 1)
    return hidden, tuple(lots)


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

    def result(action: Action) -> Result:
        actor, ability, (target,), _ = action
        if action not in standing:
            return Result(action, NO_RESULT)
        if ability == _TRACK:
            return Result(action, follow(target, went))
        if ability == _WATCH:  # KE-R31: watchers do not see themselves
            return Result(action, observe(target, None if "ke_r31" in position.rules.house else actor, came))
        # KE-R33, KE-R34: by the card, and an immune card counts as innocent.
        card = position.roles[target]
        if action in hidden:
            return Result(action, BY_ID[ability].unmarked, reason=Reason.IMMUNITY, ruling="KE-R35")
        if IMMUNE in card.traits and _hides(position, action):
            return Result(action, BY_ID[ability].unmarked, reason=Reason.UNMARKED)
        return Result(action, CHECKS[ability](CardSeen(card, position.rules.house)))

    return tuple(map(result, reports))


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


# ── Who has won. ──────────────────────────────────────────────────────────────────────────────────────────


def winner(count: Count, rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    if not count.alive:
        return Winner.DRAW  # KE-R39
    # KE-R38: literally the last alive; by option already against one rival, or against one of each side.
    when = rules["ke_r38"]
    rivals = count.town + count.mafia
    if count.sk != 1:
        serial_killer_wins = False
    elif when == "last_alive":
        serial_killer_wins = rivals == 0
    else:
        serial_killer_wins = rivals <= 1 or (when == "one_on_one_on_one" and count.town == count.mafia == 1)
    if serial_killer_wins:
        return Winner.SERIAL_KILLER
    if count.sk:
        return None  # a threat to both others
    if not count.mafia:
        return Winner.TOWN  # KE-R42
    wins = in_majority(count) if rules["ke_r37"] == "majority" else at_parity(count)
    return Winner.MAFIA if wins else None


def stalemate(living: Iterable[Role], strong_kills: int) -> bool:
    """KE-R39: a Serial Killer without a strong kill against one Town Bulletproof."""
    roles = sorted(living, key=lambda role: role.alignment)
    if len(roles) != 2 or strong_kills:
        return False
    killer, rival = roles
    sides = (killer.alignment, rival.alignment)
    return sides == (Alignment.SERIAL_KILLER, Alignment.TOWN) and PROOF in rival.traits


def judge(state: State) -> Verdict:
    """KE-R40: who has won; if nobody has, whether the moderator should look at the position."""
    count = count_sides(state.living.values())
    won = winner(count, state.rules)
    stuck = won is None and _stuck(state)
    if stuck and state.rules["ke_r39"] == "draw":
        won = Winner.DRAW
    if won:
        return Verdict(won)
    # KE-R38: one against one is worth a warning; KE-R39: so is a position nobody can win, by default.
    cautions = []
    if count.sk == 1 and count.town + count.mafia == 1:
        text = "the Serial Killer and one other are left: the game goes on until one is dead"
        cautions.append(Noted(CautionNote(text, "KE-R38")))
    if stuck and state.rules["ke_r39"] == "warn":
        text = "neither of the last two can win alone: you may declare a draw"
        cautions.append(Noted(CautionNote(text, "KE-R39")))
    return Verdict(None, tuple(cautions))


def _stuck(state: State) -> bool:
    """KE-R39: nobody can win any more without the other's help."""
    alive = state.living
    strong = sum(uses.get(Ability.STRONG_KILL, 0) for slot, uses in state.shots.items() if slot in alive)
    return stalemate(alive.values(), strong)


def ending(state: State) -> Ending:
    """Who won and why, in a word that the template knows; who is left, and every card."""
    if not state.living:
        reason = "nobody_left"
    elif state.winner is Winner.TOWN:
        reason = "no_threat"
    elif state.winner is Winner.MAFIA:
        reason = state.rules["ke_r37"]
    elif state.winner is Winner.SERIAL_KILLER:
        reason = "last_alive" if len(state.living) == 1 else state.rules["ke_r38"]
    else:
        drawn = state.rules["ke_r39"] == "draw" and _stuck(state)
        reason = "stalemate" if drawn else "declared"
    return views.ending(state, reason)
