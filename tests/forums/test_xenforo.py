"""Addresses of XenForo boards, and what their pages tell beside their posts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.forums.base import Forum, Request, Response, Site
from knightfall.forums.xenforo import XENFORO1, XENFORO2

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BOTH = pytest.mark.parametrize("forum", [XENFORO1, XENFORO2], ids=lambda forum: forum.name)

LOCATED = [
    ("https://a.example/threads/salt-harbour.12/", "https://a.example/", "12", 0),
    ("https://a.example/forum/threads/salt-harbour.12/page-3", "https://a.example/forum/", "12", 3),
    ("https://a.example/threads/12/", "https://a.example/", "12", 0),
    ("https://a.example/threads/12", "https://a.example/", "12", 0),
    ("https://a.example/threads/v1.2-is-out.345/page-2#post-99", "https://a.example/", "345", 2),
    ("https://a.example/threads/salt-harbour.12/post-99", "https://a.example/", "12", 0),
    ("https://a.example/threads/salt.12/?order=post_date", "https://a.example/", "12", 0),
    ("https://a.example/threads/can%C2%B4t-open.899/unread", "https://a.example/", "899", 0),
    ("https://a.example/index.php?threads/salt.12/page-4", "https://a.example/index.php?", "12", 4),
    ("https://a.example/posts/99/", "https://a.example/", "p99", 0),
    ("https://a.example/goto/post?id=99", "https://a.example/", "p99", 0),
]


@BOTH
@pytest.mark.parametrize(("url", "root", "thread", "start"), LOCATED)
def test_links_to_a_thread_are_located(forum: Forum, url: str, root: str, thread: str, start: int) -> None:
    ref = forum.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == (forum.name, root, thread, start)


@BOTH
@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/forums/games.7/",
        "https://a.example/threads/",
        "https://a.example/threads/9687-salt-harbour/page2",
        "https://a.example/viewtopic.php?t=12",
        "https://a.example/showthread.php?t=12",
        "https://a.example/members/quill.12/",
        "threads/salt-harbour.12/",
        "ftp://a.example/threads/salt-harbour.12/",
    ],
)
def test_other_links_are_not_located(forum: Forum, url: str) -> None:
    assert forum.locate(url) is None


@BOTH
def test_reading_begins_at_the_first_page(forum: Forum) -> None:
    ref = forum.locate("https://a.example/f/threads/salt-harbour.12/page-3")
    assert ref is not None
    assert forum.start(ref) == forum.start(ref, 50) == Request("https://a.example/f/threads/12/")


@BOTH
def test_a_link_to_a_post_is_followed_to_see_its_thread(forum: Forum) -> None:
    ref = forum.locate("https://a.example/index.php?posts/99/")
    assert ref is not None
    assert forum.start(ref) == Request("https://a.example/index.php?posts/99/")


def read(forum: Forum, text: str, url: str) -> tuple[str | None, str | None]:
    chunk = forum.read(Response(url, 200, text), Site(), NOW)
    following = chunk.following.url if chunk.following else None
    return following, chunk.thread.root if chunk.thread else None


def test_a_page_does_not_send_us_to_another_server() -> None:
    text = (FIXTURES / "xenforo2" / "game-p1.html").read_text(encoding="utf-8")
    moved = text.replace('href="/community/threads', 'href="https://elsewhere.example/threads')
    following, root = read(XENFORO2, moved, "https://bakery.example/community/threads/x.151/")
    assert following == "https://bakery.example/community/threads/151/page-2"
    assert root == "https://bakery.example/community/"


def test_a_thread_whose_route_is_renamed_is_known_by_its_key() -> None:
    text = (FIXTURES / "xenforo2" / "game-p1.html").read_text(encoding="utf-8")
    renamed = text.replace("/threads/", "/spiele/")
    chunk = XENFORO2.read(
        Response("https://bakery.example/community/spiele/x.151/", 200, renamed), Site(), NOW
    )
    assert chunk.thread is not None
    assert (chunk.thread.root, chunk.thread.id) == ("https://bakery.example/community/", "151")
    assert chunk.following is not None
    assert chunk.following.url.endswith("/spiele/the-lantern-street-bakery-day-1.151/page-2")


def test_a_post_nested_in_another_by_a_broken_theme_keeps_its_own_parts() -> None:
    text = (FIXTURES / "xenforo2" / "game-p1.html").read_text(encoding="utf-8")
    broken = text.replace('</article>\n<article class="message ', '\n<article class="message ')
    url = "https://bakery.example/community/threads/x.151/"
    posts = XENFORO2.read(Response(url, 200, broken), Site(), NOW).posts
    whole = XENFORO2.read(Response(url, 200, text), Site(), NOW).posts
    assert [(post.number, post.body, post.edit_note) for post in posts] == [
        (post.number, post.body, post.edit_note) for post in whole
    ]


def test_numbers_may_be_hidden_by_a_theme() -> None:
    text = (FIXTURES / "xenforo2" / "game-p2.html").read_text(encoding="utf-8")
    plain = text.replace("\n#", "\n")
    url = "https://bakery.example/community/threads/x.151/page-2"
    posts = XENFORO2.read(Response(url, 200, plain), Site(posts_per_page=6), NOW).posts
    assert [post.number for post in posts] == [7, 8, 9, 10, 11]


def test_where_a_page_has_no_exact_time_the_sites_zone_is_taken() -> None:
    text = (FIXTURES / "xenforo1" / "deep-page.html").read_text(encoding="utf-8")
    site = Site(timezone="Europe/Berlin")
    times = [post.time for post in XENFORO1.read(Response("", 200, text), site, NOW).posts]
    assert times[0] == datetime(2014, 10, 30, 21, 48, tzinfo=UTC)
