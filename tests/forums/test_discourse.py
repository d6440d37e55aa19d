"""Links into Discourse topics, and what the places of posts say where no address is known."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall.forums.base import Chunk, Request, Response, Site
from knightfall.forums.discourse import DISCOURSE

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "discourse"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ROOT = "https://a.example/"


def answer(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def read(url: str, said: dict[str, Any]) -> Chunk:
    return DISCOURSE.read(Response(url, 200, json.dumps(said)), Site(), NOW)


LOCATED = [
    ("https://a.example/t/412", ROOT, "412", 0),
    ("https://a.example/t/salt-harbour/412", ROOT, "412", 0),
    ("https://a.example/t/salt-harbour/412/", ROOT, "412", 0),
    ("https://a.example/t/salt-harbour/412/45", ROOT, "412", 0),
    ("https://a.example/t/salt-harbour/412/45?u=ada#reply", ROOT, "412", 0),
    ("https://a.example/t/412/45", ROOT, "412", 0),
    ("https://a.example/t/-/412", ROOT, "412", 0),
    ("https://a.example/t/%E6%B8%AF/412/last", ROOT, "412", 0),
    ("https://a.example/t/salt-harbour/412?page=3", ROOT, "412", 3),
    ("https://a.example/forum/t/salt-harbour/412", "https://a.example/forum/", "412", 0),
    ("https://a.example/t/412.json?page=2", ROOT, "412", 2),
    ("https://a.example/t/412/posts.json?post_ids[]=5", ROOT, "412", 0),
]


@pytest.mark.parametrize(("url", "root", "topic", "start"), LOCATED)
def test_links_to_a_topic_are_located(url: str, root: str, topic: str, start: int) -> None:
    ref = DISCOURSE.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == ("discourse", root, topic, start)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/latest",
        "https://a.example/t/salt-harbour",
        "https://a.example/c/games/4",
        "https://a.example/u/ada/activity",
        "https://a.example/threads/salt-harbour.412/",
        "/t/salt-harbour/412",
        "ftp://a.example/t/salt-harbour/412",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert DISCOURSE.locate(url) is None


def test_reading_begins_at_the_page_of_the_post_asked_for() -> None:
    ref = DISCOURSE.locate("https://a.example/t/salt-harbour/412/45")
    assert ref is not None
    assert DISCOURSE.start(ref) == Request("https://a.example/t/412.json")
    assert DISCOURSE.start(ref, 20) == Request("https://a.example/t/412.json")
    assert DISCOURSE.start(ref, 21) == Request("https://a.example/t/412.json?page=2")


def test_an_answer_without_address_is_placed_by_the_stream() -> None:
    chunk = read("", answer("game-p2"))
    assert (chunk.page, chunk.pages, chunk.posts_total, chunk.following) == (2, 2, 10, None)
    assert [post.url for post in chunk.posts] == [None] * 4


def test_a_topic_too_long_for_a_stream_is_paged_by_its_pages_not_by_its_numbers() -> None:
    said = answer("game-p2") | {"posts_count": 10_400, "chunk_size": 4}
    del said["post_stream"]["stream"]
    chunk = read("https://a.example/t/412.json?page=2", said)
    assert (chunk.page, chunk.pages, chunk.posts_total) == (2, 2600, 10_400)
    assert chunk.following == Request("https://a.example/t/412.json?page=3")
