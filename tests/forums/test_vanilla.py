"""What the table of pages cannot say of Vanilla: its addresses, and a page saved without one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.forums import located
from knightfall.forums.base import Response, Site, ThreadRef
from knightfall.forums.vanilla import VANILLA

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "vanilla"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
REF = ThreadRef("vanilla", "https://a.example/", "12")

LOCATED = [
    ("https://a.example/discussion/12/salt-harbour", "https://a.example/", "12", 1),
    ("https://a.example/discussion/12", "https://a.example/", "12", 1),
    ("https://a.example/discussion/12/salt-harbour/p3", "https://a.example/", "12", 3),
    ("https://a.example/talk/discussion/12/x/p2#Comment_9", "https://a.example/talk/", "12", 2),
    ("https://a.example/index.php?p=/discussion/12/x/p2", "https://a.example/index.php?p=/", "12", 2),
    ("https://a.example/discussion/comment/345#Comment_345", "https://a.example/", "p345", 0),
]


@pytest.mark.parametrize(("url", "root", "topic", "page"), LOCATED)
def test_links_to_a_discussion_are_located(url: str, root: str, topic: str, page: int) -> None:
    found = located(url)
    assert found is not None
    assert found == (VANILLA, ThreadRef("vanilla", root, topic, page))


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/discussions/p2",
        "https://a.example/discussion/salt-harbour",
        "https://a.example/d/12-salt-harbour",
        "https://a.example/profile/12/Wren",
        "/discussion/12/salt-harbour",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert VANILLA.locate(url) is None


@pytest.mark.parametrize(("since", "page"), [(1, ""), (31, ""), (32, "/p2"), (61, "/p2"), (62, "/p3")])
def test_the_opening_post_takes_no_place_of_a_comment(since: int, page: str) -> None:
    assert VANILLA.start(REF, since).url == f"https://a.example/discussion/12/x{page}"


def test_a_link_to_a_comment_is_asked_for_as_such() -> None:
    ref = ThreadRef("vanilla", "https://a.example/", "p345")
    assert VANILLA.start(ref).url == "https://a.example/discussion/comment/345"


def test_a_page_saved_without_address_knows_its_thread_by_its_canonical_link() -> None:
    text = (FIXTURES / "game-p2.html").read_text(encoding="utf-8")
    chunk = VANILLA.read(Response("", 200, text), Site(), NOW)
    assert chunk.thread == ThreadRef("vanilla", "https://fogbank.example/", "512")
    assert [post.number for post in chunk.posts] == [7, 8, 9, 10]


def test_newer_boards_count_a_second_page_by_the_usual_size_where_comments_show_no_place() -> None:
    text = (FIXTURES / "game-p2.html").read_text(encoding="utf-8").replace('name="Item_', 'rel="Item_')
    chunk = VANILLA.read(Response("https://fogbank.example/discussion/512/x/p2", 200, text), Site(), NOW)
    assert [post.number for post in chunk.posts] == [32, 33, 34, 35]
