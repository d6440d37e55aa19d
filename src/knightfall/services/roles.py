"""The cards of living players as the leak check knows them: a role, its holder, other words for it."""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.games.custom_mafia.catalog import BASES, Kind
from knightfall.writeups.leak_check import Card

_SHORTEST_ALIAS = 3
"""Shorter words for a role (rb, jk) are initials as often."""


def card_of(role: str, slot: str, names: tuple[str, ...], players: Iterable[str] = ()) -> Card:
    """A living player's card, with the other words for its role as far as no player is called so."""
    taken = {name.casefold() for name in players}
    bases = (base for base in BASES if base.kind is not Kind.BARE and base.name.casefold() in role.casefold())
    others = (alias for base in bases for alias in base.aliases)
    also = (word for word in others if len(word) >= _SHORTEST_ALIAS and word.casefold() not in taken)
    return Card(role, slot, names, tuple(also))
