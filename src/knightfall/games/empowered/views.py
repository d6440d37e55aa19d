"""What may each know of Empowered Mafia, and what is each told?"""

from __future__ import annotations

from knightfall.engine.game import Event, SlotId, Told, View
from knightfall.games.empowered.assignment import numbers
from knightfall.games.empowered.roles import ADAPTABLE, MAFIA_ROLES, ROLES, TOWN_ROLES, UNCHOSEN, Ability
from knightfall.games.empowered.state import State, has_lost, hours, plans
from knightfall.games.empowered.submissions import notation
from knightfall.games.empowered.wins import QUIET_LIMIT, won
from knightfall.mafia import orders, views
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase, teammates
from knightfall.mafia.wins import Winner, count_sides


def view(state: State, slot: SlotId | None) -> View:
    """The table, and for a slot its own role, partners, plan and results."""
    return views.view(state, slot, views.table_facts(state), own_facts)


def own_facts(state: State, slot: SlotId) -> dict[str, object]:
    """The role, and what it knows; a mafioso is told his partners' names and, from day 1 on, how many of each
    role there are (EM-R30). The rest they tell each other."""
    card = state.cards[slot]
    facts: dict[str, object] = {
        "role": card.name,
        "partners": [{"name": mate} for mate in teammates(state, slot)],
        "standing": standing(state, slot),
        "learned": views.results_known(state, slot),
    }
    if ADAPTABLE in card.traits:
        facts["adaptability"] = not has_lost(state, slot)
    if card.alignment is Alignment.MAFIA and state.phase is not Phase.CHOOSING:
        facts["counts"] = _counts(state)
    return facts


def standing(state: State, slot: SlotId) -> list[str]:
    """The slot's plan, and the faction's Murder whoever carries it."""
    return views.orders_known(state, slot, Ability.MURDER, lambda action: notation(action, slot))


def receipt(state: State, slot: SlotId) -> Told:
    """What stands for the night: the same whatever will come of it."""
    return orders.receipt(state, slot, standing(state, slot))


def living(state: State) -> dict[str, object]:
    """What posts say beside a death: how many live, how long they now have, how long nobody has died."""
    return {
        "alive": len(state.living),
        "hours": hours(state),
        "over": won(state) is not None,
        "early": state.rules["em_r27"] == "unanimous",
        "ties": state.rules["em_r26"],
        "quiet": state.quiet,
        "quiet_limit": QUIET_LIMIT,
    }


def opening(state: State) -> dict[str, object]:
    """Everything that the number of players tells everyone (source: Assigning Roles)."""
    count = numbers(len(state.cards))
    return {
        "players": list(state.slots),
        "mafia": count.mafia,
        "empowerers": count.empowerers,
        "others": count.others,
        "copies": count.copies,
        "list": [role.name for role in TOWN_ROLES],
        "choices": [role.name for role in MAFIA_ROLES],
    }


def first_pm(state: State, slot: SlotId) -> Told:
    """A mafioso is asked for his role; everyone else is told his."""
    if state.cards[slot] is not UNCHOSEN:
        return role_pm(state, slot)
    mates = list(teammates(state, slot))
    choices = [role.name for role in MAFIA_ROLES]
    needy = state.rules["em_r1"] == "always"
    return Told((slot,), "choosing", {"name": slot, "partners": mates, "choices": choices, "needy": needy})


def role_pm(state: State, slot: SlotId) -> Told:
    """The role in full, under the options of this game."""
    card = state.cards[slot]
    facts = {
        "name": slot,
        "role": card.name,
        "side": str(card.alignment),
        "rules": dict(state.rules.values),
        "house": sorted(state.rules.house),
    }
    return Told((slot,), "role_pm", facts)


def awareness(state: State, slot: SlotId) -> dict[str, object]:
    """EM-R30: partners, and how many of every role are in the game."""
    return {"name": slot, "partners": list(teammates(state, slot)), "counts": _counts(state)}


def _counts(state: State) -> list[dict[str, object]]:
    """Of every role, those that nobody has too; it does not change when somebody dies."""
    names = [role.name for role in state.cards.values()]
    return [{"role": name, "count": names.count(name)} for name in ROLES]


def fallen_plans(before: State, after: State) -> tuple[Event, ...]:
    """A receipt for everyone living who knew of an action that a death has undone."""
    if after.phase is Phase.OVER:
        return ()
    gone = set(plans(before)) - set(plans(after))
    return tuple(
        receipt(after, slot)
        for slot, card in after.living.items()
        if any(
            (slot == action.actor or (card.alignment is Alignment.MAFIA and action.ability == Ability.MURDER))
            for action in gone
        )
    )


def ending(state: State) -> dict[str, object]:
    """Who won and why, and every role."""
    return views.ending(state) | {"reason": _reason(state)}


def _reason(state: State) -> str:
    count = count_sides(state.living.values())
    if not count.alive:
        return "nobody_left"
    if state.winner is Winner.MAFIA:
        return "parity"
    if state.winner is Winner.TOWN:
        return "one_mafioso" if count.mafia else "no_mafioso"
    if not count.mafia:
        return "one_townsman"
    return "quiet" if state.quiet >= QUIET_LIMIT else "declared"
