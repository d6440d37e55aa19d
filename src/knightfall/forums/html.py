"""The tree of a page: selectors, look-ups, text and HTML of its elements.

lxml parses the page and cssselect makes XPath of the selectors. `soup` reads it where lxml alone does not
find the posts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import cast

from cssselect import HTMLTranslator
from lxml import etree

from knightfall.errors import LayoutChanged

SHOWN = 60
DEEP = 250
"""Levels of elements in each other, from which on lxml may leave out the rest of a page."""
MOST_ATTRIBUTES = 500
"""Attributes of an element: a page with more is no forum's."""
UNSEEN = ("rp", "rt", "script", "style", "template")
"""Elements whose text no reader sees in the line."""


class Tag(etree.ElementBase):
    """An element of a page. It is true even where it holds nothing, unlike lxml's own."""

    def __bool__(self) -> bool:
        return True


def _new_parser() -> etree.HTMLParser:
    """A parser for one page: its log tells of that page alone."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Tag))
    return parser


def parse_page(text: str) -> Tag:
    """The root of a page's tree, as `parse_leniently` where it is nested too deep for lxml.

    Raises LayoutChanged for a page that is nested as no forum's is, or an element with more attributes than
    any forum's has.
    """
    _refuse_crowded(text)
    parser = _new_parser()
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.ParserError:  # nothing but spaces or comments
        root = None
    if root is None:
        root = parser.makeelement("html")
    limit = etree.ErrorTypes.ERR_RESOURCE_LIMIT
    if text.count("<") >= DEEP and any(fault.type == limit for fault in parser.error_log):
        return parse_leniently(text)
    return _checked(root)


def parse_leniently(text: str) -> Tag:
    """The root of a page's tree as BeautifulSoup reads it. Raises as `parse_page`."""
    from knightfall.forums.soup import parse_soup  # most runs never need BeautifulSoup

    _refuse_crowded(text)
    return _checked(parse_soup(text, _new_parser().makeelement))


# A tag with more attributes than that; each part is taken once, whatever follows it.
_CROWDED_TAG = re.compile(
    r"""<([A-Za-z][^\s/>]{0,60}+)(?:[\s/]++[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']*+))?+)"""
    rf"""{{{MOST_ATTRIBUTES + 1}}}"""
)
_CROWDED_LENGTH = 2 * MOST_ATTRIBUTES
"""Characters of the shortest page that can hold such a tag."""


def _refuse_crowded(text: str) -> None:
    """Raises LayoutChanged before lxml sees the tag: it takes minutes for 100,000 attributes."""
    found = _CROWDED_TAG.search(text) if len(text) > _CROWDED_LENGTH else None
    if found:
        raise _crowded(found[1])


def _crowded(name: str) -> LayoutChanged:
    return LayoutChanged(
        f"<{name}> has more than {MOST_ATTRIBUTES} attributes, as no forum's page is, so it was not read. No "
        "count was made."
    )


def _checked(root: etree._Element) -> Tag:
    if crowded := cast(list[Tag], _CROWDED(root)):
        raise _crowded(crowded[0].tag)
    return cast(Tag, root)


_CROWDED = etree.XPath(f"/descendant-or-self::*/@*[{MOST_ATTRIBUTES + 1}]/..")


@lru_cache(maxsize=1024)
def _compiled(selector: str) -> etree.XPath:
    return etree.XPath(HTMLTranslator().css_to_xpath(selector), smart_strings=False)


def every(within: Tag, selector: str) -> list[Tag]:
    """All elements inside one that match, in page order; of a whole page its `<html>` too."""
    found = cast(list[Tag], _compiled(selector)(within))
    if found and found[0] is within and within.tag != "html":
        del found[0]
    return found


def maybe(within: Tag, selector: str) -> Tag | None:
    """The first element that matches; None where there is none."""
    return next(iter(every(within, selector)), None)


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
    """The HTML inside an element, as BeautifulSoup writes it: attributes in order of their names, a text of
    nothing but spaces as one of them. Stored posts hold it, so it does not follow what lxml writes."""
    written: list[str] = []
    spaced = [one for one in (tag, *tag.iterancestors()) if one.tag in _KEPT_SPACES]
    for event, node in etree.iterwalk(tag, events=("start", "end", "comment", "pi")):
        name, following, around = node.tag, node.tail, node.getparent()
        if event == "start":
            if node is not tag:
                attributes = "".join([_attribute_html(*one) for one in sorted(node.items())])
                is_void = name in _VOID and not len(node) and not node.text
                written.append(f"<{name}{attributes}{'/' if is_void else ''}>")
                if name in _KEPT_SPACES:
                    spaced.append(node)
            following, around = node.text, node
        elif event == "end":
            if node is tag:
                break
            if name not in _VOID or len(node) or node.text:
                written.append(f"</{name}>")
            if name in _KEPT_SPACES:
                spaced.pop()
        elif event == "comment":
            written.append(f"<!--{node.text}-->")
        elif node.target != _GAP:
            written.append(f"<?{node.target} {node.text or ''}>")
        if following:
            if not spaced and following[0] in _SPACES and not following.strip(_SPACES):
                written.append("\n" if "\n" in following else " ")
            else:
                written.append(following if around.tag in _BARE else _escaped(following))
    return "".join(written)


