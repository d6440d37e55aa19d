"""A page gives the same posts in whatever form it is handed over.

Every page of fixtures/forums with posts, and every real page where the folder with them stands beside the
project, is copied, saved complete, with SingleFile, as MHTML and as HAR, and packed into a ZIP. Number,
author, time and votes of each post have to be those of the page as it was served. Firefox copies a page of
each platform, too; in the long run it and Chromium copy all of them. What is not the same says why:

| page | forms | what is lost | what is said |
| --- | --- | --- | --- |
| flarum, as it is sent | without scripts | its posts, which were not drawn | no thread, or no times |
| mybb/german-rewritten.html | copy | a deleted post, which a page for staff keeps out of sight | – |
| nodebb/page.html | without scripts | posts that only its own data has: its markup is of another day | – |
| phpbb/prosilver-33-last-page.html | copy | times and texts of deleted posts and foes, out of sight | – |
| proboards/game-p2.html | copy | how long a page is | page 1 is missing |
| xenforo1, old posts only | without scripts | the zone of the times | the zone is asked for |
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from lxml import etree

from fetch.threads import page, thread
from forums.copies import (
    FIXTURES,
    NO_THREAD,
    NOW,
    SHARED,
    Copy,
    ReadPage,
    address_for,
    copies_of_chromium,
    copies_of_firefox,
    facts,
    losses,
)
from forums.page_forms import FORMS, copied
from knightfall.errors import EvidenceError
from knightfall.fetch.saved import SavedPage, pasted_page, saved_pages, together
from knightfall.forums.base import Response
from knightfall.forums.html import every, parse_page
from knightfall.forums.pages import read_chunk
from long_runs import first
from web.browser import browsing
from web.firefox import firefoxing

MINUTE = timedelta(minutes=1)
UNDRAWN = ("flarum/noscript", "flarum/page", "nodebb/page.html")
SCRIPTLESS = ("single file", "MHTML")
ZONELESS = ("autopager-2", "formasaurus-oneplus", "nettally-sufficientvelocity-renascence")
EXCEPT = {(page, form) for page in UNDRAWN for form in SCRIPTLESS}
"""How a page's name begins, and a form of a file in which its posts are others; the docstring says why."""
LOST = {
    **{f"flarum/{page}.html": (NO_THREAD,) for page in ("noscript", "page", "page-2", "page-near")},
    "mybb/german-rewritten.html": ("the hidden post #1002",),
    "nodebb/page.html": (
        "the post #2, #4, #5",
        "the number of #3, #6",
        "the votes of #3",
        "the author of #6",
    ),
    "phpbb/prosilver-33-last-page.html": ("the time of #27, #28",),
    "proboards/game-p2.html": ("the number of every post",),
    **{f"xenforo1/{page}.html": ("the time of every post",) for page in ZONELESS},
}
"""What a copy loses; the docstring says why."""


def fixtures() -> Iterator[tuple[str, str, str]]:
    """Name, address and text of every page of the fixtures with posts."""
    for file in sorted((FIXTURES / "forums").glob("*/*.html")):
        beside = file.with_name(f"{file.stem}.expected.json")
        expected = json.loads(beside.read_text(encoding="utf-8")) if beside.exists() else {}
        if "posts" in expected:
            yield f"{file.parent.name}/{file.name}", expected["url"], file.read_text(encoding="utf-8")


def real_pages() -> Iterator[tuple[str, str, str]]:
    index = SHARED / "INDEX.jsonl"
    for line in index.read_text(encoding="utf-8").splitlines() if index.exists() else ():
        entry = json.loads(line)
        if entry["file"].endswith(".html") and entry.get("posts_expected"):
            text = (SHARED / entry["file"]).read_text(encoding="utf-8", errors="replace")
            yield entry["file"], entry.get("page_url") or "", text


PAGES = {name: (url, text) for name, url, text in (*fixtures(), *real_pages())}
BY_PLATFORM = {name.partition("/")[0]: name for name, _url, _text in fixtures() if name not in LOST}
"""One page of each platform."""


def handed_over(form: str, url: str, text: str, folder: Path) -> SavedPage:
    ending, make = FORMS[form]
    made = make(text, url)
    file = folder / f"page{ending}"
    file.write_bytes(made if isinstance(made, bytes) else made.encode())
    (page,) = saved_pages([file], NOW)
    return page


def without_times(
    found: list[tuple[object, ...]], other: list[tuple[object, ...]]
) -> list[tuple[object, ...]]:
    """The facts without the times that the other side does not know the zone of."""
    return [
        (one[0], one[1], one[2] if its[2] else None, one[3]) for one, its in zip(found, other, strict=False)
    ]


@pytest.mark.few(60)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", PAGES)
def test_the_same_posts_come_out_of_every_form(name: str, form: str, tmp_path: Path) -> None:
    url, text = PAGES[name]
    page = served_page(name)
    if any(name.startswith(start) and kind == form for start, kind in EXCEPT):
        with suppress(EvidenceError):
            assert handed_over(form, url, text, tmp_path).platform == page.platform
        return
    handed = handed_over(form, url, text, tmp_path)
    expected, found = facts(page.platform, page.chunk), facts(handed.platform, handed.chunk)
    assert handed.platform == page.platform
    assert len(found) == len(expected)
    assert found == without_times(expected, found)
    assert handed.chunk.title == page.chunk.title


KEPT = {file.name.replace("__", "/"): file for file in sorted((FIXTURES / "single_file").glob("*.html"))}


