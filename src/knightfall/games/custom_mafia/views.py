"""What a slot of a custom game knows, its role PM, and what the opening post says of the setup."""

from __future__ import annotations

from knightfall.engine.game import LooseFacts, SlotId, Told, Untyped
from knightfall.games.custom_mafia.abilities import BY_ID, Trait
from knightfall.games.custom_mafia.options import OPTIONS
from knightfall.games.custom_mafia.state import State, active_shots, known_to
from knightfall.mafia.roles import Role

_UNTOLD = frozenset({Trait.ARMED, Trait.LOVER})


def card_facts(state: State, slot: SlotId) -> LooseFacts:
    """Everybody known with what binds them (CM-R35), and active uses left."""
    partners = [
        {**_partner(state, bond, name), "bond": bond}
        for bond, names in known_to(state, slot).items()
        for name in names
    ]
    return {"partners": partners, "shots": active_shots(state, slot)}


def _partner(state: State, bond: str, name: SlotId) -> dict[str, str]:
    """A mafioso learns the partners' cards as well; of masons and lovers the bond alone is known."""
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
        "abilities": [
            {
                "id": str(ability),
                "sentence": BY_ID[ability].pm,
                "shots": shots,
                "modifiers": sorted(map(str, card.modifiers.get(ability, ()))),
            }
            for ability, shots in card.abilities.items()
        ],
        "passives": [{"id": str(passive), "uses": uses} for passive, uses in card.passives.items()],
        "traits": sorted(map(str, card.traits - _UNTOLD)),
        "rules": dict(state.rules.chosen.chosen),
    }
    return Told((slot,), Untyped("role_pm", facts))


def setup_facts(state: State) -> LooseFacts:
    """What may be in the game unless the setup keeps it secret, and the house rules."""
    setup, chosen = state.rules.setup, state.rules.chosen
    house = [
        {"question": option.question, "value": chosen[option.name].replace("_", " ")}
        for option in OPTIONS
        if option.name in chosen.house
    ]
    if not setup.shown:
        return {"setup": None, "house": house}
    lines = [
        {"count": line.count, "pick": line.pick, "roles": _names(line.roles), "lovers": line.lovers}
        for line in setup.lines
    ]
    matrix = [{"name": name, "roles": _names(roles)} for name, roles in setup.matrix.items()]
    return {"setup": {"name": setup.name, "lines": lines, "matrix": matrix}, "house": house}


def _names(roles: tuple[Role, ...]) -> list[str]:
    return [role.name for role in roles]
