"""What does a body say line by line, what of it is bold, and what is not its author's live word?

Nodes → lines. A line keeps the places of its bold letters and of the site's vote tags, so that votes can be
read in strict document order. Quoted, spoilered, struck, coded and appended text stands in lines of its own
region: it never counts, but a moderator may want to see it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Break,
    Code,
    Heading,
    Image,
    Listing,
    Mention,
    Node,
    Nodes,
    Quote,
    Spoiler,
    Strike,
    Table,
    Tag,
    Text,
    VoteTag,
)

TAG_MARK = "\ue100"
"""Stands in a line where a vote tag stood."""


class Region(Enum):
    """Whose word a line is; the values are the reasons that game-file.md gives for votes not counted."""

    LIVE = "live"
    QUOTED = "quoted"
    SPOILERED = "spoilered"
    STRUCK = "struck"
    CODE = "code"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class TagText:
    """What stands in a vote tag."""

    tag: Tag
    text: str


Span: TypeAlias = tuple[int, int]


class Line(NamedTuple):
    """One line: its text, the half-open spans that are bold or a heading, and its vote tags in order."""

    text: str
    bold: tuple[Span, ...]
    headings: tuple[Span, ...]
    tags: tuple[TagText, ...]
    region: Region
    struck: str = ""
    """What is struck out in the line; kept only where asides are."""
    item: bool = False
    """Begins an entry of a list."""


class _Draft:
    """A line being written."""

    __slots__ = ("bold", "headings", "item", "length", "struck", "tags", "text")

    def __init__(self) -> None:
        self.text: list[str] = []
        self.length = 0
        self.bold: list[Span] = []
        self.headings: list[Span] = []
        self.tags: list[TagText] = []
        self.struck: list[str] = []
        self.item = False

    def line(self) -> Line:
        spans, headings, tags = tuple(self.bold), tuple(self.headings), tuple(self.tags)
        struck = " ".join(self.struck)
        return Line("".join(self.text), spans, headings, tags, Region.LIVE, struck, self.item)


class _Writer:
    """Walks the nodes once; `asides` keeps what is not live, where it is asked for."""

    def __init__(self, asides: bool) -> None:
        self.asides = asides
        self.lines: list[Line] = []
        self.draft = _Draft()

    def write(self, nodes: Nodes, bold: bool = False, heading: bool = False) -> None:
        for node in nodes:
            match node:
                case Text(text):
                    self._text(text, bold, heading)
                case Bold(children):
                    self.write(children, True, heading)
                case Break():
                    self.end_line()
                case VoteTag():
                    self._tag(node)
                case Quote() | Spoiler() | Strike() | Aside() | Code():
                    # Text that is not the author's live word: a struck word leaves its line whole, a box
                    # ends it.
                    if not isinstance(node, Strike | Code):
                        self.end_line()
                    if self.asides:
                        inner = _Writer(asides=True)
                        inner.write((Text(node.text),) if isinstance(node, Code) else node.children)
                        inner.end_line()
                        if isinstance(node, Strike):
                            self.draft.struck.extend(line.text for line in inner.lines)
                        region = _REGIONS[type(node)]
                        self.lines.extend(
                            line._replace(region=region, struck="", item=False) for line in inner.lines
                        )

                case Image(alt):
                    self._text(alt, bold, heading)
                case Mention(name):
                    self._text(f"@{name}", bold, heading)
                case _:
                    self._box(node, bold, heading)

    def _box(self, node: Node, bold: bool, heading: bool) -> None:
        """Nodes that stand on lines of their own, and wrappers that change nothing of their text."""
        match node:
            case Block(children) | Area(children):
                self._own_lines((children,), bold, heading)
            case Heading(_, children):
                self._own_lines((children,), bold, True)
            case Listing(items):
                self._own_lines(items, bold, heading, item=True)
            case Table(rows):
                self._own_lines(tuple(cell for row in rows for cell in row), bold, heading)
            case _:
                self.write(getattr(node, "children", ()), bold, heading)

    def _text(self, text: str, bold: bool, heading: bool) -> None:
        draft = self.draft
        flat = text if text.isascii() and "\n" not in text else _flat(text)
        end = draft.length + len(flat)
        if bold:
            _extend(draft.bold, draft.length, end, draft.text)
        if heading:
            _extend(draft.headings, draft.length, end, draft.text)
        draft.text.append(flat)
        draft.length = end

    def _tag(self, node: VoteTag) -> None:
        """The tag's own text; tags within it (a tag left open swallows the next) follow as their own."""
        inner = _Writer(asides=False)
        inner.write(node.children)
        inner.end_line()
        text = " ".join(line.text for line in inner.lines if line.region is Region.LIVE)
        nested = [tag for line in inner.lines for tag in line.tags]
        for tag in (TagText(node.tag, text.split(TAG_MARK)[0].strip()), *nested):
            self.draft.tags.append(tag)
            self.draft.text.append(TAG_MARK)
            self.draft.length += 1

    def _own_lines(self, parts: tuple[Nodes, ...], bold: bool, heading: bool, item: bool = False) -> None:
        self.end_line()
        for part in parts:
            self.draft.item = item
            self.write(part, bold, heading)
            self.end_line()

    def end_line(self) -> None:
        if self.draft.length or self.draft.struck:
            self.lines.append(self.draft.line())
            self.draft = _Draft()


_REGIONS: dict[type, Region] = {
    Quote: Region.QUOTED,
    Spoiler: Region.SPOILERED,
    Strike: Region.STRUCK,
    Code: Region.CODE,
    Aside: Region.SIGNATURE,
}


def lines_of(nodes: Nodes, asides: bool = False) -> tuple[Line, ...]:
    """The lines of a body in document order, the live ones and, with `asides`, the others too."""
    writer = _Writer(asides)
    writer.write(nodes)
    writer.end_line()
    return tuple(writer.lines)


def _flat(raw: str) -> str:
    """Blanks single, widths and fractions made one (NFKC); a blank at either end still separates words."""
    words = " ".join(unicodedata.normalize("NFKC", raw).split())
    return (" " if raw[:1].isspace() else "") + words + (" " if words and raw[-1:].isspace() else "")


def _extend(spans: list[Span], start: int, end: int, text: list[str]) -> None:
    """Adds a span, joined to the one before where only blanks stand between."""
    if spans and not "".join(text)[spans[-1][1] : start].strip():
        spans[-1] = (spans[-1][0], end)
    elif end > start:
        spans.append((start, end))
