"""A page as BeautifulSoup reads it, which copes with what lxml alone gives up on: text nested thousands of
levels deep, and pages in which it finds no posts."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bs4 import BeautifulSoup, Comment
from bs4 import Tag as SoupTag
from bs4.element import NavigableString, PreformattedString
from lxml import etree

from knightfall.errors import LayoutChanged

PARSER = "lxml"
DEEPEST = 20_000
"""Levels of elements in each other: a page with more is no forum's. A post of 60,000 letters can hold less
than half of that, and must not make its whole page unreadable."""

# What lxml takes in no name, in no text and in no comment.
_NOT_IN_NAMES = re.compile(r"[\s&<>/\"'=\x00-\x1f]")
_NOT_IN_TEXTS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_COMMENTS = re.compile(r"-(?=-|\Z)")


class _Soup(BeautifulSoup):
    """A page that stops being read where it is nested too deep."""

    def handle_starttag(self, name: str, *around: Any, **more: Any) -> SoupTag | None:
        if len(self.tagStack) > DEEPEST:
            raise LayoutChanged(
                f"The page is nested more than {DEEPEST:,} levels deep, as no forum's page is, so it was not "
                "read. No count was made."
            )
        return super().handle_starttag(name, *around, **more)


def parse_soup(text: str, make_element: Callable[[str], etree._Element]) -> etree._Element:
    """The `<html>` of a page; `make_element` makes an element by its name. Raises LayoutChanged."""
    soup = _Soup(text, PARSER, multi_valued_attributes=None)
    root = make_element("html")
    if soup.html is None:
        return root
    made = {id(soup.html): root}
    _copy_attributes(soup.html, root)
    for node in soup.html.descendants:
        around = made[id(node.parent)]
        if isinstance(node, SoupTag):
            element = made[id(node)] = make_element(_NOT_IN_NAMES.sub("_", node.name))
            _copy_attributes(node, element)
            around.append(element)
        elif isinstance(node, Comment):
            around.append(etree.Comment(_NOT_IN_COMMENTS.sub("- ", _NOT_IN_TEXTS.sub("", node))))
        elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            said = _NOT_IN_TEXTS.sub("", node)
            if len(around):
                around[-1].tail = (around[-1].tail or "") + said
            else:
                around.text = (around.text or "") + said
    return root


def _copy_attributes(node: SoupTag, element: etree._Element) -> None:
    for name, value in node.attrs.items():
        with suppress(ValueError):  # a name that is none
            element.set(name, _NOT_IN_TEXTS.sub("", str(value or "")))
