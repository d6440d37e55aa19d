"""From the address that a moderator pastes to the answers of the forum's API, page after page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fetch.loopback import StillClock
from knightfall.fetch.reader import Reader, canonical_address, read_pages
from knightfall.forums import located
from knightfall.forums.base import Request, Response

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"


@dataclass
class Canned:
    """A forum that has these pages only; it keeps what was asked for, and how."""

    pages: Mapping[str, Response]
    asked: list[tuple[str, str]] = field(default_factory=list)

    def get(self, request: Request) -> Response:
        return self._answer("get", request)

    def follow(self, request: Request) -> Response:
        return self._answer("follow", request)

    def _answer(self, how: str, request: Request) -> Response:
        self.asked.append((how, request.url))
        return self.pages[request.url]


def fixture(name: str, url: str | None = None) -> tuple[str, Response]:
    """A page of the fixtures at its own address or another one."""
    expected = json.loads((FIXTURES / f"{name}.expected.json").read_text(encoding="utf-8"))
    [file] = [file for file in FIXTURES.glob(f"{name}.*") if not file.name.endswith("expected.json")]
    address = url or expected["url"]
    return address, Response(address, expected["status"], file.read_text(encoding="utf-8"))


def seen(platform: str, pasted: str) -> list[tuple[str, Response]]:
    """What a browser would see there, where the link alone does not tell the platform."""
    return [fixture("nodebb/page", pasted)] if platform == "nodebb" else []


def reader(pages: dict[str, Response]) -> tuple[Canned, Reader]:
    canned = Canned(pages)
    return canned, Reader(canned, StillClock())


COVE, PIER, KETTLE = "https://cove.example/", "https://pier.example/forum/", "https://kettle.example/"
BURROW, MEEPLE = "https://www.burrow.example/", "https://meeple.example/"
ADDRESSES = {
    "discourse": COVE + "t/412.json",
    "nodebb": PIER + "api/topic/88?sort=oldest_to_newest",
    "flarum": KETTLE + "api/discussions/77?page%5Blimit%5D=50",
}
PASTED = [
    (COVE + "t/salt-harbour/412", ADDRESSES["discourse"]),
    (COVE + "t/salt-harbour/412/12", ADDRESSES["discourse"]),
    (COVE + "t/412/12?u=wren", ADDRESSES["discourse"]),
    (KETTLE + "d/77-salt-harbour", ADDRESSES["flarum"]),
    (KETTLE + "d/77-salt-harbour/9", ADDRESSES["flarum"]),
    (
        BURROW + "r/saltgames/comments/1k2abc/game_salt_harbour_sons/m7/?context=3",
        BURROW + "comments/1k2abc.json?limit=500&sort=old&raw_json=1",
    ),
]


@pytest.mark.parametrize(("pasted", "api"), PASTED)
def test_a_pasted_link_leads_to_the_api_without_asking_the_forum(pasted: str, api: str) -> None:
    canned, world = reader({})
    assert canonical_address(pasted, world) == api
    assert canonical_address(api, world) == api
    assert canned.asked == []


def test_a_link_to_a_thread_of_boardgamegeek_leads_to_its_xml() -> None:
    found = located("https://boardgamegeek.com/thread/620/salt-harbour/page/2")
    assert found is not None
    forum, ref = found
    assert forum.start(ref).url == "https://boardgamegeek.com/xmlapi2/thread?id=620&count=1000"


@pytest.mark.parametrize(
    ("platform", "pasted", "numbers"),
    [
        ("discourse", COVE + "t/salt-harbour/412/9", [1, 2, 3, 4, 5, 7, 8, 9, 10, 11]),
        ("nodebb", PIER + "topic/88/salt-harbour-sons/9", list(range(1, 12))),
        ("flarum", KETTLE + "d/77-salt-harbour/9", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]),
    ],
)
def test_all_pages_behind_a_pasted_link_are_read(platform: str, pasted: str, numbers: list[int]) -> None:
    api = ADDRESSES[platform]
    first, second = fixture(f"{platform}/game-p1", api), fixture(f"{platform}/game-p2")
    canned, world = reader(dict([first, second, *seen(platform, pasted)]))
    thread = canonical_address(pasted, world)
    canned.asked.clear()
    pages = list(read_pages(thread, world))
    assert [post.number for page in pages for post in page.chunk.posts] == numbers
    assert canned.asked == [("get", api), ("follow", second[0])]


def test_later_articles_of_boardgamegeek_are_asked_for_by_their_ids() -> None:
    first, second = fixture("bgg/game-p1"), fixture("bgg/game-p2")
    canned, world = reader(dict([first, second]))
    pages = list(read_pages(first[0], world))
    assert [post.number for page in pages for post in page.chunk.posts] == list(range(1, 11))
    assert canned.asked == [("get", first[0]), ("follow", second[0])]


def test_a_thread_of_reddit_is_one_answer() -> None:
    address, answer = fixture("reddit/game-p1")
    canned, world = reader({address: answer})
    [page] = read_pages(address, world)
    assert len(page.chunk.posts) == 10
    assert canned.asked == [("get", address)]


PAGES = ["88/salt-harbour-sons", "88/salt-harbour-sons/7?page=2", "88"]


@pytest.mark.parametrize("topic", PAGES)
def test_a_link_that_several_platforms_could_have_written_leads_to_the_api_too(topic: str) -> None:
    pasted = f"{PIER}topic/{topic}"
    _, world = reader(dict(seen("nodebb", pasted)))
    assert canonical_address(pasted, world) == ADDRESSES["nodebb"]


SEEN = [
    ("discourse/crawler", COVE + "t/salt-harbour", ADDRESSES["discourse"]),
    ("nodebb/page", PIER + "post/904", ADDRESSES["nodebb"]),
    ("flarum/page", KETTLE + "d/salt-harbour", ADDRESSES["flarum"]),
]


@pytest.mark.parametrize(("name", "pasted", "api"), SEEN)
def test_a_link_that_tells_no_topic_is_followed_to_the_page_that_does(
    name: str, pasted: str, api: str
) -> None:
    _, page = fixture(name)
    canned, world = reader({pasted: page})
    assert canonical_address(pasted, world) == api
    assert canned.asked == [("get", pasted)]
