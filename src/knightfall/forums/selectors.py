"""CSS selectors, as far as adapters use them, and where the elements of a page are."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol, TypeAlias


class Tag(Protocol):
    """An element of a page, in whichever of the two trees: `tree` (fast) or `soup` (lenient)."""

    @property
    def name(self) -> str: ...

    @property
    def parent(self) -> Tag | None: ...

    @property
    def parents(self) -> Iterator[Tag]:
        """The elements around this one, from inside out."""
        ...

    def get(self, name: str) -> str | None:
        """An attribute; None where there is none."""
        ...

    def find_parent(self, name: str) -> Tag | None:
        """The nearest element of that name around this one."""
        ...

    def find_next_sibling(self, name: str) -> Tag | None:
        """The next element of that name beside this one."""
        ...

    def elements(self) -> Iterator[Tag]:
        """All elements inside this one, in page order."""
        ...

    def select(self, selector: str) -> Iterable[Tag]:
        """All elements inside this one that match. Raises UnknownSelectorError where that is not known."""
        ...

    def behind(self) -> Tag | None:
        """The next element beside this one."""
        ...

    def lookup(self) -> Lookup | None:
        """Where the elements of this one's page are; None for what was taken out of one."""
        ...

    def seen_text(self) -> str:
        """What a reader sees of the element, spaces and lines as they are written."""
        ...

    def own_texts(self) -> Iterable[str]:
        """The texts that stand directly in the element."""
        ...

    def texts_after(self, within: Tag) -> Iterable[str]:
        """The texts inside `within` that come after this element."""
        ...

    def texts_before(self, within: Tag) -> Iterable[str]:
        """The texts inside `within` that come before this element."""
        ...

    def inner_html(self) -> str:
        """The HTML inside the element, its attributes in order of their names."""
        ...

    def take_out(self) -> None:
        """Part the element from its page."""
        ...

    def cut_from_line(self, line: str) -> None:
        """Take out the last text that reads `line` on the top level of the element, and all behind it."""
        ...


Test: TypeAlias = Callable[[Tag, Tag], bool]
"""Given an element and the one that is searched in, which `:scope` means."""

Key: TypeAlias = tuple[str, str]
"""What an element must have to match: a name ("", "div"), a class (".", "post"), an id ("#", "p7"), or an
attribute with any value ("@", "href")."""
NAME, CLASS, ID, HAS = "", ".", "#", "@"


@dataclass(frozen=True, slots=True)
class Selector:
    """`test` tells whether an element matches; one that does has one of the `keys` (None: it need not), and
    stands inside an element with one of the keys `around` (None: it need not)."""

    test: Test
    keys: tuple[Key, ...] | None
    around: tuple[Key, ...] | None = None
    parts: tuple[Selector, ...] = ()
    """The selectors of a list, one of which matches."""


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


class UnknownSelectorError(Exception):
    """The selector uses more of CSS than is known here."""


@lru_cache(maxsize=1024)
def compiled(selector: str) -> Selector | None:
    """The selector, ready to be asked; None where it uses more of CSS than is known here."""
    try:
        found, end = _list(selector, 0)
    except UnknownSelectorError:
        return None
    return found if end == len(selector) else None


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
        telling = found.keys and all(kind in (CLASS, ID) for kind, _ in found.keys)
        around = found.keys if telling else found.around
        found = Selector(join(found.test, inner.test), inner.keys, around)
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
        raise UnknownSelectorError(text[at:])
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
            raise UnknownSelectorError(text[end:])
        return (Selector(_none(inner.test), None) if found["choice"] == "not" else inner), end + 1
    keys: tuple[Key, ...] | None = None
    if found["id"]:
        keys = ((ID, found["id"]),)
    elif found["attribute"]:
        keys = ((HAS, found["attribute"].lower()),)
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
        return lambda tag, _scope: tag.get(name) is not None
    value = next(found[kind] for kind in ("double", "single", "bare") if found[kind] is not None)
    return _compared(name, _HOW[how], value)


