"""Which URLs are SMF topics, and where does reading begin?"""

from __future__ import annotations

import pytest

from knightfall.forums.base import Request
from knightfall.forums.smf import SMF

LOCATED = [
    ("https://a.example/index.php?topic=12.0", "https://a.example/", "12", 0),
    ("https://a.example/smf/index.php?topic=12.30", "https://a.example/smf/", "12", 30),
    ("https://a.example/index.php?topic=12", "https://a.example/", "12", 0),
    ("https://a.example/index.php?topic=12.msg345#msg345", "https://a.example/", "12", 0),
    ("https://a.example/index.php?topic=12.new#new", "https://a.example/", "12", 0),
    ("https://a.example/index.php?topic=12.0;all", "https://a.example/", "12", 0),
    ("https://a.example/index.php/topic,12.30.html", "https://a.example/", "12", 30),
    ("https://a.example/index.php/topic,12.msg345.html#msg345", "https://a.example/", "12", 0),
    ("https://a.example/index.php?PHPSESSID=abc&topic=12.15", "https://a.example/", "12", 15),
    ("https://a.example/index.php?action=printpage;topic=12.0", "https://a.example/", "12", 0),
    ("https://a.example/index.php?msg=345", "https://a.example/", "p345", 0),
]


@pytest.mark.parametrize(("url", "root", "topic", "start"), LOCATED)
def test_links_to_a_topic_are_located(url: str, root: str, topic: str, start: int) -> None:
    ref = SMF.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == ("smf", root, topic, start)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/index.php?board=3.0",
        "https://a.example/index.php?action=profile;u=4",
        "https://a.example/viewtopic.php?t=12",
        "https://a.example/topic/12-lantern/",
        "index.php?topic=12.0",
        "ftp://a.example/index.php?topic=12.0",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert SMF.locate(url) is None


def test_reading_begins_at_the_page_of_the_post_asked_for() -> None:
    ref = SMF.locate("https://a.example/index.php?PHPSESSID=abc&topic=12.45")
    assert ref is not None
    assert SMF.start(ref) == Request("https://a.example/index.php?topic=12.0")
    assert SMF.start(ref, 31) == Request("https://a.example/index.php?topic=12.30")
