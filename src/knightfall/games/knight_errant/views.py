"""What Knight-Errant tells beside the events of every mafia game: role PMs, and “this setup” for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts, Told
from knightfall.games.knight_errant.abilities import ABILITY_OF_CELL, BY_ID, IMMUNE, PROOF, STOPPABLE, Ability
from knightfall.games.knight_errant.options import CODES, FIXED, PLAYERS, TABLE, Rules, walk_odds
from knightfall.games.knight_errant.state import State, night_position
from knightfall.games.knight_errant.state import partners as known_to
from knightfall.mafia.events import MafiaSetup, Partner
from knightfall.mafia.roles import Alignment, Modifier
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class AbilityLine:
    """An ability on a card: its heading, its line, its sentence, the uses it begins with (None: no end of
    them), and on which `nights` (“even_night”, "" on all). `aimed`: it names a player; `stoppable`: a limited
    use of it can be stopped by somebody else."""

    id: str
    title: str
    line: str
    sentence: str
    shots: int | None
    nights: str
    aimed: bool
    stoppable: bool


@dataclass(frozen=True, slots=True)
class PassiveLine:
    """What works by itself, and how many times."""

    id: str
    uses: int


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
    passives: tuple[PassiveLine, ...]
    rules: Mapping[str, str]
    wording: str


@dataclass(frozen=True, slots=True)
class RoleCount:
    """So many cards of one role."""

    role: str
    count: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the 4×4 table: its number, and the power role of each column from A to D."""

    number: int
    role: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartOdds:
    """Each walk that starts on one of these cells comes once in so many games."""

    cells: tuple[str, ...]
    one_in: int


@dataclass(frozen=True, slots=True)
class WalkStep:
    """A cell that the knight crosses: `A1`, its power role, and what it gives the Serial Killer."""

    cell: str
    role: str
    gives: str


@dataclass(frozen=True, slots=True)
class SetupPost(MafiaSetup):
    """“This setup” of Knight-Errant.

    `fixed` are the cards of every game, `townies` how many Vanilla Townies fill it up. `codes` walks are
    possible, with these `odds`. `example` is the walk of one of them, the same one in every game.
    """

    players: int
    fixed: tuple[RoleCount, ...]
    townies: int
    table: tuple[TableRow, ...]
    codes: int
    odds: tuple[StartOdds, ...]
    example_code: str
    example: tuple[WalkStep, ...]


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
        odds=tuple(StartOdds(odds.cells, odds.one_in) for odds in walk_odds()),
        example_code=_EXAMPLE.code,
        example=tuple(WalkStep(cell, role, ABILITY_OF_CELL[role]) for cell, role in steps),
        voting=voting,
    )
