"""What the table of pages cannot say of Cobalt boards: their addresses."""

from __future__ import annotations

import pytest

from knightfall.forums import located
from knightfall.forums.base import ThreadRef
from knightfall.forums.mtgsalvation import MTGSALVATION

ROOT = "http://a.example/forums/forum-games/mafia/"


@pytest.mark.parametrize(
    ("url", "page"),
    [
        (f"{ROOT}762-salt-harbour", 1),
        (f"{ROOT}762-salt-harbour?page=3", 3),
        (f"{ROOT}762-salt-harbour?comment=77", 1),
        (f"{ROOT}762-salt-harbour/?page=2#c51", 2),
    ],
)
def test_links_to_a_thread_are_located(url: str, page: int) -> None:
    assert MTGSALVATION.locate(url) == ThreadRef("mtgsalvation", ROOT, "762-salt-harbour", page)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/forums/forum-games/mafia",
        "http://a.example/members/61449-wren",
        "http://a.example/forums/topic/762-salt-harbour/",
        "http://a.example/forums/showthread.php/762-salt-harbour",
        "http://a.example/forums/threads/salt-harbour.762/",
        "/forums/forum-games/mafia/762-salt-harbour",
    ],
)
def test_other_links_are_not_located(url: str) -> None:
    assert MTGSALVATION.locate(url) is None


@pytest.mark.parametrize(("since", "page"), [(1, ""), (50, ""), (51, "?page=2")])
def test_a_page_holds_fifty_posts(since: int, page: str) -> None:
    ref = ThreadRef("mtgsalvation", ROOT, "762-salt-harbour")
    assert MTGSALVATION.start(ref, since).url == f"{ROOT}762-salt-harbour{page}"


def test_a_known_site_tells_its_platform_where_addresses_of_others_look_alike() -> None:
    found = located("https://www.mtgsalvation.com/forums/forum-games/mafia/762-salt-harbour")
    assert found is not None
    assert found[0] is MTGSALVATION
