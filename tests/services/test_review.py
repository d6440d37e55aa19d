"""A review of a setup: roles weighed exactly where that is known, deals, posts, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import knightfall as kf
from command_line import run
from knightfall.errors import InputError, SetupError
from knightfall.services.requests import ReviewRequest
from knightfall.services.review import MOST_DEALS, NOISES, Review, review_of, review_post
from knightfall.simulation.intervals import paired_difference
from knightfall.simulation.run import Question, play_chunk
from simulation.chances import NIGHTS, SURE, vanilla, with_power
from simulation.planted import VT, G, setup, thirteen

ROOT = Path(__file__).parents[2]
MATRIX = str(ROOT / "fixtures" / "setups" / "matrix.toml")


def review(table: Mapping[str, Any] | str, games: int = 500, **more: Any) -> Review:
    return review_of(ReviewRequest(table, games=games, workers=1, **more))


@pytest.fixture(scope="module")
def drawn() -> Review:
    powers = ["Town Cop", "Town Doctor", "Town Tracker"]
    return review(setup(f"2 × {G}", "Mafia Roleblocker", {"pick": 2, "from": powers}, f"8 × {VT}"), 2_000)


@pytest.mark.few(1)
@pytest.mark.parametrize("role", sorted(NIGHTS))
@pytest.mark.parametrize(("players", "mafia"), [(9, 2), (13, 3)])
def test_at_random_a_role_is_worth_what_the_recursions_say(role: str, players: int, mafia: int) -> None:
    """The town's chance with the role, less the one of as many vanilla players."""
    others = players - mafia - 1
    exact = float(with_power(role, mafia, others, 1) - vanilla(others + 1, mafia, True))
    found = review(setup(f"{mafia} × {G}", f"Town {role}", f"{others} × {VT}"), games=10_000, policy="random")
    [worth] = found.worth
    assert worth.role == f"Town {role}"
    assert worth.dealt == 1
    wide = SURE / 1.96 * worth.worth.width
    assert abs(worth.worth.share - exact) < wide
    assert worth.worth.width < 0.015


@pytest.mark.long
def test_at_random_a_card_without_a_use_is_worth_nothing() -> None:
    [rolecop] = review(thirteen("Mafia Rolecop"), 4_000, policy="random").worth
    assert rolecop.worth.low < 0 < rolecop.worth.high
    assert abs(rolecop.worth.share) < 0.02


def test_seven_masons_are_worth_the_game_to_the_town() -> None:
    found = review(setup(f"2 × {G}", "7 × Town Mason"))
    [masons] = found.worth
    assert masons.worth.low > 0.5
    assert found.band["town"][0] > 0.95


@pytest.mark.long
def test_the_cop_is_the_best_of_three_roles_and_each_has_its_interval(drawn: Review) -> None:
    worth = {one.role: one.worth for one in drawn.worth}
    assert list(worth) == ["Mafia Roleblocker", "Town Cop", "Town Doctor", "Town Tracker"]
    assert worth["Town Cop"].low > 0
    assert worth["Town Cop"].share > worth["Town Doctor"].share
    assert all(one.low <= one.share <= one.high for one in worth.values())


@pytest.mark.long
def test_who_wins_is_a_band_over_how_well_the_town_reads(drawn: Review) -> None:
    assert [play.noise for play in drawn.plays] == [0, *NOISES]
    low, high = drawn.band["town"]
    shares = [play.sides["town"].share for play in drawn.plays if play.noise]
    assert (low, high) == (min(shares), max(shares))
    assert high - low > 0.05


def test_the_shares_of_the_deals_are_those_of_the_whole_game(drawn: Review) -> None:
    """Each deal is played by players who know the setup, not the deal."""
    assert [one.name for one in drawn.by_deal] == [
        "Town Cop, Town Doctor",
        "Town Cop, Town Tracker",
        "Town Doctor, Town Tracker",
    ]
    [middle] = [play.sides["town"] for play in drawn.plays if play.noise == 4]
    mean = sum(one.chance * one.town.share for one in drawn.by_deal)
    assert abs(mean - middle.share) < 0.08
    assert drawn.swing == pytest.approx(
        max(one.town.share for one in drawn.by_deal) - min(one.town.share for one in drawn.by_deal)
    )


def test_what_players_know_of_a_deal_is_the_setup_alone() -> None:
    table = setup(f"2 × {G}", f"5 × {VT}", {"one_of": ["Town Doctor", "Town Cop"]})
    fixed = setup(f"2 × {G}", f"5 × {VT}", "Town Doctor")
    policy = "follow-the-claims:bluff=1"
    unsure = Question("custom_mafia", {"setup": table}, 8, policy, dealt=fixed)
    sure = Question("custom_mafia", {"setup": fixed}, 8, policy)
    shares = [play_chunk(one, 5, 0, 4_000) for one in (unsure, sure)]
    assert set(shares[0].dealt) == {G, VT, "Town Doctor"}
    assert paired_difference(shares[1].won["town"], shares[0].won["town"], 4_000).low > 0


