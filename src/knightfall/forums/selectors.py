"""CSS selectors, as far as adapters use them, and where the elements of a page are."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Protocol, TypeAlias, cast


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

    def attributed(self, name: str) -> Iterable[tuple[Tag, str]]:
        """This element and those inside it that have an attribute, in page order, each with its value."""
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
"""What an element must have to match: a name ("", "div"), a class (".", "post"), an id ("#", "p7"), an
attribute with any value ("@", "href"); or it is the one that is searched in (":", "scope")."""
NAME, CLASS, ID, HAS, SCOPE = "", ".", "#", "@", ":"
_RAREST = (ID, SCOPE, CLASS, NAME, HAS)


@dataclass(frozen=True, slots=True, eq=False)
class Selector:
    """`test` tells whether an element matches. All that match on a page are those that have one of the `keys`
    (None: they need not), pass the test `rest` (None: the keys tell all), and stand in an element that
    matches `outer` (None: anywhere): as its `child`, or at any depth."""

    test: Test
    keys: tuple[Key, ...] | None
    rest: Test | None = None
    outer: Selector | None = None
    child: bool = False
    parts: tuple[Selector, ...] = ()
    """The selectors of a list: all that match are those that match one of them."""
    passing: bool = False
    """Whether what matches depends on where is searched (`:scope`) or on what is left of a page (`:has`)."""


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
        child = ">" in between[0]
        test = (_child if child else _descendant)(found.test, inner.test)
        passing = found.passing or inner.passing
        found = Selector(test, inner.keys, inner.rest, found, child, passing=passing)
    return found, at


def _compound(text: str, at: int) -> tuple[Selector, int]:
    """ "div.post[id]": all of it holds for one element; its rarest key is enough to find it by."""
    pieces: list[Selector] = []
    begun = at
    while found := _PART.match(text, at):
        piece, at = _piece(text, found)
        if piece is not None:
            pieces.append(piece)
    if at == begun:
        raise UnknownSelectorError(text[at:])
    by = min((piece for piece in pieces if piece.keys), key=_rarity, default=None)
    told = by if by is not None and by.rest is None and by.outer is None else None
    return Selector(
        test=_all([piece.test for piece in pieces]),
        keys=by.keys if by is not None else None,
        rest=_all([piece.test for piece in pieces if piece is not told]) if pieces != [told] else None,
        passing=any(piece.passing for piece in pieces),
    ), at


def _rarity(piece: Selector) -> int:
    return max(_RAREST.index(kind) for kind, _ in piece.keys or ())


def _piece(text: str, found: re.Match[str]) -> tuple[Selector | None, int]:
    """One piece of a compound, and where it ends; None for one that every element matches."""
    if found["tag"]:
        name = found["tag"].lower()
        return None if name == "*" else Selector(_named(name), ((NAME, name),)), found.end()
    if found["style"]:
        return Selector(_styled(found["style"]), ((CLASS, found["style"]),)), found.end()
    if found["id"]:
        return Selector(_compared("id", "=", found["id"]), ((ID, found["id"]),)), found.end()
    if found["scope"]:
        return Selector(_is_scope, ((SCOPE, "scope"),), passing=True), found.end()
    if found["inside"]:
        test = _has(found["inside"], bool(found["child"]))
        return Selector(test, None, test, passing=True), found.end()
    if found["choice"]:
        inner, end = _list(text, found.end())
        if text[end : end + 1] != ")":
            raise UnknownSelectorError(text[end:])
        if found["choice"] == "not":
            test = _none(inner.test)
            inner = Selector(test, None, test, passing=inner.passing)
        return inner, end + 1
    name, how = found["attribute"].lower(), found["how"]
    if how is None:
        return Selector(lambda tag, _scope: tag.get(name) is not None, ((HAS, name),)), found.end()
    value = next(found[kind] for kind in ("double", "single", "bare") if found[kind] is not None)
    test = _compared(name, how, value)
    return Selector(test, ((HAS, name),), test), found.end()


def _is_scope(tag: Tag, scope: Tag) -> bool:
    return tag is scope


def _named(name: str) -> Test:
    return lambda tag, _scope: tag.name == name


def _styled(style: str) -> Test:
    return lambda tag, _scope: style in (tag.get("class") or "").split()


def _compared(name: str, how: str, value: str) -> Test:
    holds, folded = _HOW[how], name == _ANY_CASE
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


def _all(tests: list[Test]) -> Test:
    if len(tests) == 1:
        return tests[0]

    def test(tag: Tag, scope: Tag) -> bool:
        for one in tests:  # noqa: SIM110  # a generator costs more than all the tests
            if not one(tag, scope):
                return False
        return True

    return test


def _any(found: tuple[Selector, ...]) -> Selector:
    tests = [one.test for one in found]

    def test(tag: Tag, scope: Tag) -> bool:
        for one in tests:  # noqa: SIM110  # as above
            if one(tag, scope):
                return True
        return False

    keys = [one.keys for one in found]
    together = tuple(dict.fromkeys(key for some in keys for key in some or ()))
    told = all(one.keys and one.rest is None and one.outer is None for one in found)
    return Selector(
        test,
        None if None in keys else together,
        None if told else test,
        parts=found,
        passing=any(one.passing for one in found),
    )


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
    """The elements of a page in order, and where those are that a selector matches.

    Who asks for a selector in one post asks for it in the others too: from the second time on it is asked of
    the whole page at once, and what it matches in a part is looked up. Nothing may come into the page after
    this was made; what is taken out has to be told.
    """

    __slots__ = (
        "_asked",
        "_begin",
        "_ends",
        "_groups",
        "_keyed",
        "_matches",
        "_order",
        "_places",
        "_spans",
        "_taken",
        "_told",
    )

    def __init__(self, page: Tag, inside: Iterable[Tag], element: bool) -> None:
        """`inside` are all elements inside the page, in page order; `element` tells whether the page is one
        itself, such as `<html>`, and may match. The page keeps this: what kept the page, too, would not end
        with it, so its own place, the first, stays empty."""
        self._order = [cast(Tag, None), *inside]
        self._places = {id(tag): place for place, tag in enumerate(self._order)}
        del self._places[id(None)]
        self._places[id(page)] = 0
        self._begin = 0 if element else 1
        self._taken: set[int] = set()
        self._ends: dict[int, int] = {0: len(self._order)}
        # What was asked for: by attribute, by name, class and id, by key, and by selector.
        self._told: dict[str, list[tuple[int, str]]] = {}
        self._groups: dict[str, Mapping[str, list[list[int]]]] = {}
        self._keyed: dict[Key, Sequence[int]] = {}
        self._asked: set[Selector] = set()
        self._matches: dict[Selector, Sequence[int]] = {}
        self._spans: dict[Selector, tuple[list[int], list[int]]] = {}

    def holds(self, element: Tag) -> bool:
        """Whether the element is still in the page."""
        place = self._places.get(id(element))
        return place is not None and place not in self._taken

    def every(self, within: Tag, selector: Selector) -> list[Tag]:
        """The elements inside one that match, in page order.

        Raises KeyError for an element that was not in the page.
        """
        found, order, taken = self._inside(within, selector), self._order, self._taken
        if taken:
            found = [place for place in found if place not in taken]
        tags = [order[place] for place in found]
        if tags and found[0] == 0:
            tags[0] = within
        return tags

    def first(self, within: Tag, selector: Selector) -> Tag | None:
        """The first of the elements inside one that match. Raises as `every`."""
        for place in self._inside(within, selector):
            if place not in self._taken:
                return self._order[place] if place else within
        return None

    def take_out(self, element: Tag) -> None:
        """Neither the element nor what is inside it is found any longer; it has still to be in the page."""
        place = self._places[id(element)]
        self._taken.update(range(place, self._end(place)))

    def _inside(self, within: Tag, selector: Selector) -> Sequence[int]:
        scope = self._places[id(within)]
        end = self._end(scope)
        begin = scope + 1 if scope else self._begin
        found = self._matches.get(selector)
        if found is not None:
            return _between(found, begin, end)
        if selector.passing:
            return self._found(selector, begin, end, within)
        if selector not in self._asked and end - begin < len(self._order) // 2:
            self._asked.add(selector)
            return self._found(selector, begin, end, within)
        return _between(self._all(selector, within), begin, end)

    def _all(self, selector: Selector, within: Tag) -> Sequence[int]:
        """The places of all elements that match, wherever they stand; `within` is the one searched in."""
        if selector.passing:
            return self._found(selector, self._begin, len(self._order), within)
        found = self._matches.get(selector)
        if found is None:
            found = self._matches[selector] = self._found(selector, self._begin, len(self._order), within)
        return found

    def _found(self, selector: Selector, begin: int, end: int, within: Tag) -> Sequence[int]:
        """The places from `begin` to `end` of elements that match."""
        if selector.parts:
            return sorted(set().union(*(self._found(part, begin, end, within) for part in selector.parts)))

        # The elements with the selector's keys, of these those in the right place, of these those that match.
        if selector.keys is None:
            found: Sequence[int] = range(begin, end)
        else:
            several = [_between(self._having(key, within), begin, end) for key in selector.keys]
            found = several[0] if len(several) == 1 else sorted(set().union(*several))
        if selector.outer is not None and found:
            inside = self._children if selector.child else self._descendants
            found = inside(found, selector.outer, within)
        if selector.rest is not None and found:
            order, rest = self._order, selector.rest
            page = self._page(within) if found[0] == 0 else within
            found = [place for place in found if rest(order[place] if place else page, within)]
        return found

    def _children(self, found: Sequence[int], outer: Selector, within: Tag) -> list[int]:
        """Those of the places whose elements stand directly in one that matches."""
        order, places, around = self._order, self._places, set(self._all(outer, within))
        return [place for place in found if place and places.get(id(order[place].parent)) in around]

    def _descendants(self, found: Sequence[int], outer: Selector, within: Tag) -> list[int]:
        """Those of the places whose elements stand inside one that matches."""
        begins, ends = self._spans_of(outer, within)
        kept: list[int] = []
        if len(begins) < len(found):
            for begin, end in zip(begins, ends, strict=True):
                kept += _between(found, begin + 1, end)
            return kept
        for place in found:
            span = bisect_left(begins, place) - 1  # the last that begins before it
            if span >= 0 and place < ends[span]:
                kept.append(place)
        return kept

    def _spans_of(self, selector: Selector, within: Tag) -> tuple[list[int], list[int]]:
        """Where the elements that match begin and end, but for those inside another one."""
        spans = self._spans.get(selector)
        if spans is None:
            begins: list[int] = []
            ends: list[int] = []
            for place in self._all(selector, within):
                if not ends or place >= ends[-1]:
                    begins.append(place)
                    ends.append(self._end(place))
            spans = (begins, ends)
            if not selector.passing:
                self._spans[selector] = spans
        return spans

    def _having(self, key: Key, within: Tag) -> Sequence[int]:
        """The places of all elements with a key."""
        kind, value = key
        if kind == SCOPE:
            return (self._places[id(within)],)
        found = self._keyed.get(key)
        if found is None:
            if kind == HAS:
                found = [place for place, _ in self._attributed(value, within)]
            else:
                if kind not in self._groups:
                    self._groups[kind] = self._grouped(kind, within)
                groups = self._groups[kind].get(value, [])
                found = groups[0] if len(groups) == 1 else sorted(chain.from_iterable(groups))
            self._keyed[key] = found
        return found

    def _grouped(self, kind: str, within: Tag) -> Mapping[str, list[list[int]]]:
        """Every name, class or id of the page, and the places of its elements in one or more groups."""
        values: Iterable[tuple[int, str | None]]
        if kind == ID:
            values = self._attributed("id", within)
        else:
            tags = self._order[1:] if self._begin else [self._page(within), *self._order[1:]]
            told = [tag.name for tag in tags] if kind == NAME else [tag.get("class") for tag in tags]
            values = enumerate(told, self._begin)
        written: dict[str, list[int]] = {}
        for place, value in values:
            if value is None:
                continue
            if value in written:
                written[value].append(place)
            else:
                written[value] = [place]
        if kind != CLASS:
            return {value: [places] for value, places in written.items()}

        # Most elements share their classes with others: each attribute is taken apart once.
        found = defaultdict[str, list[list[int]]](list)
        for classes, places in written.items():
            for style in set(classes.split()):
                found[style].append(places)
        return found

    def _attributed(self, name: str, within: Tag) -> list[tuple[int, str]]:
        """The places of the elements that have an attribute, each with its value."""
        found = self._told.get(name)
        if found is None:
            places = self._places
            told = self._page(within).attributed(name)
            found = self._told[name] = [(places[id(tag)], value) for tag, value in told]
        return found

    def _page(self, within: Tag) -> Tag:
        *_, page = (within, *within.parents)
        return page

    def _end(self, place: int) -> int:
        """The place behind the last of those inside an element."""
        end = self._ends.get(place)
        if end is None:
            end = self._ends[place] = self._end_of(self._order[place])
        return end

    def _end_of(self, element: Tag) -> int:
        around: Tag | None = element
        while around is not None:
            behind = around.behind()
            if behind is not None and id(behind) in self._places:
                return self._places[id(behind)]
            around = around.parent
        return len(self._order)


def _between(places: Sequence[int], begin: int, end: int) -> Sequence[int]:
    first = bisect_left(places, begin)
    return places[first : bisect_left(places, end, first)]


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
