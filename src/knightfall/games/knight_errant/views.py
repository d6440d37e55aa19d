"""What a slot of Knight-Errant knows of its card and its partners, its role PM, and “this setup” for all."""

from __future__ import annotations

from collections import Counter

from knightfall.engine.game import LooseFacts, SlotId, Told, Untyped
from knightfall.games.knight_errant.abilities import BY_ID, STOPPABLE, Ability
from knightfall.games.knight_errant.events import RoleCount, SetupPost, TableRow, WalkStep
from knightfall.games.knight_errant.options import Rules
from knightfall.games.knight_errant.roles import ABILITY_OF_CELL, IMMUNE, PROOF
from knightfall.games.knight_errant.state import State, active_shots, night_position, partners
from knightfall.games.knight_errant.table import CODES, FIXED, PLAYERS, TABLE
from knightfall.mafia.roles import Alignment, Modifier


def card_facts(state: State, slot: SlotId) -> LooseFacts:
    """KE-R41, KE-R43: who is known, and active uses left."""
    return {"partners": _partners(state, slot), "shots": active_shots(state, slot)}


def _partners(state: State, slot: SlotId) -> list[dict[str, str]]:
    """A mafioso learns the partners' cards unless the option says names; a mason's card is no secret."""
    tells = state.rules["ke_r43"] == "names_and_roles" or state.cards[slot].alignment is Alignment.TOWN
    return [
        {"name": partner, "role": state.cards[partner].name if tells else ""}
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
            "title": BY_ID[ability].title,
            "line": BY_ID[ability].line(BY_ID[ability].word),
            "sentence": BY_ID[ability].pm,
            "shots": left,
            "aimed": bool(BY_ID[ability].targets),
            "stoppable": left is not None and ability in STOPPABLE,
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
        "rules": state.rules.chosen,
        "wording": state.rules["wording"],
    }
    return Told((slot,), Untyped("role_pm", facts))


_EXAMPLE = CODES["A1-RD"]
"""The walk that the source explains: the same in every game, so that it says nothing of the one drawn."""


def setup_post(rules: Rules, voting: tuple[str, ...]) -> SetupPost:
    """“This setup” under these rules."""
    steps = zip(_EXAMPLE.cells, _EXAMPLE.powers, strict=True)
    return SetupPost(
        players=PLAYERS,
        rules=rules.chosen,
        fixed=tuple(RoleCount(role, count) for role, count in Counter(FIXED).items()),
        townies=_EXAMPLE.roles.count("Vanilla Townie"),
        table=tuple(TableRow(number, roles) for number, roles in enumerate(TABLE, start=1)),
        codes=len(CODES),
        example_code=_EXAMPLE.code,
        example=tuple(WalkStep(cell, role, ABILITY_OF_CELL[role]) for cell, role in steps),
        voting=voting,
    )
