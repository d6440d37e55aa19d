"""Which URLs are MyBB threads, and where does reading begin?"""

from __future__ import annotations

import pytest

from knightfall.forums.base import Request
from knightfall.forums.mybb import MYBB

LOCATED = [
    ("https://a.example/showthread.php?tid=12", "https://a.example/", "12"),
    ("https://a.example/b/showthread.php?tid=12&page=3", "https://a.example/b/", "12"),
    ("https://a.example/showthread.php?tid=12&pid=345#pid345", "https://a.example/", "12"),
    ("https://a.example/showthread.php?pid=345#pid345", "https://a.example/", "p345"),
    ("https://a.example/thread-12.html", "https://a.example/", "12"),
    ("https://a.example/thread-12-page-3.html", "https://a.example/", "12"),
    ("https://a.example/thread-12-post-345.html#pid345", "https://a.example/", "12"),
]


@pytest.mark.parametrize(("url", "root", "thread"), LOCATED)
def test_links_to_a_thread_are_located(url: str, root: str, thread: str) -> None:
    ref = MYBB.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id) == ("mybb", root, thread)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/showthread.php?t=12",
        "https://a.example/forumdisplay.php?fid=3",
        "https://a.example/threads/lantern.12/",
        "showthread.php?tid=12",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert MYBB.locate(url) is None


def test_reading_begins_with_the_first_page() -> None:
    ref = MYBB.locate("https://a.example/b/thread-12-page-3.html")
    assert ref is not None
    assert MYBB.start(ref, 61) == Request("https://a.example/b/showthread.php?tid=12")
