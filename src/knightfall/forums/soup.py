"""The tree of a page as BeautifulSoup builds it: slower than `tree`, and at its best with broken pages.

It reads a page in which the fast tree finds no posts, and all of CSS; `doctor` looks at pages with it, and
tests hold the fast tree against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from bs4 import BeautifulSoup
from bs4 import Tag as SoupTag
from bs4.element import NavigableString, PreformattedString

from knightfall.errors import LayoutChanged
from knightfall.forums.selectors import Lookup, Tag, attribute_html, escaped
from knightfall.forums.tree import MOST_ATTRIBUTES, UNREAD

PARSER = "lxml"
DEEPEST = 20_000
"""Levels of elements in each other: a page with more is no forum's. A post of 60,000 letters can hold less
than half of that, and must not make its whole page unreadable."""


class _Asked:
    """What adapters ask of an element (see `selectors.Tag`), by what BeautifulSoup knows of it."""

    contents: list[Any]

    def elements(self) -> Iterator[Any]:
        waiting = self.contents[::-1]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Part):
                yield node
                waiting += node.contents[::-1]

    def attributed(self: Any, name: str) -> Iterator[tuple[Any, str]]:
        found = ((tag, tag.get(name)) for tag in (self, *self.elements()))
        return ((tag, value) for tag, value in found if value is not None)

    def behind(self: Any) -> Any:
        behind = self.next_sibling
        while behind is not None and not isinstance(behind, Part):
            behind = behind.next_sibling
        return behind

    def lookup(self: Any) -> Lookup | None:
        page = self
        while page is not None and not isinstance(page, Page):
            page = page.parent
        return page.found() if page is not None else None

    def seen_text(self: Any) -> str:
        return str(self.get_text())

    def own_texts(self: Any) -> Iterable[str]:
        return _texts(self.children)

    def texts_after(self: Any, within: Any) -> Iterable[str]:
        own = set(map(id, self.descendants))
        return _texts(node for node in _inside(self.next_elements, within) if id(node) not in own)

    def texts_before(self: Any, within: Any) -> Iterable[str]:
        return reversed(list(_texts(_inside(self.previous_elements, within))))

    def inner_html(self) -> str:
        written: list[str] = []
        waiting: list[Any] = self.contents[::-1]
        while waiting:
            node = waiting.pop()
            if type(node) is NavigableString:
                written.append(escaped(node))
            elif type(node) is str:
                written.append(node)
            elif isinstance(node, SoupTag):
                name = f"{node.prefix}:{node.name}" if node.prefix else node.name
                told = sorted(cast(dict[str, str | None], node.attrs).items())
                attributes = "".join([attribute_html(key, value) for key, value in told])
                if node.is_empty_element:
                    written.append(f"<{name}{attributes}/>")
                    continue
                written.append(f"<{name}{attributes}>")
                waiting.append(f"</{name}>")
                waiting += node.contents[::-1]
            else:  # comments and other special strings
                written.append(node.output_ready("minimal"))
        return "".join(written)

    def take_out(self: Any) -> None:
        found = self.lookup()
        if found is not None:
            found.take_out(self)
        self.extract()

    def cut_from_line(self: Any, line: str) -> None:
        texts = [node for node in self.find_all(string=True) if node.strip() == line]
        on_top = [
            node
            for node in texts
            if node.parent is self or (node.parent.parent if node.parent is not None else None) is self
        ]
        if on_top:
            behind = list(_inside(on_top[-1].next_elements, self))
            for node in (on_top[-1], *behind):
                if isinstance(node, Part):
                    node.take_out()
                else:
                    node.extract()


class Part(_Asked, SoupTag):
    """An element of a page."""


class Page(_Asked, BeautifulSoup):
    """A page, which knows where its elements are."""

    _found: Lookup | None = None

    def found(self) -> Lookup:
        if self._found is None:
            self._found = Lookup(cast(Tag, self), self.elements(), element=False)
        return self._found

    def handle_starttag(self, name: str, *around: Any, **more: Any) -> SoupTag | None:
        found: SoupTag | None = super().handle_starttag(name, *around, **more)
        if len(self.tagStack) > DEEPEST:
            raise LayoutChanged(f"The page is nested more than {DEEPEST:,} levels deep{UNREAD}")
        if found is not None and len(found.attrs) > MOST_ATTRIBUTES:
            raise LayoutChanged(f"<{name}> has more than {MOST_ATTRIBUTES} attributes{UNREAD}")
        return found


def parse_lenient(text: str) -> Page:
    """The tree of a page; a class attribute stays one text, which is quicker than a list made for each."""
    return Page(text, PARSER, multi_valued_attributes=None, element_classes={SoupTag: Part})


def _texts(nodes: Iterable[object]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            yield str(node)


def _inside(nodes: Iterable[Any], within: Any) -> Iterator[Any]:
    inside = set(map(id, within.descendants))
    for node in nodes:
        if id(node) not in inside:
            return
        yield node
