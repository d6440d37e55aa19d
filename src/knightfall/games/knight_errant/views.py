"""What Knight-Errant tells beside the events of every mafia game: role PMs, and “this setup” for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts, Told
from knightfall.games.knight_errant.abilities import ABILITY_OF_CELL, BY_ID, IMMUNE, PROOF, STOPPABLE, Ability
from knightfall.games.knight_errant.options import (
    CODES,
    FIXED,
    PLAYERS,
    TABLE,
    Rules,
    SetupCode,
    WalkOdds,
    walk_odds,
)
from knightfall.games.knight_errant.state import State, night_position
from knightfall.games.knight_errant.state import partners as known_to
from knightfall.mafia.events import AbilityLine, MafiaSetup, Partner
from knightfall.mafia.roles import Alignment
from knightfall.mafia.views import ability_line
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class RolePm(Facts):
    """A card: its side, the partners, what can be sent, what it is by nature (`traits`), what works by itself
    so many times (`passives`), the value of every option by name (`rules`), and in which `wording`."""

    kind: ClassVar[str] = "role_pm"
    name: SlotId
    role: str
    side: str
    partners: tuple[Partner, ...]
    abilities: tuple[AbilityLine, ...]
    traits: tuple[str, ...]
    passives: Mapping[str, int]
    rules: Mapping[str, str]
    wording: str


@dataclass(frozen=True, slots=True)
class SetupPost(MafiaSetup):
    """“This setup” of Knight-Errant.

    `fixed` are the cards of every game with how many of each, `townies` how many Vanilla Townies fill it up.
    `codes` walks are possible, with these `odds`. `example` is the walk of one of them, the same one in every
    game, and `gives` what the Serial Killer gets for the role of each cell.
    """

    players: int
    fixed: Mapping[str, int]
    townies: int
    table: tuple[tuple[str, ...], ...]
    codes: int
    odds: tuple[WalkOdds, ...]
    example: SetupCode
    gives: Mapping[str, str]


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
        ability_line(card, row, left, row.id in STOPPABLE, full=False)
        for row, left in ((BY_ID[ability], left) for ability, left in uses.items())
        if left != 0
    )
    # KE-R13: a vest that must be chosen is no passive.
    passives = {
        str(passive): left
        for passive in (Ability.BULLETPROOF, Ability.IMMUNITY)
        if (left := position.passive_left(slot, passive)) and passive not in card.abilities
    }
    facts = RolePm(
        name=slot,
        role=card.name,
        side=str(card.alignment),
        partners=partners(state, slot),
        abilities=abilities,
        traits=tuple(sorted(card.traits & {PROOF, IMMUNE})),
        passives=passives,
        rules=state.rules.values,
        wording=state.rules["wording"],
    )
    return Told((slot,), facts)


_EXAMPLE = CODES["A1-RD"]
"""The walk that the source explains: the same in every game, so that it says nothing of the one drawn."""


def setup_post(rules: Rules, voting: tuple[str, ...]) -> SetupPost:
    """“This setup” under these rules."""
    return SetupPost(
        players=PLAYERS,
        rules=rules.values,
        fixed=Counter(FIXED),
        townies=_EXAMPLE.roles.count("Vanilla Townie"),
        table=TABLE,
        codes=len(CODES),
        odds=walk_odds(),
        example=_EXAMPLE,
        gives=ABILITY_OF_CELL,
        voting=voting,
    )
