"""The HTML of a post's body, read into nodes.

A platform's own containers come as a `HtmlStyle`; what all platforms share
(bold in its many forms, struck-out text, lists, tables, headings) is known here. Malformed HTML never raises:
it is read as a browser would.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import TypeAlias, cast

from lxml import etree

from knightfall.markup.bbcode import smiley
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Break,
    Code,
    Colour,
    Cut,
    Heading,
    Image,
    Italic,
    Link,
    Listing,
    Mention,
    Node,
    Nodes,
    Quote,
    Size,
    Spoiler,
    Strike,
    Table,
    Tag,
    Text,
    Underline,
    VoteTag,
)
from knightfall.markup.sizes import SIZE, percent_of, percent_of_font

LIBRARY = f"lxml {etree.LXML_VERSION} libxml2 {etree.LIBXML_VERSION}"
"""What takes HTML apart: another version may do it otherwise."""

Element: TypeAlias = "etree._Element"
Reader: TypeAlias = "Callable[[Element, Kinds], Nodes]"
Kinds: TypeAlias = Mapping[str, Reader]
"""`tag`, `.class` and `tag.class` of one style, each with what reads such an element."""

_SPACES = re.compile(r"[ \t\r\n\f]+")
# The word that a site prints before the name in a vote tag.
_WORD_BEFORE = re.compile(r"^\s*(un)?vote\s*:?\s*", re.IGNORECASE)
# The post that a citation's link leads to: `viewtopic.php?p=12`, `#p12`, `posts/12`-like anchors `post-12`.
_LINK_POST = re.compile(r"(?:[?&]p=|#p|post-?)(\d+)")
# What phpBB and MyBB print behind the author of a quote.
_WROTE = re.compile(r"\s*(?:wrote|said):?\s*↑?$", re.IGNORECASE)
# The date beside the author of a quote, which is another text in an hour (“5 minutes ago”) or to another
# reader: MyBB prints it before the name, SMF behind it ("Quote from: Ada on Today at 05:00 PM").
_DATE_BEFORE = re.compile(r"^\([^()]*\)\s*")
_DATE_BEHIND = re.compile(
    r"^[^:\d]{3,30}:\s*(.+?)\s+(?:on|am|le|el|op|il|em|den|dne|w dniu|от|в)\s+(?=\S.*\d).*$", re.IGNORECASE
)


def parse_html(html: str, html_style: HtmlStyle) -> Nodes:
    """The nodes of a body; `html` is the inner HTML of a post's own content container. The last one is `Cut`
    where the rest is too deep to be read."""
    # The element around the body, or None where it holds nothing at all.
    data = f"<html><body><div>{html.replace(chr(0), '')}</div></body></html>".encode("utf-8", "replace")
    root = etree.fromstring(data, _parser())
    root = None if root is None else _first(root, "body")
    found = () if root is None else _children(root, _kinds(html_style))
    return (*found, Cut()) if html.count("<") >= DEEPEST and _ended_early() else found


DEEPEST = 250
"""Elements inside each other, above which the parser may leave out the rest of a body."""


def _ended_early() -> bool:
    """Whether the body that was parsed last was too deep."""
    limit = etree.ErrorTypes.ERR_RESOURCE_LIMIT
    return any(fault.type == limit for fault in _parser().error_log)


def plain_text(html: str, html_style: HtmlStyle) -> str:
    """The body as a person would read it, line by line; quotes and spoilers stand in it, marked."""
    lines = _said(parse_html(html, html_style)).split("\n")
    text = "\n".join(_SPACES.sub(" ", line).strip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


_MARKS = (Bold, VoteTag, Strike, Underline, Colour, Heading)


def marked_words(html: str, html_style: HtmlStyle) -> tuple[tuple[str, str], ...]:
    """The words of a body that are bold, struck out, coloured or a vote, each with what they are: as a vote
    may be written."""

    def within(nodes: Nodes) -> Iterator[tuple[str, str]]:
        for node in nodes:
            if isinstance(node, _MARKS):
                yield type(node).__name__, " ".join(_said((node,)).split())
            match node:
                case Listing(parts):
                    yield from (found for part in parts for found in within(part))
                case Table(rows):
                    yield from (found for row in rows for part in row for found in within(part))
                case _:
                    yield from within(getattr(node, "children", ()))

    return tuple(within(parse_html(html, html_style)))


@cache
def _parser() -> etree.HTMLParser:
    return etree.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")


@lru_cache(maxsize=32)
def _kinds(html_style: HtmlStyle) -> Kinds:
    """The shared readers with the containers of a style laid over them."""
    table: dict[str, Reader] = dict(_SHARED)
    for names, reader in (
        (html_style.codes, _code),
        (html_style.ignored, _nothing),
        (
            html_style.mentions,
            lambda element, _kinds: (Mention(_own_text(element).strip().removeprefix("@")),),
        ),
        (html_style.bolds, _bold),
        (html_style.quotes, _quote),
        (html_style.quote_citations, _nothing),
        (html_style.spoilers, _spoiler),
        (
            html_style.asides,
            lambda element, kinds: (Aside(element.get("class", ""), _children(element, kinds)),),
        ),
        (html_style.votes, _vote),
    ):
        table.update(dict.fromkeys(names, reader))
    return MappingProxyType(table)


def _children(element: Element, kinds: Kinds) -> Nodes:
    """What stands inside an element, its text and its children's tails included."""
    found: list[Node] = []
    if element.text:
        found.append(Text(element.text))
    for child in element:
        if child.tag == "br":
            found.append(_BREAK)
        else:
            found.extend(_reader(child, kinds)(child, kinds))
        if child.tail and child.tail != "\n":
            found.append(Text(child.tail))
    return tuple(found)


