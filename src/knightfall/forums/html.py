"""The tree of a page: selectors, look-ups and text over BeautifulSoup."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from knightfall.errors import LayoutChanged

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from bs4.element import NavigableString, PageElement
else:
    Tag = object  # adapters name it in annotations alone: BeautifulSoup loads with the first page


Test: TypeAlias = Callable[[Any, Any], bool]
"""Given an element (name, attrs, parent, contents) and the one that is searched in, which `:scope` means."""

Key: TypeAlias = tuple[str, str]
"""A name ("", "div"), a class (".", "post") or an id ("#", "p7") that an element must have to match."""
NAME, CLASS, ID = "", ".", "#"


@dataclass(frozen=True, slots=True)
class Selector:
    """`test` tells whether an element matches; one that does has one of the `keys` (None: it need not)."""

    test: Test
    keys: tuple[Key, ...] | None


_SPACE = re.compile(r"\s*")
_NAME = r"-?[A-Za-z_][\w-]*"
# One piece of a compound selector. Of pseudo-classes only those that adapters use: `:scope`, `:is(…)` and
# `:not(…)`, whose insides are read by themselves, and `:has(…)` with one compound.
_PART = re.compile(
    rf"""(?P<tag>{_NAME}|\*)
    |\#(?P<id>{_NAME})
    |\.(?P<style>{_NAME})
    |\[\s*(?P<attribute>{_NAME})\s*
        (?:(?P<how>[~^$*]?=)\s*(?:"(?P<double>[^"\\]*)"|'(?P<single>[^'\\]*)'|(?P<bare>{_NAME}))\s*)?\]
    |:(?P<scope>scope)(?![\w(-])
    |:(?P<choice>is|not)\(
    |:has\(\s*(?P<child>>?)\s*(?P<inside>[^()>\s,+~]+)\s*\)
    """,
    re.VERBOSE,
)
_COMBINATOR = re.compile(r"\s*>\s*|\s+")
_NOT_A_COMPOUND = (",", ")", "+", "~", "")
_ANY_CASE = "type"
"""The attribute whose values HTML compares in any case."""

_HOW: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "=": lambda found, value: found == value,
        "~=": lambda found, value: value in found.split(),
        "^=": lambda found, value: bool(value) and found.startswith(value),
        "$=": lambda found, value: bool(value) and found.endswith(value),
        "*=": lambda found, value: bool(value) and value in found,
    }
)


class _NotCompiledError(Exception):
    """The selector uses more of CSS than this module knows."""


@lru_cache(maxsize=1024)
def compiled(selector: str) -> Selector | None:
    """The selector, ready to be asked; None where it uses more of CSS than is known here."""
    try:
        found, end = _list(selector, 0)
    except _NotCompiledError:
        return None
    return found if end == len(selector) else None


def elements_inside(element: Any, kind: type[Any]) -> Iterator[Any]:
    """All elements of that kind inside one, in page order."""
    waiting = element.contents[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, kind):
            yield node
            waiting += node.contents[::-1]


def _list(text: str, at: int) -> tuple[Selector, int]:
    """ "a, b c" up to its end or a closing bracket."""
    found: list[Selector] = []
    while True:
        one, at = _chain(text, _after_space(text, at))
        found.append(one)
        at = _after_space(text, at)
        if text[at : at + 1] != ",":
            return (found[0] if len(found) == 1 else _any(tuple(found))), at
        at += 1


def _chain(text: str, at: int) -> tuple[Selector, int]:
    """ "a > b c": compounds with what stands between them; the keys are those of the last."""
    found, at = _compound(text, at)
    while between := _COMBINATOR.match(text, at):
        if text[between.end() : between.end() + 1] in _NOT_A_COMPOUND:
            break
        inner, at = _compound(text, between.end())
        join = _child if ">" in between[0] else _descendant
        found = Selector(join(found.test, inner.test), inner.keys)
    return found, at


def _compound(text: str, at: int) -> tuple[Selector, int]:
    """ "div.post[id]": all of it holds for one element; its rarest key is enough to find it by."""
    name: str | None = None
    styles: list[str] = []
    others: list[Selector] = []
    begun = at
    while found := _PART.match(text, at):
        at = found.end()
        if found["tag"]:
            name = found["tag"].lower()
        elif found["style"]:
            styles.append(found["style"])
        else:
            other, at = _part(text, found)
            others.append(other)
    if at == begun:
        raise _NotCompiledError(text[at:])
    name = None if name == "*" else name
    test = _all(name, tuple(styles), tuple(other.test for other in others))
    return Selector(test, _rarest(name, styles, others)), at


def _rarest(name: str | None, styles: list[str], others: list[Selector]) -> tuple[Key, ...] | None:
    keyed = [other.keys for other in others if other.keys is not None]
    if ids := next((keys for keys in keyed if keys[0][0] == ID), None):
        return ids
    if styles:
        return ((CLASS, styles[0]),)
    return ((NAME, name),) if name else next(iter(keyed), None)


def _part(text: str, found: re.Match[str]) -> tuple[Selector, int]:
    if found["choice"]:
        inner, end = _list(text, found.end())
        if text[end : end + 1] != ")":
            raise _NotCompiledError(text[end:])
        return (Selector(_none(inner.test), None) if found["choice"] == "not" else inner), end + 1
    keys = ((ID, found["id"]),) if found["id"] else None
    return Selector(_simple(found), keys), found.end()


def _simple(found: re.Match[str]) -> Test:
    if found["id"]:
        return _compared("id", _HOW["="], found["id"])
    if found["scope"]:
        return lambda tag, scope: tag is scope
    if found["inside"]:
        return _has(found["inside"], bool(found["child"]))
    name, how = found["attribute"].lower(), found["how"]
    if how is None:
        return lambda tag, _scope: name in tag.attrs
    value = next(found[kind] for kind in ("double", "single", "bare") if found[kind] is not None)
    return _compared(name, _HOW[how], value)


def _compared(name: str, holds: Callable[[str, str], bool], value: str) -> Test:
    folded = name == _ANY_CASE
    wanted = value.lower() if folded else value

    def test(tag: Any, _scope: Any) -> bool:
        found = tag.attrs.get(name)
        if found is None:
            return False
        if not isinstance(found, str):
            found = " ".join(found)
        return holds(found.lower() if folded else found, wanted)

    return test


def _has(inside: str, child: bool) -> Test:
    inner = compiled(inside)
    if inner is None:
        raise _NotCompiledError(inside)

    def test(tag: Any, scope: Any) -> bool:
        found = elements_inside(tag, type(tag))
        return any(inner.test(one, scope) for one in found if not child or one.parent is tag)

    return test


def _all(name: str | None, styles: tuple[str, ...], tests: tuple[Test, ...]) -> Test:
    """One function a compound: it is asked of every element of a page."""

    def test(tag: Any, scope: Any) -> bool:
        if name is not None and tag.name != name:
            return False
        if styles:
            classes = tag.attrs.get("class")
            if not classes:
                return False
            if isinstance(classes, str):
                classes = classes.split()
            for style in styles:
                if style not in classes:
                    return False
        for other in tests:  # noqa: SIM110  # a generator costs more than all the tests
            if not other(tag, scope):
                return False
        return True

    return test


def _any(found: tuple[Selector, ...]) -> Selector:
    tests = tuple(one.test for one in found)

    def test(tag: Any, scope: Any) -> bool:
        for one in tests:  # noqa: SIM110  # as above
            if one(tag, scope):
                return True
        return False

    keys = [one.keys for one in found]
    together = tuple(dict.fromkeys(key for some in keys for key in some or ()))
    return Selector(test, None if None in keys else together)


def _none(test: Test) -> Test:
    return lambda tag, scope: not test(tag, scope)


def _child(outer: Test, inner: Test) -> Test:
    return lambda tag, scope: inner(tag, scope) and tag.parent is not None and outer(tag.parent, scope)


def _descendant(outer: Test, inner: Test) -> Test:
    def test(tag: Any, scope: Any) -> bool:
        if not inner(tag, scope):
            return False
        around = tag.parent
        while around is not None:
            if outer(around, scope):
                return True
            around = around.parent
        return False

    return test


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


@dataclass(frozen=True, slots=True)
class Lookup:
    """The elements of a page in order, and where those with a name, a class or an id are.

    Nothing may come into the page after this was made; what is taken out has to be told.
    """

    kind: type[Any]
    order: list[Any]
    places: dict[int, int]
    """Element (by identity) → its place in the order."""
    keyed: dict[str, dict[str, list[int]]]
    gone: set[int]

    @classmethod
    def of(cls, page: Any, kind: type[Any]) -> Lookup:
        """All of a page's elements of that kind, the page itself first."""
        order: list[Any] = []
        names, styles, ids = (defaultdict[str, list[int]](list) for _ in range(3))
        waiting = [page]
        while waiting:
            node = waiting.pop()
            if isinstance(node, kind):
                place = len(order)
                order.append(node)
                names[node.name].append(place)
                if attrs := node.attrs:
                    classes = attrs.get("class")
                    if classes:
                        for style in dict.fromkeys(classes.split() if isinstance(classes, str) else classes):
                            styles[style].append(place)
                    identity = attrs.get("id")
                    if identity is not None:
                        ids[identity].append(place)

                waiting += node.contents[::-1]
        places = {id(element): place for place, element in enumerate(order)}
        return cls(kind, order, places, {NAME: names, CLASS: styles, ID: ids}, set())

    def inside(self, element: Any, keys: Iterable[Key] | None) -> Sequence[Any]:
        """The elements inside one that have one of the keys, in page order; all of them where keys are None.

        Raises KeyError for an element that was not in the page.
        """
        begin, end = self.places[id(element)] + 1, self._end(element)
        if keys is None:
            found: Iterable[int] = range(begin, end)
        else:
            found = sorted({place for key in keys for place in self._between(key, begin, end)})
        return [self.order[place] for place in found if place not in self.gone]

    def take_out(self, element: Any) -> None:
        """Neither the element nor what is inside it is found any longer; it has still to be in the page."""
        self.gone.update(range(self.places[id(element)], self._end(element)))

    def _between(self, key: Key, begin: int, end: int) -> Sequence[int]:
        places = self.keyed[key[0]].get(key[1], ())
        return places[bisect_left(places, begin) : bisect_left(places, end)]

    def _end(self, element: Any) -> int:
        """The place of the first element behind one and all that is inside it."""
        while element is not None:
            behind = element.next_sibling
            while behind is not None:
                if isinstance(behind, self.kind):
                    return self.places[id(behind)]
                behind = behind.next_sibling
            element = element.parent
        return len(self.order)


def inner_html(element: Any, tag: type[Any], plain: type[Any]) -> str:
    """The contents of an element; `tag` and `plain` are the parser's classes of elements and of plain text.

    Comments and other special strings are written by the parser itself.
    """
    written: list[str] = []
    waiting: list[Any] = element.contents[::-1]
    while waiting:
        node = waiting.pop()
        if type(node) is plain:
            written.append(_escaped(node))
        elif type(node) is str:
            written.append(node)
        elif isinstance(node, tag):
            _open(node, written, waiting)
        else:
            written.append(node.output_ready("minimal"))
    return "".join(written)


def _open(node: Any, written: list[str], waiting: list[Any]) -> None:
    """The start of an element; its contents and its end are left waiting."""
    name = f"{node.prefix}:{node.name}" if node.prefix else node.name
    attributes = "".join([_attribute(key, value) for key, value in sorted(node.attrs.items())])
    if node.is_empty_element:
        written.append(f"<{name}{attributes}/>")
        return
    written.append(f"<{name}{attributes}>")
    waiting.append(f"</{name}>")
    waiting += node.contents[::-1]


def _attribute(key: str, value: str | None) -> str:
    if value is None:
        return f" {key}"
    text = _escaped(value)
    if '"' not in text:
        return f' {key}="{text}"'
    return f" {key}='{text}'" if "'" not in text else f' {key}="{text.replace(chr(34), "&quot;")}"'


def _escaped(text: str) -> str:
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text or ">" in text:
        text = text.replace("<", "&lt;").replace(">", "&gt;")
    return text


__all__ = [
    "Tag",
    "amount",
    "attribute",
    "classes",
    "cut_from_line",
    "enclosing",
    "every",
    "first_of",
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
    "text_of",
    "title_or_words",
    "with_id",
    "worded",
    "words",
    "words_after",
    "words_before",
]

PARSER = "lxml"
DEEPEST = 20_000
"""Levels of elements in each other: a page with more is no forum's. A post of 60,000 letters can hold less
than half of that, and must not make its whole page unreadable."""
MOST_ATTRIBUTES = 500
"""Attributes of an element: a page with more is no forum's."""
UNREAD = ", as no forum's page is, so it was not read. No count was made."
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

        def handle_starttag(self, name: str, *around: Any, **more: Any) -> Tag | None:
            found: Tag | None = super().handle_starttag(name, *around, **more)
            if len(self.tagStack) > DEEPEST:
                raise LayoutChanged(f"The page is nested more than {DEEPEST:,} levels deep{UNREAD}")
            if found is not None and len(found.attrs) > MOST_ATTRIBUTES:
                raise LayoutChanged(f"<{name}> has more than {MOST_ATTRIBUTES} attributes{UNREAD}")
            return found

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
    """The elements, which are no longer part of their page."""
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
