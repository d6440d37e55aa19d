"""What a slot of Empowered Mafia and the public may know, and the PMs before day 1."""

from __future__ import annotations

from knightfall.engine.game import SlotId, Told
from knightfall.games.empowered.abilities import BY_ID, Ability, Extra
from knightfall.games.empowered.assignment import numbers
from knightfall.games.empowered.events import (
    AliveNow,
    Awareness,
    EmpoweredOpening,
    EmpoweredOwn,
    RoleChoice,
    RoleCount,
    RolePm,
)
from knightfall.games.empowered.roles import ADAPTABLE, INVISIBLE, MAFIA_ROLES, ROLES, TOWN_ROLES, UNCHOSEN
from knightfall.games.empowered.state import State, has_lost, hours
from knightfall.games.empowered.wins import QUIET_LIMIT, won
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.events import OwnFacts, Partner
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase, teammates


def partners(state: State, slot: SlotId) -> tuple[Partner, ...]:
    """A mafioso is told the partners' names; the rest they tell each other."""
    return tuple(Partner(mate) for mate in teammates(state, slot))


def own_facts(state: State, slot: SlotId, known: OwnFacts) -> EmpoweredOwn:
    """What is known in every game, with what a Ninja has left; from day 1 on a mafioso knows how many of each
    role there are (EM-R30)."""
    card = state.cards[slot]
    aware = card.alignment is Alignment.MAFIA and state.phase is not Phase.CHOOSING
    return EmpoweredOwn(
        role=known.role,
        partners=known.partners,
        shots=known.shots,
        standing=known.standing,
        learned=known.learned,
        adaptability=not has_lost(state, slot) if ADAPTABLE in card.traits else None,
        counts=_counts(state) if aware else None,
    )


def now(state: State) -> AliveNow:
    """What posts say beside a death: how many live, how long they now have, how long nobody has died."""
    return AliveNow(
        alive=len(state.living),
        needed=None,
        over=won(state) is not None,
        hours=hours(state),
        early=state.rules["em_r27"] == "unanimous",
        ties=state.rules["em_r26"],
        quiet=state.quiet,
        quiet_limit=QUIET_LIMIT,
    )


def opening(state: State) -> EmpoweredOpening:
    """Everything that the number of players tells everyone (source: Assigning Roles)."""
    count = numbers(len(state.cards))
    return EmpoweredOpening(
        players=state.slots,
        mafia=count.mafia,
        empowerers=count.empowerers,
        others=count.others,
        copies=count.copies,
        list=tuple(role.name for role in TOWN_ROLES),
        choices=tuple(role.name for role in MAFIA_ROLES),
    )


def first_pm(state: State, slot: SlotId) -> Told:
    """A mafioso is asked for a role; everyone else is told theirs."""
    if state.cards[slot] is not UNCHOSEN:
        return role_pm(state, slot)
    choices = tuple(role.name for role in MAFIA_ROLES)
    needy = state.rules["em_r1"] == "always"
    return Told((slot,), RoleChoice(slot, teammates(state, slot), choices, needy))


def role_pm(state: State, slot: SlotId) -> Told:
    """The role in full, under the options of this game."""
    card = state.cards[slot]
    # A mafioso has the Murder, and perhaps an ability of the role besides.
    own = next((BY_ID[ability] for ability in card.abilities if ability != Ability.MURDER), None)
    line = own.line(own.written) if own else ""
    if own and INVISIBLE in card.traits:
        line = f"{line} {Extra.INVISIBLE}"
    needs_power = card.alignment is not Alignment.MAFIA
    facts = RolePm(
        name=slot,
        role=card.name,
        side=str(card.alignment),
        sentence=_sentence(state, own, needs_power),
        line=line,
        murder=BY_ID[Ability.MURDER].pm,
        rules=dict(state.rules.values),
        house=tuple(sorted(state.rules.house)),
    )
    return Told((slot,), facts)


def _sentence(state: State, row: AbilityRow | None, needs_power: bool) -> str:
    """What the ability of a role does, under the options; "" for a role that has none to send."""
    if row is None:
        return ""
    if needs_power:
        condition = ": if you have power, "
    elif state.rules["em_r1"] == "always":
        condition = ", in a night in which you have power: "
    else:
        condition = ", with power or without: "
    if state.rules["em_r15"] == "one_kill":
        shots = "it stops one kill, a shooting or an explosion"
    else:
        shots = "no shooting and no explosion kills that player tonight"
    return row.pm.format(condition=condition, shots=shots)


def awareness(state: State, slot: SlotId) -> Awareness:
    """EM-R30: partners, and how many of every role are in the game."""
    return Awareness(slot, teammates(state, slot), _counts(state))


def _counts(state: State) -> tuple[RoleCount, ...]:
    """Of every role, those that nobody has too; it does not change when somebody dies."""
    names = [role.name for role in state.cards.values()]
    return tuple(RoleCount(name, names.count(name)) for name in ROLES)
