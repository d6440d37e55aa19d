"""Links into Flarum discussions, and which window of one an answer without an address holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from knightfall.forums.base import Chunk, Request, Response, Site
from knightfall.forums.flarum import FLARUM

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

LOCATED = [
    ("https://a.example/d/77", "https://a.example/", "77", 0),
    ("https://a.example/d/77-salt-harbour", "https://a.example/", "77", 0),
    ("https://a.example/d/77-salt-harbour/45", "https://a.example/", "77", 0),
    ("https://a.example/d/77-salt-harbour/reply", "https://a.example/", "77", 0),
    ("https://a.example/d/77-salt-harbour?page=2", "https://a.example/", "77", 2),
    ("https://a.example/forum/d/77-salt-harbour", "https://a.example/forum/", "77", 0),
    ("https://a.example/api/discussions/77?page[offset]=20", "https://a.example/", "77", 0),
    ("https://a.example/api/posts?filter[discussion]=77", "https://a.example/", "77", 0),
    ("https://a.example/api/posts?filter%5Bdiscussion%5D=77", "https://a.example/", "77", 0),
]


@pytest.mark.parametrize(("url", "root", "topic", "start"), LOCATED)
def test_links_to_a_discussion_are_located(url: str, root: str, topic: str, start: int) -> None:
    ref = FLARUM.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == ("flarum", root, topic, start)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/t/games",
        "https://a.example/d/salt-harbour",
        "https://a.example/u/ada",
        "https://a.example/api/posts",
        "https://a.example/api/posts?filter[author]=ada",
        "/d/77-salt-harbour",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert FLARUM.locate(url) is None


def test_reading_begins_at_the_window_of_the_post_asked_for() -> None:
    ref = FLARUM.locate("https://a.example/d/77-salt-harbour/45")
    assert ref is not None
    first = "https://a.example/api/discussions/77?page%5Blimit%5D=50"
    assert FLARUM.start(ref) == Request(first)
    assert FLARUM.start(ref, 50) == Request(first)
    assert FLARUM.start(ref, 51) == Request(f"{first}&page%5Boffset%5D=50")


def post(number: int) -> dict[str, Any]:
    when = f"2026-11-20T{number // 60:02}:{number % 60:02}:00+00:00"
    attributes = {"number": number, "createdAt": when, "contentType": "comment", "contentHtml": "<p>.</p>"}
    author = {"user": {"data": {"type": "users", "id": "2"}}}
    return {"type": "posts", "id": str(number), "attributes": attributes, "relationships": author}


def window(total: int, first: int, last: int, *mentioned: int) -> Chunk:
    """What is read of the posts `first`…`last`, with those that they mention, from a saved answer."""
    listed = [{"type": "posts", "id": str(number)} for number in range(1, total + 1)]
    data = {"type": "discussions", "id": "77", "attributes": {"title": "Salt"}}
    user = {"type": "users", "id": "2", "attributes": {"username": "ada"}}
    shown = [post(number) for number in (*mentioned, *range(first, last + 1))]
    said = {"data": data | {"relationships": {"posts": {"data": listed}}}, "included": [user, *shown]}
    return FLARUM.read(Response("", 200, json.dumps(said)), Site(), NOW)


@pytest.mark.parametrize(
    ("first", "last", "mentioned", "page", "pages"),
    [
        (1, 50, (), 1, 3),
        (51, 100, (3, 4), 2, 3),
        (101, 120, (7,), 3, 3),
        (1, 20, (), 1, 6),
        (21, 40, (1, 99), 2, 6),
    ],
)
def test_an_answer_without_address_is_placed_by_its_longest_run(
    first: int, last: int, mentioned: tuple[int, ...], page: int, pages: int
) -> None:
    chunk = window(120, first, last, *mentioned)
    assert [post.number for post in chunk.posts] == list(range(first, last + 1))
    assert (chunk.page, chunk.pages, chunk.posts_total) == (page, pages, 120)
