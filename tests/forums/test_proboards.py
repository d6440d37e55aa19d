"""What the table of pages cannot say of ProBoards: its addresses, and where the page size comes from."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.forums.base import Chunk, Response, Site, ThreadRef
from knightfall.forums.proboards import PROBOARDS

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "proboards"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SECOND = "https://fogbank.example/thread/44/fogbank-ferry?page=2"


def second_page(url: str, site: Site) -> Chunk:
    text = (FIXTURES / "game-p2.html").read_text(encoding="utf-8")
    return PROBOARDS.read(Response(url, 200, text), site, NOW)


@pytest.mark.parametrize(
    ("url", "topic", "page"),
    [
        ("https://a.proboards.example/thread/12/salt-harbour", "12", 1),
        ("https://a.proboards.example/thread/12", "12", 1),
        ("https://a.proboards.example/thread/12/salt-harbour?page=3&scrollTo=77", "12", 3),
        ("https://a.proboards.example/post/345/thread", "p345", 0),
        ("https://a.proboards.example/post/345", "p345", 0),
    ],
)
def test_links_to_a_thread_are_located(url: str, topic: str, page: int) -> None:
    assert PROBOARDS.locate(url) == ThreadRef("proboards", "https://a.proboards.example/", topic, page)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/board/3/games",
        "https://a.example/threads/salt-harbour.12/",
        "https://a.example/thread-12.html",
        "https://a.example/user/12",
        "/thread/12/salt-harbour",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert PROBOARDS.locate(url) is None


def test_a_thread_begins_at_its_first_page() -> None:
    ref = ThreadRef("proboards", "https://a.example/", "12")
    assert PROBOARDS.start(ref).url == "https://a.example/thread/12"
    assert PROBOARDS.start(ThreadRef("proboards", "https://a.example/", "p9")).url.endswith("/post/9/thread")


@pytest.mark.parametrize(
    ("url", "site", "first"),
    [
        (f"{SECOND}#6-a-page", Site(posts_per_page=20), 7),
        (SECOND, Site(posts_per_page=20), 21),
        (SECOND, Site(), 31),
        ("", Site(posts_per_page=6), 7),
    ],
)
def test_a_last_page_is_counted_by_the_size_that_the_page_before_it_had(
    url: str, site: Site, first: int
) -> None:
    chunk = second_page(url, site)
    assert [post.number for post in chunk.posts] == [first, first + 1, first + 2, first + 3]
