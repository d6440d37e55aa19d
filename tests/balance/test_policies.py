"""What players who think a little make of roles."""

from __future__ import annotations

import pytest

from knightfall.errors import InputError
from knightfall.simulation.families import FAMILIES
from knightfall.simulation.intervals import Share, difference, wilson
from knightfall.simulation.policies import OURS, parse_policy
from knightfall.simulation.run import Question, play_chunk

GAMES = 10_000
FOUR_ERRORS = 4 * (2 * 0.21 * 0.79 / GAMES) ** 0.5
"""Of the difference of two shares of about 21 %."""


def town(cops: int, policy: str = "follow-the-claims", insane: bool = False, role: str = "Town Cop") -> Share:
    """The town's share of thirteen players with three Goons and so many Cops."""
    slots: list[dict[str, object]] = [{"role": "Mafia Goon", "count": 3}]
    slots += [{"role": role, "count": cops}] if cops else []
    slots.append({"role": "Vanilla Townie", "fill": True})
    options = {"setup": {"schema": 1, "name": "Kiln", "slots": slots}}
    question = Question("custom_mafia", options, 13, policy, (role,) if insane else ())
    return wilson(play_chunk(question, 5, 0, GAMES).won["town"], GAMES)


def test_a_cop_helps_seven_help_much_more_and_an_insane_one_does_not() -> None:
    none, one, seven, insane = town(0), town(1), town(7), town(1, insane=True)
    assert difference(one, none).low > 0.05
    assert difference(seven, one).low > 0.3
    assert difference(insane, none).high < 0


def test_a_cop_whom_nobody_asks_changes_nothing() -> None:
    """Played at random results are never used."""
    apart = difference(town(7, "random"), town(0, "random"))
    assert abs(apart.share) < FOUR_ERRORS


def test_mafiosi_who_vote_for_each_other_lose_more_often_to_suspicion() -> None:
    assert difference(town(0, "suspicion:bus=1"), town(0, "suspicion")).low > 0.02


def test_suspicions_with_less_noise_find_more() -> None:
    keen, usual, blind = (town(0, f"suspicion:noise={noise},bus=1") for noise in (1, 4, 1000))
    assert keen.low > usual.high > usual.low > blind.high
    assert abs(difference(blind, town(0, "random")).share) < FOUR_ERRORS  # they vote by lot


def test_a_tracker_and_a_watcher_help_those_who_follow_the_claims() -> None:
    for role in ("Town Tracker", "Town Watcher"):
        assert difference(town(2, role=role), town(0)).low > 0, role


@pytest.mark.parametrize("policy", [*OURS, "0.5*random + 0.5*follow-the-claims:noise=2"])
@pytest.mark.parametrize("game", FAMILIES)
def test_every_policy_plays_every_game_to_its_end(game: str, policy: str) -> None:
    players = {"knight_errant": 18, "empowered": 13, "custom_mafia": 9}[game]
    counts = play_chunk(Question(game, {}, players, policy), 1, 0, 500)
    assert counts.games == counts.won.total() == 500
    assert counts.dealt.total() == 500 * players
    assert counts.alive.total() == counts.left
    assert sum(won.total() for won in counts.ends.values()) == 500


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("clever", "There is no policy “clever”"),
        ("random:luck=2", "has no knob “luck”"),
        ("suspicion:noise", "a knob is written as in noise=3"),
        ("0*random", "add up to nothing"),
        ("random + ", "cannot be read"),
    ],
)
def test_a_policy_that_cannot_be_is_refused(written: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_policy(written)


def test_the_weights_of_a_mixture_add_up_to_one() -> None:
    mixed = parse_policy("3*random + suspicion:noise=2")
    assert [weight for weight, _ in mixed] == [0.75, 0.25]
    assert mixed[1][1].knob["noise"] == 2
