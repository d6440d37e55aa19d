"""The page Review reads a pasted setup, plays it, and gives a post to copy, without JavaScript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from knightfall.services.requests import ReviewRequest
from knightfall.services.review import review_of, review_post, review_svg
from web.hands import FormHand, form_hand
from web.served import served

QUARRY = "2 Mafia Goon\nTown Miller\nTown Doctor\n5 Vanilla Townie"
TABLE = {
    "name": "Custom",
    "slots": [
        {"role": "Mafia Goon", "count": 2},
        {"role": "Town Miller"},
        {"role": "Town Doctor"},
        {"role": "Vanilla Townie", "count": 5},
    ],
}


@pytest.fixture
def hand(tmp_path: Path) -> FormHand:
    found = form_hand(served(tmp_path))
    found.go("/")
    found.press("Help")
    assert '<a href="/review">' in found.body
    found.go("/review")
    return found


def test_a_pasted_setup_is_reviewed_with_its_faults_tables_and_picture(hand: FormHand) -> None:
    expected = review_of(ReviewRequest(TABLE, games=300))
    hand.press("Review", {"The setup": QUARRY, "Games": "300"})
    assert "Town Miller is a Miller for nothing" in hand.text
    [doctor] = [one for one in expected.worth if one.role == "Town Doctor"]
    assert f"{100 * doctor.worth.share:+.1f}" in hand.text
    picture = hand.client.get(re.findall(r'img src="([^"]+)"', hand.body)[0])
    assert picture.text == review_svg(expected)
    post = re.findall(r"<textarea[^>]*>(.*?)</textarea>", hand.body, re.DOTALL)[0]
    assert "[b]Who wins[/b]" in post
    assert len(post.strip().splitlines()) == len(review_post(expected, "phpbb").strip().splitlines())


def test_the_post_comes_in_the_markup_of_a_site(hand: FormHand) -> None:
    hand.press("Review", {"The setup": QUARRY, "Games": "100"})
    hand.go(f"{hand.path}?to=discourse")
    assert "**Who wins**" in hand.body


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "Paste a setup"),
        ({"The setup": "slots = ["}, "not valid TOML"),
        ({"The setup": QUARRY, "Games": "many"}, "expected a number up to"),
        ({"The setup": QUARRY, "Players": "30"}, "found 30"),
    ],
)
def test_what_cannot_be_reviewed_is_told_in_words(hand: FormHand, fields: dict[str, str], told: str) -> None:
    hand.press("Review", fields)
    assert told.lower() in hand.text.lower()
    assert hand.status == 400


def test_a_review_that_was_forgotten_is_no_page(hand: FormHand) -> None:
    assert hand.client.get("/review/nothing").status_code == 404
    assert hand.client.get("/review/nothing/shares.svg").status_code == 404
