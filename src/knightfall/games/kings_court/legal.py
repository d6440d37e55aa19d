"""Which lines would be taken from a slot now? For random play, help texts and tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from knightfall.core.game import SlotId
from knightfall.games.kings_court.aftermath import opponents
from knightfall.games.kings_court.checks import LOOKS
from knightfall.games.kings_court.elections import candidates
from knightfall.games.kings_court.garnets import ANNOYED_PRICE, PEEK_PRICE
from knightfall.games.kings_court.notation import Verb
from knightfall.games.kings_court.roles import Role
from knightfall.games.kings_court.state import FROZEN, OPEN, Phase, State


def lines(state: State, slot: SlotId) -> Iterator[str]:
    """All of one name or two; lists of more and larger gifts only by example."""
    if state.phase is Phase.VOTE:
        yield from _votes(state, slot)
    if state.phase in OPEN:
        yield from _kings(state, slot)
        yield from _bought(state, slot)
        if slot == state.check_right:
            yield from _pairs(Verb.CHECK, state, slot, ())
    if state.phase not in FROZEN and state.garnets[slot] > 0:
        yield from (f"{Verb.GIVE}: 1 to {name}" for name in state.slots if name != slot)
    if state.end is not None:
        yield from _after(state, slot)


def _votes(state: State, slot: SlotId) -> Iterator[str]:
    if slot not in state.court:
        yield from (f"{Verb.VOTE}: {name}" for name in state.outside if name != slot)
        yield Verb.UNVOTE


def _kings(state: State, slot: SlotId) -> Iterator[str]:
    """KC-03 and KC-08, for the King alone."""
    if slot != state.king:
        return
    names = candidates(state) if state.pending else [name for name in state.outside if name != slot]
    yield from (f"{Verb.TIEBREAK}: {name}" for name in names)
    left = 0 if state.court else LOOKS - len(state.learned)
    if left:
        fresh = [name for name in state.slots if name != slot and name not in state.learned]
        yield from (f"{Verb.LEARN}: {name}" for name in fresh)
    if left == LOOKS:
        yield from _pairs(Verb.LEARN, state, slot, state.learned)


def _pairs(verb: Verb, state: State, slot: SlotId, but: tuple[SlotId, ...]) -> Iterator[str]:
    names = [name for name in state.slots if name != slot and name not in but]
    if verb is Verb.CHECK and state.rules["king_in_pair"] == "refuse":
        names = [name for name in names if name != state.king]
    yield from (f"{verb}: {first}, {second}" for first, second in combinations(names, 2))


def _bought(state: State, slot: SlotId) -> Iterator[str]:
    if state.garnets[slot] >= ANNOYED_PRICE:
        yield f"{Verb.ANNOYED}?"
    if state.garnets[slot] >= PEEK_PRICE:
        yield from (f"{Verb.PEEK}: {name}" for name in state.slots if name != slot)


def _after(state: State, slot: SlotId) -> Iterator[str]:
    """KC-30, KC-34, KC-36."""
    end, deal = state.end, state.deal
    if end is None:
        return
    if state.phase is Phase.TOL and slot == state.king:
        for duke in deal.team(Role.DUKE):
            yield from (f"{Verb.TOL}: {duke}, {noble}" for noble in deal.team(Role.NOBLE))
    if state.phase is Phase.EC and slot in end.winners:
        yield from (f"{Verb.EC}: {name}" for name in end.tied)
    if state.phase is Phase.DMO and slot == end.ec:
        yield from (f"{Verb.DMO}: {name}" for name in opponents(state))
