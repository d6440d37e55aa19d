"""Which nights does the benchmark resolve? Drawn setups; who has an ability uses it on a drawn target."""

from __future__ import annotations

import random
from collections.abc import Iterator

from knightfall.games.knight_errant import CODES, ROLES, Ability, KnightErrantPosition
from knightfall.games.knight_errant.abilities import PASSIVES, TARGETS
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId

SLOTS = tuple(SlotId(f"P{place:02}") for place in range(1, 19))


def dusks(amount: int, chance: random.Random) -> list[tuple[KnightErrantPosition, list[Action]]]:
    """So many nights with all 18 alive: the second, so that even-night abilities are used too."""
    return [_dusk(chance) for _ in range(amount)]


def _dusk(chance: random.Random) -> tuple[KnightErrantPosition, list[Action]]:
    setup = chance.choice(list(CODES.values()))
    cards = dict(zip(chance.sample(SLOTS, len(SLOTS)), setup.roles, strict=True))
    killer = next(slot for slot, card in cards.items() if card == "Serial Killer")
    dusk = KnightErrantPosition({slot: ROLES[card] for slot, card in cards.items()}, 2, {killer: setup.shots})
    return dusk, list(_actions(dusk, killer, chance))


def _actions(dusk: KnightErrantPosition, killer: SlotId, chance: random.Random) -> Iterator[Action]:
    """One action a player, the faction's kill by one of its Goons, the Serial Killer's kill and one extra."""
    goons = [slot for slot, role in dusk.roles.items() if role.name == "Mafia Goon"]
    yield _at(goons[0], Ability.MAFIA_KILL, chance)
    yield _at(killer, Ability.KILL, chance)
    active = [one for one in dusk.shots[killer] if one not in PASSIVES and one != Ability.STRONG_KILL]
    if active:
        yield _at(killer, chance.choice(active), chance)
    for slot, role in dusk.roles.items():
        for ability in role.abilities:
            if slot != killer and ability != Ability.MAFIA_KILL:
                yield _at(slot, ability, chance)


def _at(actor: SlotId, ability: str, chance: random.Random) -> Action:
    others = [slot for slot in SLOTS if slot != actor]
    return Action(actor, ability, (chance.choice(others),) if TARGETS[ability] else ())
