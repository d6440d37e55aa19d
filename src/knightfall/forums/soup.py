"""How is something looked up in a page so that a missing thing says what is missing? Strict CSS selection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard

from knightfall.errors import LayoutChanged
from knightfall.forums.lookup import Lookup
from knightfall.forums.selectors import Selector, compiled, elements_inside
from knightfall.forums.serial import inner_html

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from bs4.element import NavigableString, PageElement
else:
    Tag = object  # adapters name it in annotations alone: BeautifulSoup loads with the first page

__all__ = [
    "Tag",
    "amount",
    "attribute",
    "classes",
    "cut_from_line",
    "enclosing",
    "every",
    "holds",
    "inner",
    "is_element",
    "maybe",
    "one",
    "own_part",
    "own_words",
    "parse_page",
    "path_of",
    "taken_out",
    "title_or_words",
    "with_id",
    "worded",
    "words",
    "words_after",
    "words_before",
]

PARSER = "lxml"
SHOWN = 60


@cache
def _element_class() -> type[Tag]:
    from bs4 import Tag

    return Tag


@cache
def _text_class() -> type[NavigableString]:
    from bs4.element import NavigableString

    return NavigableString


@cache
def _page_class() -> type[BeautifulSoup]:
    """The tree of a page that knows where its elements are."""
    from bs4 import BeautifulSoup

    class Page(BeautifulSoup):
        lookup: Lookup | None = None

    return Page


def parse_page(text: str) -> Tag:
    """The tree of a page; a class attribute stays one text, which is quicker than a list made for each."""
    return _page_class()(text, PARSER, multi_valued_attributes=None)


def is_element(node: object) -> TypeGuard[Tag]:
    """True for an element, false for text and for nothing."""
    return isinstance(node, _element_class())


def every(within: Tag, selector: str) -> list[Tag]:
    """All elements that match, in page order."""
    found = compiled(selector)
    if found is None:
        return list(within.select(selector))
    return [tag for tag in _possible(within, found) if found.test(tag, within)]


def maybe(within: Tag, selector: str) -> Tag | None:
    """The first element that matches; None where there is none."""
    found = compiled(selector)
    if found is None:
        return within.select_one(selector)
    return next((tag for tag in _possible(within, found) if found.test(tag, within)), None)


def _possible(within: Tag, selector: Selector) -> Iterable[Tag]:
    """The elements inside one that may match."""
    page = _page_of(within)
    if page is None:
        return elements_inside(within, _element_class())
    if page.lookup is None:
        page.lookup = Lookup.of(page, _element_class())
    found: Iterable[Tag] = page.lookup.inside(within, selector.keys)
    return found


def _page_of(tag: Tag) -> Any:  # a Page of the class above, which exists at run time alone
    """The page around an element; None for what was taken out of one."""
    around: Tag | None = tag
    while around is not None and not isinstance(around, _page_class()):
        around = around.parent
    return around


def _take_out(node: PageElement) -> None:
    page = _page_of(node.parent) if node.parent is not None else None
    if page is not None and page.lookup is not None and is_element(node):
        page.lookup.take_out(node)
    node.extract()


def one(within: Tag, selector: str) -> Tag:
    """The first element that matches. Raises LayoutChanged naming the selector and the place."""
    found = maybe(within, selector)
    if found is None:
        text = words(within)
        start = text if len(text) <= SHOWN else text[:SHOWN] + "…"
        raise LayoutChanged(f'Nothing matches "{selector}" in {path_of(within)}, which begins "{start}".')
    return found


def with_id(within: Tag, selector: str, pattern: re.Pattern[str]) -> list[Tag]:
    """All elements that match and whose whole id is written like the pattern."""
    return [tag for tag in every(within, selector) if pattern.fullmatch(attribute(tag, "id") or "")]


def worded(within: Tag, *selectors: str) -> Tag | None:
    """The first element with words in it, by the first selector that finds one."""
    return next((tag for selector in selectors for tag in every(within, selector) if words(tag)), None)


def attribute(tag: Tag | None, name: str) -> str | None:
    """An attribute as text."""
    value = tag.get(name) if tag is not None else None
    return " ".join(value) if isinstance(value, list) else value


def classes(tag: Tag) -> list[str]:
    """The classes of an element."""
    return (attribute(tag, "class") or "").split()


def inner(tag: Tag) -> str:
    """The HTML inside an element."""
    return inner_html(tag, _element_class(), _text_class())


def words(tag: Tag | None) -> str:
    """The text of an element on one line; nothing has none."""
    return " ".join(tag.get_text().split()) if tag is not None else ""


def title_or_words(tag: Tag | None) -> str:
    """What an element says when it is pointed at, else its own words."""
    return attribute(tag, "title") or words(tag)


def amount(tag: Tag | None) -> int | None:
    """The number that an element shows, "1,024 posts" read as one."""
    digits = re.sub(r"\D", "", words(tag))
    return int(digits) if digits else None


def own_words(tag: Tag) -> str:
    """The text that stands directly in an element, not in its children."""
    return " ".join(" ".join(_texts(tag.children)).split())


def words_after(tag: Tag, within: Tag) -> str:
    """The text inside `within` that comes after an element."""
    own = set(map(id, tag.descendants))
    later = (node for node in _inside(tag.next_elements, within) if id(node) not in own)
    return " ".join("".join(_texts(later)).split())


def words_before(tag: Tag, within: Tag) -> str:
    """The text inside `within` that comes before an element."""
    earlier = _texts(_inside(tag.previous_elements, within))
    return " ".join("".join(reversed(list(earlier))).split())


def taken_out(tags: list[Tag]) -> list[Tag]:
    """The same elements, no longer part of their page."""
    for tag in tags:
        _take_out(tag)
    return tags


def cut_from_line(within: Tag, line: str) -> None:
    """Takes out the last line of text that reads `line` on the top level of an element, and all behind it."""
    texts = [node for node in within.find_all(string=True) if node.strip() == line]
    on_top = [
        node
        for node in texts
        if node.parent is within or (node.parent.parent if node.parent is not None else None) is within
    ]
    if on_top:
        behind = list(_inside(on_top[-1].next_elements, within))
        for node in (on_top[-1], *behind):
            _take_out(node)


def own_part(box: Tag, selector: str, style: str) -> Tag | None:
    """The first match inside a box with that class which is not inside another such box nested in it."""
    return next((tag for tag in every(box, selector) if _holder(tag, style) is box), None)


def enclosing(tag: Tag, name: str, style: str) -> Tag | None:
    """The nearest element around `tag` with that name and class."""
    return tag.find_parent(name, class_=style)


def holds(outer: Tag, tag: Tag) -> bool:
    """True where `tag` stands somewhere inside `outer`."""
    return any(parent is outer for parent in tag.parents)


def path_of(tag: Tag) -> str:
    """Where an element stands, as a selector a reader can find again."""
    if isinstance(tag, _page_class()):
        return "the page"
    mark = attribute(tag, "id")
    return tag.name + (f"#{mark}" if mark else "") + "".join(f".{style}" for style in classes(tag))


def _holder(tag: Tag, style: str) -> Tag | None:
    return next((parent for parent in tag.parents if style in classes(parent)), None)


def _texts(nodes: Iterator[object]) -> Iterator[str]:
    from bs4.element import NavigableString, PreformattedString

    for node in nodes:
        if isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            yield str(node)


def _inside(nodes: Iterator[PageElement], within: Tag) -> Iterator[PageElement]:
    inside = set(map(id, within.descendants))
    for node in nodes:
        if id(node) not in inside:
            return
        yield node
