"""Links into Reddit threads, and what is held back of one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.forums.base import Request, Response, Site
from knightfall.forums.gaps import missing_posts
from knightfall.forums.reddit import REDDIT

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "reddit"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/r/saltgames/comments/1k2abc/salt_harbour/",
        "https://a.example/r/saltgames/comments/1k2abc",
        "https://a.example/r/saltgames/comments/1k2abc/salt_harbour/m7x/?context=3#here",
        "https://a.example/r/saltgames/comments/1k2abc/salt_harbour/.json?limit=500",
        "https://a.example/comments/1K2ABC.json",
        "https://a.example/user/Wren/comments/1k2abc/salt_harbour/",
    ],
)
def test_links_to_a_thread_are_located(url: str) -> None:
    ref = REDDIT.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id) == ("reddit", "https://a.example/", "1k2abc")


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/r/saltgames/",
        "https://a.example/user/Wren/comments/",
        "https://a.example/r/saltgames/wiki/comments",
        "/r/saltgames/comments/1k2abc/",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert REDDIT.locate(url) is None


def test_reading_always_asks_for_the_whole_thread() -> None:
    ref = REDDIT.locate("https://a.example/r/saltgames/comments/1k2abc/salt_harbour/m7x/")
    assert ref is not None
    whole = Request("https://a.example/comments/1k2abc.json?limit=500&sort=old&raw_json=1")
    assert REDDIT.start(ref) == REDDIT.start(ref, 900) == whole


def test_comments_that_are_held_back_make_the_thread_incomplete() -> None:
    text = (FIXTURES / "held-back.json").read_text(encoding="utf-8")
    chunk = REDDIT.read(Response("", 200, text), Site(), NOW)
    assert missing_posts(chunk.posts, chunk.posts_total) == (
        "The forum says the thread has 8 posts; 2 were read.",
    )


def test_comments_of_one_second_go_by_their_ids() -> None:
    text = (FIXTURES / "game-p1.json").read_text(encoding="utf-8")
    early, late = "1795030802.0", "1795069800.0"  # of m3 and of ma, which stands behind it
    assert early in text and late in text
    ids: list[str] = [
        post.id for post in REDDIT.read(Response("", 200, text.replace(early, late)), Site(), NOW).posts
    ]
    assert ids[ids.index("t1_m3") + 1] == "t1_ma"
