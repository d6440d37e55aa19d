"""Which card does a role in words mean, and what is its name in full?

`[Town|Mafia] [modifiers] Base [modifiers Base …]`: modifiers bind to the base after them. A name in full has
side, traits, Bulletproof and actions in the order of the catalog, and says the same card again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from knightfall.games.custom_mafia.abilities import KILLS, Ability, Passive, Trait
from knightfall.games.custom_mafia.catalog import (
    BASES,
    CATALOG,
    GOON,
    MODIFIERS,
    OWN_SIDES,
    TOWNIE,
    Entry,
)
from knightfall.games.custom_mafia.spelling import Part, Spelling, spelling_of
from knightfall.games.custom_mafia.words import SIDES
from knightfall.mafia.roles import Alignment, Role, Shots

__all__ = ["CATALOG", "bases_of", "parse_role", "rolecop_name"]

G = TypeVar("G", Ability, Passive, Trait)

_ARMING = KILLS | {Ability.COP, Ability.GUNSMITH, Ability.JAIL, Ability.GUARD}


@lru_cache(maxsize=4096)
def parse_role(text: str) -> Role:
    """The card that is written in words.

    Raises InputError that names the word not known, with the nearest, or what does not go together.
    """
    spelling = spelling_of(text)
    side, parts = spelling.side, spelling.parts
    faction: dict[str, Shots] = {Ability.MAFIA_KILL: None} if side is Alignment.MAFIA else {}
    abilities = faction | {ability: part.shots for ability, part in _giving(parts, Ability)}
    return Role(
        _name(spelling),
        side,
        abilities,
        _traits(parts, abilities.keys()),
        {ability: part.modifiers for ability, part in _giving(parts, Ability) if part.modifiers},
        {passive: part.shots for passive, part in _giving(parts, Passive)},
    )


def rolecop_name(role: Role) -> str:
    """CM-R25: what a rolecop hears of a card: its base names, without what only limits them. A name that
    tells no more than a side is `Vanilla`: Vanilla Townie, Goon, and a Serial Killer with nothing else."""
    told = [base.name for base in bases_of(role) if base.side is not Alignment.SERIAL_KILLER]
    return " ".join(told) or "Vanilla"


def bases_of(role: Role) -> tuple[Entry, ...]:
    """The entries that a card is made of, in the order of its name; none of a vanilla card."""
    own = next((entry for entry in OWN_SIDES if entry.side is role.alignment), None)
    given: set[str] = {*role.abilities, *role.passives, *role.traits}
    if own is not None and own.gives is not None:
        given.discard(own.gives)
    return tuple(base for base in BASES if base is own or (base.side is None and base.gives in given))


def _giving(parts: Iterable[Part], what: type[G]) -> Iterator[tuple[G, Part]]:
    """The parts that give something of the kind, with what they give."""
    for part in parts:
        if isinstance(part.base.gives, what):
            yield part.base.gives, part


def _traits(parts: Iterable[Part], abilities: Collection[str]) -> frozenset[str]:
    """What the bases are; and a gun where an ability brings one (CM-R24: the faction's kill does)."""
    own = frozenset(trait for trait, _ in _giving(parts, Trait))
    return own if _ARMING.isdisjoint(abilities) else own | {Trait.ARMED}


def _name(spelling: Spelling) -> str:
    """In full: the side unless it is the role's own, then every base with its modifiers."""
    if not spelling.parts:
        return TOWNIE.name if spelling.side is Alignment.TOWN else f"Mafia {GOON.name}"
    side = (word.name for word in SIDES if word.alignment is spelling.side)
    return " ".join((*side, *(word for part in spelling.parts for word in _words(part))))


def _words(part: Part) -> Iterator[str]:
    if part.shots is not None:
        yield f"{part.shots}-Shot"
    yield from (entry.name for entry in MODIFIERS if entry.gives in part.modifiers)
    yield part.base.name
