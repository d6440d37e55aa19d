"""What may each know, and what is each told? The public, a slot, the moderator."""

from __future__ import annotations

from knightfall.core.game import Facts, Noted, Outcome, SlotId, Told, View
from knightfall.games.knight_errant.dusk import passive_left, uses_left
from knightfall.games.knight_errant.explain import answer_text
from knightfall.games.knight_errant.roles import IMMUNE, PROOF, Ability
from knightfall.games.knight_errant.state import Learned, Phase, State, active_shots, dusk_of, partners
from knightfall.games.knight_errant.submissions import notation
from knightfall.games.knight_errant.wins import Winner
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment
from knightfall.mafia.wins import majority

SIDES = {Winner.TOWN: "Town", Winner.MAFIA: "Mafia", Winner.SERIAL_KILLER: "Serial Killer"}


def table_facts(state: State) -> Facts:
    """What everyone sees: the phase, the living, the dead with their cards, votes needed."""
    alive = state.living
    return {
        "phase": str(state.phase),
        "number": state.number,
        "alive": list(alive),
        "needed": majority(len(alive)),
        "dead": [
            {"name": slot, "role": state.cards[slot].name, "how": gone.how, "when": gone.when}
            for slot, gone in state.left.items()
        ],
    }


def view(state: State, slot: SlotId | None) -> View:
    """The table, and for a slot its own card, partners, uses, submissions and results."""
    facts = dict(table_facts(state))
    if state.phase is Phase.OVER:
        facts["roles"] = {name: role.name for name, role in state.cards.items()}
    if slot is not None:
        facts |= own_facts(state, slot)
    return View(slot, facts)


def own_facts(state: State, slot: SlotId) -> dict[str, object]:
    """KE-R41, KE-R43: the card, who is known, active uses left, what stands, what was learned."""
    return {
        "role": state.cards[slot].name,
        "partners": [_partner(state, slot, partner) for partner in partners(state, slot)],
        "shots": active_shots(state, slot),
        "standing": [notation(action) for action in state.actions if _knows(state, slot, action)],
        "learned": [_learned(item) for item in state.learned.get(slot, ())],
    }


def _partner(state: State, slot: SlotId, partner: SlotId) -> dict[str, str]:
    """A mafioso learns his partners' cards unless the option says names; a mason's card is no secret."""
    tells = state.rules["ke_r43"] == "names_and_roles" or state.cards[slot].alignment is Alignment.TOWN
    return {"name": partner} | ({"role": state.cards[partner].name} if tells else {})


def _knows(state: State, slot: SlotId, action: Action) -> bool:
    """One's own action; the faction's kill is known to all of the faction."""
    mafia = state.cards[slot].alignment is Alignment.MAFIA
    return action.actor == slot or (mafia and action.ability == Ability.MAFIA_KILL)


def _learned(item: Learned) -> dict[str, object]:
    return {
        "night": item.night,
        "ability": str(item.ability),
        "target": item.target,
        "answer": answer_text(item.answer),
    }


def role_pm(state: State, slot: SlotId) -> Told:
    """The card, the partners and, at the start alone, the passives (KE-R41)."""
    card, facts = state.cards[slot], own_facts(state, slot)
    own = {
        "name": slot,
        "role": card.name,
        "side": str(card.alignment),
        "partners": facts["partners"],
        "abilities": [item for ability in card.abilities if (item := _ability(state, slot, ability))],
        "traits": sorted(card.traits & {PROOF, IMMUNE}),
        "passives": _passives(state, slot),
    }
    return Told((slot,), "role_pm", own)


def _ability(state: State, slot: SlotId, ability: str) -> dict[str, object] | None:
    """What the card can do; nothing of what the deal gave no use of."""
    uses = uses_left(dusk_of(state), slot, ability)
    if uses == 0:
        return None
    return {"id": str(ability), "shots": uses, "even_only": ability in state.cards[slot].even_only}


def _passives(state: State, slot: SlotId) -> list[dict[str, object]]:
    """KE-R13: a vest that must be chosen is no passive."""
    uses = {str(p): passive_left(dusk_of(state), slot, p) for p in (Ability.BULLETPROOF, Ability.IMMUNITY)}
    active = state.cards[slot].abilities
    return [{"id": name, "uses": left} for name, left in uses.items() if left and name not in active]


def result_pms(state: State, night: int) -> tuple[Told, ...]:
    """One PM for each slot that learned something this night."""
    fresh = {
        slot: [_learned(item) for item in items if item.night == night]
        for slot, items in state.learned.items()
    }
    return tuple(
        Told((slot,), "result_pm", {"name": slot, "night": night, "results": results})
        for slot, results in fresh.items()
        if results
    )


def dealt(state: State) -> Noted:
    """The whole truth at the start."""
    roles = [{"name": slot, "role": role.name} for slot, role in state.cards.items()]
    return Noted("moderator_deal", {"code": state.code, "roles": roles})


def ending(state: State) -> Facts:
    """Who won, and every card."""
    winner = state.winner or Winner.DRAW
    return {
        "winner": SIDES.get(winner),
        "winners": list(winners(state)),
        "roles": [{"name": slot, "role": role.name} for slot, role in state.cards.items()],
    }


def winners(state: State) -> tuple[SlotId, ...]:
    """All of the side, the dead too; nobody in a draw."""
    return tuple(slot for slot, role in state.cards.items() if str(role.alignment) == str(state.winner))


def outcome(state: State) -> Outcome | None:
    """None while the game goes on; a draw has no winner."""
    if state.winner is None:
        return None
    return Outcome(None if state.winner is Winner.DRAW else str(state.winner), winners(state))
