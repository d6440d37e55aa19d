"""Which URLs are topics of Invision boards, old and new, and where does reading begin?"""

from __future__ import annotations

import pytest

from knightfall.forums.base import Forum, Request
from knightfall.forums.invision import INVISION3, INVISION4

LOCATED = [
    ("https://a.example/topic/12-lantern/", "https://a.example/", "12-lantern"),
    ("https://a.example/forums/topic/12-lantern/page/3/", "https://a.example/forums/", "12-lantern"),
    ("https://a.example/topic/12-lantern/page-3", "https://a.example/", "12-lantern"),
    ("https://a.example/topic/12-lantern/?do=findComment&comment=345", "https://a.example/", "12-lantern"),
    ("https://a.example/topic/12-lantern/page__st__20#entry345", "https://a.example/", "12-lantern"),
    ("https://a.example/index.php?/topic/12-lantern/", "https://a.example/index.php?/", "12-lantern"),
    ("https://a.example/index.php/topic/12-lantern/", "https://a.example/index.php/", "12-lantern"),
    ("https://a.example/index.php?showtopic=12&st=20", "https://a.example/", "12"),
    ("https://a.example/index.php?s=abc&showtopic=12", "https://a.example/", "12"),
]


@pytest.mark.parametrize(("url", "root", "topic"), LOCATED)
@pytest.mark.parametrize("forum", [INVISION3, INVISION4], ids=lambda forum: forum.name)
def test_links_to_a_topic_are_located(forum: Forum, url: str, root: str, topic: str) -> None:
    ref = forum.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id) == (forum.name, root, topic)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/forum/3-games/",
        "https://a.example/profile/12-ada/",
        "https://a.example/index.php?showuser=12",
        "https://a.example/index.php?topic=12.0",
        "topic/12-lantern/",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert INVISION3.locate(url) is None
    assert INVISION4.locate(url) is None


@pytest.mark.parametrize(
    ("url", "first"),
    [
        ("https://a.example/topic/12-lantern/page/3/", "https://a.example/topic/12-lantern/"),
        (
            "https://a.example/index.php?/topic/12-lantern/&page=3",
            "https://a.example/index.php?/topic/12-lantern/",
        ),
        ("https://a.example/index.php?showtopic=12&st=20", "https://a.example/index.php?showtopic=12"),
    ],
)
def test_reading_begins_with_the_first_page(url: str, first: str) -> None:
    ref = INVISION4.locate(url)
    assert ref is not None
    assert INVISION4.start(ref) == Request(first)
