"""A page gives the same posts in whatever form it is handed over.

Every page of fixtures/forums with posts, and every real page where the folder with them stands beside the
project, is copied, saved complete, with SingleFile, as MHTML and as HAR, and packed into a ZIP. Number,
author, time and votes of each post have to be those of the page as it was served. In the long run a real
Chromium copies it, too. What is not the same says why:

| page | forms | what is lost | what is said |
| --- | --- | --- | --- |
| flarum, as it is sent | without scripts | its posts, which were not drawn | no thread, or no times |
| nodebb/page.html | without scripts | posts that only its own data has: its markup is of another day | – |
| proboards/game-p2.html | copy | how long a page is | page 1 is missing |
| xenforo1, old posts only | without scripts | the zone of the times | the zone is asked for |
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from fetch.threads import page, thread
from forums.page_forms import FORMS, copied
from knightfall.errors import EvidenceError
from knightfall.fetch.saved import SavedPage, pages_to_get, pasted_page, saved_pages, together
from knightfall.forums import html_style_of
from knightfall.forums.addresses import is_absolute
from knightfall.forums.base import Chunk, Response
from knightfall.forums.html import every, parse_page
from knightfall.forums.pages import read_chunk
from knightfall.models import UNKNOWN_ZONE
from knightfall.votes.ballots import platform_forms
from knightfall.votes.vote_parser import PostReader
from web.browser import browsing

FIXTURES = Path(__file__).parents[2] / "fixtures" / "forums"
SHARED = Path(__file__).parents[3] / "shared" / "pages"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
UNDRAWN = ("noscript", "page")
SCRIPTLESS = ("copy", "single file", "MHTML")
EXCEPT = {
    **{(f"flarum/{page}", form): "posts" for page in UNDRAWN for form in SCRIPTLESS},
    **{("nodebb/page.html", form): "posts" for form in SCRIPTLESS},
    ("proboards/game-p2.html", "copy"): "numbers",
}
"""(how a page's name begins, form) -> what is not as it was served; the docstring says why."""


def fixtures() -> Iterator[tuple[str, str, str]]:
    """Name, address and text of every page of the fixtures with posts."""
    for file in sorted(FIXTURES.glob("*/*.html")):
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


def facts(platform: str, chunk: Chunk) -> list[tuple[object, ...]]:
    """Number, author, time and votes of each post; a time in an unknown zone is none."""
    reader = PostReader(html_style_of(platform), platform_forms(platform))
    votes = {post.number: repr(post.ballots) for post in reader.ballots_by_post(chunk.posts)}
    return [
        (post.number, post.author, None if post.zone == UNKNOWN_ZONE else post.time, votes.get(post.number))
        for post in chunk.posts
    ]


def handed_over(form: str, url: str, text: str, folder: Path) -> SavedPage:
    if form == "copy":
        return pasted_page(copied(text, url), NOW)
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


@pytest.mark.parametrize("form", ["copy", *FORMS])
@pytest.mark.parametrize("name", PAGES)
def test_the_same_posts_come_out_of_every_form(name: str, form: str, tmp_path: Path) -> None:
    url, text = PAGES[name]
    forum, served = read_chunk(Response(url, 200, text), name, NOW)
    differs = next(
        (what for (page, kind), what in EXCEPT.items() if name.startswith(page) and kind == form), ""
    )
    if differs == "posts":
        try:
            handed = handed_over(form, url, text, tmp_path)
        except EvidenceError:
            return
        assert handed.platform == forum.name
        return
    handed = handed_over(form, url, text, tmp_path)
    expected, found = facts(forum.name, served), facts(handed.platform, handed.chunk)
    assert handed.platform == forum.name
    assert len(found) == len(expected)
    if differs == "numbers":
        expected, found = ([one[1:] for one in side] for side in (expected, found))
        assert found == expected
    else:
        assert found == without_times(expected, found)
        assert handed.chunk.title == served.title


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browsing() as browser:
        yield browser


BOX = """<div id="box" contenteditable></div><script>
document.addEventListener("paste", event => { window.got = event.clipboardData.getData("text/html") })
</script>"""


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [name for name in PAGES if not any(name.startswith(page) for page, form in EXCEPT if form == "copy")],
)
def test_a_real_browser_copies_the_same_posts(name: str, chromium: Any) -> None:
    url, text = PAGES[name]
    forum, served = read_chunk(Response(url, 200, text), name, NOW)
    address = url.partition("#")[0] if is_absolute(url) else "https://board.example/thread"

    def answered(route: Any) -> None:
        if route.request.url.partition("#")[0] == address:
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=text)
        else:
            route.abort()

    context = chromium.new_context()
    try:
        tab, other = context.new_page(), context.new_page()
        tab.route("**/*", answered)
        tab.goto(address)
        tab.bring_to_front()
        tab.keyboard.press("Control+a")
        tab.keyboard.press("Control+c")
        other.set_content(BOX)
        other.bring_to_front()
        other.focus("#box")
        other.keyboard.press("Control+v")
        copy = pasted_page(other.evaluate("window.got") or "", NOW)
    finally:
        context.close()
    assert copy.platform == forum.name
    found = facts(copy.platform, copy.chunk)
    assert found == without_times(facts(forum.name, served), found)


def pasted(name: str) -> SavedPage:
    url, text = PAGES[name]
    return pasted_page(copied(text, url), NOW)


def test_pasted_pages_make_a_thread_and_what_is_missing_has_an_address() -> None:
    first, second = pasted("xenforo2/game-p1.html"), pasted("xenforo2/game-p2.html")
    whole = together([second, first])
    assert whole.complete
    assert (first.response.private, whole.pages) == (True, 2)
    assert together([second]).missing[0] == "Page 1 of 2 is missing."
    (missing,) = pages_to_get([first])
    assert (missing.number, missing.url) == (
        2,
        PAGES["xenforo2/game-p2.html"][0].replace("the-lantern-street-bakery-day-1.", ""),
    )


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


@pytest.mark.parametrize("name", ["phpbb/prosilver-33.html", "xenforo2/game-p1.html"])
def test_a_few_posts_that_were_selected_are_no_thread(name: str) -> None:
    url, text = PAGES[name]
    whole = read_chunk(Response(url, 200, text), name, NOW)[1]
    box = {"phpbb": 'div.post[id^="p"]', "xenforo2": "article.message--post"}[name.partition("/")[0]]
    rows = every(parse_page(copied(text, url)), box)[:2]
    part = pasted_page("".join(etree.tostring(row, encoding="unicode", method="html") for row in rows), NOW)
    assert [post.id for post in part.chunk.posts] == [post.id for post in whole.posts[:2]]
    assert "Only a part of the page is here" in together([part]).missing[0]
