"""The lines that would be taken from a slot now, for random play, help texts and tests."""

from __future__ import annotations

from itertools import combinations, product

from knightfall.engine.game import SlotId
from knightfall.games.kings_court.aftermath import opponents
from knightfall.games.kings_court.checks import LOOKS
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.elections import candidates
from knightfall.games.kings_court.garnets import ANNOYED_PRICE, PEEK_PRICE
from knightfall.games.kings_court.notation import Verb
from knightfall.games.kings_court.state import FROZEN, OPEN, End, Phase, State

_VOTE, _UNVOTE = f"{Verb.VOTE}: ", str(Verb.UNVOTE)


def lines(state: State, slot: SlotId) -> list[str]:
    """All of one name or two; lists of more and larger gifts only by example."""
    found = _votes(state, slot) if state.phase is Phase.VOTE and slot not in state.court else []
    if state.phase in OPEN:
        found += _kings(state, slot) if slot == state.king else []
        found += _bought(state, slot)
        found += _pairs(Verb.CHECK, state, slot) if slot == state.check_right else []
    if state.phase not in FROZEN and state.garnets[slot] > 0:
        found += [f"{Verb.GIVE}: 1 to {name}" for name in state.slots if name != slot]
    return found + _after(state, slot, state.end) if state.end else found


def _votes(state: State, slot: SlotId) -> list[str]:
    court = state.court
    names = [name for name in state.slots if name not in court and name != slot]
    return [f"{_VOTE}{name}" for name in names] + [_UNVOTE]


def _kings(state: State, slot: SlotId) -> list[str]:
    """KC-03 and KC-08, for the King alone."""
    names = candidates(state) if state.pending else [name for name in state.outside if name != slot]
    found = [f"{Verb.TIEBREAK}: {name}" for name in names]
    left = 0 if state.court else LOOKS - len(state.learned)
    if left:
        fresh = [name for name in state.slots if name != slot and name not in state.learned]
        found += [f"{Verb.LEARN}: {name}" for name in fresh]
    return found + _pairs(Verb.LEARN, state, slot) if left == LOOKS else found


def _pairs(verb: Verb, state: State, slot: SlotId) -> list[str]:
    names = [name for name in state.slots if name != slot]
    if verb is Verb.CHECK and state.rules["king_in_pair"] == "refuse":
        names = [name for name in names if name != state.king]
    return [f"{verb}: {first}, {second}" for first, second in combinations(names, 2)]


def _bought(state: State, slot: SlotId) -> list[str]:
    balance = state.garnets[slot]
    found = [f"{Verb.ANNOYED}?"] if balance >= ANNOYED_PRICE else []
    if balance >= PEEK_PRICE:
        found += [f"{Verb.PEEK}: {name}" for name in state.slots if name != slot]
    return found


def _after(state: State, slot: SlotId, end: End) -> list[str]:
    """KC-30, KC-34, KC-36."""
    deal = state.deal
    if state.phase is Phase.TOL and slot == state.king:
        pairs = product(deal.team(Role.DUKE), deal.team(Role.NOBLE))
        return [f"{Verb.TOL}: {duke}, {noble}" for duke, noble in pairs]
    if state.phase is Phase.EC and slot in end.winners:
        return [f"{Verb.EC}: {name}" for name in end.tied]
    if state.phase is Phase.DMO and slot == end.ec:
        return [f"{Verb.DMO}: {name}" for name in opponents(state)]
    return []
