"""Two setups that are compared are played with common random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from knightfall.errors import StateDamaged
from knightfall.services.balance import compared
from knightfall.services.requests import BalanceRequest
from knightfall.simulation.counts import PairCounts, pair_counts_from
from knightfall.simulation.draws import matched
from knightfall.simulation.families import family_of
from knightfall.simulation.intervals import difference, paired_difference, wilson
from knightfall.simulation.run import CHUNK, Question, Terms, play_chunk, play_pairs, run_pairs

GAMES = 10_000


def kiln(*powers: str, policy: str = "follow-the-claims", players: int = 13) -> Question:
    """Three Goons, these roles and Vanilla Townies."""
    slots: list[dict[str, Any]] = [
        *({"role": power} for power in powers),
        {"role": "Mafia Goon", "count": 3},
        {"role": "Vanilla Townie", "fill": True},
    ]
    setup = {"schema": 1, "name": "Kiln", "slots": slots}
    return Question("custom_mafia", {"setup": setup}, players, policy)


@pytest.mark.few(2)
@pytest.mark.parametrize("policy", ["random", "suspicion", "follow-the-claims"])
def test_a_setup_compared_with_itself_ends_alike_in_every_game(policy: str) -> None:
    question = kiln("Town Cop", "Town Doctor", policy=policy)
    counts = play_pairs(question, question, 3, 0, 2_000)
    assert counts.first == counts.second
    assert [counts.alone(name) for name in ("town", "mafia")] == [(0, 0), (0, 0)]


@pytest.mark.few(1)
@pytest.mark.parametrize("policy", ["random", "suspicion", "follow-the-claims"])
def test_the_interval_of_a_difference_of_one_role_is_narrower_than_of_games_apart(policy: str) -> None:
    one, other = kiln("Town Doctor", policy=policy), kiln(policy=policy)
    counts = play_pairs(one, other, 3, 0, GAMES)
    paired = paired_difference(*counts.alone("town"), GAMES)
    apart = difference(*(wilson(setup.won["town"], GAMES) for setup in (counts.first, counts.second)))
    assert paired.width < 0.85 * apart.width


@pytest.mark.long
def test_paired_games_have_the_chances_of_games_played_alone() -> None:
    questions = kiln("Town Cop"), kiln("Town Doctor", "Mafia Roleblocker")
    counts = play_pairs(*questions, 3, 0, GAMES)
    for question, own in zip(questions, (counts.first, counts.second), strict=True):
        alone = play_chunk(question, 8, 0, GAMES)
        apart = difference(wilson(own.won["town"], GAMES, 4), wilson(alone.won["town"], GAMES, 4))
        assert apart.low < 0 < apart.high


@pytest.mark.long
def test_the_interval_holds_the_difference_as_often_as_it_says() -> None:
    """Of many short comparisons the truth, known from a long one, lies inside 95 in a hundred."""
    one, other = kiln("Town Cop", players=9), kiln(players=9)
    long = [play_pairs(one, other, 77, chunk, GAMES) for chunk in range(4)]
    total = PairCounts()
    for counts in long:
        total.add(counts)
    truth = paired_difference(*total.alone("town"), total.games).share
    inside = 0
    for chunk in range(160):
        counts = play_pairs(one, other, 5, chunk, 200)
        _, low, high = paired_difference(*counts.alone("town"), 200)
        inside += low <= truth <= high
    assert 0.9 <= inside / 160 <= 0.99


def test_seats_match_by_role_then_by_side_then_by_what_is_left() -> None:
    tables = [
        family_of("custom_mafia", question.options, question.players).deal(2, np.random.default_rng(1))
        for question in (kiln("Town Cop", players=11), kiln("Town Doctor", "Mafia Roleblocker", players=12))
    ]
    # Cop, three Goons, seven Townies; Doctor, Roleblocker, three Goons, seven Townies.
    assert matched(*tables).tolist() == [[0, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] * 2


def last(runs: Iterator[Any]) -> Any:
    *_, found = runs
    return found


@pytest.mark.long
def test_two_workers_compare_as_one_does_and_a_comparison_goes_on_from_its_file(tmp_path: Path) -> None:
    one, other = kiln("Town Cop"), kiln()
    file = tmp_path / "pairs.jsonl"
    alone = last(run_pairs(one, other, Terms(2 * CHUNK + 3, workers=1, resume=file))).counts
    assert last(run_pairs(one, other, Terms(2 * CHUNK + 3, workers=2))).counts == alone
    file.write_text(file.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    assert last(run_pairs(one, other, Terms(2 * CHUNK + 3, workers=1, resume=file))).counts == alone
    assert pair_counts_from(alone.to_dict()) == alone
    with pytest.raises(StateDamaged, match="another question"):
        last(run_pairs(other, one, Terms(10, resume=file)))


@pytest.mark.long
def test_a_comparison_stops_when_the_differences_are_narrow_enough() -> None:
    found = last(run_pairs(kiln("Town Doctor"), kiln(), Terms(9 * CHUNK, within=0.009, workers=1)))
    assert found.enough
    assert found.counts.games < 9 * CHUNK


def test_games_that_are_played_by_their_rules_are_paired_and_mixed_ones_are_not() -> None:
    court, fight = BalanceRequest("kings-court", games=3), BalanceRequest("knight-fight", games=3)
    assert compared(court, fight).paired
    mixed = compared(BalanceRequest("empowered", games=3), fight)
    assert not mixed.paired
    assert set(mixed.differences) == {*mixed.first.sides, *mixed.second.sides}


def test_a_mixture_and_one_policy_can_be_compared() -> None:
    mixed = kiln(policy="0.5*random + 0.5*suspicion")
    counts = play_pairs(mixed, kiln(policy="suspicion"), 3, 0, 1_000)
    assert counts.first.games == counts.second.games == sum(r.total() for r in counts.joint.values()) == 1_000
