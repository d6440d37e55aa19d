"""Addresses of vBulletin boards, and what their pages tell beside their posts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.errors import PastTheEnd
from knightfall.forums.base import Forum, Request, Response, Site
from knightfall.forums.vbulletin import VBULLETIN3, VBULLETIN4, VBULLETIN5
from knightfall.markup.html import plain_text

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
OLDER = pytest.mark.parametrize("forum", [VBULLETIN3, VBULLETIN4], ids=lambda forum: forum.name)


def text_of(name: str) -> str:
    return (FIXTURES / f"{name}.html").read_text(encoding="utf-8")


LOCATED = [
    ("https://a.example/showthread.php?t=12", "https://a.example/", "12", 0),
    ("https://a.example/f/showthread.php?t=12&page=3", "https://a.example/f/", "12", 3),
    (
        "https://a.example/f/showthread.php?s=0123456789abcdef&t=12&amp;page=3",
        "https://a.example/f/",
        "12",
        3,
    ),
    ("https://a.example/showthread.php?p=99#post99", "https://a.example/", "p99", 0),
    ("https://a.example/showpost.php?p=99&postcount=7", "https://a.example/", "p99", 0),
    ("https://a.example/showthread.php?t=12&p=99", "https://a.example/", "12", 0),
    ("https://a.example/showthread.php?12-Salt-Harbour/page3", "https://a.example/", "12", 3),
    (
        "https://a.example/showthread.php?12-Salt-Harbour&p=99&viewfull=1#post99",
        "https://a.example/",
        "12",
        0,
    ),
    ("https://a.example/showthread.php/12-Salt-Harbour/page3?p=99", "https://a.example/", "12", 3),
    ("https://a.example/f/threads/12-Salt-Harbour/page3", "https://a.example/f/", "12", 3),
    ("https://a.example/f/archive/index.php/t-12.html", "https://a.example/f/", "12", 0),
    ("https://a.example/archive/index.php?t-12-p-3.html", "https://a.example/", "12", 3),
]


@OLDER
@pytest.mark.parametrize(("url", "root", "thread", "start"), LOCATED)
def test_links_to_a_thread_are_located(forum: Forum, url: str, root: str, thread: str, start: int) -> None:
    ref = forum.locate(url)
    assert ref is not None
    assert (ref.platform, ref.root, ref.id, ref.start) == (forum.name, root, thread, start)


@OLDER
@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/forumdisplay.php?f=3",
        "https://a.example/showthread.php?tid=12",
        "https://a.example/showthread.php?threadid=12",
        "https://a.example/showthread.php",
        "https://a.example/threads/salt-harbour.12/",
        "https://a.example/viewtopic.php?t=12",
        "showthread.php?t=12",
    ],
)
def test_other_links_are_not_located(forum: Forum, url: str) -> None:
    assert forum.locate(url) is None


@OLDER
def test_reading_begins_at_the_first_page(forum: Forum) -> None:
    ref = forum.locate("https://a.example/f/showthread.php?12-Salt-Harbour/page3")
    assert ref is not None
    assert forum.start(ref) == forum.start(ref, 50) == Request("https://a.example/f/showthread.php?t=12")


@OLDER
def test_a_link_to_a_post_is_followed_to_see_its_thread(forum: Forum) -> None:
    ref = forum.locate("https://a.example/showpost.php?p=99")
    assert ref is not None
    assert forum.start(ref) == Request("https://a.example/showthread.php?p=99")


@pytest.mark.parametrize(
    ("url", "root", "start"),
    [
        ("https://a.example/forum/games/12-salt-harbour", "https://a.example/forum/games/", 0),
        (
            "https://a.example/forum/games/mafia/12-salt-harbour/page3",
            "https://a.example/forum/games/mafia/",
            3,
        ),
        ("https://a.example/forum/games/12-salt-harbour?p=99#post99", "https://a.example/forum/games/", 0),
    ],
)
def test_links_to_a_topic_of_vbulletin_5_are_located(url: str, root: str, start: int) -> None:
    ref = VBULLETIN5.locate(url)
    assert ref is not None
    assert (ref.root, ref.id, ref.start) == (root, "12", start)
    assert VBULLETIN5.start(ref) == Request(f"{root}12")


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/forum/games",
        "https://a.example/forum/topic/12-salt-harbour/",
        "https://a.example/forum/threads/12-salt-harbour/page3",
        "https://a.example/news/12-salt-harbour",
        "https://a.example/forum/threads/salt-harbour.12/",
    ],
)
def test_links_of_other_boards_are_not_located_by_vbulletin_5(url: str) -> None:
    assert VBULLETIN5.locate(url) is None


@OLDER
def test_a_page_does_not_send_us_to_another_server(forum: Forum) -> None:
    page = Response("https://a.example/showthread.php?t=151", 200, text_of(f"{forum.name}/game-p1"))
    moved = page.text.replace(
        '<a rel="next" class="smallfont" href="', '<a rel="next" href="https://b.example/'
    )
    moved = moved.replace(
        '<a rel="next" href="showthread', '<a rel="next" href="https://b.example/showthread'
    )
    following = forum.read(Response(page.url, 200, moved), Site(), NOW).following
    assert following == Request("https://a.example/showthread.php?t=151&page=2")


def test_an_indent_is_the_authors_own_word() -> None:
    post = VBULLETIN3.read(Response("", 200, text_of("vbulletin3/short")), Site(), NOW).posts[0]
    assert ">" not in plain_text(post.body, VBULLETIN3.html_style)


def test_names_with_digits_do_not_disturb_the_time_of_an_edit() -> None:
    text = text_of("vbulletin3/game-p1").replace(
        "Last edited by 日本太郎;", "Last edited by 12-11-10, 10:10 PM;"
    )
    edited = VBULLETIN3.read(Response("", 200, text), Site(), NOW).posts[3].edited
    assert edited == datetime(2026, 11, 19, 20, 55, tzinfo=UTC)


def test_without_a_zone_at_the_foot_the_sites_zone_is_taken() -> None:
    text = text_of("vbulletin3/short").replace("All times are GMT -5.", "")
    post = VBULLETIN3.read(Response("", 200, text), Site(timezone="Asia/Tokyo"), NOW).posts[0]
    assert post.time == datetime(2026, 11, 1, 1, 0, tzinfo=UTC)


def archive(url: str, here: int) -> Response:
    listed = text_of("vbulletin3/archive")
    if here == 2:
        listed = listed.replace("[<b>1</b>]", '<a href="t-152.html">1</a>').replace(
            '<a href="http://flour.example/archive/index.php/t-152-p-2.html">2</a>', "[<b>2</b>]"
        )
    return Response(url, 200, listed)


def test_the_archive_says_that_bold_and_quotes_are_not_told() -> None:
    page = archive("http://flour.example/archive/index.php/t-152.html", 1)
    [missing] = VBULLETIN3.read(page, Site(), NOW).missing
    assert "without bold and without the frames of quotes" in missing


def test_posts_of_the_archive_are_numbered_by_their_place() -> None:
    page = archive("http://flour.example/archive/index.php/t-152-p-2.html", 2)
    usual, told = (VBULLETIN3.read(page, Site(posts_per_page=size), NOW) for size in (None, 40))
    assert [post.number for post in usual.posts] == [251, 252]
    assert [post.number for post in told.posts] == [41, 42]
    assert (usual.page, usual.pages, usual.following) == (2, 2, None)


def test_behind_the_end_of_the_archive_the_first_page_is_shown() -> None:
    page = archive("http://flour.example/archive/index.php/t-152-p-9.html", 1)
    with pytest.raises(PastTheEnd, match="2 pages"):
        VBULLETIN3.read(page, Site(), NOW)
