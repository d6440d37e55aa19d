"""What a slot of a custom game knows, its role PM, and what the opening post says of the setup."""

from __future__ import annotations

from knightfall.engine.game import SlotId, Told
from knightfall.games.custom_mafia.abilities import BY_ID, Trait
from knightfall.games.custom_mafia.events import (
    AbilityLine,
    HouseRule,
    KnownGroup,
    PassiveLine,
    RolePm,
    SetupLine,
    SetupRow,
    ShownSetup,
)
from knightfall.games.custom_mafia.options import OPTIONS
from knightfall.games.custom_mafia.state import State, known_to
from knightfall.mafia.events import Partner
from knightfall.mafia.roles import Role

_UNTOLD = frozenset({Trait.ARMED, Trait.LOVER})


def partners(state: State, slot: SlotId) -> tuple[Partner, ...]:
    """Everybody known with what binds them (CM-R35): a mafioso learns the partners' cards as well; of masons
    and lovers the bond alone is known."""
    return tuple(
        Partner(name, state.cards[name].name if bond == "mafia" else None, bond)
        for bond, names in known_to(state, slot).items()
        for name in names
    )


def role_pm(state: State, slot: SlotId) -> Told:
    """The card in full, under the options of this game."""
    card = state.cards[slot]
    # The partners by what binds them.
    everybody = partners(state, slot)
    known = tuple(
        KnownGroup(bond, tuple(one for one in everybody if one.bond == bond))
        for bond in known_to(state, slot)
    )
    abilities = tuple(
        AbilityLine(
            str(ability),
            BY_ID[ability].pm,
            shots,
            tuple(sorted(map(str, card.modifiers.get(ability, ())))),
        )
        for ability, shots in card.abilities.items()
    )
    facts = RolePm(
        name=slot,
        role=card.name,
        side=str(card.alignment),
        known=known,
        abilities=abilities,
        passives=tuple(PassiveLine(str(passive), uses) for passive, uses in card.passives.items()),
        traits=tuple(sorted(map(str, card.traits - _UNTOLD))),
        rules=dict(state.rules.chosen.chosen),
    )
    return Told((slot,), facts)


def shown_setup(state: State) -> ShownSetup | None:
    """What may be in the game; None where the setup keeps it secret."""
    setup = state.rules.setup
    if not setup.shown:
        return None
    lines = (SetupLine(line.count, line.pick, _names(line.roles), line.lovers) for line in setup.lines)
    matrix = (SetupRow(name, _names(roles)) for name, roles in setup.matrix.items())
    return ShownSetup(setup.name, tuple(lines), tuple(matrix))


def house_rules(state: State) -> tuple[HouseRule, ...]:
    """The options that are not at their defaults."""
    chosen = state.rules.chosen
    return tuple(
        HouseRule(option.question, chosen[option.name].replace("_", " "))
        for option in OPTIONS
        if option.name in chosen.house
    )


def _names(roles: tuple[Role, ...]) -> tuple[str, ...]:
    return tuple(role.name for role in roles)
