"""What a slot of Knight-Errant knows of its card and its partners, its role PM, and “this setup” for all."""

from __future__ import annotations

from collections import Counter

from knightfall.engine.game import Told
from knightfall.games.knight_errant.abilities import BY_ID, IMMUNE, PROOF, STOPPABLE, Ability
from knightfall.games.knight_errant.events import (
    AbilityLine,
    PassiveLine,
    RoleCount,
    RolePm,
    SetupPost,
    TableRow,
    WalkStep,
)
from knightfall.games.knight_errant.options import Rules
from knightfall.games.knight_errant.roles import ABILITY_OF_CELL
from knightfall.games.knight_errant.state import State, night_position
from knightfall.games.knight_errant.state import partners as known_to
from knightfall.games.knight_errant.table import CODES, FIXED, PLAYERS, TABLE
from knightfall.mafia.events import Partner
from knightfall.mafia.roles import Alignment, Modifier
from knightfall.sentence import SlotId


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
        AbilityLine(
            id=row.id,
            title=row.title,
            line=row.line(row.word),
            sentence=row.pm,
            shots=left,
            nights=str(Modifier.EVEN_NIGHT) if card.asks(row.id, Modifier.EVEN_NIGHT) else "",
            aimed=bool(row.targets),
            stoppable=left is not None and row.id in STOPPABLE,
        )
        for row, left in ((BY_ID[ability], left) for ability, left in uses.items())
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
        rules=state.rules.chosen,
        wording=state.rules["wording"],
    )
    return Told((slot,), facts)


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