@pytest.mark.parametrize("name", KEPT)
def test_pages_that_singlefile_itself_wrote_have_the_same_posts(name: str) -> None:
    """The extension's own code (single-file-cli 2.0.83, its options as installed) saved these in Chromium."""
    assert "</html" not in KEPT[name].read_text(encoding="utf-8")
    (handed,) = saved_pages([KEPT[name]], NOW)
    page = served_page(name)
    assert (handed.platform, handed.chunk.title) == (page.platform, page.chunk.title)
    assert handed.response.url == address_for(page.url)
    assert facts(handed.platform, handed.chunk) == facts(page.platform, page.chunk)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", KEPT)
def test_a_page_of_singlefile_that_was_cut_is_never_taken_for_the_whole(name: str, tmp_path: Path) -> None:
    text, whole = KEPT[name].read_text(encoding="utf-8"), served_page(name)
    file = tmp_path / "cut.html"
    for part in range(1, 60):
        file.write_text(text[: len(text) * part // 60], encoding="utf-8")
        with suppress(EvidenceError):
            (handed,) = saved_pages([file], NOW)
            found, expected = facts(handed.platform, handed.chunk), facts(whole.platform, whole.chunk)
            assert len(found) == len(expected)
            assert found == without_times(expected, found)


@pytest.mark.few(16)
@pytest.mark.parametrize("name", [name for name, _url, text in fixtures() if "</html>" in text])
def test_a_served_page_that_was_cut_is_never_taken_for_the_whole(name: str) -> None:
    url, text = PAGES[name]
    for part in range(1, 60):
        with pytest.raises(EvidenceError):
            read_chunk(Response(url, 200, text[: text.rindex("</body>") * part // 60]), name, NOW)


@pytest.mark.few(23)
@pytest.mark.parametrize("name", PAGES)
def test_a_copy_has_the_same_posts(name: str) -> None:
    page = served_page(name)
    assert losses(page, copied(page.text, page.url)) == LOST.get(name, ())


def served_page(name: str) -> ReadPage:
    """A page, and what is read from it as it is served."""
    url, text = PAGES[name]
    forum, chunk = read_chunk(Response(url, 200, text), name, NOW)
    return ReadPage(name, url, text, forum.name, chunk)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Copy]:
    with browsing() as browser:
        yield copies_of_chromium(browser)


@pytest.fixture(scope="module")
def firefox() -> Iterator[Copy]:
    with firefoxing() as browser:
        yield copies_of_firefox(browser)


@pytest.mark.long
@pytest.mark.parametrize("name", BY_PLATFORM.values())
def test_firefox_copies_the_posts_of_every_platform(name: str, firefox: Copy) -> None:
    page = served_page(name)
    assert losses(page, firefox(page.url, page.text)) == ()


@pytest.mark.long
@pytest.mark.parametrize("browser", ["chromium", "firefox"])
@pytest.mark.parametrize("name", PAGES)
def test_a_real_browser_copies_the_same_posts(
    name: str, browser: str, request: pytest.FixtureRequest
) -> None:
    copy: Copy = request.getfixturevalue(browser)
    page = served_page(name)
    assert losses(page, copy(page.url, page.text)) == LOST.get(name, ())


def pasted(name: str) -> SavedPage:
    url, text = PAGES[name]
    return pasted_page(copied(text, url), NOW)


def test_pasted_pages_make_a_thread_and_what_is_missing_is_told() -> None:
    first, second = pasted("xenforo2/game-p1.html"), pasted("xenforo2/game-p2.html")
    whole = together([second, first])
    assert whole.complete
    assert (first.response.private, whole.pages) == (True, 2)
    assert together([second]).missing[0] == "Page 1 of 2 is missing."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("discourse/drawn.html", "The forum says the thread has 46 posts; 2 were read."),
        ("flarum/drawn.html", "The first post is #21. The posts before it are missing."),
        ("reddit/drawn.html", "The forum says the thread has 10 posts; 4 were read."),
    ],
)
def test_a_drawn_page_says_which_posts_were_not_scrolled_past(name: str, says: str) -> None:
    assert says in together([pasted(name)]).missing


def test_a_later_paste_of_a_post_is_its_new_version() -> None:
    said, later = thread(8), [*thread(8)]
    later[1] = (later[1][0], later[1][1], "I changed my mind.")
    del later[2]
    first, again = (
        pasted_page(page(posts, 0).decode(), NOW + after)
        for posts, after in ((said, timedelta()), (later, MINUTE))
    )
    for pages in ([first, again], [again, first]):
        found = together(pages).posts
        assert found[1].body == "I changed my mind."
        assert len({post.id for post in found}) == len(found)


@pytest.mark.parametrize("name", first(1, ["phpbb/prosilver-33.html", "xenforo2/game-p1.html"]))
def test_a_few_posts_that_were_selected_are_no_thread(name: str) -> None:
    url, text = PAGES[name]
    whole = read_chunk(Response(url, 200, text), name, NOW)[1]
    box = {"phpbb": 'div.post[id^="p"]', "xenforo2": "article.message--post"}[name.partition("/")[0]]
    rows = every(parse_page(copied(text, url)), box)[:2]
    part = pasted_page("".join(etree.tostring(row, encoding="unicode", method="html") for row in rows), NOW)
    assert [post.id for post in part.chunk.posts] == [post.id for post in whole.posts[:2]]
    assert "Only a part of the page is here" in together([part]).missing[0]