def _compared(name: str, holds: Callable[[str, str], bool], value: str) -> Test:
    folded = name == _ANY_CASE
    wanted = value.lower() if folded else value

    def test(tag: Tag, _scope: Tag) -> bool:
        found = tag.get(name)
        return found is not None and holds(found.lower() if folded else found, wanted)

    return test


def _has(inside: str, child: bool) -> Test:
    inner = compiled(inside)
    if inner is None:
        raise UnknownSelectorError(inside)

    def test(tag: Tag, scope: Tag) -> bool:
        return any(inner.test(one, scope) for one in tag.elements() if not child or one.parent is tag)

    return test


def _all(name: str | None, styles: tuple[str, ...], tests: tuple[Test, ...]) -> Test:
    """One function a compound: it is asked of every element of a page."""

    def test(tag: Tag, scope: Tag) -> bool:
        if name is not None and tag.name != name:
            return False
        if styles:
            classes = (tag.get("class") or "").split()
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

    def test(tag: Tag, scope: Tag) -> bool:
        for one in tests:  # noqa: SIM110  # as above
            if one(tag, scope):
                return True
        return False

    keys = [one.keys for one in found]
    together = tuple(dict.fromkeys(key for some in keys for key in some or ()))
    return Selector(test, None if None in keys else together, None, found)


def _none(test: Test) -> Test:
    return lambda tag, scope: not test(tag, scope)


def _child(outer: Test, inner: Test) -> Test:
    return lambda tag, scope: inner(tag, scope) and tag.parent is not None and outer(tag.parent, scope)


def _descendant(outer: Test, inner: Test) -> Test:
    def test(tag: Tag, scope: Tag) -> bool:
        return inner(tag, scope) and any(outer(around, scope) for around in tag.parents)

    return test


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


