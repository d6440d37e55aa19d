"""The tree of a page as lxml builds it: fast, and the one that is used where it finds the posts.

Its elements are lxml's own, with what adapters ask of an element. It reads and writes what `soup` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import starmap
from typing import Any, cast

from lxml import etree

from knightfall.errors import LayoutChanged
from knightfall.forums.selectors import (
    BARE,
    KEPT_SPACES,
    TEXT_SPACES,
    UNSEEN,
    Lookup,
    Tag,
    UnknownSelectorError,
    attribute_html,
    escaped,
)

DEEP = 250
"""Levels of elements in each other, from which on the parser may leave out the rest of a page."""
MOST_ATTRIBUTES = 500
"""Attributes of an element: a page with more is no forum's."""
UNREAD = ", as no forum's page is, so it was not read. No count was made."

EMPTY = frozenset(
    (
        *("area", "base", "basefont", "bgsound", "br", "col", "command", "embed", "frame", "hr", "image"),
        *("img", "input", "isindex", "keygen", "link", "menuitem", "meta", "nextid", "param", "source"),
        *("spacer", "track", "wbr"),
    )
)
"""Elements that have no end tag."""

_CROWDED = etree.XPath(f"/descendant-or-self::*/@*[{MOST_ATTRIBUTES + 1}]/..")
_TEXT = etree.XPath("string()", smart_strings=False)
_ANY = " or ".join
_SEEN = etree.XPath(
    f"descendant::text()[not({_ANY(f'ancestor::{name}' for name in sorted(UNSEEN))})]", smart_strings=False
)
_GAP = "taken-out"
"""What marks the place of an element that was taken out."""
_OWN = etree.XPath("text()", smart_strings=False)


@lru_cache(maxsize=64)
def _attribute_path(name: str) -> etree.XPath:
    return etree.XPath(f"descendant-or-self::*/@{name}")


