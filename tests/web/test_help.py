"""The manual on the page: its pages, their links, a search, and where an error leads."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from knightfall.services import manual
from knightfall.web import help_pages
from web.hands import FormHand, form_hand
from web.served import served
from web.test_pages import begun

NAMES = [one.name for one in manual.topics()]


@pytest.fixture
def hand(tmp_path: Path) -> FormHand:
    return form_hand(served(tmp_path))


def test_the_frame_of_every_page_leads_to_the_manual(hand: FormHand, tmp_path: Path) -> None:
    begun("knight_errant", tmp_path / "harbour")
    for path in ("/", "/games/harbour", "/nowhere"):
        hand.go(path)
        hand.press("Help")
        assert hand.path.partition("?")[0] == "/help"
    assert all(one.sentence in hand.text for one in manual.topics())


@pytest.mark.few(3)
@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_shown_and_its_links_lead_somewhere(hand: FormHand, name: str) -> None:
    hand.go(f"/help/{name}")
    assert hand.status == 200
    [article] = hand.tree.xpath("//article")
    assert article.xpath(".//h1/text()")
    ids = set(article.xpath(".//@id"))
    assert {one.anchor for one in manual.page(name).sections} <= ids
    for to in (urlsplit(one) for one in article.xpath(".//a/@href")):
        if to.scheme:
            assert to.scheme == "https"
            continue
        if not to.path:
            assert to.fragment in ids
            continue
        folder, page = to.path.rsplit("/", 1)
        assert folder == "/help"
        assert page in (*NAMES, manual.INDEX)
        assert not to.fragment or to.fragment in {one.anchor for one in manual.page(page).sections}


def test_a_page_needs_no_script_and_no_style_of_its_own(hand: FormHand) -> None:
    hand.go("/help/page")
    assert not hand.tree.xpath("//main//script | //main//style | //main//@style | //main//@onclick")


def test_words_are_searched_for(hand: FormHand) -> None:
    hand.go("/help")
    hand.press("Search", {"What is it about?": "it is the deadline"})
    found = hand.tree.xpath("//section[@aria-labelledby='found']//a/@href")
    assert "/help/running-a-game#days-and-deadlines" in found
    hand.press("Search", {"What is it about?": "<xqzt>"})
    assert "The manual says nothing about “<xqzt>”." in hand.text


def test_a_page_that_is_not_there_is_searched_for(hand: FormHand) -> None:
    hand.go("/help/deadline")
    assert hand.status == 404
    assert "/help/running-a-game#days-and-deadlines" in hand.tree.xpath("//main//a/@href")
    hand.go("/help/forums.md")
    assert hand.status == 200


@pytest.mark.parametrize(
    "path", ["../style.css", "index.md", "images/none.png", "images/..%2Findex.md", "images/x.txt"]
)
def test_nothing_but_pictures_of_the_manual_is_served_beside_its_pages(hand: FormHand, path: str) -> None:
    assert hand.client.get(f"/help/images/{path.rpartition('/')[2]}").status_code == 404


def test_a_picture_is_shown_where_the_package_has_it_else_its_words(
    hand: FormHand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "manual"
    (pages / "images").mkdir(parents=True)
    (pages / "index.md").write_text("# Manual\n\n* [Quay](quay.md) is one.\n", encoding="utf-8")
    text = (
        "# Quay\n\n![A boat](images/boat.svg) ![A crane](images/crane.svg) ![Far](https://a.example/b.png)\n"
    )
    (pages / "quay.md").write_text(f"{text}<b>loud</b>\n", encoding="utf-8")
    (pages / "images" / "boat.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    monkeypatch.setattr(manual, "MANUAL", pages)
    caches = (manual.topics, manual.page, help_pages.html_of)
    for one in caches:
        one.cache_clear()
    try:
        hand.go("/help/quay")
        assert hand.tree.xpath("//article//img/@src") == ["/help/images/boat.svg"]
        assert "A crane Far <b>loud</b>" in hand.text
        answer = hand.client.get("/help/images/boat.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    finally:
        for one in caches:
            one.cache_clear()


def test_an_error_leads_to_its_section(hand: FormHand, tmp_path: Path) -> None:
    begun("knight_errant", tmp_path / "harbour")
    hand.go("/games/harbour/log/99/undo")
    to = hand.tree.xpath("//main//a[starts-with(@href, '/help/')]/@href")
    assert to == ["/help/symptoms"]
    hand.go("/")
    hand.press("Go on", {"Address of the thread": "nonsense"})
    assert hand.tree.xpath("//*[@id='refused']//a[@target='_blank']/@href")[0].startswith("/help/")
