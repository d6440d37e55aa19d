"""The HTML inside an element, against what BeautifulSoup writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from knightfall.forums.html import every, inner, parse_leniently, parse_page

PAGES = Path(__file__).parents[2] / "fixtures" / "forums"
PARSERS = (parse_page, parse_leniently)


@pytest.mark.few(4)
@pytest.mark.parametrize("folder", sorted(PAGES.iterdir()), ids=lambda folder: folder.name)
def test_every_part_of_a_page_reads_as_beautifulsoup_writes_it(folder: Path) -> None:
    for file in folder.glob("game-p*.html"):
        text = file.read_text(encoding="utf-8")
        parts = [page_in_soup(text).select("body *"), *(every(parse(text), "body *") for parse in PARSERS)]
        for soup, *tags in zip(*parts, strict=True):
            assert [inner(tag) for tag in tags] == [soup.decode_contents()] * len(tags)


def page_in_soup(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "lxml", multi_valued_attributes=None)


@pytest.mark.parametrize(
    "html",
    [
        "<p>A &amp; B &lt;b&gt; &nbsp;© <br> <img src=x alt='a \"b\"'> <!-- c --></p>",
        "<p title=\"it's &quot;so&quot;\" data-x='' hidden>x</p>",
        "<pre>\n  two  spaces</pre><script>if (a < b && c) { x() }</script><style>a > b {}</style>",
        "<svg:rect x=1></svg:rect><p>" + "<i>" * 400 + "deep" + "</i>" * 400,
    ],
)
def test_special_letters_and_strings_read_as_beautifulsoup_writes_them(html: str) -> None:
    text = f"<div>{html}</div>"
    expected = page_in_soup(text).html
    assert expected is not None
    for parse in PARSERS:
        assert inner(parse(text)).replace('hidden="hidden"', 'hidden=""') == expected.decode_contents()
