"""What a slot of Knight-Errant knows of its card and its partners, and its role PM."""

from __future__ import annotations

from knightfall.engine.game import LooseFacts, SlotId, Told, Untyped
from knightfall.games.knight_errant.abilities import BY_ID, Ability
from knightfall.games.knight_errant.roles import IMMUNE, PROOF
from knightfall.games.knight_errant.state import State, active_shots, night_position, partners
from knightfall.mafia.roles import Alignment, Modifier


def card_facts(state: State, slot: SlotId) -> LooseFacts:
    """KE-R41, KE-R43: who is known, and active uses left."""
    return {"partners": _partners(state, slot), "shots": active_shots(state, slot)}


def _partners(state: State, slot: SlotId) -> list[dict[str, str]]:
    """A mafioso learns the partners' cards unless the option says names; a mason's card is no secret."""
    tells = state.rules["ke_r43"] == "names_and_roles" or state.cards[slot].alignment is Alignment.TOWN
    return [
        {"name": partner} | ({"role": state.cards[partner].name} if tells else {})
        for partner in partners(state, slot)
    ]


def role_pm(state: State, slot: SlotId) -> Told:
    """The card, the partners and, at the start alone, the passives (KE-R41)."""
    card, position = state.cards[slot], night_position(state)
    # What the card can do; nothing of what the deal gave no use of.
    uses = {ability: position.uses_left(slot, ability) for ability in card.abilities}
    abilities = [
        {
            "id": str(ability),
            "sentence": BY_ID[ability].pm,
            "shots": left,
            "even_only": card.asks(ability, Modifier.EVEN_NIGHT),
        }
        for ability, left in uses.items()
        if left != 0
    ]
    # KE-R13: a vest that must be chosen is no passive.
    passives = [
        {"id": str(passive), "uses": left}
        for passive in (Ability.BULLETPROOF, Ability.IMMUNITY)
        if (left := position.passive_left(slot, passive)) and passive not in card.abilities
    ]
    facts = {
        "name": slot,
        "role": card.name,
        "side": str(card.alignment),
        "partners": _partners(state, slot),
        "abilities": abilities,
        "traits": sorted(card.traits & {PROOF, IMMUNE}),
        "passives": passives,
    }
    return Told((slot,), Untyped("role_pm", facts))