_SPACES = " \n\t\f\r"
_KEPT_SPACES = ("pre", "textarea")
"""Elements in which spaces mean what they are."""
_BARE = ("script", "style")
"""Elements whose text is written as it is."""
_VOID = frozenset(
    (
        *("area", "base", "basefont", "bgsound", "br", "col", "command", "embed", "frame", "hr", "image"),
        *("img", "input", "isindex", "keygen", "link", "menuitem", "meta", "nextid", "param", "source"),
        *("spacer", "track", "wbr"),
    )
)
"""Elements that have no end tag."""
_GAP = "taken-out"
"""What marks the place of an element that was taken out."""


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute_html(name: str, value: str) -> str:
    """An attribute as it stands in a start tag, the space before it included."""
    text = _escaped(value)
    if '"' not in text:
        return f' {name}="{text}"'
    return f" {name}='{text}'" if "'" not in text else f' {name}="{text.replace(chr(34), "&quot;")}"'


def _seen_text(tag: Tag) -> str:
    """What a reader sees of the element, spaces and lines as they are written."""
    if len(tag) == 0:
        return tag.text or ""
    if tag.tag in UNSEEN or next(tag.iterdescendants(*UNSEEN), None) is None:
        return str(_TEXT(tag))
    return "".join(cast(list[str], _SEEN_TEXTS(tag)))


def seen_texts(tag: Tag) -> list[str]:
    """The pieces of text inside an element that a reader sees."""
    return cast(list[str], _SEEN_TEXTS(tag))


_TEXT = etree.XPath("string()", smart_strings=False)
_SEEN_TEXTS = etree.XPath(
    f"descendant::text()[not({' or '.join(f'ancestor::{name}' for name in UNSEEN)})]", smart_strings=False
)
_OWN_TEXTS = etree.XPath("text()", smart_strings=False)


def words(tag: Tag | None) -> str:
    """The text of an element on one line; nothing has none."""
    return " ".join(_seen_text(tag).split()) if tag is not None else ""


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
    return " ".join(" ".join(cast(list[str], _OWN_TEXTS(tag))).split())


def words_after(tag: Tag, within: Tag | None = None) -> str:
    """The text inside `within` that comes after an element; without it, in the element around it."""
    said: list[str] = []
    node: etree._Element | None = tag
    end = tag.getparent() if within is None else within
    while node is not None and node is not end:
        said.append(node.tail or "")
        for beside in node.itersiblings():
            said += (_all_text(beside), beside.tail or "")
        node = node.getparent()
    return " ".join("".join(said).split())


def words_before(tag: Tag, within: Tag) -> str:
    """The text inside `within` that comes before an element."""
    backwards: list[str] = []
    node: etree._Element | None = tag
    while node is not None and node is not within:
        for beside in node.itersiblings(preceding=True):
            backwards += (beside.tail or "", _all_text(beside))
        node = node.getparent()
        backwards.append((node.text or "") if node is not None else "")
    return " ".join("".join(reversed(backwards)).split())


def _all_text(node: etree._Element) -> str:
    """The text inside an element; a comment has none."""
    return str(_TEXT(node)) if isinstance(node, Tag) else ""


def taken_out(tags: list[Tag]) -> list[Tag]:
    """The elements, which are no longer part of their page."""
    for tag in tags:
        if (around := tag.getparent()) is not None:
            # What stood before and behind it stays two texts, as it was written.
            gap = etree.ProcessingInstruction(_GAP)
            gap.tail, tag.tail = tag.tail, None
            around.replace(tag, gap)
    return tags


def cut_from_line(within: Tag, line: str) -> None:
    """Takes out the last text that reads `line` on the top level of an element or one below, and all behind
    it."""
    # The texts, each with the element it begins, or that it stands behind.
    texts: list[tuple[etree._Element, bool]] = [(within, True)]
    for child in within.iterchildren():
        texts.append((child, True))
        texts += ((inner, False) for inner in child.iterchildren())
        texts.append((child, False))
    said = [
        (node, begins)
        for node, begins in texts
        if ((node.text if begins else node.tail) or "").strip() == line
    ]
    if not said:
        return

    # The last of them, what is inside its element behind it, and all behind that.
    node, begins = said[-1]
    if begins:
        node.text = None
        del node[:]
    while node is not within:
        node.tail = None
        around = cast("etree._Element", node.getparent())
        del around[around.index(node) + 1 :]
        node = around


def own_part(box: Tag, selector: str, style: str) -> Tag | None:
    """The first match inside a box with that class which is not inside another such box nested in it."""

    nested = every(box, f".{style}")
    return next((tag for tag in every(box, selector) if not any(holds(one, tag) for one in nested)), None)


def enclosing(tag: Tag, name: str, style: str = "") -> Tag | None:
    """The nearest element around `tag` with that name, and that class where one is named."""
    around = cast(Iterator[Tag], tag.iterancestors(name))
    return next((one for one in around if not style or style in classes(one)), None)


def holds(outer: Tag, tag: Tag) -> bool:
    """True where `tag` stands somewhere inside `outer`."""
    return any(around is outer for around in tag.iterancestors())


def path_of(tag: Tag) -> str:
    """Where an element stands, as a selector a reader can find again."""
    if tag.tag == "html":
        return "the page"
    mark = attribute(tag, "id")
    return tag.tag + (f"#{mark}" if mark else "") + "".join(f".{style}" for style in classes(tag))
