"""What may each know of a custom game, and what do its role PMs say?"""

from __future__ import annotations

from knightfall.engine.game import Facts, SlotId, Told, View
from knightfall.games.custom_mafia.options import OPTIONS
from knightfall.games.custom_mafia.setup import Setup
from knightfall.games.custom_mafia.state import State, active_shots, known_to
from knightfall.games.custom_mafia.submissions import notation
from knightfall.games.custom_mafia.verbs import Ability, Trait
from knightfall.mafia import views
from knightfall.mafia.roles import Role
from knightfall.mafia.wins import majority

_UNTOLD = frozenset({Trait.ARMED, Trait.LOVER})


def table_facts(state: State) -> Facts:
    """What everyone sees, with the votes needed."""
    return views.table_facts(state) | {"needed": majority(len(state.living))}


def view(state: State, slot: SlotId | None) -> View:
    """The table, and for a slot its own card, partners, uses, submissions and results."""
    return views.view(state, slot, table_facts(state), own_facts)


def own_facts(state: State, slot: SlotId) -> dict[str, object]:
    """The card, who is known (CM-R35), active uses left, what stands, what was learned."""
    # Everybody known, with what binds them.
    partners = [
        {**_partner(state, bond, name), "bond": bond}
        for bond, names in known_to(state, slot).items()
        for name in names
    ]
    return {
        "role": state.cards[slot].name,
        "partners": partners,
        "shots": active_shots(state, slot),
        "standing": standing(state, slot),
        "learned": views.results_known(state, slot),
    }


def standing(state: State, slot: SlotId) -> list[str]:
    """What stands of one's own orders, and the faction's kill whoever carries it."""
    return views.orders_known(state, slot, Ability.MAFIA_KILL, lambda action: notation(action, slot))


def _partner(state: State, bond: str, name: SlotId) -> dict[str, str]:
    """A mafioso learns his partners' cards as well; of masons and lovers the bond alone is known."""
    return {"name": name} | ({"role": state.cards[name].name} if bond == "mafia" else {})


def role_pm(state: State, slot: SlotId) -> Told:
    """The card in full, under the options of this game."""
    card = state.cards[slot]
    # The partners by what binds them.
    known = [
        {"bond": bond, "partners": [_partner(state, bond, name) for name in names]}
        for bond, names in known_to(state, slot).items()
    ]
    facts = {
        "name": slot,
        "role": card.name,
        "side": str(card.alignment),
        "known": known,
        "abilities": [_ability(card, ability) for ability in card.abilities],
        "passives": [{"id": str(passive), "uses": uses} for passive, uses in card.passives.items()],
        "traits": sorted(map(str, card.traits - _UNTOLD)),
        "rules": dict(state.rules.chosen.chosen),
    }
    return Told((slot,), "role_pm", facts)


def _ability(card: Role, ability: str) -> dict[str, object]:
    modifiers = sorted(map(str, card.modifiers.get(ability, ())))
    return {"id": str(ability), "shots": card.abilities[ability], "modifiers": modifiers}


def opening(state: State) -> Facts:
    """The table, what may be in the game unless the setup keeps it secret, and the house rules."""
    setup, chosen = state.rules.setup, state.rules.chosen
    house = [
        {"question": option.question, "value": chosen[option.name].replace("_", " ")}
        for option in OPTIONS
        if option.name in chosen.house
    ]
    return {**table_facts(state), "setup": _setup_facts(setup) if setup.shown else None, "house": house}


def _setup_facts(setup: Setup) -> dict[str, object]:
    matrix = [{"name": name, "roles": _names(roles)} for name, roles in setup.matrix.items()]
    return {
        "name": setup.name,
        "lines": [
            {"count": line.count, "pick": line.pick, "roles": _names(line.roles), "lovers": line.lovers}
            for line in setup.lines
        ],
        "matrix": matrix,
    }


def _names(roles: tuple[Role, ...]) -> list[str]:
    return [role.name for role in roles]