_BREAK = Break()


def _reader(element: Element, kinds: Kinds) -> Reader:
    """The most telling of `tag.class`, `.class`, style and `tag`."""
    tag = element.tag
    if not isinstance(tag, str):
        return _nothing
    classes = element.get("class")
    if classes:
        for name in classes.split():
            reader = kinds.get(f"{tag}.{name}") or kinds.get(f".{name}")
            if reader is not None:
                return reader
    return kinds.get(tag, _styled)


def _code(element: Element, _kinds: Kinds) -> Nodes:
    """Code, without the heading and the buttons that a board puts around it."""
    within = (_first(element, tag) for tag in ("pre", "code"))
    return (Code(_own_text(next((found for found in within if found is not None), element))),)


def _nothing(_element: Element, _kinds: Kinds) -> Nodes:
    return ()


def _styled(element: Element, kinds: Kinds) -> Nodes:
    """A span, div or p: what its style says, and whether it stands on lines of its own. A box that is shown
    on a click alone is a spoiler, whatever it is called."""
    inner = _children(element, kinds)
    if _HIDDEN_ID.match(element.get("id", "")):
        return (Spoiler(inner),)
    style = element.get("style", "")
    if element.tag == "font" and element.get("color"):
        style = f"color: {element.get('color')}; {style}"
    if element.tag == "font" and (size := str(element.get("size", ""))).isdigit():
        style = f"font-size: {percent_of_font(size)}%; {style}"
    for wrap in _wraps(element.tag, style):
        inner = (wrap(inner),)
    return inner


@lru_cache(maxsize=128)
def _wraps(tag: str, style: str) -> tuple[Callable[[Nodes], Node], ...]:
    """What a tag with a style puts around the nodes inside it, from within. A thread has few styles, each of
    them many times."""
    if _HIDDEN.search(style):
        return (Spoiler,)
    # Each CSS property that carries a meaning here wraps what those before it made.
    flat = style.replace(" ", "").lower()
    wraps = [wrap for needle, wrap in _STYLES if needle in flat]
    if colour := _COLOUR.search(flat):
        wraps.append(partial(Colour, colour.group(1)))
    if size := _FONT_SIZE.search(flat):
        wraps.append(partial(Size, percent_of(size[1])))
    if "inline" not in style and tag in _BLOCKS:
        wraps.append(Block)
    return tuple(wraps)


_BLOCKS = frozenset({"p", "div", "center", "section", "article", "dl", "dd", "dt", "form", "fieldset"})
_STYLES: tuple[tuple[str, Callable[[Nodes], Node]], ...] = (
    ("font-weight:bold", Bold),
    ("font-weight:700", Bold),
    ("font-style:italic", Italic),
    ("text-decoration:underline", Underline),
    ("text-decoration:line-through", Strike),
)
_COLOUR = re.compile(r"(?:^|;)color:([#\w]+)")
_HIDDEN_ID = re.compile(r"spoiler[_-]?", re.IGNORECASE)
_HIDDEN = re.compile(r"\bdisplay\s*:\s*none\b", re.IGNORECASE)
_FONT_SIZE = re.compile(rf"font-size:({SIZE})(?:;|$)")


def _wrap(node: Callable[[Nodes], Node]) -> Reader:
    def read(element: Element, kinds: Kinds) -> Nodes:
        return (node(_children(element, kinds)),)

    return read


_bold = _wrap(Bold)
_spoiler = _wrap(Spoiler)


def _quote(element: Element, kinds: Kinds) -> Nodes:
    """A quote, or the box of a spoiler where the platform writes both alike (a button stands before it)."""
    title = element.getprevious()
    if title is not None and _first(title, "input") is not None:
        return (Spoiler(_children(element, kinds), _own_text(title).removeprefix("Spoiler:").strip()),)

    # Author and post of a quote, where attributes or the citation tell them.
    cite = _first(element, "cite")
    link = None if cite is None else _first(cite, "a")
    author = element.get("data-username") or element.get("data-quote")
    if author is None and cite is not None:
        said = _DATE_BEHIND.sub(r"\1", _DATE_BEFORE.sub("", _undated_text(cite)))
        author = _WROTE.sub("", said) or None
    source = element.get("cite") or (link.get("href") if link is not None else "")
    post = _LINK_POST.search(source or "")
    cited = author, post.group(1) if post else element.get("data-post")

    return (Quote(_children(element, kinds), *cited),)


