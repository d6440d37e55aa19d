"""Which URLs are topics of phpBB 2, where does reading begin, and which zone does a page name?"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.forums.base import Request, Response, Site
from knightfall.forums.phpbb import PHPBB2

GAME = Path(__file__).parents[2] / "fixtures" / "forums" / "phpbb2" / "game-p1.html"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("url", "root", "topic", "start"),
    [
        ("http://a.example/viewtopic.php?t=12", "http://a.example/", "12", 0),
        ("http://a.example/phpBB2/viewtopic.php?t=12&start=15", "http://a.example/phpBB2/", "12", 15),
        ("http://a.example/viewtopic.php?p=345#345", "http://a.example/", "p345", 0),
        ("http://a.example/viewtopic.php?t=12&sid=0123456789abcdef", "http://a.example/", "12", 0),
    ],
)
def test_links_to_a_topic_are_located(url: str, root: str, topic: str, start: int) -> None:
    ref = PHPBB2.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == ("phpbb2", root, topic, start)


@pytest.mark.parametrize(
    "url", ["http://a.example/viewforum.php?f=1", "http://a.example/viewtopic.php", "viewtopic.php?t=12"]
)
def test_other_links_are_not_located(url: str) -> None:
    assert PHPBB2.locate(url) is None


def test_reading_begins_at_the_post_asked_for() -> None:
    ref = PHPBB2.locate("http://a.example/viewtopic.php?t=12&start=30")
    assert ref is not None
    assert PHPBB2.start(ref) == Request("http://a.example/viewtopic.php?t=12")
    assert PHPBB2.start(ref, 16) == Request("http://a.example/viewtopic.php?t=12&start=15")


@pytest.mark.parametrize(
    ("said", "hour", "minute"),
    [
        ("All times are GMT + 3.5 Hours", 16, 30),
        ("All times are GMT - 5 Hours", 1, 0),
        ("All times are GMT", 20, 0),
        ("All times are EST (Australia)", 10, 0),
    ],
)
def test_times_are_read_in_the_zone_that_the_page_names(said: str, hour: int, minute: int) -> None:
    text = GAME.read_text(encoding="utf-8").replace("All times are GMT + 2 Hours", said)
    chunk = PHPBB2.read(Response("http://dock.example/viewtopic.php?t=7", 200, text), Site(), NOW)
    assert chunk.posts[0].time is not None
    assert (chunk.posts[0].time.hour, chunk.posts[0].time.minute) == (hour, minute)
