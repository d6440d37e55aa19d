"""What several adapters share: clocks, posts of drafts, links to the next page, offsets, words and ids."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial

import pytest

from knightfall.errors import PastTheEnd
from knightfall.forums.base import (
    Draft,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    at_path,
    clock_of,
    numbered,
    own_request,
    own_thread,
    page_between,
    posts_of,
    refuse_beyond,
    set_by,
    thread_asked,
)
from knightfall.forums.dates import unix_stamp
from knightfall.forums.html import (
    amount,
    attribute,
    classes,
    every,
    one,
    parse_page,
    title_or_words,
    with_id,
    worded,
    words,
)
from knightfall.forums.invision import next_page, old_address
from knightfall.forums.phpbb import is_topic_page, page_after, page_from
from knightfall.forums.styles import STYLES
from knightfall.markup.html import plain_text

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BOARD = "https://board.example/forum/"
PAGE = Response(f"{BOARD}showthread.php?t=5", 200, "")
TOPIC = ThreadRef("phpbb", BOARD, "5")
DRAFT = Draft(id="7", author="Ada", body="Hello")
asked_for = partial(thread_asked, "vbulletin3", topic="t", post="p", start=0)


def test_a_clock_goes_by_the_pages_zone_then_the_sites_and_is_else_unknown() -> None:
    east = timezone(timedelta(hours=3))
    assert clock_of(Site(timezone="America/New_York"), NOW, east).zone is east
    assert str(clock_of(Site(timezone="America/New_York"), NOW).zone) == "America/New_York"
    assert clock_of(Site(timezone="Nowhere/At-all"), NOW).zone is None
    assert clock_of(Site(), NOW).zone is None
    assert str(clock_of(Site(stated_zone="Europe/Berlin"), NOW, east).zone) == "Europe/Berlin"


@pytest.mark.parametrize(("written", "order"), [("21-11-2026, 10:00", "dmy"), ("05-06-2026, 10:00", "mdy")])
def test_a_clock_is_set_by_dates_that_give_their_order_away(written: str, order: str) -> None:
    assert set_by(clock_of(Site(), NOW), [replace(DRAFT, written=written)]).order == order


def test_posts_have_the_numbers_they_were_counted_with_and_the_links_of_their_ids() -> None:
    drafts = [DRAFT, replace(DRAFT, id="8", hidden=True), replace(DRAFT, id="9")]
    clock = clock_of(Site(), NOW)
    by_place = posts_of(enumerate(drafts, 21), lambda post, _: f"#p{post}", clock)
    by_number = posts_of(numbered(drafts, 21), lambda *_: None, clock)
    assert [(post.number, post.url) for post in by_place] == [(21, "#p7"), (22, "#p8"), (23, "#p9")]
    assert [(post.number, post.url) for post in by_number] == [(21, None), (22, None), (22, None)]


@pytest.mark.parametrize(
    ("base", "link", "asked"),
    [
        ("", "showthread.php?t=5&page=2&s=0123456789abcdef", f"{BOARD}showthread.php?t=5&page=2"),
        ("/forum/x/", "page2", f"{BOARD}x/page2"),
        ("https://other.example/", "page2", f"{BOARD}page2"),
        ("", "https://other.example/page2", None),
        ("", None, None),
    ],
)
def test_a_page_leads_on_over_its_base_but_never_to_another_server(
    base: str, link: str | None, asked: str | None
) -> None:
    tree = parse_page(f'<html><head><base href="{base}"></head><body></body></html>')
    assert own_request(PAGE, tree, link) == (Request(asked) if asked else None)


def test_the_thread_of_a_page_is_the_first_that_its_own_server_names() -> None:
    tree = parse_page("<html></html>")
    links = ("https://other.example/showthread.php?t=1", "showthread.php?p=2", "showthread.php?t=3")
    assert own_thread(PAGE, tree, links, asked_for) == ThreadRef("vbulletin3", BOARD, "3")
    assert own_thread(PAGE, tree, links[:2], asked_for) is None


@pytest.mark.parametrize(
    ("query", "identity"), [("t=5&p=9", "5"), ("p=9", "p9"), ("t=0", "0"), ("u=1", None)]
)
def test_an_address_asks_for_a_thread_before_a_post(query: str, identity: str | None) -> None:
    ref = asked_for(f"{BOARD}showthread.php?{query}")
    assert (ref.id if ref else None) == identity


@pytest.mark.parametrize(
    ("before", "after", "url", "number"),
    [
        ("?page=2", "?page=4", "", 3),
        ("?page=2", None, "", 3),
        ("/d/5", None, "", 2),
        (None, "?page=2", "", 1),
        (None, None, "https://board.example/d/5?page=6", 6),
        (None, None, "", 1),
    ],
)
def test_a_page_stands_between_its_neighbours(
    before: str | None, after: str | None, url: str, number: int
) -> None:
    assert page_between(before, after, url) == number


def test_another_path_on_the_same_server_has_no_parameters() -> None:
    assert at_path("https://board.example:8080/a/b?c=d#e", "/x/") == "https://board.example:8080/x/"


@pytest.mark.parametrize(
    ("paging", "following"),
    [
        (Paging(start=25, page=2, pages=3, size=25), 50),
        (Paging(start=50, page=3, pages=3, size=25), None),
        (Paging(start=0, page=1, pages=1, size=None), None),
    ],
)
def test_the_next_page_begins_a_page_length_on(paging: Paging, following: int | None) -> None:
    assert paging.next_start == following
    asked = page_from(TOPIC, following) if following else None
    assert page_after(TOPIC, paging) == asked
    assert page_after(replace(TOPIC, id="p9"), paging) is page_after(None, paging) is None


def test_phpbb_is_asked_by_offset_and_for_the_page_of_a_post() -> None:
    assert page_from(TOPIC, -1).url == f"{BOARD}viewtopic.php?t=5"
    assert page_from(TOPIC, 50).url == f"{BOARD}viewtopic.php?t=5&start=50"
    assert page_from(replace(TOPIC, id="p9"), 50).url == f"{BOARD}viewtopic.php?p=9"
    assert is_topic_page(f"{BOARD}viewtopic.php?t=5")
    assert not is_topic_page("viewtopic.php?t=5")


def test_an_invision_page_leads_on_by_its_link_else_as_computed() -> None:
    computed = f"{old_address(ThreadRef('invision3', f'{BOARD}index.php?/', '5-slug'))}&st=20"
    assert computed == f"{BOARD}index.php?showtopic=5&st=20"
    assert next_page(BOARD, "topic/5-slug/page/2/#replies", computed) == Request(
        f"{BOARD}topic/5-slug/page/2/"
    )
    assert next_page(BOARD, None, computed) == next_page("", "page/2/", computed) == Request(computed)
    assert next_page("", "page/2/", None) is None


@pytest.mark.parametrize(("pages", "said"), [(1, "has 1 page."), (2, "has 2 pages.")])
def test_a_page_behind_the_last_is_refused(pages: int, said: str) -> None:
    refuse_beyond(PAGE, pages, pages)
    with pytest.raises(PastTheEnd, match=re.escape(said)):
        refuse_beyond(PAGE, pages + 1, pages)


@pytest.mark.parametrize(
    ("digits", "per_second", "instant"),
    [
        ("1457414029", 1, "2016-03-08T05:13:49+00:00"),
        ("1457414029500", 1000, "2016-03-08T05:13:49.500000+00:00"),
        ("2016-03-08", 1, None),
        ("-1", 1, None),
        ("9" * 15, 1, None),
        ("9" * 5000, 1, None),
        ("", 1, None),
        (None, 1, None),
    ],
)
def test_unix_time_in_digits_is_an_instant_or_nothing(
    digits: str | None, per_second: int, instant: str | None
) -> None:
    assert unix_stamp(digits, per_second) == instant


def test_the_first_element_with_words_is_found_by_the_first_selector_that_has_one() -> None:
    tree = parse_page("<title>Board</title><h1> </h1><h1>Kettle <b>Lane</b></h1><h2>Other</h2>")
    assert words(worded(tree, "h1", "h2", "title")) == "Kettle Lane"
    assert words(worded(tree, "h3", "title")) == "Board"
    assert worded(tree, "h3") is None


def test_boxes_are_those_whose_whole_id_fits() -> None:
    tree = parse_page('<p id="post_1"></p><p id="post_1_menu"></p><p></p><i id="post_2"></i>')
    boxes = with_id(tree, 'p, [id^="post_"]', re.compile(r"post_\d+"))
    assert [attribute(box, "id") for box in boxes] == ["post_1", "post_2"]


def test_nothing_has_no_words_and_a_title_goes_before_them() -> None:
    tree = parse_page('<i class=" a  b" title="21 Nov">today</i><b title="">1,024 posts</b>')
    assert [title_or_words(tag) for tag in every(tree, "i, b")] == ["21 Nov", "1,024 posts"]
    assert [amount(tag) for tag in every(tree, "i, b")] == [None, 1024]
    assert (words(None), title_or_words(None), amount(None)) == ("", "", None)
    assert (classes(one(tree, "i")), classes(one(tree, "b"))) == (["a", "b"], [])


CODE_BOXES = {
    "phpbb": '<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>{}</code></pre></div>',
    "phpbb 3.0": '<dl class="codebox"><dt>Code: <a href="#">Alles</a></dt><dd><code>{}</code></dd></dl>',
    "phpbb subsilver2": '<div class="codetitle"><b>Code:</b></div><div class="codecontent">{}</div>',
    "phpbb2": '<table><tr><td><span class="genmed"><b>Code:</b></span><td class="code">{}</td></tr></table>',
    "mybb": '<div class="codeblock"><div class="title">Code:</div><div><code>{}</code></div></div>',
    "smf": '<div class="codeheader">Code <a>Select</a></div><code class="bbc_code">{}</code>',
    "vbulletin4": '<div class="bbcode_container"><div class="bbcode_description">Code:</div>'
    "<pre>{}</pre></div>",
    "xenforo2": '<div class="bbCodeBlock bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div>'
    '<div class="bbCodeBlock-content"><pre class="bbCodeCode"><code>{}</code></pre></div></div>',
    "xenforo1": '<div class="bbCodeBlock bbCodeCode"><div class="type">Code:</div><pre>{}</pre></div>',
    "invision4": '<pre class="ipsCode">{}</pre>',
}


@pytest.mark.parametrize("board", CODE_BOXES)
def test_the_heading_and_the_buttons_of_a_code_box_are_no_words_of_a_post(board: str) -> None:
    html = f"Look: {CODE_BOXES[board].format('C7 N')} So."
    said = plain_text(html, STYLES[board.split()[0]]).replace(">", " ")
    assert " ".join(said.split()) == "Look: C7 N So."
