"""Roles as data: a name, a side, abilities with their shots, traits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from knightfall.engine.game import Option

CLASSIC = "classic"
"""The wording of role PMs in the order and with the headings of a game's source."""


def wording(ruling: str) -> Option:
    """The option that chooses it. No night hangs on it, so it is none of a game's rules."""
    return Option("wording", ("ours", CLASSIC), ruling, "The wording of the role PMs")


Shots: TypeAlias = int | None
"""How often an ability may be used in the whole game; None: every night."""


class Alignment(StrEnum):
    """Whose victory a role works for."""

    TOWN = "town"
    MAFIA = "mafia"
    SERIAL_KILLER = "sk"
    JESTER = "jester"
    SURVIVOR = "survivor"
    MAFIA_A = "mafia a"
    MAFIA_B = "mafia b"
    MAFIA_C = "mafia c"
    WEREWOLVES = "werewolves"


TEAMS: Mapping[Alignment, str] = {
    Alignment.MAFIA: "the mafia",
    Alignment.MAFIA_A: "Mafia A",
    Alignment.MAFIA_B: "Mafia B",
    Alignment.MAFIA_C: "Mafia C",
    Alignment.WEREWOLVES: "the Werewolf pack",
}
"""The sides whose members know each other and share a kill a night, each as a sentence calls it."""
THREATS: frozenset[Alignment] = frozenset({*TEAMS, Alignment.SERIAL_KILLER})
"""The sides that the town has to get rid of."""


class Modifier(StrEnum):
    """What an ability asks for beyond its verb."""

    EVEN_NIGHT = "even_night"
    ODD_NIGHT = "odd_night"
    NON_CONSECUTIVE = "non_consecutive"
    """Not in a night after one in which it was used."""
    LAZY = "lazy"
    """Fails when at dusk one player or none of another side than the town is alive."""
    LOYAL = "loyal"
    """Fails on players of another side."""
    DISLOYAL = "disloyal"
    """Fails on players of one's own side."""
    WEAK = "weak"
    """Who reaches a player of another side dies of it."""
    BACKUP = "backup"
    """Not before somebody of one's own side who had the ability is dead. It may stand before what works by
    itself, which the card then has not yet."""
    COMPULSIVE = "compulsive"
    """Whoever sends nothing does it all the same, to a player who is drawn."""
    NOVICE = "novice"
    """Not on night 1."""
    INDECISIVE = "indecisive"
    """Not on somebody who was named for it the night before."""
    ROAMING = "roaming"
    """Not on somebody who was named for it before."""
    SIMPLE = "simple"
    """Fails on whoever has an ability."""
    COMPLEX = "complex"
    """Fails on whoever has none."""
    PERSONAL = "personal"
    """Without effect on a faction's kill."""
    ENABLER = "enabler"
    """Its holder does not do it; once they are dead nobody does any more."""
    ACTIVATED = "activated"
    """What would work by itself does in a night in which it is used."""
    INSANE = "insane"
    """Every answer of the check is turned round, which its holder is not told; the next two alike."""
    NAIVE = "naive"
    """Everybody is innocent to the check."""
    PARANOID = "paranoid"
    """Everybody is guilty to the check."""
    NIGHT_1 = "night_1"
    """In this night, and in others that are named so; NIGHT_2 to NIGHT_9 alike."""
    NIGHT_2 = "night_2"
    NIGHT_3 = "night_3"
    NIGHT_4 = "night_4"
    NIGHT_5 = "night_5"
    NIGHT_6 = "night_6"
    NIGHT_7 = "night_7"
    NIGHT_8 = "night_8"
    NIGHT_9 = "night_9"


ON_NIGHT: Mapping[Modifier, int] = {
    modifier: int(modifier.removeprefix("night_")) for modifier in Modifier if modifier.startswith("night_")
}
"""The modifiers that name a night, each with its number."""
SANITIES = frozenset({Modifier.INSANE, Modifier.NAIVE, Modifier.PARANOID})
"""What is wrong with a check, which its holder is not told."""


class Knowledge(StrEnum):
    """What a card tells its holder, before the first day, of the others who have the same bond."""

    PARTNERS = "partners"
    """Who they are, and that they are of the holder's side."""
    NEIGHBORS = "neighbors"
    """Who they are, and nothing of their side."""
    PUBLIC = "public"
    """Nothing of others: everybody is told who the holder is, and that they are of the town."""


UNKNOWN_TO_FACTION = "traitor"
"""The trait of a mafioso whom the others of the mafia do not know, and who does not know them."""
SERVES_FACTION = "minion"
"""The trait of somebody whom the others of the mafia do not know, and who knows them."""
OUTSIDE_FACTION = frozenset({UNKNOWN_TO_FACTION, SERVES_FACTION})


@dataclass(frozen=True, slots=True)
class Role:
    """One card. `abilities` are what its holder may submit, each with its `modifiers`; `passives` work by
    themselves, so often; `trait_shots`: of a trait on so many nights. `bonds`: what binds its holder to
    others who have it, such as `mason` → what is known of them."""

    name: str
    alignment: Alignment
    abilities: Mapping[str, Shots] = field(default_factory=dict)
    traits: frozenset[str] = frozenset()
    modifiers: Mapping[str, frozenset[Modifier]] = field(default_factory=dict)
    passives: Mapping[str, Shots] = field(default_factory=dict)
    bonds: Mapping[str, Knowledge] = field(default_factory=dict)
    trait_shots: Mapping[str, int] = field(default_factory=dict)

    @property
    def printed(self) -> Mapping[str, Shots]:
        """How often what it does, and what works by itself, can be used."""
        return {**self.trait_shots, **self.passives, **self.abilities}

    def shares(self, bond: str, other: Role) -> bool:
        """Whether the two cards are bound so to each other: of others of another side only neighbors know."""
        if bond not in self.bonds or bond not in other.bonds or self.bonds[bond] is Knowledge.PUBLIC:
            return False
        return self.alignment is other.alignment or self.bonds[bond] is Knowledge.NEIGHBORS

    @property
    def in_team(self) -> bool:
        """Whether its holder is one of a mafia who know each other and share its kill."""
        return self.alignment in TEAMS and OUTSIDE_FACTION.isdisjoint(self.traits)

    def is_partner(self, other: Role) -> bool:
        """Whether the two are of one mafia."""
        return self.in_team and other.in_team and self.alignment is other.alignment

    @property
    def is_public(self) -> bool:
        """Whether everybody is told at the start who holds it, and of which side they are."""
        return Knowledge.PUBLIC in self.bonds.values()

    def vouches(self, other: Role) -> bool:
        """Whether its holder is told who holds the other card, and that it is of the holder's side."""
        return any(
            known is Knowledge.PARTNERS and self.shares(bond, other) for bond, known in self.bonds.items()
        )

    def works_on(self, ability: str, night: int) -> bool:
        """Whether the night is one on which the card says that the ability, passive or trait works."""
        limits = self.modifiers.get(ability, frozenset())
        named = [ON_NIGHT[one] for one in limits if one in ON_NIGHT]
        return not (
            (named and night not in named)
            or (Modifier.NOVICE in limits and night == 1)
            or (Modifier.EVEN_NIGHT in limits and night % 2)
            or (Modifier.ODD_NIGHT in limits and not night % 2)
        )

    def asks(self, ability: str, modifier: Modifier) -> bool:
        """Whether the ability is so modified."""
        return ability in self.modifiers and modifier in self.modifiers[ability]
