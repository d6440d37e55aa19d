"""The policies keep to the modifiers that ask for a night's number, or for whom a player named before."""

from __future__ import annotations

import itertools

import numpy as np

from knightfall.simulation.cards import CODE, Table
from knightfall.simulation.families import Family, family_of
from knightfall.simulation.policies import Policy, parse_policy
from knightfall.simulation.simulator import named, night_of, play, tired


def _begun(role: str, games: int = 40) -> tuple[Family, Policy, Table, np.random.Generator]:
    slots = [
        {"role": "Mafia Goon"},
        {"role": role},
        {"role": "Town Commuter"},
        {"role": "Vanilla Townie", "fill": True},
    ]
    family = family_of("custom_mafia", {"setup": {"schema": 1, "name": "Quarry", "slots": slots}}, 6, ())
    ((_, policy),) = parse_policy("random")
    chance = np.random.default_rng(5)
    table = family.deal(games, chance)
    policy.begin(family, table, chance)
    return family, policy, table, chance


def _aims(role: str, ability: str, nights: int) -> list[list[set[int]]]:
    """For each night of each game whom its only holder names."""
    family, policy, table, chance = _begun(role)
    found = []
    for number in range(1, nights + 1):
        table.number = number
        orders = policy.night(family, table, chance)
        rows = orders.ability == CODE[ability]
        aims: list[set[int]] = [set() for _ in table.alive]
        for game, first in zip(orders.game[rows].tolist(), orders.first[rows].tolist(), strict=True):
            aims[game].add(first)
        found.append(aims)
        dawn = night_of(family, table, orders, chance)
        assert not dawn.undecided.any()
        table.last, table.named = tired(table, orders), named(table, orders)
    return found


def test_the_roaming_name_nobody_twice_and_the_indecisive_not_at_once() -> None:
    nights = _aims("Town Roaming Cop", "cop", 5)
    for game in range(40):
        aimed = [seat for night in nights for seat in night[game]]
        assert len(aimed) == len(set(aimed)) == 5
    nights = _aims("Town Indecisive Cop", "cop", 6)
    again = 0
    for game in range(40):
        aimed = [seat for night in nights for seat in night[game]]
        assert all(one != other for one, other in itertools.pairwise(aimed))
        again += len(aimed) > len(set(aimed))
    assert again


def test_a_night_by_its_number_and_a_novice() -> None:
    for role, acting in (("Town Night-2 Night-4 Cop", {2, 4}), ("Town Novice Cop", {2, 3, 4, 5})):
        nights = _aims(role, "cop", 5)
        assert {number for number, aims in enumerate(nights, 1) if any(aims)} == acting


def test_a_universal_backup_acts_as_the_dead_did_and_counts_as_what_was_dealt() -> None:
    slots = [
        {"role": "Mafia Goon"},
        {"role": "Town Universal Backup"},
        {"role": "Town Backup Ascetic"},
        {"role": "Town Ascetic 1-Shot Cop"},
        {"role": "Vanilla Townie", "fill": True},
    ]
    family = family_of("custom_mafia", {"setup": {"schema": 1, "name": "Quarry", "slots": slots}}, 7, ())
    table = family.deal(2, np.random.default_rng(5))
    gone = np.zeros_like(table.alive)
    gone[0, 3] = True
    table.uses[0, 3, CODE["cop"]] = 0
    table.alive &= ~gone
    assert family.inherit(table, gone) == 2
    names = np.array(family.deck.names)
    assert names[table.card[0, 1:4]].tolist() == [
        "Town Ascetic 1-Shot Cop",
        "Town Ascetic",
        "Town Ascetic 1-Shot Cop",
    ]
    assert table.uses[0, 1, CODE["cop"]] == 0
    assert names[table.card[1, 1:3]].tolist() == ["Town Universal Backup", "Town Backup Ascetic"]
    assert (table.dealt[0] == table.dealt[1]).all()
    ((_, policy),) = parse_policy("follow-the-claims")
    counts = play(family, policy, 60, np.random.default_rng(7))
    assert "Town Ascetic" not in counts.dealt
    assert counts.dealt["Town Universal Backup"] == 60
