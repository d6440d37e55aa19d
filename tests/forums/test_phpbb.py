"""Pages of phpBB and the posts that stand on them: a table over fixtures/forums/phpbb."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall.forums import forum_of
from knightfall.forums.base import Chunk, Request, Response
from knightfall.forums.phpbb import PHPBB
from knightfall.forums.sites import site_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
EXPECTED = {
    file.name.removesuffix(".expected.json"): json.loads(file.read_text(encoding="utf-8"))
    for file in (FIXTURES / "phpbb").glob("*.expected.json")
}
PAGES = sorted(name for name, expected in EXPECTED.items() if "posts" in expected)


def page(name: str, **changes: Any) -> Response:
    expected = EXPECTED[name]
    text = (FIXTURES / "phpbb" / f"{name}.html").read_text(encoding="utf-8")
    return Response(changes.get("url", expected["url"]), expected.get("status", 200), text)


def read(response: Response) -> Chunk:
    forum = forum_of(response)
    assert forum is PHPBB
    return forum.read(response, site_of(response.url), NOW)


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


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"print-view"}))
def test_a_saved_page_needs_no_address(name: str) -> None:
    with_address, without = told(read(page(name))), told(read(page(name, url="")))
    if name == "mafiascum":
        assert [post["number"] for post in without] == [0, 1, 2]
    stripped = [post | {"url": None} for post in with_address]
    assert without == stripped


def test_the_opening_post_is_number_0_on_mafiascum_even_where_no_numbers_are_shown() -> None:
    shown = page("mafiascum")
    plain = Response(shown.url, 200, shown.text.replace("post-number-bolded", "x").replace(">#", ">"))
    assert [post.number for post in read(plain).posts] == [0, 1, 2]


def test_a_page_that_begins_at_an_odd_offset_counts_from_there() -> None:
    shown = page("prosilver-33-last-page")
    odd = shown.text.replace("t=8&amp;start=25", "t=8&amp;start=13").replace("29 posts", "17 posts")
    chunk = read(Response("http://tide.example/viewtopic.php?t=8&start=13", 200, odd))
    assert [post.number for post in chunk.posts] == [14, 15, 16, 17]


@pytest.mark.parametrize("name", ["mafiascum", "prosilver-32-german", "prosilver-33"])
def test_a_copy_out_of_a_narrow_window_keeps_authors_and_times(name: str) -> None:
    wide = page(name)
    narrow = re.sub(r'<span class="responsive-hide">.*?</span>(?=<time|\w)', "", wide.text)
    assert narrow.count("responsive-hide") == 0
    assert told(read(Response(wide.url, 200, narrow))) == told(read(wide))


LOCATED = [
    ("https://a.example/viewtopic.php?t=12", "https://a.example/", "12", 0),
    ("https://a.example/forum/viewtopic.php?f=3&t=12&start=50", "https://a.example/forum/", "12", 50),
    ("https://a.example/viewtopic.php?f=3&amp;t=12&amp;start=25", "https://a.example/", "12", 25),
    ("https://a.example/viewtopic.php?p=733#p733", "https://a.example/", "p733", 0),
    ("https://a.example/viewtopic.php?f=2&p=733&t=5#p733", "https://a.example/", "5", 0),
    ("https://a.example/viewtopic.php?t=12&view=unread#unread", "https://a.example/", "12", 0),
    (
        "https://a.example/viewtopic.php?t=12&sid=0123456789abcdef0123456789abcdef",
        "https://a.example/",
        "12",
        0,
    ),
    ("https://a.example/viewtopic0007.html?f=3&t=6044&start=60", "https://a.example/", "6044", 60),
    ("https://a.example/games/salt-harbour-t90010-25.html", "https://a.example/games/", "90010", 25),
    ("https://a.example/topic90010.html", "https://a.example/", "90010", 0),
]


@pytest.mark.parametrize(("url", "root", "topic", "start"), LOCATED)
def test_links_to_a_topic_are_located(url: str, root: str, topic: str, start: int) -> None:
    ref = PHPBB.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == ("phpbb", root, topic, start)


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/viewforum.php?f=3",
        "https://a.example/viewtopic.php",
        "https://a.example/viewtopic.php?t=abc",
        "https://a.example/index.php?topic=12.0",
        "https://a.example/threads/salt-harbour.12/",
        "https://a.example/showthread.php?t=12",
        "viewtopic.php?t=12",
        "ftp://a.example/viewtopic.php?t=12",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert PHPBB.locate(url) is None


def test_reading_begins_at_the_post_asked_for() -> None:
    ref = PHPBB.locate("https://a.example/f/viewtopic.php?f=1&t=12&start=75&sid=abc")
    assert ref is not None
    assert PHPBB.start(ref) == Request("https://a.example/f/viewtopic.php?t=12")
    assert PHPBB.start(ref, 26) == Request("https://a.example/f/viewtopic.php?t=12&start=25")