def test_the_first_night_adds_up(drawn: Review) -> None:
    counts = play_chunk(Question("custom_mafia", {"setup": thirteen()}, 13), 1, 0, 1_000)
    assert sum(won.total() for won in counts.fell.values()) == 1_000  # one dies in each, a Townie always
    assert list(counts.fell) == [VT]
    assert all(0 < one.games <= 1 for one in drawn.first_night)
    named = {one.role: one.town.share for one in drawn.first_night}
    assert named[VT] > named["Town Cop"]


def test_of_many_deals_the_likeliest_are_played() -> None:
    several = ["Town Cop", "Town Doctor", "Town Tracker", "Town Watcher"]
    found = review(setup(f"3 × {G}", {"one_of": several, "count": 3}, f"7 × {VT}"), 20)
    assert len(found.by_deal) == MOST_DEALS < found.numbers.deals == 20
    assert "the 16 likeliest of them" in review_post(found)


def test_pms_are_measured_in_characters(drawn: Review) -> None:
    assert drawn.longest_pm.characters == max(pm.characters for pm in drawn.pms) > 300
    assert {pm.role for pm in drawn.pms} == {one.role for one in drawn.worth} | {G, VT}


def test_a_game_that_is_over_before_it_begins_is_reviewed_without_playing() -> None:
    found = review(setup(f"2 × {G}", f"2 × {VT}"))
    assert found.plays == ()
    assert found.remarks[0].key == "over"
    assert "before it begins" in review_post(found)


def test_a_card_that_is_not_known_is_named_and_counts_as_vanilla() -> None:
    table = setup(f"2 × {G}", "Mafia Werefish", "Mafia Juggernaut", f"9 × {VT}")
    found = review(table, strict="normal")
    told = {(one.key, one.role) for one in found.remarks}
    assert {("not_modelled", "Mafia Werefish"), ("not_modelled", "Mafia Juggernaut")} <= told
    assert ("off_list", "Mafia Werefish") in told
    assert ("off_list", "Mafia Juggernaut") not in told
    assert found.numbers.mafia.most == 4


@pytest.mark.long
def test_a_card_of_ones_own_is_named_and_not_weighed() -> None:
    found = review(thirteen("Town “Lamplighter”", "Town Cop"), 200)
    assert ("not_modelled", "Town “Lamplighter”") in {(one.key, one.role) for one in found.remarks}
    assert [one.role for one in found.worth] == ["Town Cop"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"what": "empowered"}, "a review reads a setup of your own"),
        ({"what": MATRIX, "strict": "norml"}, "there is no such list; did you mean “normal”?"),
        ({"what": MATRIX, "players": 4}, "found 4"),
        ({"what": MATRIX, "policy": "clever"}, "There is no policy"),
        ({"what": "nowhere.toml"}, "nowhere.toml"),
    ],
)
def test_what_cannot_be_reviewed_is_refused(asked: dict[str, Any], told: str) -> None:
    with pytest.raises((InputError, SetupError)) as refusal:
        review_of(ReviewRequest(**asked))
    assert told in str(refusal.value)


def test_the_post_says_everything_in_each_markup_and_its_limits(drawn: Review) -> None:
    for dialect, bold in (("phpbb", "[b]Who wins[/b]"), ("discourse", "**Who wins**"), ("plain", "Who wins")):
        post = review_post(drawn, dialect)
        for part in (bold, "What each role is worth", "Swing by deal", "What this review cannot say"):
            assert part in post
        for one in drawn.worth:
            assert one.role in post
    with pytest.raises(InputError):
        review_post(drawn, "klingon")


# ── Faces. ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_command_and_library_give_the_same() -> None:
    found = kf.review(MATRIX, games=100, seed=4, strict="normal", workers=1)
    asked = ("review", MATRIX, "--games", "100", "--seed", "4", "--strict", "normal", "--workers", "1")
    told = json.loads(run(*asked, "--json").stdout)
    assert {key: value for key, value in told.items() if key != "schema"} == json.loads(
        json.dumps(found.to_dict())
    )
    assert run(*asked, "--as", "phpbb").stdout.strip() == review_post(found, "phpbb").strip()
    assert isinstance(found, kf.Review)


def test_two_workers_review_as_one_does() -> None:
    table = setup(f"2 × {G}", "Town Cop", f"6 × {VT}")
    one = review(table, 4_000)
    assert review_of(ReviewRequest(table, games=4_000, workers=2)) == one


@pytest.mark.long
def test_the_verb_draws_a_picture_and_refuses_what_is_none(tmp_path: Path) -> None:
    out = tmp_path / "shares.svg"
    run("review", MATRIX, "--games", "50", "--plot", str(out))
    assert out.read_text(encoding="utf-8").startswith("<svg")
    assert "noise 4" in run("review", MATRIX, "--games", "50", "--plot", "-").stdout
    refused = run("review", MATRIX, "--plot", str(tmp_path / "shares.txt")).exception
    assert isinstance(refused, InputError)
    assert isinstance(run("review", MATRIX, "--as", "klingon").exception, InputError)
