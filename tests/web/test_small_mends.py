"""Small things of the page that led nowhere, or said too little."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from knightfall.config.instants import no_zone
from knightfall.services.day import close as close_day
from knightfall.services.machine import session_of
from knightfall.services.session import journal_of
from knightfall.web import pages
from web.hands import form_hand, origin_of, words
from web.served import served
from web.test_due_pages import HERE, Harbour, harbour, sets_deadline
from web.test_pages import begun

__all__ = ["harbour"]


def test_a_reading_that_was_left_is_found_again_where_it_was_begun(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "2h")
    harbour.vote("Ada", "Boro")
    harbour.clock.sleep(3 * 3600)
    harbour.reads()
    hand.go(f"{HERE}/close")
    monkeypatch.setattr(pages, "PATIENCE", 0)
    left, look = Event(), close_day.look

    def look_once_they_left(*asked: Any) -> Any:
        assert left.wait(10)
        return look(*asked)

    monkeypatch.setattr(close_day, "look", look_once_they_left)
    form = hand.tree.xpath("//form[contains(@action, 'close/look')]")[0]
    fields = {one.get("name"): one.get("value", "") for one in form.xpath(".//input[@type='hidden']")}
    # Nobody follows it: they went elsewhere while it reads.
    hand.client.post(
        form.get("action"),
        data={**fields, "stored": "1", "pause": "60"},
        headers={"Origin": origin_of(hand.root), "Referer": f"{hand.root}{HERE}/close"},
        follow_redirects=False,
    )
    left.set()
    for page in (HERE, f"{HERE}/close"):
        hand.go(page)
        assert "Reading the thread twice:" in hand.text
    hand.press("Reading the thread twice")
    assert "Close day 1" in hand.text
    hand.go(HERE)
    assert "Reading the thread twice" not in hand.text


def test_a_decision_whose_post_is_gone_is_found_by_the_link_of_today(harbour: Harbour) -> None:
    hand = harbour.hand
    sets_deadline(harbour, "47h")
    harbour.forum.posts.append((102, "Boro", "I am for the one with the hat"))
    harbour.forum.posts.append((103, "Cinder", "so am I"))
    harbour.reads()
    hand.go(f"{HERE}/votes/decide?post=2")
    hand.press("Count for them", {"For": "Ada"})
    del harbour.forum.posts[1]
    harbour.reads()
    assert "Decide 1 unclear vote" not in hand.body
    hand.press("Decide the open votes")
    [head] = hand.tree.xpath("//*[@id='questions']")
    assert words(head) == "Decisions whose post is gone or changed"


@pytest.mark.parametrize(("kind", "there"), [("knight_fight", False), ("custom_mafia", True)])
def test_only_posts_that_a_game_can_have_are_listed(tmp_path: Path, kind: str, there: bool) -> None:
    begun(kind, tmp_path / "lane")
    hand = form_hand(served(tmp_path))
    hand.go("/games/lane/posts")
    listed = {words(one) for one in hand.tree.xpath("//th[@scope='row']")}
    assert ("Votecount" in listed, "Dawn" in listed) == (there, there)
    assert "Opening" in listed
    assert journal_of(session_of(tmp_path / "lane"))


@pytest.mark.parametrize(("said", "meant"), [("London", "Europe/London"), ("new york", "America/New_York")])
def test_a_city_is_told_its_time_zone(said: str, meant: str) -> None:
    assert no_zone(said) == f"There is no time zone “{said}”. Did you mean {meant}?"
    assert no_zone("Nowhere").endswith("Write it as in Europe/Lisbon or America/New_York.")
