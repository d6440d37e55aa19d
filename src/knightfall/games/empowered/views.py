"""What a slot of Empowered Mafia and the public may know, and the PMs before day 1."""

from __future__ import annotations

from knightfall.engine.game import Told
from knightfall.games.empowered.abilities import BY_ID, Ability
from knightfall.games.empowered.assignment import PLAYERS, numbers
from knightfall.games.empowered.events import (
    AbilityLine,
    AliveNow,
    Awareness,
    EmpoweredOpening,
    EmpoweredOwn,
    RoleChoice,
    RoleCount,
    RoleNumbers,
    RolePm,
    SetupPost,
)
from knightfall.games.empowered.options import Rules
from knightfall.games.empowered.roles import ADAPTABLE, MAFIA_ROLES, ROLES, TOWN_ROLES, UNCHOSEN
from knightfall.games.empowered.state import State, has_lost, hours, hours_of
from knightfall.games.empowered.wins import QUIET_LIMIT, won
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.events import OwnFacts, Partner
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase, teammates
from knightfall.sentence import SlotId


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
    needs_power = card.alignment is not Alignment.MAFIA or state.rules["em_r1"] == "always"
    # A mafioso has the Murder, and perhaps an ability of the role besides.
    rows = sorted((BY_ID[ability] for ability in card.abilities), key=lambda row: row.id == Ability.MURDER)
    facts = RolePm(
        name=slot,
        role=card.name,
        side=str(card.alignment),
        abilities=tuple(
            AbilityLine(row.id, row.title, row.line(row.written), _sentence(state, row, needs_power))
            for row in rows
        ),
        rules=state.rules.values,
        hours=hours_of(state.rules)[Phase.NIGHT],
        wording=state.rules["wording"],
        quiet_limit=QUIET_LIMIT,
    )
    return Told((slot,), facts)


def _sentence(state: State, row: AbilityRow, needs_power: bool) -> str:
    """What an ability does, under the options: EM-R1 for the incarceration of a mafioso, EM-R15."""
    stopped = "one kill" if state.rules["em_r15"] == "one_kill" else "every kill"
    return row.pm.format(that="If you have power, that" if needs_power else "That", stopped=stopped)


def awareness(state: State, slot: SlotId) -> Awareness:
    """EM-R30: partners, and how many of every role are in the game."""
    return Awareness(slot, teammates(state, slot), _counts(state))


def _counts(state: State) -> tuple[RoleCount, ...]:
    """Of every role, those that nobody has too; it does not change when somebody dies."""
    names = [role.name for role in state.cards.values()]
    return tuple(RoleCount(name, names.count(name)) for name in ROLES)


def setup_post(players: int, rules: Rules, voting: tuple[str, ...]) -> SetupPost:
    """“This setup” under these rules, with the numbers of roles where so many can play."""
    found = None
    if players in PLAYERS:
        count = numbers(players)
        cards = count.copies * len(TOWN_ROLES)
        found = RoleNumbers(players, count.mafia, count.empowerers, count.others, count.copies, cards)
    lasts = hours_of(rules)
    return SetupPost(
        fewest=PLAYERS[0],
        most=PLAYERS[-1],
        numbers=found,
        rules=rules.values,
        listed=tuple(role.name for role in TOWN_ROLES),
        day_hours=lasts[Phase.DAY],
        night_hours=lasts[Phase.NIGHT],
        quiet_limit=QUIET_LIMIT,
        voting=voting,
    )
