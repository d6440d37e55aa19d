"""What may each know of Knight-Errant, and what do its role PMs say?"""

from __future__ import annotations

from knightfall.engine.game import Facts, SlotId, Told, View
from knightfall.games.knight_errant.dusk import passive_left, uses_left
from knightfall.games.knight_errant.roles import IMMUNE, PROOF, Ability
from knightfall.games.knight_errant.state import State, active_shots, dusk_of, partners
from knightfall.games.knight_errant.submissions import notation
from knightfall.mafia import views
from knightfall.mafia.roles import Alignment, Modifier
from knightfall.mafia.wins import majority


def table_facts(state: State) -> Facts:
    """What everyone sees, with the votes needed."""
    return views.table_facts(state) | {"needed": majority(len(state.living))}


def view(state: State, slot: SlotId | None) -> View:
    """The table, and for a slot its own card, partners, uses, submissions and results."""
    return views.view(state, slot, table_facts(state), own_facts)


def own_facts(state: State, slot: SlotId) -> dict[str, object]:
    """KE-R41, KE-R43: the card, who is known, active uses left, what stands, what was learned."""
    return {
        "role": state.cards[slot].name,
        "partners": [_partner(state, slot, partner) for partner in partners(state, slot)],
        "shots": active_shots(state, slot),
        "standing": views.orders_known(state, slot, Ability.MAFIA_KILL, notation),
        "learned": views.results_known(state, slot),
    }


def _partner(state: State, slot: SlotId, partner: SlotId) -> dict[str, str]:
    """A mafioso learns his partners' cards unless the option says names; a mason's card is no secret."""
    tells = state.rules["ke_r43"] == "names_and_roles" or state.cards[slot].alignment is Alignment.TOWN
    return {"name": partner} | ({"role": state.cards[partner].name} if tells else {})


def role_pm(state: State, slot: SlotId) -> Told:
    """The card, the partners and, at the start alone, the passives (KE-R41)."""
    card, facts = state.cards[slot], own_facts(state, slot)
    # KE-R13: a vest that must be chosen is no passive.
    uses = {str(p): passive_left(dusk_of(state), slot, p) for p in (Ability.BULLETPROOF, Ability.IMMUNITY)}
    active = state.cards[slot].abilities
    passives = [{"id": name, "uses": left} for name, left in uses.items() if left and name not in active]
    own = {
        "name": slot,
        "role": card.name,
        "side": str(card.alignment),
        "partners": facts["partners"],
        "abilities": [item for ability in card.abilities if (item := _ability(state, slot, ability))],
        "traits": sorted(card.traits & {PROOF, IMMUNE}),
        "passives": passives,
    }
    return Told((slot,), "role_pm", own)


def _ability(state: State, slot: SlotId, ability: str) -> dict[str, object] | None:
    """What the card can do; nothing of what the deal gave no use of."""
    uses = uses_left(dusk_of(state), slot, ability)
    if uses == 0:
        return None
    return {
        "id": str(ability),
        "shots": uses,
        "even_only": state.cards[slot].asks(ability, Modifier.EVEN_NIGHT),
    }
