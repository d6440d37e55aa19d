"""What a slot of Empowered Mafia and the public may know, and the PMs before day 1."""

from __future__ import annotations

from knightfall.engine.game import LooseFacts, SlotId, Told, Untyped
from knightfall.games.empowered.abilities import BY_ID, Ability, Extra
from knightfall.games.empowered.assignment import PLAYERS, numbers
from knightfall.games.empowered.events import RoleNumbers, SetupPost
from knightfall.games.empowered.options import Rules
from knightfall.games.empowered.roles import ADAPTABLE, INVISIBLE, MAFIA_ROLES, ROLES, TOWN_ROLES, UNCHOSEN
from knightfall.games.empowered.state import State, has_lost, hours, hours_of
from knightfall.games.empowered.wins import QUIET_LIMIT, won
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Phase, teammates


def card_facts(state: State, slot: SlotId) -> LooseFacts:
    """A mafioso is told the partners' names; the rest they tell each other."""
    return {"partners": [{"name": mate} for mate in teammates(state, slot)]}


def secret_facts(state: State, slot: SlotId) -> LooseFacts:
    """What a Ninja has left; from day 1 on a mafioso knows how many of each role there are (EM-R30)."""
    card = state.cards[slot]
    facts: dict[str, object] = {}
    if ADAPTABLE in card.traits:
        facts["adaptability"] = not has_lost(state, slot)
    if card.alignment is Alignment.MAFIA and state.phase is not Phase.CHOOSING:
        facts["counts"] = _counts(state)
    return facts


def living_facts(state: State) -> LooseFacts:
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


def opening_facts(state: State) -> LooseFacts:
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
    """A mafioso is asked for a role; everyone else is told theirs."""
    if state.cards[slot] is not UNCHOSEN:
        return role_pm(state, slot)
    mates = list(teammates(state, slot))
    choices = [role.name for role in MAFIA_ROLES]
    needy = state.rules["em_r1"] == "always"
    return Told(
        (slot,), Untyped("choosing", {"name": slot, "partners": mates, "choices": choices, "needy": needy})
    )


def role_pm(state: State, slot: SlotId) -> Told:
    """The role in full, under the options of this game."""
    card = state.cards[slot]
    # A mafioso has the Murder, and perhaps an ability of the role besides.
    own = next((BY_ID[ability] for ability in card.abilities if ability != Ability.MURDER), None)
    line = own.line(own.written) if own else ""
    if own and INVISIBLE in card.traits:
        line = f"{line} {Extra.INVISIBLE}"
    needs_power = card.alignment is not Alignment.MAFIA
    facts = {
        "name": slot,
        "role": card.name,
        "side": str(card.alignment),
        "sentence": _sentence(state, own, needs_power),
        "line": line,
        "murder": BY_ID[Ability.MURDER].pm,
        "rules": dict(state.rules.values),
        "house": sorted(state.rules.house),
    }
    return Told((slot,), Untyped("role_pm", facts))


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


def awareness(state: State, slot: SlotId) -> dict[str, object]:
    """EM-R30: partners, and how many of every role are in the game."""
    return {"name": slot, "partners": list(teammates(state, slot)), "counts": _counts(state)}


def _counts(state: State) -> list[dict[str, object]]:
    """Of every role, those that nobody has too; it does not change when somebody dies."""
    names = [role.name for role in state.cards.values()]
    return [{"role": name, "count": names.count(name)} for name in ROLES]


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
