"""Which nights of a custom game are resolved by the benchmark and the soak? Of all roles, at random."""

from __future__ import annotations

import random
from collections.abc import Iterator

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import AIMS
from knightfall.games.custom_mafia.catalog import CATALOG, Kind
from knightfall.games.custom_mafia.options import OPTIONS, parse_options
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.state import CustomPosition
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Role
from knightfall.sentence import SlotId

_BASES = tuple(entry.name for entry in CATALOG if entry.kind is not Kind.MODIFIER)
_WORDS = ("", "", "", "1-Shot", "2-Shot", "Odd-Night", "Even-Night", "Lazy", "Loyal", "Disloyal", "Weak")
_SIDES = ("", "", "Town", "Mafia")


def dusks(
    amount: int, chance: random.Random, players: int = 18, actors: int = 0, house: bool = True
) -> list[tuple[CustomPosition, list[Action]]]:
    """So many nights: `actors` of the players act (0: all who can). `house`: options drawn as well."""
    return [_dusk(chance, players, actors, house) for _ in range(amount)]


def _dusk(
    chance: random.Random, players: int, actors: int, house: bool
) -> tuple[CustomPosition, list[Action]]:
    slots = tuple(SlotId(f"P{place:02}") for place in range(1, players + 1))
    roles = {slot: _role(chance) for slot in slots}
    lovers = (frozenset(chance.sample(slots, 2)),) if chance.random() < 0.3 else ()
    options = {option.name: chance.choice(option.values) for option in OPTIONS} if house else {}
    dusk = CustomPosition(roles, chance.randint(1, 4), rules=parse_options(options), lovers=lovers)
    sent = list(_actions(dusk, slots, chance))
    return dusk, chance.sample(sent, min(actors, len(sent))) if actors else sent


def _role(chance: random.Random) -> Role:
    """A side, a modifier and a role, drawn until they can stand together."""
    while True:
        words = (chance.choice(_SIDES), chance.choice(_WORDS), chance.choice(_BASES))
        try:
            return parse_role(" ".join(filter(None, words)))
        except InputError:
            continue


def _actions(dusk: CustomPosition, slots: tuple[SlotId, ...], chance: random.Random) -> Iterator[Action]:
    for slot, role in dusk.roles.items():
        others = [other for other in slots if other != slot]
        for ability in role.abilities:
            yield Action(slot, str(ability), tuple(chance.sample(others, AIMS[ability])))
