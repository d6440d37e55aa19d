"""What every platform must do, over its own pages in fixtures/forums/<platform>.

A page `name.html`, `name.json`, `name.xml` or `name.txt` stands beside `name.expected.json`: url, status,
title, page, pages, posts_total, following and posts; or error and says. Pages called `game-…` make one thread
of at least two pages; `game.tally.json` says what its votes add up to, and `one_page` where the platform
serves a whole thread in one answer.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall import errors
from knightfall.forums import FORUMS, forum_of
from knightfall.forums.base import Chunk, Forum, Response
from knightfall.forums.sites import site_of
from knightfall.models import Thread
from knightfall.services.threads import habits_of
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import votecount

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SUFFIX = ".expected.json"
BY_NAME = {forum.name: forum for forum in FORUMS}
EXPECTED = {
    f"{file.parent.name}/{file.name.removesuffix(SUFFIX)}": json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(FIXTURES.glob(f"*/*{SUFFIX}"))
}
PAGES = [name for name, expected in EXPECTED.items() if "posts" in expected]
REFUSALS = [name for name, expected in EXPECTED.items() if "error" in expected]
GAMES = sorted(file.parent.name for file in FIXTURES.glob("*/game.tally.json"))


def page(name: str) -> Response:
    expected = EXPECTED[name]
    [file] = [
        FIXTURES / f"{name}{end}"
        for end in (".html", ".json", ".xml", ".txt")
        if (FIXTURES / f"{name}{end}").exists()
    ]
    return Response(expected["url"], expected.get("status", 200), file.read_text(encoding="utf-8"))


def adapter(name: str) -> Forum:
    forum = forum_of(page(name))
    assert forum is BY_NAME[name.partition("/")[0]]
    return forum


def read(name: str) -> Chunk:
    return adapter(name).read(page(name), site_of(EXPECTED[name]["url"]), NOW)


def told(chunk: Chunk) -> list[dict[str, Any]]:
    return [
        {
            "id": post.id,
            "number": post.number,
            "author": post.author,
            "author_id": post.author_id,
            "time": post.time and post.time.isoformat(),
            "approximate": post.approximate,
            "url": post.url,
            "edited": post.edited and post.edited.isoformat(),
            "edit_note": post.edit_note,
            "hidden": post.hidden,
            "body": post.body,
        }
        for post in chunk.posts
    ]


@pytest.mark.parametrize("name", PAGES)
def test_each_post_is_read_as_it_stands_on_the_page(name: str) -> None:
    assert told(read(name)) == EXPECTED[name]["posts"]


@pytest.mark.parametrize("name", PAGES)
def test_title_and_place_in_the_thread_are_read(name: str) -> None:
    chunk, expected = read(name), EXPECTED[name]
    following = chunk.following.url if chunk.following else None
    assert (chunk.title, chunk.page, chunk.pages) == (expected["title"], expected["page"], expected["pages"])
    assert (chunk.posts_total, following) == (expected["posts_total"], expected["following"])


@pytest.mark.few(40)
@pytest.mark.parametrize("name", REFUSALS)
def test_a_page_without_posts_says_why(name: str) -> None:
    expected = EXPECTED[name]
    with pytest.raises(getattr(errors, expected["error"])) as caught:
        read(name)
    assert type(caught.value).__name__ == expected["error"]
    assert expected["says"] in str(caught.value)


@pytest.mark.few(10)
@pytest.mark.parametrize("platform", GAMES)
def test_the_votes_of_the_platforms_game_add_up(platform: str) -> None:
    expected = json.loads((FIXTURES / platform / "game.tally.json").read_text(encoding="utf-8"))
    names = [name for name in PAGES if name.startswith(f"{platform}/game-")]
    chunks = [read(name) for name in names]
    assert (len(chunks) == 1) is expected.get("one_page", False)
    assert all(chunk.following for chunk in chunks[:-1])
    assert chunks[-1].following is None
    posts = tuple(post for chunk in chunks for post in chunk.posts)
    assert len({post.id for post in posts}) == len(posts)
    thread = Thread(platform, chunks[0].title, posts, len(chunks), EXPECTED[names[0]]["url"])
    site = replace(site_of(""), forms=tuple(expected.get("forms", ())))
    count = votecount(thread, habits_of(thread, site), CountConfig(), Ask(), NOW)
    wagons = {
        wagon.target.name if wagon.target else "": [vote.voter.name for vote in wagon.votes]
        for wagon in count.tally.wagons
    }
    assert wagons == expected["wagons"]
    assert [slot.name for slot in count.tally.not_voting] == expected["not_voting"]


def test_a_page_that_is_no_forum_is_not_recognised() -> None:
    text = (FIXTURES / "none" / "garden.html").read_text(encoding="utf-8")
    assert forum_of(Response("https://garden.example/", 200, text)) is None


@pytest.mark.parametrize("forum", FORUMS, ids=lambda forum: forum.name)
def test_every_platform_has_pages_of_its_own(forum: Forum) -> None:
    assert any(name.startswith(f"{forum.name}/") for name in PAGES)
