"""Links into threads of BoardGameGeek's shape, and their addresses in its XML API."""

from __future__ import annotations

import pytest

from knightfall.forums.base import Request
from knightfall.forums.bgg import BGG


@pytest.mark.parametrize(
    ("url", "start"),
    [
        ("https://a.example/thread/620", 0),
        ("https://a.example/thread/620/salt-harbour", 0),
        ("https://a.example/thread/620/salt-harbour/page/2", 0),
        ("https://a.example/thread/620/article/9001#9001", 0),
        ("https://a.example/xmlapi2/thread?id=620&count=1000", 0),
        ("https://a.example/xmlapi2/thread?id=620&count=1000&minarticleid=9007&page=2&before=5", 2),
    ],
)
def test_links_to_a_thread_are_located(url: str, start: int) -> None:
    ref = BGG.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == ("bgg", "https://a.example/", "620", start)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/boardgame/620/salt-harbour",
        "https://a.example/xmlapi2/thread",
        "https://a.example/xmlapi2/thread?id=salt",
        "https://a.example/threads/salt-harbour.620/",
        "/thread/620",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert BGG.locate(url) is None


def test_reading_begins_with_the_first_article_whichever_post_is_asked_for() -> None:
    ref = BGG.locate("https://a.example/thread/620/salt-harbour/page/2")
    assert ref is not None
    first = Request("https://a.example/xmlapi2/thread?id=620&count=1000")
    assert BGG.start(ref) == BGG.start(ref, 400) == first
