"""What the table of pages cannot say of Something Awful: its addresses, and pages of one user only."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.fetch.saved import read_html
from knightfall.forums import located
from knightfall.forums.base import Response, Site, ThreadRef
from knightfall.forums.somethingawful import SOMETHINGAWFUL

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "somethingawful"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ROOT = "https://a.example/"
PAGE = "https://a.example/showthread.php?threadid=12&userid=0&perpage=40&pagenumber="


@pytest.mark.parametrize(
    ("url", "topic", "page"),
    [
        ("https://a.example/showthread.php?threadid=12", "12", 1),
        ("https://a.example/showthread.php?threadid=12&userid=0&perpage=40&pagenumber=3#pti7", "12", 3),
        ("https://a.example/showthread.php?threadid=12&amp;pagenumber=2", "12", 2),
        ("https://a.example/showthread.php?goto=post&postid=345#post345", "p345", 1),
    ],
)
def test_links_to_a_thread_are_located(url: str, topic: str, page: int) -> None:
    assert located(url) == (SOMETHINGAWFUL, ThreadRef("somethingawful", ROOT, topic, page))


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/showthread.php?t=12",
        "https://a.example/showthread.php?12-salt-harbour",
        "https://a.example/forumdisplay.php?forumid=3&threadid=1",
        "showthread.php?threadid=12",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert SOMETHINGAWFUL.locate(url) is None


@pytest.mark.parametrize(("since", "page"), [(1, 1), (40, 1), (41, 2)])
def test_pages_are_asked_for_in_a_size_of_our_own(since: int, page: int) -> None:
    ref = ThreadRef("somethingawful", ROOT, "12")
    assert SOMETHINGAWFUL.start(ref, since).url == f"{PAGE}{page}"


def test_a_saved_page_of_one_user_reads_but_is_no_thread(tmp_path: Path) -> None:
    text = (FIXTURES / "one-user.html").read_text(encoding="utf-8")
    off = text.replace("threadid=3512&amp;userid=12", "goto=post&amp;postid=407713")
    assert SOMETHINGAWFUL.read(Response("", 200, off), Site(), NOW).posts
    (tmp_path / "page.html").write_text(off, encoding="utf-8")
    thread = read_html([tmp_path / "page.html"], NOW)
    assert not thread.complete
    assert "one user only" in thread.missing[0]
    assert thread.whole_to is None


def test_a_page_in_the_forums_own_encoding_reads() -> None:
    text = (FIXTURES / "game-p1.html").read_bytes().replace("日本太郎".encode(), b"Zo\xeb \x93Z\x94")
    page = Response(f"{PAGE}1", 200, text.decode("cp1252"))
    assert SOMETHINGAWFUL.read(page, Site(), NOW).posts[3].author == "Zoë “Z”"
