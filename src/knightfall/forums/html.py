"""The tree of a page: selectors, look-ups and text, whichever parser built it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from knightfall.errors import LayoutChanged
from knightfall.forums.selectors import Tag, UnknownSelectorError, compiled
from knightfall.forums.tree import parse_fast

__all__ = [
    "Tag",
    "UnknownSelectorError",
    "amount",
    "attribute",
    "classes",
    "cut_from_line",
    "enclosing",
    "every",
    "first_of",
    "holds",
    "inner",
    "maybe",
    "one",
    "own_part",
    "own_words",
    "parse_leniently",
    "parse_page",
    "path_of",
    "taken_out",
    "text_of",
    "title_or_words",
    "with_id",
    "worded",
    "words",
    "words_after",
    "words_before",
]

SHOWN = 60


def parse_page(text: str) -> Tag:
    """The fast tree of a page; the lenient one where it is nested too deep for that.

    Raises LayoutChanged for a page that is nested as no forum's is.
    """
    return parse_fast(text) or parse_leniently(text)


def parse_leniently(text: str) -> Tag:
    """The lenient tree of a page, which knows all of CSS. Raises as `parse_page`."""
    from knightfall.forums.soup import parse_lenient  # most runs never need BeautifulSoup

    return cast(Tag, parse_lenient(text))


def every(within: Tag, selector: str) -> list[Tag]:
    """All elements that match, in page order."""
    found = compiled(selector)
    if found is None:
        return list(within.select(selector))
    page = within.lookup()
    if page is None:
        return [tag for tag in within.elements() if found.test(tag, within)]
    return page.every(within, found)


def maybe(within: Tag, selector: str) -> Tag | None:
    """The first element that matches; None where there is none."""
    found = compiled(selector)
    if found is None:
        return next(iter(within.select(selector)), None)
    page = within.lookup()
    if page is None:
        return next((tag for tag in within.elements() if found.test(tag, within)), None)
    return page.first(within, found)


def first_of(within: Tag, selectors: Iterable[str]) -> Tag | None:
    """The first element that matches the first of these selectors that any element matches."""
    return next((found for selector in selectors if (found := maybe(within, selector)) is not None), None)


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
    return tag.get(name) if tag is not None else None


def classes(tag: Tag) -> list[str]:
    """The classes of an element."""
    return (attribute(tag, "class") or "").split()


def inner(tag: Tag) -> str:
    """The HTML inside an element."""
    return tag.inner_html()


def words(tag: Tag | None) -> str:
    """The text of an element on one line; nothing has none."""
    return " ".join(tag.seen_text().split()) if tag is not None else ""


def text_of(tag: Tag | None) -> str | None:
    """The text of an element on one line; None where there is no element."""
    return words(tag) if tag is not None else None


def title_or_words(tag: Tag | None) -> str:
    """What an element says when it is pointed at, else its own words."""
    return attribute(tag, "title") or words(tag)


def amount(tag: Tag | None) -> int | None:
    """The number that an element shows, "1,024 posts" read as one."""
    digits = re.sub(r"\D", "", words(tag))
    return int(digits) if digits else None


def own_words(tag: Tag) -> str:
    """The text that stands directly in an element, not in its children."""
    return " ".join(" ".join(tag.own_texts()).split())


def words_after(tag: Tag, within: Tag) -> str:
    """The text inside `within` that comes after an element."""
    return " ".join("".join(tag.texts_after(within)).split())


def words_before(tag: Tag, within: Tag) -> str:
    """The text inside `within` that comes before an element."""
    return " ".join("".join(tag.texts_before(within)).split())


def taken_out(tags: list[Tag]) -> list[Tag]:
    """The elements, which are no longer part of their page."""
    for tag in tags:
        tag.take_out()
    return tags


def cut_from_line(within: Tag, line: str) -> None:
    """Takes out the last line of text that reads `line` on the top level of an element, and all behind it."""
    within.cut_from_line(line)


def own_part(box: Tag, selector: str, style: str) -> Tag | None:
    """The first match inside a box with that class which is not inside another such box nested in it."""

    nested = every(box, f".{style}")
    return next((tag for tag in every(box, selector) if not any(holds(one, tag) for one in nested)), None)


def enclosing(tag: Tag, name: str, style: str) -> Tag | None:
    """The nearest element around `tag` with that name and class."""
    return next((one for one in tag.parents if one.name == name and style in classes(one)), None)


def holds(outer: Tag, tag: Tag) -> bool:
    """True where `tag` stands somewhere inside `outer`."""
    for parent in tag.parents:  # noqa: SIM110  # a generator costs more than the rest
        if parent is outer:
            return True
    return False


def path_of(tag: Tag) -> str:
    """Where an element stands, as a selector a reader can find again."""
    if tag.parent is None and tag.lookup() is not None:
        return "the page"
    mark = attribute(tag, "id")
    return tag.name + (f"#{mark}" if mark else "") + "".join(f".{style}" for style in classes(tag))
