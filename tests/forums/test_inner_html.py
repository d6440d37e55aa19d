"""The HTML inside an element, against what the parser itself writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import Tag as SoupTag

from knightfall.forums.html import Tag, every, inner, parse_leniently, parse_page

PAGES = Path(__file__).parents[2] / "fixtures" / "forums"


@pytest.mark.parametrize("folder", sorted(PAGES.iterdir()), ids=lambda folder: folder.name)
def test_every_part_of_a_page_reads_as_the_parser_writes_it(folder: Path) -> None:
    for file in folder.glob("game-p*.html"):
        text = file.read_text(encoding="utf-8")
        lenient, fast = every(parse_leniently(text), "body *"), every(parse_page(text), "body *")
        for tag, quick in zip(lenient, fast, strict=True):
            assert inner(tag) == inner(quick) == written(tag)


def written(tag: Tag) -> str:
    assert isinstance(tag, SoupTag)
    return tag.decode_contents()


@pytest.mark.parametrize(
    "html",
    [
        "<p>A &amp; B &lt;b&gt; &nbsp;© <br> <img src=x alt='a \"b\"'> <!-- c --></p>",
        "<p title=\"it's &quot;so&quot;\" data-x='' hidden>x</p>",
        "<pre>\n  two  spaces</pre><script>if (a < b && c) { x() }</script><style>a > b {}</style>",
        "<svg:rect x=1></svg:rect><p>" + "<i>" * 400 + "deep" + "</i>" * 400,
    ],
)
def test_special_letters_and_strings_read_as_the_parser_writes_them(html: str) -> None:
    page = parse_leniently(f"<div>{html}</div>")
    assert inner(page) == written(page)
    fast = inner(parse_page(f"<div>{html}</div>"))
    assert f"<html>{fast}</html>".replace('hidden="hidden"', 'hidden=""') == inner(page).strip()
