"""The deal of Empowered Mafia.

A fifth of the players, at least two, are mafiosi, who will choose their roles; as many are Empowerers. The
others draw from a list with each of the eight roles equally often. (Source: Assigning Roles.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.empowered.options import Rules
from knightfall.games.empowered.roles import EMPOWERER, TOWN_ROLES, UNCHOSEN
from knightfall.games.empowered.state import State
from knightfall.mafia.state import Phase, check_distinct
from knightfall.sentence import SlotId

PLAYERS = range(5, 61)


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many of each kind, which is no secret. `copies` of each of the eight roles are on the list."""

    players: int
    mafia: int
    empowerers: int
    others: int
    copies: int

    @property
    def crowded(self) -> bool:
        """A third of the players or more are mafiosi: so with five and with six."""
        return self.mafia * 3 >= self.players


def numbers(players: int) -> Numbers:
    """Raises InputError where nobody would be left for the other roles, or the table is too large."""
    if players not in PLAYERS:
        expected = f"{PLAYERS[0]} to {PLAYERS[-1]} players"
        raise InputError(f"Empowered Mafia is for {expected}; the list has {players}.")
    mafia = max(2, players // 5)
    others = players - 2 * mafia
    return Numbers(players, mafia, mafia, others, max(2, others // len(TOWN_ROLES) + 1))


def assign(slots: Sequence[SlotId], rules: Rules, draw: Rng) -> State:
    """Draw mafiosi, then Empowerers, then shuffle the list; it is dealt from its start in slot order.

    Raises InputError for names or numbers that cannot be played.
    """
    check_distinct(slots)
    count = numbers(len(slots))
    mafia = draw.sample("em.mafia", slots, count.mafia)
    rest = [slot for slot in slots if slot not in mafia]
    empowerers = draw.sample("em.empowerers", rest, count.empowerers)
    others = [slot for slot in rest if slot not in empowerers]
    by_name = {role.name: role for role in TOWN_ROLES}
    names = [name for name in by_name for _ in range(count.copies)]
    drawn = dict(
        zip(others, tuple(by_name[name] for name in draw.sample("em.roles", names, len(names))), strict=False)
    )
    cards = {
        slot: UNCHOSEN if slot in mafia else EMPOWERER if slot in empowerers else drawn[slot]
        for slot in slots
    }
    return State(f"{count.players} players", rules, cards, Phase.CHOOSING, 1)
