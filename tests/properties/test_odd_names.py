"""A name may begin with or hold any sign: whoever is named is meant, and nobody else.

A game of plain names is played; then it is asked, in the same positions, with a player of an odd name and a
namesake. Every line that the game offers about them is taken, and changes what it changes under plain names.
"""

from __future__ import annotations

import random
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest

from knightfall.engine.commands import Order
from knightfall.engine.game import Game, Message
from knightfall.engine.playout import START, play
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId
from long_runs import first
from properties.lines import walked
from properties.odd_names import NAMESAKE, ODD, First, as_called
from properties.test_every_game import draws, every_game, options_of
from salt_harbour import NAMES

WALKS = 60
LINES = 6
"""Of a slot's lines about the two, so many are sent."""
odd_names = pytest.mark.parametrize("odd", first(6, ODD))


@cache
def positions(game: Game[Any]) -> tuple[tuple[SlotId, ...], tuple[Any, ...]]:
    """Slots of plain names that stand nowhere else, and three positions of a game of theirs."""
    size = next(
        number for number in game.spec.players if number >= 2 and (number > 6 or max(game.spec.players) < 7)
    )
    slots = tuple(SlotId(f"Qz{chr(97 + place)}vx") for place in range(size))
    states = play(game, slots, options_of(game, 0), SeededRng(b"odd"), draws(0), 6).states
    return slots, tuple(states[place] for place in (0, len(states) // 3, 2 * len(states) // 3))


def called(slots: tuple[SlotId, ...], odd: str) -> dict[str, str]:
    """Who sits where: the odd name first, then its namesake."""
    others = iter(NAMES[1:])
    return {slot: (odd, NAMESAKE)[place] if place < 2 else next(others) for place, slot in enumerate(slots)}


@cache
def about(game: Game[Any], place: int, slot: SlotId | None) -> tuple[str, ...]:
    """Some of the lines of a slot in that position that name one of the first two, seldom ones included."""
    slots, states = positions(game)
    ask, chance = partial(game.continuations, states[place], slot), random.Random(3)
    walks = (walked(ask, chance) for _ in range(WALKS))
    named = (line for line in walks if line and any(one in line for one in slots[:2]))
    return tuple(dict.fromkeys(islice(named, LINES)))


@pytest.mark.few(4)
@odd_names
@every_game
def test_every_line_offered_about_an_odd_name_is_taken_and_means_its_player(
    game: Game[Any], odd: str
) -> None:
    slots, states = positions(game)
    names = called(slots, odd)
    known = {name: SlotId(name) for name in names.values()}
    sent = 0
    for place, state in enumerate(states):
        there = as_called(state, names)
        for slot in (*slots, None):
            who = None if slot is None else SlotId(names[slot])
            for plainly in about(game, place, slot):
                plain = game.submit(state, Message(slot, plainly, START), First())
                line = as_called(plainly, names)
                if odd in line.replace(as_called(slots[0], names), "", plainly.count(slots[0])):
                    continue  # “Mist ONLY”: the longest whole name is meant, as the manual says
                found = game.submit(there, Message(who, line, START, known), First())
                assert plain.refused == found.refused == (), line
                assert found.state == as_called(plain.state, names), line
                # Whoever holds the slot by now may be called so, too.
                seat: dict[str, str] = {slots[0]: odd, slots[1]: NAMESAKE}
                late: dict[str, SlotId] = {one: one for one in as_called(slots, {slots[1]: NAMESAKE})}
                late[odd] = slots[0]
                held = Message(NAMESAKE if slot == slots[1] else slot, as_called(plainly, seat), START, late)
                now = game.submit(as_called(state, {slots[1]: NAMESAKE}), held, First())
                assert now.refused == (), line
                assert now.state == as_called(plain.state, {slots[1]: NAMESAKE}), line
                sent += 1
    assert sent > 5


@pytest.mark.few(12)
@odd_names
@every_game
def test_whom_the_moderator_takes_out_or_back_is_known_without_a_name_being_read(
    game: Game[Any], odd: str
) -> None:
    slots, states = positions(game)
    names = called(slots, odd)
    there, one = states[0], slots[0]
    for verb in ("modkill", "revive", "eliminate"):
        plain = game.decide(there, (Order(verb, (one,)),), START, First())
        found = game.decide(as_called(there, names), (Order(verb, (SlotId(odd),)),), START, First())
        assert found.state == as_called(plain.state, names)
        assert [code.code for _, code in found.refused] == [code.code for _, code in plain.refused]
        assert (plain.state != there) is (not plain.refused)
        there = plain.state
