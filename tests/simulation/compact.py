"""The compact nights of the simulator beside the traced resolvers: the same deaths, answers and uses."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from knightfall.engine.game import Option
from knightfall.errors import InputError
from knightfall.games.custom_mafia import options as custom
from knightfall.games.custom_mafia.abilities import AIMS
from knightfall.games.custom_mafia.catalog import CATALOG, Kind
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import CycleQuestion
from knightfall.games.custom_mafia.rules import resolve as resolve_custom
from knightfall.games.custom_mafia.state import CustomPosition
from knightfall.games.empowered import options as empowered
from knightfall.games.empowered.abilities import EMPOWERER, MAFIA_ROLES, TOWN_ROLES
from knightfall.games.empowered.rules import resolve as resolve_empowered
from knightfall.games.empowered.state import EmpoweredPosition
from knightfall.games.knight_errant import options as knight_errant
from knightfall.games.knight_errant.options import CODES
from knightfall.games.knight_errant.rules import resolve as resolve_knight_errant
from knightfall.games.knight_errant.state import KnightErrantPosition
from knightfall.mafia.night import NOBODY, Action, Night
from knightfall.mafia.roles import Role
from knightfall.sentence import SlotId
from knightfall.simulation.cards import (
    ABILITIES,
    CODE,
    ENDLESS,
    NAMES,
    NO_WORD,
    Card,
    Dawn,
    Deck,
    Extra,
    Orders,
    Table,
    orders_of,
    table_of,
)
from knightfall.simulation.families import custom_deck, empowered_deck, knight_errant_deck
from knightfall.simulation.nights import custom_night, empowered_night, knight_errant_night

BATCH = 20
"""Nights under the same options."""
MOST = 18
_WORDS = ("", "", "", "1-Shot", "2-Shot", "Lazy", "Loyal", "Disloyal", "Weak", "Simple", "Complex")
_BASES = tuple(entry.name for entry in CATALOG if entry.kind is not Kind.MODIFIER)
_TURNING = ("Redirector", "Bus Driver")
# Who kills, shields and strikes back: these have most to do with each other.
_SHOOTERS = (
    "Bomb",
    "Doctor",
    "Bodyguard",
    "Bulletproof",
    "Vigilante",
    "Ninja",
    "Strongman",
    "Goon",
    "Watcher",
)
_BLASTERS = ("Bomb", "Serial Bomber", "Vigilante", "Doctor", "Strongman", "Jailkeeper")


class Told(NamedTuple):
    """What a night came to, to be compared: who died, every answer, every use."""

    dead: frozenset[str]
    answers: Mapping[Action, object]
    spent: Mapping[str, Mapping[str, int]]


def house_of(options: Sequence[Option], chance: random.Random, share: float) -> dict[str, object]:
    """Each option with some chance at another value than its default."""
    return {o.name: chance.choice(o.values) for o in options if chance.random() < share}


def names(seats: int) -> tuple[SlotId, ...]:
    return tuple(SlotId(f"P{place:02}") for place in range(seats))


def aimed(slot: str, ability: str, targets: int, slots: Sequence[SlotId], chance: random.Random) -> Action:
    """At anybody else, half of the time at one of the first four, so that actions meet."""
    others = [other for other in slots[: 4 if chance.random() < 0.5 else len(slots)] if other != slot]
    return Action(SlotId(slot), ability, tuple(chance.sample(others, targets)))


# ── Custom Mafia. ─────────────────────────────────────────────────────────────────────────────────────────


def _role(chance: random.Random, bases: Sequence[str]) -> Role:
    while True:
        words = (chance.choice(("", "Town", "Mafia")), chance.choice(_WORDS), chance.choice(bases))
        try:
            return parse_role(" ".join(filter(None, words)))
        except InputError:
            continue


def custom_batch(chance: random.Random) -> tuple[list[tuple[Any, list[Action]]], Table, Callable[..., Dawn]]:
    """Nights of all roles: those that turn actions in one batch of five."""
    rules = custom.parse_options(house_of(custom.OPTIONS, chance, 0.3))
    turning = chance.random() < 0.2
    bases = [base for base in _BASES if turning or base not in _TURNING]
    # Few kinds in some batches, so that the same meet each other often.
    bases = chance.choice((bases, chance.sample(bases, 5), list(_SHOOTERS)))
    seats = chance.randint(4, MOST)
    slots = names(seats)
    nights: list[tuple[Any, list[Action]]] = []
    for _ in range(BATCH):
        roles = {slot: _role(chance, bases) for slot in slots}
        groups = [
            frozenset(chance.sample(slots, chance.choice((2, 3)))) for _ in range(chance.choice((0, 0, 1, 2)))
        ]
        shots = {
            slot: {
                a: chance.randint(0, n)
                for a, n in {**role.abilities, **role.passives}.items()
                if n is not None
            }
            for slot, role in roles.items()
        }
        position = CustomPosition(roles, chance.randint(1, 4), shots, rules, lovers=tuple(groups))
        sent = [
            aimed(slot, str(a), AIMS[str(a)], slots, chance)
            for slot, role in roles.items()
            for a in role.abilities
        ]
        nights.append((position, chance.sample(sent, chance.randint(len(sent) // 2, len(sent)))))
    every = list({role.name: role for position, _ in nights for role in position.roles.values()}.values())
    table = laid_out(nights, custom_deck([Card(role) for role in every], rules.house))
    for row, (position, _) in enumerate(nights):
        for group in position.lovers:
            for slot in group:
                others = sum(1 << slots.index(other) for other in group if other != slot)
                table.love[row, slots.index(slot)] |= np.uint64(others)
    return nights, table, lambda t, o: custom_night(t, o, rules.house)


# ── Knight-Errant. ────────────────────────────────────────────────────────────────────────────────────────


def knight_errant_batch(
    chance: random.Random,
) -> tuple[list[tuple[Any, list[Action]]], Table, Callable[..., Dawn]]:
    """Nights of drawn codes, with some of the eighteen dead."""
    rules = knight_errant.parse_options(house_of(knight_errant.OPTIONS, chance, 0.3))
    seats = chance.randint(4, MOST)
    slots = names(seats)
    nights: list[tuple[Any, list[Action]]] = []
    for _ in range(BATCH):
        setup = chance.choice(list(CODES.values()))
        # Half of the nights have cards of every code, and a Serial Killer where others aim most.
        dealt = chance.sample(setup.roles, seats)
        if chance.random() < 0.5:
            rest = [card for card in rules.roles if card not in ("Serial Killer", "Vanilla Townie")]
            dealt = ["Serial Killer", *chance.choices(rest, k=seats - 1)]
        roles = {slot: rules.roles[card] for slot, card in zip(slots, dealt, strict=True)}
        killer = [slot for slot, card in zip(slots, dealt, strict=True) if card == "Serial Killer"]
        shots = {slot: {a: chance.randint(0, n) for a, n in setup.shots.items()} for slot in killer}
        position = KnightErrantPosition(roles, chance.randint(1, 4), shots, rules)
        sent = [
            aimed(slot, str(a), 0 if a in ("commute", "bulletproof") else 1, slots, chance)
            for slot, role in roles.items()
            for a in role.abilities
        ]
        nights.append((position, chance.sample(sent, chance.randint(len(sent) // 2, len(sent)))))
    table = laid_out(nights, knight_errant_deck([Card(role) for role in rules.roles.values()], rules.house))
    sees = rules["ke_r34"] == "godfather_true"
    return nights, table, lambda t, o: knight_errant_night(t, o, rules.house, sees)


# ── Empowered Mafia. ──────────────────────────────────────────────────────────────────────────────────────


def empowered_batch(
    chance: random.Random,
) -> tuple[list[tuple[Any, list[Action]]], Table, Callable[..., Dawn]]:
    """Nights of drawn cards; half of the batches have other options."""
    rules = empowered.parse_options(house_of(empowered.OPTIONS, chance, 0.1) if chance.random() < 0.3 else {})
    seats = chance.randint(5, MOST)
    slots = names(seats)
    # Few kinds in half of the batches, so that the same meet each other often.
    every = (*TOWN_ROLES, *MAFIA_ROLES)
    blasters = tuple(role for role in every if role.name in _BLASTERS)
    own = chance.choice((every, tuple(chance.sample(every, 4)), blasters))
    kinds = (*[EMPOWERER] * max(1, len(own) // 2), *own)
    nights: list[tuple[Any, list[Action]]] = []
    for _ in range(BATCH):
        roles = {slot: chance.choice(kinds) for slot in slots}
        lost = frozenset(s for s, role in roles.items() if role.name == "Ninja" and chance.random() < 0.3)
        position = EmpoweredPosition(roles, chance.randint(1, 4), lost, rules)
        sent = []
        for slot, role in roles.items():
            for ability in role.abilities:
                action = aimed(slot, str(ability), 2 if ability == "amplify" else 1, slots, chance)
                extras: tuple[str, ...] = ()
                if role.name == "Ninja":
                    allowed = ("invisible", "obliterate") if ability == "murder" else ("invisible",)
                    extras = tuple(extra for extra in allowed if chance.random() < 0.4)
                sent.append(action._replace(options=extras))
        nights.append((position, chance.sample(sent, chance.randint(len(sent) // 2, len(sent)))))
    cards = [Card(r, {"incarcerate": 1} if r.name == "Ninja" else {}) for r in (EMPOWERER, *every)]
    table = laid_out(nights, empowered_deck(cards, rules.house))
    for row, (position, _) in enumerate(nights):
        for slot in position.lost:
            table.uses[row, slots.index(slot), CODE["incarcerate"]] = 0
    return nights, table, lambda t, o: empowered_night(t, o, rules.house)


# ── Both resolvers. ───────────────────────────────────────────────────────────────────────────────────────


def laid_out(nights: Sequence[tuple[Any, list[Action]]], deck: Deck) -> Table:
    """The positions as one table."""
    place = {card.role.name: number for number, card in enumerate(deck.cards)}
    dealt = np.array([[place[role.name] for role in position.roles.values()] for position, _ in nights])
    table = table_of(deck, dealt)
    for row, (position, _) in enumerate(nights):
        for seat, slot in enumerate(position.roles):
            for ability, left in getattr(position, "shots", {}).get(slot, {}).items():
                table.uses[row, seat, CODE[ability]] = left
    return table


def admitted(nights: Sequence[tuple[Any, list[Action]]]) -> tuple[Orders, list[list[Action]]]:
    """The legal lines of each night as orders in columns."""
    legal = [position.admit(sent, []) for position, sent in nights]
    rows = [
        (
            row,
            int(a.actor[1:]),
            CODE[a.ability],
            int(a.targets[0][1:]) if a.targets else -1,
            int(a.targets[1][1:]) if len(a.targets) > 1 else -1,
            ("invisible" in a.options) * Extra.INVISIBLE + ("obliterate" in a.options) * Extra.OBLITERATE,
        )
        for row, actions in enumerate(legal)
        for a in actions
    ]
    columns = np.array(rows, np.intp).reshape(-1, 6).T
    return orders_of(*columns), legal


def by_tracing(game: str, position: Any, actions: list[Action]) -> Told | None:
    """What the traced resolver says; None where it asks the moderator."""
    if game == "custom_mafia":
        found = resolve_custom(position, actions)
        if isinstance(found, CycleQuestion):
            return None
        return told(found.night)
    if game == "knight_errant":
        return told(resolve_knight_errant(position, actions))
    night = resolve_empowered(replace(position, arrival={a: n for n, a in enumerate(actions)}), actions)
    lost = {slot: {"incarcerate": 1} for slot in night.lost - position.lost}
    return told(night.night._replace(spent=lost))


def told(night: Night) -> Told:
    spent = {slot: {str(a): n for a, n in uses.items() if n} for slot, uses in night.spent.items()}
    return Told(
        frozenset(death.slot for death in night.deaths),
        {r.action: () if r.answer == NOBODY else r.answer for r in night.results if r.answer is not None},
        {slot: uses for slot, uses in spent.items() if uses},
    )


def compactly(table: Table, dawn: Dawn, row: int, rows: Sequence[int], actions: Sequence[Action]) -> Told:
    """What the compact night says of one game."""
    slots = names(table.alive.shape[1])
    answers: dict[Action, object] = {}
    for place, action in zip(rows, actions, strict=True):
        word, seen = int(dawn.word[place]), int(dawn.seen[place])
        if word == NAMES:
            answers[action] = tuple(slot for seat, slot in enumerate(slots) if seen >> seat & 1)
        elif word != NO_WORD:
            answers[action] = table.deck.words[word]
    spent: dict[str, dict[str, int]] = {}
    for seat, what in zip(*(column.tolist() for column in np.nonzero(dawn.spent[row])), strict=True):
        spent.setdefault(slots[seat], {})[ABILITIES[what]] = int(dawn.spent[row, seat, what])
    dead = frozenset(slots[seat] for seat in np.flatnonzero(dawn.dead[row]).tolist())
    return Told(dead, answers, spent)


BATCHES: Mapping[
    str, Callable[[random.Random], tuple[list[tuple[Any, list[Action]]], Table, Callable[..., Dawn]]]
] = {
    "custom_mafia": custom_batch,
    "knight_errant": knight_errant_batch,
    "empowered": empowered_batch,
}


def compared(game: str, chance: random.Random) -> Iterator[str | None]:
    """A batch of nights: None for each that is told compactly and alike, "" for one that is left to the
    traced resolver, else what differs."""
    nights, table, resolve = BATCHES[game](chance)
    orders, legal = admitted(nights)
    # Uses without end are not counted down.
    assert ENDLESS < 0
    dawn = resolve(table, orders)
    start = 0
    for row, (position, sent) in enumerate(nights):
        rows = range(start, start + len(legal[row]))
        start += len(legal[row])
        if dawn.undecided[row]:
            yield ""
            continue
        compact, traced = compactly(table, dawn, row, rows, legal[row]), by_tracing(game, position, sent)
        if compact == traced:
            yield None
        else:
            yield f"{position!r}\n{legal[row]}\ncompact {compact}\ntraced  {traced}"
