"""Which URLs are MyBB threads, and where does reading begin?"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.errors import PastTheEnd
from knightfall.forums import forum_of
from knightfall.forums.base import Request, Response, Site
from knightfall.forums.mybb import MYBB

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "mybb"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LOCATED = [
    ("https://a.example/showthread.php?tid=12", "https://a.example/", "12"),
    ("https://a.example/b/showthread.php?tid=12&page=3", "https://a.example/b/", "12"),
    ("https://a.example/showthread.php?tid=12&pid=345#pid345", "https://a.example/", "12"),
    ("https://a.example/showthread.php?pid=345#pid345", "https://a.example/", "p345"),
    ("https://a.example/thread-12.html", "https://a.example/", "12"),
    ("https://a.example/thread-12-page-3.html", "https://a.example/", "12"),
    ("https://a.example/thread-12-post-345.html#pid345", "https://a.example/", "12"),
    ("https://a.example/printthread.php?tid=12&page=2", "https://a.example/", "12"),
    ("https://a.example/b/archive/index.php?thread-12-2.html", "https://a.example/b/", "12"),
    ("https://a.example/archive/index.php/thread-12.html", "https://a.example/", "12"),
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


@pytest.mark.parametrize("name", ["archive", "print-view", "print-view-16"])
def test_pages_without_scripts_are_known_by_their_own_marks(name: str) -> None:
    text = (FIXTURES / f"{name}.html").read_text(encoding="utf-8")
    assert MYBB.recognises(Response("", 200, text))
    assert forum_of(Response("", 200, text)) is MYBB


def test_a_line_that_somebody_drew_ends_no_post_of_the_print_view() -> None:
    text = (FIXTURES / "print-view.html").read_text(encoding="utf-8")
    drawn = text.replace('<hr class="mycode_hr" />', "<hr /><br /><br />")
    posts = MYBB.read(Response("https://pier.example/printthread.php?tid=7", 200, drawn), Site(), NOW).posts
    assert [post.author for post in posts] == ["Wren", "Ada - of the Pier"]
    assert posts[0].body == "Welcome.<br/>\n<hr/><br/><br/>\nDay 1 begins."


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("archive-first", "https://pier.example/archive/index.php?thread-7-9.html"),
        ("print-view", "https://pier.example/printthread.php?tid=7&page=9"),
    ],
)
def test_behind_the_end_the_first_page_is_shown(name: str, url: str) -> None:
    text = (FIXTURES / f"{name}.html").read_text(encoding="utf-8")
    with pytest.raises(PastTheEnd, match="2 pages"):
        MYBB.read(Response(url, 200, text), Site(), NOW)
