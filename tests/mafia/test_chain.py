"""Actions of one stage read one after the other."""

from __future__ import annotations

from itertools import permutations

from knightfall.mafia.chain import in_chain
from salt_harbour import act


def failing(*lines: str, shared_target: bool = False) -> set[str]:
    found = [in_chain(order, shared_target) for order in permutations(tuple(map(act, lines)))]
    assert all(set(failed) == set(found[0]) for failed in found), "the order changed the answer"
    return {action.actor for action in found[0]}


def test_in_a_row_every_second_one_fails() -> None:
    assert failing("Ada jail Boro", "Boro jail Cinder", "Cinder jail Elm") == {"Boro"}


def test_in_a_ring_all_hold() -> None:
    assert failing("Ada jail Boro", "Boro jail Ada") == set()


def test_what_a_ring_touches_fails() -> None:
    assert failing("Ada jail Boro", "Boro jail Ada", "Cinder jail Elm") == set()
    assert failing("Ada jail Boro", "Boro jail Cinder", "Cinder jail Boro", "Elm jail Ada") == {"Ada"}


def test_two_on_one_target_are_a_ring_where_targets_are_shared() -> None:
    assert failing("Ada jail Elm", "Boro jail Elm", shared_target=True) == set()
