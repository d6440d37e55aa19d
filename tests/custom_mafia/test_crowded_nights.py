"""No night stalls: sixty players whose actions all change each other are resolved at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import process_time

import pytest

from growth import growth
from knightfall.games.custom_mafia.abilities import AIMS
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import CustomNight, CycleQuestion, resolve
from knightfall.games.custom_mafia.state import CustomPosition
from knightfall.mafia.night import Action
from knightfall.sentence import SlotId

CROWD = 60
SECONDS = 1.0
"""Of the processor: a fast machine takes a tenth of it, and work by the cube took twelve."""
CHANGE_OTHERS = ("Redirector", "Bus Driver", "Roleblocker", "Jailkeeper")
Aim = Callable[[Random, Sequence[SlotId], int, int], Sequence[SlotId]]
"""Of all players, of the one at a place: so many targets."""


def anybody(chance: Random, slots: Sequence[SlotId], at: int, amount: int) -> Sequence[SlotId]:
    return chance.sample([*slots[:at], *slots[at + 1 :]], amount)


def the_next(_: Random, slots: Sequence[SlotId], at: int, amount: int) -> Sequence[SlotId]:
    """One ring of all."""
    return [slots[(at + step) % len(slots)] for step in range(1, amount + 1)]


def the_first(chance: Random, slots: Sequence[SlotId], at: int, amount: int) -> Sequence[SlotId]:
    """All aim at one player."""
    first = slots[0 if at else 1]
    return [first, *chance.sample([slot for slot in slots[2:] if slot != slots[at]], amount - 1)]


def own_half(chance: Random, slots: Sequence[SlotId], at: int, amount: int) -> Sequence[SlotId]:
    """Two sides that leave each other alone."""
    middle = len(slots) // 2
    half, place = (slots[:middle], at) if at < middle else (slots[middle:], at - middle)
    return anybody(chance, half, place, amount)


def own_pair(_: Random, slots: Sequence[SlotId], at: int, __: int) -> Sequence[SlotId]:
    """Many small rings."""
    return [slots[at ^ 1]]


def night(roles: Sequence[str], aim: Aim, size: int, seed: int = 1) -> tuple[CustomPosition, list[Action]]:
    chance = Random(seed)
    slots = [SlotId(f"Player{at:02}") for at in range(size)]
    cards = {slot: parse_role(chance.choice(roles)) for slot in slots}
    sent = []
    for at, (slot, card) in enumerate(cards.items()):
        [ability] = card.abilities
        sent.append(Action(slot, str(ability), tuple(aim(chance, slots, at, AIMS[ability]))))
    return CustomPosition(cards), sent


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("roles", "aim"),
    [
        (["Redirector"], anybody),
        (["Redirector"], the_first),
        (["Redirector"], the_next),
        (["Bus Driver"], anybody),
        (["Bus Driver"], the_next),
        (["Bus Driver"], the_first),
        (["Roleblocker"], the_next),
        (["Roleblocker"], own_pair),
        (["Redirector", "Bus Driver"], anybody),
        (["Redirector", "Roleblocker"], anybody),
        (["Bus Driver", "Roleblocker"], anybody),
        (CHANGE_OTHERS, anybody),
        (CHANGE_OTHERS, the_first),
        (CHANGE_OTHERS, the_next),
        (CHANGE_OTHERS, own_half),
    ],
)
def test_sixty_who_change_each_others_actions_stall_nothing(roles: Sequence[str], aim: Aim) -> None:
    dusk, sent = night(roles, aim, CROWD)
    begun = process_time()
    found = resolve(dusk, sent)
    assert process_time() - begun < SECONDS
    if isinstance(found, CustomNight):
        assert len({note.action[:2] for note in found.night.trace}) == CROWD
    else:
        assert {reading.choice for reading in found.readings} >= {
            f"{action.actor}:{action.ability}" for action in found.actions
        }


@pytest.mark.parametrize("roles", [["Redirector"], ["Bus Driver"], CHANGE_OTHERS])
def test_a_night_takes_less_than_the_cube_of_its_players(roles: Sequence[str]) -> None:
    """A ring of all has a reading for each, and each looks at all: that is a square. Four times the players
    took four hundred times as long when each reading looked at all for each."""
    nights = {size: night(roles, anybody, size) for size in (15, CROWD)}
    assert growth(lambda size: resolve(*nights[size]), 15, times=4, limit=4**3) < 4**3


def test_a_ring_of_sixty_blocks_on_which_nothing_hangs_is_settled() -> None:
    found = resolve(*night(["Roleblocker"], the_next, CROWD))
    assert isinstance(found, CustomNight)
    assert [len(ring) for ring in found.settled] == [CROWD]


def test_a_ring_of_sixty_drivers_is_asked_about_with_every_reading() -> None:
    found = resolve(*night(["Bus Driver"], the_next, CROWD))
    assert isinstance(found, CycleQuestion)
    assert len(found.readings) == CROWD + 1
