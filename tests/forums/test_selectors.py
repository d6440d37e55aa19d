"""Selectors find what another library that knows CSS finds."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from bs4 import Tag as SoupTag
from cssselect import SelectorError

from knightfall.forums.html import (
    Tag,
    every,
    maybe,
    one,
    parse_leniently,
    parse_page,
    taken_out,
    words,
)

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "fixtures" / "forums").glob("*/*.html"))
LITERAL = re.compile(r'(?:every|maybe|one)\(\s*\w+(?:\.\w+)?,\s*(?:"([^"{}]+)"|\'([^\'{}]+)\')\s*\)')
USED = {
    file.stem: {found[0] or found[1] for found in LITERAL.findall(file.read_text(encoding="utf-8"))}
    for file in (ROOT / "src" / "knightfall" / "forums").glob("*.py")
}
"""The selectors of each module."""
PLATFORMS = {page.parent.name for page in PAGES} - {"none"}
TEXT = """<div id="a" class="x y"><p class="x"><b id="p7">1</b><input type="password"></p>
    <div><a href="./v.php?u=7&amp;mode=view" name="q">2</a><span class="y z">3</span></div></div>
    <p id="">4<span data-x="">5</span></p>"""
SELECTORS = (
    "*",
    "p",
    "P.x",
    "#a .y",
    "div > a",
    "div div > a[name]",
    "div>span,p , b",
    ".x.y",
    'b[id^="p"]',
    "a[href*='mode=view']",
    'a[href$="view"]',
    'span[class~="z"]',
    'span[class="y z"]',
    "input[type=password]",
    ":is(p, div) :is(a, b)",
    "p:not(.x) span, div:not(#a)",
    '[class*="x"]',
    '[id^=""]',
    "[data-x]",
    "div:has(b)",
    "p:not(:has(*))",
    "div:has(> .y)",
    "p:has(b)",
    "p:has(b) + div",
    "p ~ div",
    "a:last-of-type",
)


def same(soup: BeautifulSoup, page: Tag, selector: str, within: str = "") -> bool:
    """Whether a selector finds in a page, or in an element of it, what BeautifulSoup finds there."""
    inside = soup.select_one(within) if within else soup
    box = one(page, within) if within else page
    assert inside is not None
    expected = [place_in_soup(tag) for tag in inside.select(selector)]
    found = every(box, selector)
    first = maybe(box, selector)
    return [place(tag) for tag in found] == expected and first is next(iter(found), None)


def place(tag: Tag) -> tuple[str, ...]:
    """Where an element stands: it and the elements around it, each with how many stand behind it."""
    around = [tag, *tag.iterancestors("*")]
    return tuple(f"{one.tag} {sum(1 for _ in one.itersiblings('*'))}" for one in around)


def place_in_soup(tag: SoupTag) -> tuple[str, ...]:
    """The same of BeautifulSoup's elements."""
    around = [tag, *(one for one in tag.parents if one.name != "[document]")]
    return tuple(f"{one.name} {len(one.find_next_siblings(True))}" for one in around)


@pytest.mark.parametrize("selector", SELECTORS)
def test_a_selector_finds_the_same_as_in_beautifulsoup(selector: str) -> None:
    soup, page = BeautifulSoup(TEXT, "lxml"), parse_page(TEXT)
    assert same(soup, page, selector)
    assert same(soup, page, selector, within="#a")
    assert same(soup, page, ":scope > p" if "," in selector else f":scope > {selector}", within="#a")


@pytest.mark.parametrize("selector", ["p::x", "p:unheard-of", "p >"])
def test_what_is_no_selector_is_refused(selector: str) -> None:
    with pytest.raises(SelectorError):
        every(parse_page(TEXT), selector)


@pytest.mark.few(16)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_every_selector_of_an_adapter_finds_the_same_on_each_of_its_pages(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    soup, tree = BeautifulSoup(text, "lxml"), parse_page(text)
    selectors = selectors_for(page.parent.name)
    assert selectors
    assert [selector for selector in selectors if not same(soup, tree, selector)] == []


def selectors_for(platform: str) -> set[str]:
    """Of the platform's own modules and of those that are no platform's; a page of none has them all."""
    return set().union(*(USED[module] for module in USED if platform in ("none", *platforms_of(module))))


def platforms_of(module: str) -> set[str]:
    """`phpbb_skins` is of phpbb, `xenforo` of xenforo1 and xenforo2, what is no platform's, like `bases`, of
    all."""
    name = module.partition("_")[0]
    own = {one for one in PLATFORMS if name in (one, one.rstrip("0123456789"))}
    return own or PLATFORMS


@pytest.mark.parametrize("parse", [parse_page, parse_leniently])
def test_what_is_taken_out_of_a_page_is_no_longer_found_in_it_and_can_be_looked_into(
    parse: Callable[[str], Tag],
) -> None:
    tree = parse('<div><p class="x"><b>1</b></p><p class="y"><b>2</b></p></div>')
    assert len(every(tree, "b, p, :is(b, p)")) == 4
    (out,) = taken_out(every(tree, "p.x"))
    assert [words(tag) for tag in every(tree, "b")] == ["2"]
    assert [words(tag) for tag in every(out, "b")] == ["1"]
    assert maybe(tree, ".x") is None
    assert maybe(out, ".x") is None
    assert [tag.tag for tag in every(tree, "div *")] == ["p", "b"]


@pytest.mark.parametrize("parse", [parse_page, parse_leniently])
def test_each_box_of_a_page_is_looked_into_alone(
    parse: Callable[[str], Tag],
) -> None:
    tree = parse("<ul>" + "<li><a>1</a><i><a>2</a></i></li>" * 3 + "</ul><a>3</a>")
    assert [len(every(box, "a")) for box in every(tree, "li")] == [2, 2, 2]
    assert len(every(tree, "a")) == 7


def test_what_stands_on_the_element_of_the_page_itself_is_found() -> None:
    tree = parse_page("<html id=XenForo class=wide><body><p>1</p></body></html>")
    assert maybe(tree, "html") is tree
    assert [tag.tag for tag in every(tree, "#XenForo p, .wide body")] == ["body", "p"]
    assert maybe(tree, "#Other p") is None


def test_an_element_that_holds_nothing_is_true() -> None:
    assert maybe(parse_page("<p><br></p>"), "br")


@pytest.mark.parametrize("parse", [parse_page, parse_leniently])
def test_what_an_element_has_inside_is_asked_anew_when_something_was_taken_out(
    parse: Callable[[str], Tag],
) -> None:
    tree = parse("<div><p><b>1</b></p><p><i>2</i></p><p><b>3</b></p></div>")
    box = one(tree, "div")
    for within in (tree, box):
        assert [words(tag) for tag in every(within, "p:has(b)")] == ["1", "3"]
    taken_out(every(box, "b")[:1])
    for within in (tree, box):
        assert [words(tag) for tag in every(within, "p:has(b)")] == ["3"]
        assert [words(tag) for tag in every(within, "div > p:not(:has(b))")] == ["", "2"]


def test_a_page_that_was_searched_leaves_nothing_behind() -> None:
    gc.collect()
    tree = parse_page("<div>" + '<p class="x" id="a"><b>1</b></p>' * 500 + "</div>")
    assert len(every(tree, "html .x b, #a, [id]")) == 1000
    del tree
    assert gc.collect() < 500