class Lookup:
    """The elements of a page in order, and where those with a name, a class, an id or an attribute are.

    Nothing may come into the page after this was made; what is taken out has to be told.
    """

    __slots__ = ("_element", "_ends", "_keyed", "_order", "_own", "_places", "_spans", "_taken")

    def __init__(self, page: Tag, order: Sequence[Tag], element: bool) -> None:
        """`order` are all elements inside the page, in page order; `element` tells whether the page is one
        itself, such as `<html>`, and may match. The page keeps this: what kept the page, too, would not end
        with it."""
        self._order = order
        # Each element (by identity) and its place; the page itself stands before all of them.
        self._places = {id(element): place for place, element in enumerate(order)}
        self._places[id(page)] = -1
        self._element = element
        self._own = {(CLASS, style) for style in (page.get("class") or "").split()}
        self._own.add((ID, page.get("id") or ""))
        self._taken: set[int] = set()
        self._ends: dict[int, int] = {}
        # What was asked for, by kind and value; a kind that nobody asks for is not looked up.
        self._keyed: dict[str, Mapping[str, Sequence[int]]] = {}
        self._spans: dict[tuple[Key, ...], tuple[list[int], list[int]]] = {}

    def holds(self, element: Tag) -> bool:
        """Whether the element is still in the page."""
        place = self._places.get(id(element))
        return place is not None and place not in self._taken

    def inside(self, element: Tag, selector: Selector) -> Sequence[Tag]:
        """The elements inside one that may match, in page order.

        Raises KeyError for an element that was not in the page.
        """
        begin, end = self._range(element)
        if selector.parts:
            found = sorted({place for part in selector.parts for place in self._possible(part, begin, end)})
        else:
            found = self._possible(selector, begin, end)
        inside = [self._order[place] for place in found if place not in self._taken]
        return [element, *inside] if begin == 0 and self._element else inside

    def take_out(self, element: Tag) -> None:
        """Neither the element nor what is inside it is found any longer; it has still to be in the page."""
        begin, end = self._range(element)
        self._taken.update(range(begin - 1, end))

    def _possible(self, selector: Selector, begin: int, end: int) -> list[int]:
        """The places from `begin` to `end` with a key of the selector, inside what it has to be inside."""
        if selector.keys is None:
            found = list(range(begin, end))
        elif len(selector.keys) == 1:
            found = self._between(selector.keys[0], begin, end)
        else:
            found = sorted({place for key in selector.keys for place in self._between(key, begin, end)})
        if not found or selector.around is None or not self._own.isdisjoint(selector.around):
            return found
        begins, ends = self._within(selector.around)
        if not begins:
            return []
        kept = []
        for place in found:
            span = bisect_left(begins, place) - 1  # the last that begins before it
            if span >= 0 and place < ends[span]:
                kept.append(place)
        return kept

    def _within(self, keys: tuple[Key, ...]) -> tuple[list[int], list[int]]:
        """Where the elements with one of these keys begin and end, but for those inside another one."""
        if keys not in self._spans:
            begins: list[int] = []
            ends: list[int] = []
            for place in sorted({place for key in keys for place in self._between(key, 0, len(self._order))}):
                if not ends or place >= ends[-1]:
                    begins.append(place)
                    ends.append(self._range(self._order[place])[1])
            self._spans[keys] = (begins, ends)
        return self._spans[keys]

    def _between(self, key: Key, begin: int, end: int) -> list[int]:
        kind, value = key
        if kind == HAS:
            kind, value = f"{HAS}{value}", ""
        if kind not in self._keyed:
            self._keyed[kind] = self._all_of(kind)
        places = self._keyed[kind].get(value, ())
        first = bisect_left(places, begin)
        return list(places[first : bisect_left(places, end, first)])

    def _all_of(self, kind: str) -> Mapping[str, Sequence[int]]:
        """Every name, class or id of the page and the places of its elements; of an attribute all places."""
        found = defaultdict[str, list[int]](list)
        if kind == NAME:
            for place, element in enumerate(self._order):
                found[element.name].append(place)
        elif kind == CLASS:
            # Most elements share their classes with others: each attribute is taken apart once.
            written = defaultdict[str, list[int]](list)
            for place, element in enumerate(self._order):
                if classes := element.get("class"):
                    written[classes].append(place)
            for classes, places in written.items():
                for style in set(classes.split()):
                    found[style] += places
            for places in found.values():
                places.sort()
        elif kind == ID:
            for place, element in enumerate(self._order):
                if (identity := element.get("id")) is not None:
                    found[identity].append(place)
        else:
            name = kind[len(HAS) :]
            found[""] = [at for at, element in enumerate(self._order) if element.get(name) is not None]
        return found

    def _range(self, element: Tag) -> tuple[int, int]:
        """The places of what is inside an element: the first, and the one behind the last."""
        place = self._places[id(element)]
        if place in self._ends:
            return place + 1, self._ends[place]
        self._ends[place] = end = self._end(element)
        return place + 1, end

    def _end(self, element: Tag) -> int:
        around: Tag | None = element
        while around is not None:
            behind = around.behind()
            if behind is not None and id(behind) in self._places:
                return self._places[id(behind)]
            around = around.parent
        return len(self._order)


TEXT_SPACES = " \n\t\f\r"
KEPT_SPACES = ("pre", "textarea")
"""Elements in which spaces mean what they are; elsewhere a text of nothing but spaces is one of them."""
BARE = ("script", "style")
"""Elements whose text is written as it is."""
UNSEEN = frozenset({"script", "style", "template", "rt", "rp"})
"""Elements whose text no reader sees in the line."""


def escaped(text: str) -> str:
    """The text as it stands in HTML."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text or ">" in text:
        text = text.replace("<", "&lt;").replace(">", "&gt;")
    return text


def attribute_html(key: str, value: str | None) -> str:
    """An attribute as it stands in a start tag, the space before it included."""
    if value is None:
        return f" {key}"
    text = escaped(value)
    if '"' not in text:
        return f' {key}="{text}"'
    return f" {key}='{text}'" if "'" not in text else f' {key}="{text.replace(chr(34), "&quot;")}"'
