"""Which nights of Empowered Mafia are resolved by the benchmark and the soak? Dealt cards, drawn targets."""

from __future__ import annotations

import random
from collections.abc import Iterator

from knightfall.games.empowered import ROLES, Ability, EmpoweredPosition
from knightfall.games.empowered.abilities import EMPOWERER, MAFIA_ROLES, TARGETS, TOWN_ROLES, Extra
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment
from knightfall.sentence import SlotId


def dusks(
    amount: int, chance: random.Random, players: int = 24
) -> list[tuple[EmpoweredPosition, list[Action]]]:
    """So many nights with all alive, and every one who can act does."""
    return [_dusk(chance, players) for _ in range(amount)]


def _dusk(chance: random.Random, players: int) -> tuple[EmpoweredPosition, list[Action]]:
    slots = tuple(SlotId(f"P{place:02}") for place in range(1, players + 1))
    dusk = EmpoweredPosition(
        {slot: ROLES[name] for slot, name in zip(slots, _cards(chance, players), strict=True)}
    )
    return dusk, list(_actions(dusk, slots, chance))


def _cards(chance: random.Random, players: int) -> list[str]:
    """A fifth mafia by its own choice, a fifth Empowerers, the rest of the list in turn."""
    fifth = max(2, players // 5)
    mafia = [chance.choice(MAFIA_ROLES).name for _ in range(fifth)]
    others = [TOWN_ROLES[place % len(TOWN_ROLES)].name for place in range(players - 2 * fifth)]
    return [*mafia, *[EMPOWERER.name] * fifth, *others]


def _actions(dusk: EmpoweredPosition, slots: tuple[SlotId, ...], chance: random.Random) -> Iterator[Action]:
    mafia = [slot for slot, role in dusk.roles.items() if role.alignment is Alignment.MAFIA]
    carrier = chance.choice(mafia)
    for slot, role in dusk.roles.items():
        for ability in role.abilities:
            if ability != Ability.MURDER or slot == carrier:
                yield _at(dusk, slot, ability, slots, chance)


def _at(
    dusk: EmpoweredPosition, slot: SlotId, ability: str, slots: tuple[SlotId, ...], chance: random.Random
) -> Action:
    others = [other for other in slots if other != slot]
    targets = tuple(chance.sample(others, TARGETS[ability]))
    hidden = dusk.roles[slot].name == "Ninja" and chance.random() < 0.5
    return Action(slot, str(ability), targets, (str(Extra.INVISIBLE),) if hidden else ())
