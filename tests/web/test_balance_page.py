"""The page Balance plays a game or a pasted setup, without JavaScript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from knightfall.services.balance import balance_of, balance_svg
from knightfall.services.requests import BalanceRequest
from web.hands import ORIGIN, FormHand, form_hand
from web.served import served

KILN = """
schema = 1
name = "Kiln"
slots = [{ role = "Mafia Goon", count = 2 }, { role = "Town Cop" }, { role = "Vanilla Townie", fill = true }]
"""


@pytest.fixture
def hand(tmp_path: Path) -> FormHand:
    found = form_hand(served(tmp_path))
    found.go("/balance")
    return found


def test_a_pasted_setup_is_played_and_shown_as_table_and_picture(hand: FormHand, tmp_path: Path) -> None:
    (tmp_path / "kiln.toml").write_text(KILN, encoding="utf-8")
    policy = "follow-the-claims"
    expected = balance_of(BalanceRequest(str(tmp_path / "kiln.toml"), 11, 2_000, policy))
    fields = {"Or a setup of your own": KILN, "Players": "11", "How everybody plays": policy}
    hand.press("Play", {**fields, "Games": "2,000"})
    assert "11 players, 2,000 games, policy follow-the-claims, seed 1" in hand.text
    for name, share in (("Town", expected.sides["town"]), ("Mafia", expected.sides["mafia"])):
        said = f"{name}{100 * share.share:.1f} %{100 * share.low:.1f} % to {100 * share.high:.1f} %"
        assert said in hand.text
    picture = hand.client.get(re.findall(r'img src="([^"]+)"', hand.body)[0])
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text == balance_svg(expected)


def test_a_game_is_played_by_its_rules(hand: FormHand) -> None:
    hand.press("Play", {"Game": "Knight Fight", "Games": "3"})
    assert "Played at random by the full rules" in hand.text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"Or a setup of your own": "slots = ["}, "not valid TOML"),
        ({"Games": "many"}, "expected a number up to"),
        ({"Games": "1000000000000"}, "expected a number up to"),
        ({"How everybody plays": "clever"}, "There is no policy “clever”"),
        ({"Players": "900"}, "Custom Mafia is for"),
    ],
)
def test_what_cannot_be_played_is_told_in_words(hand: FormHand, fields: dict[str, str], told: str) -> None:
    hand.press("Play", fields)
    assert told.lower() in hand.text.lower()
    assert hand.status == 400


def test_no_file_of_this_machine_is_read_by_a_name(hand: FormHand, tmp_path: Path) -> None:
    (tmp_path / "kiln.toml").write_text(KILN, encoding="utf-8")
    token = re.findall(r'name="form_token" value="([^"]+)"', hand.body)[0]
    sent = {"form_token": token, "kind": str(tmp_path / "kiln.toml")}
    assert "Choose a game" in hand.client.post("/balance", data=sent, headers={"origin": ORIGIN}).text


def test_a_result_that_was_forgotten_is_no_page(hand: FormHand) -> None:
    assert hand.client.get("/balance/nothing").status_code == 404
    assert hand.client.get("/balance/nothing/chances.svg").status_code == 404