class Element(etree.ElementBase):
    """An element with what adapters ask of one (see `selectors.Tag`); the root stands for its page."""

    __slots__ = ("_found",)

    def __bool__(self) -> bool:
        return True  # lxml's are false where they hold no element

    name = etree.ElementBase.tag
    parent = property(etree.ElementBase.getparent)

    @property
    def parents(self) -> Iterator[Any]:
        return self.iterancestors()

    def find_parent(self, name: str) -> Any:
        return next(self.iterancestors(name), None)

    def find_next_sibling(self, name: str) -> Any:
        return next(self.itersiblings(name), None)

    def elements(self) -> Iterator[Any]:
        return self.iterdescendants(etree.Element)

    def attributed(self, name: str) -> list[tuple[Any, str]]:
        found = cast(list[Any], _attribute_path(name)(self))
        return [(value.getparent(), str(value)) for value in found]

    def select(self, selector: str) -> list[Any]:
        raise UnknownSelectorError(
            f'The selector "{selector}" uses more of CSS than the fast tree knows: parse_leniently the page.'
        )

    def behind(self) -> Any:
        behind = self.getnext()
        while behind is not None and type(behind) is not Element:
            behind = behind.getnext()
        return behind

    def lookup(self) -> Lookup | None:
        root: Any = self.getroottree().getroot()
        found: Lookup | None = getattr(root, "_found", None)
        if found is None:
            found = root._found = Lookup(root, root.elements(), element=True)
        return found if found.holds(self) else None

    def seen_text(self) -> str:
        if len(self) == 0:
            return self.text or ""
        if (
            len(self) == 1
            and len(child := self[0]) == 0
            and type(child) is Element
            and child.tag not in UNSEEN
        ):
            return f"{self.text or ''}{child.text or ''}{child.tail or ''}"
        if self.tag in UNSEEN or next(self.iterdescendants(*UNSEEN), None) is None:
            return str(_TEXT(self))
        return "".join(cast(list[str], _SEEN(self)))

    def own_texts(self) -> list[str]:
        return cast(list[str], _OWN(self))

    def texts_after(self, within: Any) -> Iterator[str]:
        node: Any = self
        while node is not None and node is not within:
            yield node.tail or ""
            for beside in node.itersiblings():
                yield from (_all_text(beside), beside.tail or "")
            node = node.getparent()

    def texts_before(self, within: Any) -> Iterable[str]:
        backwards: list[str] = []
        node: Any = self
        while node is not None and node is not within:
            for beside in node.itersiblings(preceding=True):
                backwards += (beside.tail or "", _all_text(beside))
            node = node.getparent()
            backwards.append((node.text or "") if node is not None else "")
        return backwards[::-1]

    def inner_html(self) -> str:
        written: list[str] = []
        write = written.append
        name = self.tag
        children: Iterator[Any] = iter(self)
        kept = name in KEPT_SPACES or next(self.iterancestors(*KEPT_SPACES), None) is not None
        if self.text:
            write(_text_html(self.text, name, kept))

        # What is open around the element that is written: the text behind each, and the rest of its children.
        around: list[tuple[str | None, str, Iterator[Any], bool]] = []
        while True:
            for node in children:
                if type(node) is Element:
                    tag, text, attributes = node.tag, node.text, node.items()
                    if attributes:
                        start = f"<{tag}{''.join(starmap(attribute_html, sorted(attributes)))}"
                    else:
                        start = f"<{tag}"
                    if len(node):
                        write(f"{start}>")
                        around.append((node.tail, name, children, kept))
                        name, children, kept = tag, iter(node), kept or tag in KEPT_SPACES
                        if text:
                            write(_text_html(text, name, kept))
                        break
                    if text:
                        write(f"{start}>{_text_html(text, tag, kept or tag in KEPT_SPACES)}</{tag}>")
                    else:
                        write(f"{start}/>" if tag in EMPTY else f"{start}></{tag}>")
                elif node.tag is etree.Comment:
                    write(f"<!--{node.text}-->")
                elif node.target != _GAP:
                    write(f"<?{node.target} {node.text or ''}>")
                if tail := node.tail:
                    write(_text_html(tail, name, kept))
            else:
                if not around:
                    return "".join(written)
                write(f"</{name}>")
                behind, name, children, kept = around.pop()
                if behind:
                    write(_text_html(behind, name, kept))

    def take_out(self) -> None:
        parent = self.getparent()
        if parent is None:
            return
        if (found := self.lookup()) is not None:
            found.take_out(self)
        # What stood before and behind it stays two texts, as it was written.
        gap = etree.ProcessingInstruction(_GAP)
        gap.tail, self.tail = self.tail, None
        parent.replace(self, gap)

    def cut_from_line(self, line: str) -> None:
        # The texts on the top level and one below, each with what it stands in or behind.
        texts: list[tuple[Any, bool]] = [(self, True)]
        for child in self.iterchildren():
            texts.append((child, True))
            texts += ((inner, False) for inner in child.iterchildren())
            texts.append((child, False))
        said = [(node, begins) for node, begins in texts if _reads(node.text if begins else node.tail, line)]
        if not said:
            return

        # The last of them, what is inside its element behind it, and all behind that.
        node, begins = said[-1]
        found = self.lookup()
        if begins:
            node.text = None
            _drop(node.iterchildren(), found)
        while node is not self:
            node.tail = None
            _drop(node.itersiblings(), found)
            node = node.getparent()


def _reads(text: str | None, line: str) -> bool:
    return text is not None and text.strip() == line


def _drop(nodes: Iterable[Any], found: Lookup | None) -> None:
    for node in list(nodes):
        if found is not None and isinstance(node, Element):
            found.take_out(node)
        node.getparent().remove(node)


_CLASSES = etree.ElementDefaultClassLookup(element=Element)


def _all_text(node: Any) -> str:
    """The text inside an element; a comment has none."""
    return str(_TEXT(node)) if isinstance(node, Element) else ""


def _text_html(text: str, name: str, kept: bool) -> str:
    """A text in an element of that name as HTML; one of nothing but spaces is one of them, unless they are
    `kept`."""
    if not kept and text[0] in TEXT_SPACES and not text.strip(TEXT_SPACES):
        return "\n" if "\n" in text else " "
    return text if name in BARE else escaped(text)


def parse_fast(text: str) -> Tag | None:
    """The root of a page's tree; None for a page that is nested too deep for this parser, which leaves out
    the rest of it. Raises LayoutChanged for an element with more attributes than any forum's has."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    parser.set_element_class_lookup(_CLASSES)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.ParserError:  # nothing but spaces or comments
        root = None
    if root is None:
        root = etree.fromstring(b"<html></html>", parser)
    if crowded := cast(list[Element], _CROWDED(root)):
        raise LayoutChanged(f"<{crowded[0].tag}> has more than {MOST_ATTRIBUTES} attributes{UNREAD}")
    limit = etree.ErrorTypes.ERR_RESOURCE_LIMIT
    if text.count("<") >= DEEP and any(fault.type == limit for fault in parser.error_log):
        return None
    return cast(Tag, root)