def _undated_text(cite: Element) -> str:
    """The text of a citation without the date that phpBB hides on small screens."""
    dates = [tag for tag in cite.iter() if "responsive-hide" in (tag.get("class") or "").split()]
    text = _own_text(cite).strip()
    for date in dates:
        text = text.removesuffix(_own_text(date).strip()).strip()
    return text


def _first(within: Element, tag: str) -> Element | None:
    return next(within.iter(tag), None)


WRAPPED = 4
"""In so many tags the word may stand that the site prints before the name in a vote tag."""


def _vote(element: Element, kinds: Kinds) -> Nodes:
    """A site's vote tag; the word that the site prints before the name tells vote from unvote."""
    # The word is the first text. It is not looked for further in: tags that were left open hold each other.
    said, first = element.text or "", element
    for _ in range(WRAPPED):
        if said.strip() or not len(first):
            break
        first = first[0]
        said += first.text or ""
    word = _WORD_BEFORE.match(said)
    undone = bool(word and word.group(1)) or "unvote" in element.get("title", "").lower()
    inner = _children(element, kinds)
    if word and inner and isinstance(inner[0], Text):
        inner = (Text(_WORD_BEFORE.sub("", inner[0].text)), *inner[1:])
    return (VoteTag(Tag.UNVOTE if undone else Tag.VOTE, inner),)


def _link(element: Element, kinds: Kinds) -> Nodes:
    inner = _children(element, kinds)
    url = element.get("href")
    return (Link(url, inner),) if url else inner


def _image(element: Element, _kinds: Kinds) -> Nodes:
    source = element.get("src", "")
    return (Image(element.get("alt") or smiley(source) or "", source),)


def _list(element: Element, kinds: Kinds) -> Nodes:
    items = tuple(_children(item, kinds) for item in element if item.tag == "li")
    return (Listing(items, element.tag == "ol"),)


_ROWS = ("thead/tr", "tr", "tbody/tr", "tfoot/tr")


def _table(element: Element, kinds: Kinds) -> Nodes:
    """The table's own rows; a cell may be a quote or code (phpBB 2 writes them so)."""
    own = (row for path in _ROWS for row in element.iterfind(path))
    rows = tuple(
        tuple(_reader(cell, kinds)(cell, kinds) for cell in row if cell.tag in ("td", "th")) for row in own
    )
    return (Table(rows, _first(element, "th") is not None),)


def _area(element: Element, kinds: Kinds) -> Nodes:
    """A box; its legend is its title."""
    legend = element.find("legend")
    title = "" if legend is None else _own_text(legend).strip()
    return (Area(_children(element, kinds), title),)


def _own_text(element: Element) -> str:
    return "".join(cast("Iterator[str]", element.itertext()))


_SHARED: dict[str, Reader] = {
    "b": _bold,
    "strong": _bold,
    ".noboldsig": _bold,
    "i": _wrap(Italic),
    "em": _wrap(Italic),
    "u": _wrap(Underline),
    "ins": _wrap(Underline),
    "s": _wrap(Strike),
    "strike": _wrap(Strike),
    "del": _wrap(Strike),
    "hr": lambda _element, _kinds: (_BREAK,),
    "a": _link,
    "img": _image,
    "ul": _list,
    "ol": _list,
    "table": _table,
    "fieldset": _area,
    "legend": _nothing,
    **dict.fromkeys(
        ("h1", "h2", "h3", "h4", "h5", "h6"),
        lambda element, kinds: (Heading(int(element.tag[1]), _children(element, kinds)),),
    ),
}


MARKED_QUOTES = 9


def _said(nodes: Nodes, quotes: int = 0) -> str:
    """Text with line ends where a browser would break; quoted lines begin with “> ” (`quotes` are around the
    nodes), up to MARKED_QUOTES times, for else the text would grow with its depth. One call a level, since a
    body may be deep."""
    said: list[str] = []
    for node in nodes:
        match node:
            case Text(text):
                said.append(_SPACES.sub(" ", text))
            case Break():
                said.append("\n")
            case Code(text):
                said.append(text)
            case Image(alt):
                said.append(alt)
            case Mention(name):
                said.append(f"@{name}")
            case Quote(children):
                quoted = _said(children, quotes + 1).strip("\n ")
                mark = "> " if quotes < MARKED_QUOTES else ""
                said.append(f"\n{mark}" + quoted.replace("\n", f"\n{mark}") + "\n")
            case VoteTag(tag, children):
                said.append(f"{tag.name}: {_said(children, quotes)}")
            case Spoiler(children, title):
                said.append(f"\n[spoiler: {title}]\n{_said(children, quotes)}\n[/spoiler]\n")
            case Listing(items):
                said.append("\n" + "\n".join([_said(item, quotes) for item in items]) + "\n")
            case Table(rows):
                lines = (" ".join([_said(cell, quotes) for cell in row]) for row in rows)
                said.append("\n" + "\n".join(lines) + "\n")
            case Block(children) | Heading(_, children) | Area(children):
                said.append(f"\n{_said(children, quotes)}\n")
            case _:
                said.append(_said(getattr(node, "children", ()), quotes))
    return "".join(said)
