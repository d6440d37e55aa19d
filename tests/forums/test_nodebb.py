"""Links into NodeBB topics, and answers of boards that are not quite like the usual one."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall.errors import LoginRequired
from knightfall.forums import forum_of
from knightfall.forums.base import Chunk, Request, Response, Site
from knightfall.forums.nodebb import NODEBB
from knightfall.forums.pages import read_chunk

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums" / "nodebb"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def answer(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def read(url: str, said: dict[str, Any]) -> Chunk:
    page = Response(url, 200, json.dumps(said))
    assert forum_of(page) is NODEBB
    return NODEBB.read(page, Site(), NOW)


LOCATED = [
    ("https://a.example/topic/88", "https://a.example/", "88", 0),
    ("https://a.example/topic/88/salt-harbour", "https://a.example/", "88", 0),
    ("https://a.example/topic/88/salt-harbour/45", "https://a.example/", "88", 0),
    ("https://a.example/topic/88/salt-harbour?page=3", "https://a.example/", "88", 3),
    ("https://a.example/forum/topic/88/salt-harbour?lang=fi", "https://a.example/forum/", "88", 0),
    ("https://a.example/api/topic/88/salt-harbour?page=2", "https://a.example/", "88", 2),
    ("https://a.example/forum/api/topic/88", "https://a.example/forum/", "88", 0),
]


@pytest.mark.parametrize(("url", "root", "topic", "start"), LOCATED)
def test_links_to_a_topic_are_located(url: str, root: str, topic: str, start: int) -> None:
    ref = NODEBB.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == ("nodebb", root, topic, start)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/category/4/games",
        "https://a.example/post/901",
        "https://a.example/topic/88-salt-harbour/",
        "https://a.example/topic/salt-harbour",
        "https://a.example/viewtopic.php?t=88",
        "/topic/88/salt-harbour",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert NODEBB.locate(url) is None


def test_reading_begins_at_the_page_of_the_post_asked_for() -> None:
    ref = NODEBB.locate("https://a.example/topic/88/salt-harbour/45")
    assert ref is not None
    first = "https://a.example/api/topic/88?sort=oldest_to_newest"
    assert NODEBB.start(ref) == Request(first)
    assert NODEBB.start(ref, 41) == Request(f"{first}&page=3")


def test_an_answer_without_address_knows_its_page_but_not_the_next_one() -> None:
    chunk = read("", answer("game-p1"))
    assert (chunk.page, chunk.pages, chunk.posts_total, chunk.following) == (1, 2, 11, None)


def test_posts_of_guests_and_of_other_servers_are_read() -> None:
    said = answer("game-p1")
    guest, remote = said["posts"][1:3]
    guest |= {"uid": 0, "user": {"uid": 0, "username": "[[global:former-user]]"}}
    there = "https://b.example/notes/7?x=1"
    remote |= {"pid": there, "uid": "https://b.example/users/bob"}
    posts = read("https://a.example/api/topic/88", said).posts
    assert (posts[1].author, posts[1].author_id) == ("former-user", None)
    assert (posts[2].id, posts[2].author_id) == (there, "https://b.example/users/bob")
    assert posts[2].url == "https://a.example/post/https%3A%2F%2Fb.example%2Fnotes%2F7%3Fx%3D1"


@pytest.mark.parametrize("label", ["[[topic:oldest_to_newest]]", "Vanhin ensin", None])
def test_older_boards_name_the_usual_order_otherwise(label: str | None) -> None:
    said = answer("game-p1")
    del said["sortOption"]
    said["sortOptionLabel"] = label
    assert len(read("https://a.example/api/topic/88", said).posts) == 6


def test_a_guest_who_may_not_read_is_asked_to_log_in() -> None:
    refused = Response("https://a.example/api/topic/88?sort=oldest_to_newest", 401, '"not-authorized"')
    with pytest.raises(LoginRequired):
        read_chunk(refused, "The page", NOW)
