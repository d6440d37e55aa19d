"""Does an element match a CSS selector? The part of CSS that adapters use, compiled once and quick to ask.

Knows tags, `*`, `#id`, `.class`, `[attribute]` with `=`, `~=`, `^=`, `$=`, `*=`, `:is()`, `:not()`, `:scope`,
`:has()` of one element or child, descendants, children and lists. Anything else is not compiled: who asks
then takes the library that knows all of CSS, which is right and many times slower.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

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
