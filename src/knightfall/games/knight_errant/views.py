"""What a slot of Knight-Errant knows of its card and its partners, and its role PM."""

from __future__ import annotations

from knightfall.engine.game import SlotId, Told
from knightfall.games.knight_errant.abilities import BY_ID, Ability
from knightfall.games.knight_errant.events import AbilityLine, PassiveLine, RolePm
from knightfall.games.knight_errant.roles import IMMUNE, PROOF
from knightfall.games.knight_errant.state import State, night_position
from knightfall.games.knight_errant.state import partners as known_to
from knightfall.mafia.events import Partner
from knightfall.mafia.roles import Alignment, Modifier


def partners(state: State, slot: SlotId) -> tuple[Partner, ...]:
    """KE-R41, KE-R43: a mafioso learns the partners' cards unless the option says names; a mason's card is no
    secret."""
    tells = state.rules["ke_r43"] == "names_and_roles" or state.cards[slot].alignment is Alignment.TOWN
    return tuple(
        Partner(partner, state.cards[partner].name if tells else None) for partner in known_to(state, slot)
    )


def role_pm(state: State, slot: SlotId) -> Told:
    """The card, the partners and, at the start alone, the passives (KE-R41)."""
    card, position = state.cards[slot], night_position(state)
    # What the card can do; nothing of what the deal gave no use of.
    uses = {ability: position.uses_left(slot, ability) for ability in card.abilities}
    abilities = tuple(
        AbilityLine(str(ability), BY_ID[ability].pm, left, card.asks(ability, Modifier.EVEN_NIGHT))
        for ability, left in uses.items()
        if left != 0
    )
    # KE-R13: a vest that must be chosen is no passive.
    passives = tuple(
        PassiveLine(str(passive), left)
        for passive in (Ability.BULLETPROOF, Ability.IMMUNITY)
        if (left := position.passive_left(slot, passive)) and passive not in card.abilities
    )
    facts = RolePm(
        name=slot,
        role=card.name,
        side=str(card.alignment),
        partners=partners(state, slot),
        abilities=abilities,
        traits=tuple(sorted(card.traits & {PROOF, IMMUNE})),
        passives=passives,
    )
    return Told((slot,), facts)
