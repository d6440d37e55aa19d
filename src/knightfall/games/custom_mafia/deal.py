"""The deal of a custom game: what is not fixed is drawn, then the names are shuffled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import Trait
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.setup import PLAYERS, SETUP, Setup, setup_of
from knightfall.games.custom_mafia.state import State, Terms
from knightfall.games.custom_mafia.wins import winner
from knightfall.mafia.roles import Role
from knightfall.mafia.state import Phase, check_distinct
from knightfall.sentence import SlotId


@dataclass(frozen=True, slots=True)
class Card:
    """A card with the table it came from, where its holder loves others of that table."""

    role: Role
    loves: int | None = None


def deal(slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> State:
    """The position at the start. Raises InputError for slots, options or a setup that cannot be played."""
    check_distinct(slots)
    setup = setup_of(options, len(slots))
    players = len(slots)
    if players not in PLAYERS:
        raise InputError(
            f"Custom Mafia is for {PLAYERS[0]} to {PLAYERS[-1]} players; the list has {players}."
        )
    if players < setup.least or (players > setup.least and not setup.filled):
        more = " or more" if setup.filled else ""
        hint = "" if setup.filled else "; a table with fill = true takes all who remain"
        raise InputError(f"{setup.name} is for {setup.least}{more} players; the list has {players}{hint}.")
    chosen = parse_options({**setup.given, **{n: value for n, value in options.items() if n != SETUP}})
    named, cards = _cards(setup, len(slots), draw)
    if won := winner([card.role for card in cards], chosen):
        raise InputError(
            f"{setup.name}: the game would be over ({won.name.lower().replace('_', ' ')}) before it begins: "
            "change the cards, or when a side wins."
        )
    order = draw.sample("cm.cards", slots, len(slots))
    held = dict(zip(order, cards, strict=True))
    phase = Phase.NIGHT if setup.night_first else Phase.DAY
    # A lover alone in a table loves nobody.
    tables = sorted({card.loves for card in held.values() if card.loves is not None})
    groups = (frozenset(slot for slot, card in held.items() if card.loves == table) for table in tables)
    terms = Terms(chosen, setup, tuple(group for group in groups if len(group) > 1))
    roles = {slot: held[slot].role for slot in slots}
    return State(f"{setup.name}{named}", terms, roles, phase, 1, night_first=setup.night_first)


def _cards(setup: Setup, players: int, draw: Rng) -> tuple[str, list[Card]]:
    """The cards in the order of the tables, and what the row or column drawn is called."""
    cards: list[Card] = []
    for number, line in enumerate(setup.lines, start=1):
        label = f"cm.slots:{number}"
        count = players - setup.least if line.count is None else line.count
        names = [role.name for role in line.roles]
        if len(names) == 1:  # a table of one role draws nothing
            names = names * count
        elif line.pick:
            names = list(draw.sample(label, names, count))
        else:
            names = list(draw.choices(label, names, count))
        roles = {role.name: role for role in line.roles}
        cards += _loving([roles[name] for name in names], number, line.lovers)
    if not setup.matrix:
        return "", cards
    name = draw.choice("cm.row", tuple(setup.matrix))
    return f", {name}", [*cards, *_loving(setup.matrix[name], 0, 0)]


def _loving(roles: Sequence[Role], number: int, lovers: int) -> Iterator[Card]:
    """The first so many love each other, and whose card says so."""
    for place, role in enumerate(roles):
        yield Card(role, number if place < lovers or Trait.LOVER in role.traits else None)
