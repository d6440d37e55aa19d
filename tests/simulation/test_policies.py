"""What players who think a little make of roles."""

from __future__ import annotations

import numpy as np
import pytest

from knightfall.errors import InputError
from knightfall.simulation.families import family_of
from knightfall.simulation.intervals import Share, difference, paired_difference, wilson
from knightfall.simulation.policies import OURS, FollowTheClaims, parse_policy
from knightfall.simulation.run import FAMILIES, Question, play_chunk, play_pairs

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


@pytest.mark.long
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


@pytest.mark.long
def test_a_tracker_and_a_watcher_help_those_who_follow_the_claims() -> None:
    for role in ("Town Tracker", "Town Watcher"):
        assert difference(town(2, role=role), town(0)).low > 0, role


def town_of(mafia: tuple[str, ...], *powers: str, policy: str = "follow-the-claims") -> Question:
    """Thirteen players: these mafiosi and roles, the rest Vanilla Townies."""
    slots: list[dict[str, object]] = [{"role": role} for role in (*mafia, *powers)]
    slots.append({"role": "Vanilla Townie", "fill": True})
    setup = {"schema": 1, "name": "Kiln", "slots": slots}
    return Question("custom_mafia", {"setup": setup}, 13, policy)


GOONS = ("Mafia Goon",) * 3


def paired(first: Question, second: Question) -> Share:
    """By how much the town's share of the first is above the second's."""
    return paired_difference(*play_pairs(first, second, 5, 0, GAMES).alone("town"), GAMES)


@pytest.mark.long
def test_mafiosi_tell_nothing_that_they_have_found() -> None:
    trackers = town_of(("Mafia Tracker", "Mafia Tracker", "Mafia Goon"))
    assert abs(paired(trackers, town_of(GOONS)).share) < 0.01


@pytest.mark.long
def test_a_fake_claim_is_found_out_by_the_flips() -> None:
    """Answering one Cop costs the mafia more than it gains: the second of the two claimants is voted next."""
    fake = town_of(GOONS, "Town Cop", policy="follow-the-claims:fake=1")
    assert paired(fake, town_of(GOONS, "Town Cop")).low > 0.02
    assert paired(town_of(GOONS, policy="follow-the-claims:fake=1"), town_of(GOONS)).share == 0


def test_cards_that_flip_clear_some_claimants_and_prove_others_liars() -> None:
    question = town_of(GOONS, "Town Cop", "Town Cop")
    family = family_of("custom_mafia", question.options, 13)
    chance = np.random.default_rng(1)
    policy = FollowTheClaims()
    table = family.deal(1, chance)
    policy.begin(family, table, chance)
    memory = table.memory
    # A Goon (0) fakes a claim on the Cop (3) who has found him; the other Cop (4) has found another Goon (1).
    memory["claimed"][0, [0, 3, 4]] = True
    for accuser, accused in ((3, 0), (0, 3), (4, 1)):
        memory["found"][0, accuser, accused] = 1
    assert policy.accusations(table)[0].tolist() == [1, 1, 0, 1, *[0] * 9]
    # The Cop is voted out and flips town: the Goon is a liar, and what the Cop has told is still believed.
    policy.flipped(family, table, np.array([3]))
    table.alive[0, 3] = False
    assert policy.accusations(table)[0].tolist() == [2, 1, *[0] * 11]
    # The other Cop's Goon flips mafia: that Cop is cleared.
    policy.flipped(family, table, np.array([1]))
    assert np.flatnonzero(memory["cleared"][0]).tolist() == [4]
    assert np.flatnonzero(memory["liar"][0]).tolist() == [0]


@pytest.mark.few(2)
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
