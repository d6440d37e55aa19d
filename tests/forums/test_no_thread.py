"""A page that shows no thread is named for what it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.errors import AccessDenied, KnightfallError, LoginRequired, NotAForum, SiteRefused
from knightfall.forums.base import Response
from knightfall.forums.no_thread import refuse_challenge
from knightfall.forums.pages import read_chunk
from knightfall.sentence import ways_of

WALLS = Path(__file__).parents[2] / "fixtures" / "walls"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
URL = "https://pier.example/viewtopic.php?t=7"


def said(page: Response) -> KnightfallError:
    with pytest.raises(KnightfallError) as caught:
        read_chunk(page, page.url or "page.html", NOW)
    return caught.value


def wall(name: str, url: str = URL) -> Response:
    return Response(url, 200, (WALLS / f"{name}.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("cloudflare", AccessDenied, "asks for a human check"),
        ("age", AccessDenied, "asks how old you are"),
        ("consent", AccessDenied, "asks whether it may set cookies"),
        ("closed-phpbb", SiteRefused, 'It says: "Sorry but this board is currently unavailable'),
        ("closed-smf", SiteRefused, "the board is closed"),
        ("index-phpbb", NotAForum, "is the index of the board"),
        ("topics-mybb", NotAForum, "is a list of topics"),
        ("profile-phpbb", NotAForum, "is the profile of a member"),
        ("search-xenforo", NotAForum, "is a page to search on"),
        ("login-phpbb", LoginRequired, "shows a login form"),
    ],
)
@pytest.mark.parametrize("url", [True, False])
def test_a_wall_says_what_it_is_and_what_to_do(
    name: str, error: type[KnightfallError], says: str, url: bool
) -> None:
    addresses = {
        "index-phpbb": "https://pier.example/index.php",
        "topics-mybb": "https://pier.example/forumdisplay.php?fid=4",
        "profile-phpbb": "https://pier.example/memberlist.php?mode=viewprofile&u=3",
        "search-xenforo": "https://pier.example/search/12/?q=wren",
        "login-phpbb": "https://pier.example/ucp.php?mode=login",
    }
    fault = said(wall(name, url=addresses.get(name, URL) if url else ""))
    assert type(fault) is error
    assert says in str(fault)
    assert ways_of(fault.message)


def test_an_index_says_what_a_threads_address_looks_like_there() -> None:
    fault = said(wall("index-phpbb", url="https://pier.example/index.php"))
    assert "on this board it looks like https://pier.example/viewtopic.php?t=123" in str(fault)


def test_a_login_form_tells_stale_cookies_from_those_of_another_host() -> None:
    bare = wall("login-phpbb")
    none = str(said(bare))
    stale = str(said(replace(bare, private=True)))
    foreign = str(said(replace(bare, foreign_login=True)))
    assert "Lend your login" in none
    assert "did not log you in" in stale
    assert "expired" in stale
    assert "none of your cookies is for pier.example" in foreign


def test_a_cloudflare_page_with_503_is_a_human_check() -> None:
    text = (WALLS / "cloudflare.html").read_text(encoding="utf-8")
    with pytest.raises(AccessDenied, match="human check"):
        refuse_challenge(URL, 503, {}, text)


@pytest.mark.parametrize("platform", ["invision4", "nodebb", "smf", "vanilla", "xenforo2"])
def test_the_index_of_a_platform_is_named(platform: str) -> None:
    text = (FIXTURES / platform / "index-page.html").read_text(encoding="utf-8")
    assert "give its address" in str(said(Response("https://pier.example/", 200, text)))
