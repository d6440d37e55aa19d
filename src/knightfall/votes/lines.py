"""The lines of a parsed body, and which of their words are the author's live ones, bold, red, in a heading
or a tag."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from knightfall.markup.nodes import (
    Area,
    Aside,
    Block,
    Bold,
    Break,
    Code,
    Colour,
    Heading,
    Image,
    Italic,
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
from knightfall.votes.ballots import Mark, Region

Span: TypeAlias = tuple[int, int]

LONGEST = 200
"""Letters of a name as typed: what is longer is prose, and so is the rest of it. An excerpt has as many."""
_RAW_TAG = re.compile(r"\[(?P<end>/?)(?P<name>[a-z]\w{0,9})\]", re.IGNORECASE)
TAG_MARK = "\ue100"
"""Stands in a line where a vote tag stood."""


@dataclass(frozen=True, slots=True)
class TagText:
    """What stands in a vote tag."""

    tag: Tag
    text: str


class Line(NamedTuple):
    """One line: its text, the half-open spans that are bold or a heading, and its vote tags in order."""

    text: str
    bold: tuple[Span, ...]
    headings: tuple[Span, ...]
    tags: tuple[TagText, ...]
    region: Region
    struck: str = ""
    """What is struck out in the line, with commas between; kept only where asides are."""
    item: bool = False
    """Begins an entry of a list."""
    painted: tuple[tuple[Mark, Span], ...] = ()
    """The spans in italics, in red, in any colour, in large letters."""

    def spans(self, mark: Mark) -> tuple[Span, ...]:
        """The spans of the line that bear a mark."""
        if (mark is Mark.CODE) is not (self.region is Region.CODE):
            return ()
        if mark is Mark.BOLD:
            return self.bold
        if mark is Mark.HEADING:
            return self.headings
        if mark in (Mark.LINE, Mark.CODE) or (mark is Mark.ITEM and self.item):
            return ((0, len(self.text)),)
        return tuple(span for one, span in self.painted if one is mark)


def lines_of(nodes: Nodes, asides: bool = False, rows: bool = False) -> tuple[Line, ...]:
    """The lines of a body in document order, the live ones and, with `asides`, the others too. With `rows`
    each row of a table is one line, “1. Ada, alive”, instead of a line for each cell."""
    writer = _LineWriter(asides, rows=rows)
    writer.write(nodes)
    writer.end_line()
    return tuple(writer.lines)


def without_raw_tags(lines: Sequence[str]) -> list[str]:
    """The lines of a post without the tags that the board left as text, “[h]Day 2[/h]”; what is never closed,
    “[X]”, is none."""
    closed = {tag["name"].lower() for line in lines for tag in _RAW_TAG.finditer(line) if tag["end"]}
    if not closed:
        return [*lines]
    return [_RAW_TAG.sub(lambda tag: "" if tag["name"].lower() in closed else tag[0], line) for line in lines]


_REGIONS: dict[type, Region] = {
    Quote: Region.QUOTED,
    Spoiler: Region.SPOILERED,
    Strike: Region.STRUCK,
    Code: Region.CODE,
    Aside: Region.SIGNATURE,
}


LARGE = 120
"""Percent of the usual size that letters have at least which are large."""
_REDS = frozenset({"red", "crimson", "darkred", "firebrick"})


@lru_cache(maxsize=256)
def _is_red(colour: str) -> bool:
    """Whether a colour of CSS is some red: by its name, or much more of it than of green and blue."""
    said = colour.lower()
    digits = said.removeprefix("#")
    if not said.startswith("#") or len(digits) not in (3, 6):
        return said in _REDS
    try:
        size = len(digits) // 3
        red, green, blue = (int(digits[n * size : (n + 1) * size] * (3 - size), 16) for n in range(3))
    except ValueError:
        return False
    return red >= 0x90 and 2 * max(green, blue) < red


def _marks_of(node: Colour | Italic | Underline | Size) -> tuple[Mark, ...]:
    """The marks that a node gives to the words in it."""
    match node:
        case Colour(colour):
            return (Mark.RED, Mark.COLOUR) if _is_red(colour) else (Mark.COLOUR,)
        case Size(percent):
            return (Mark.LARGE,) if percent >= LARGE else ()
    return (Mark.ITALIC,)


class _LineWriter:
    """Walks the nodes once and writes a line at a time; `asides` keeps what is not live, too."""

    __slots__ = (
        "apart",
        "asides",
        "bold",
        "headings",
        "inside",
        "item",
        "length",
        "lines",
        "painted",
        "rows",
        "struck",
        "tags",
        "text",
        "words_end",
    )

    def __init__(self, asides: bool, apart: bool = False, rows: bool = False) -> None:
        self.asides = asides
        self.rows = rows
        self.apart = apart  # all that is written is not live already
        self.lines: list[Line] = []
        self.inside: tuple[Mark, ...] = ()
        self._begin_line()

    def _begin_line(self) -> None:
        self.text: list[str] = []
        self.length = 0
        self.words_end = 0  # behind the last letter that is no blank
        self.bold: list[Span] = []
        self.headings: list[Span] = []
        self.painted: dict[Mark, list[Span]] = {}
        self.tags: list[TagText] = []
        self.struck: list[str] = []
        self.item = False

    def end_line(self) -> None:
        if self.length or self.struck:
            spans, headings, tags = tuple(self.bold), tuple(self.headings), tuple(self.tags)
            struck = ", ".join(self.struck)
            text = "".join(self.text)
            painted = tuple((mark, span) for mark, each in self.painted.items() for span in each)
            self.lines.append(Line(text, spans, headings, tags, Region.LIVE, struck, self.item, painted))
            self._begin_line()

    def write(self, nodes: Nodes, bold: bool = False, heading: bool = False) -> None:
        for node in nodes:
            match node:
                case Text(text):
                    self._write_text(text, bold, heading)
                case Bold(children):
                    self.write(children, True, heading)
                case Colour() | Italic() | Underline() | Size():
                    around = self.inside
                    self.inside = (*around, *(mark for mark in _marks_of(node) if mark not in around))
                    self.write(node.children, bold, heading)
                    self.inside = around
                case Break():
                    self.end_line()
                case Block(children):
                    self.end_line()
                    self.item = False
                    self.write(children, bold, heading)
                    self.end_line()
                case VoteTag():
                    # Tags within the tag (one that was left open swallows the next) follow as their own.
                    inner = self._inner_lines(node.children, asides=False)
                    text = " ".join(line.text for line in inner if line.region is Region.LIVE)
                    first = TagText(node.tag, text.partition(TAG_MARK)[0].strip()[:LONGEST])
                    tags = (first, *(tag for line in inner for tag in line.tags))
                    self.tags.extend(tags)
                    self.text.append(TAG_MARK * len(tags))
                    self.length += len(tags)
                    self.words_end = self.length
                case Quote() | Spoiler() | Strike() | Aside() | Code():
                    # Not the author's live word: a struck word leaves its line whole, a box ends it.
                    if not isinstance(node, Strike | Code):
                        self.end_line()
                    if self.apart and not isinstance(node, Strike | Code):
                        self.write(node.children)
                        self.end_line()
                    elif self.asides:
                        children = (Text(node.text),) if isinstance(node, Code) else node.children
                        inner = self._inner_lines(children, asides=True, apart=True)
                        if isinstance(node, Strike):
                            self.struck.extend(line.text for line in inner)
                        region = _REGIONS[type(node)]
                        self.lines.extend(
                            line._replace(region=region, struck="", item=False) for line in inner
                        )
                case Image(alt):
                    self._write_text(alt, bold, heading)
                case Mention(name):
                    self._write_text(f"@{name}", bold, heading)
                case _:
                    self._write_box(node, bold, heading)

    def _inner_lines(self, nodes: Nodes, asides: bool, apart: bool = False) -> list[Line]:
        inner = _LineWriter(asides, apart, self.rows)
        inner.write(nodes)
        inner.end_line()
        return inner.lines

    def _write_text(self, text: str, bold: bool, heading: bool) -> None:
        # Blanks single, widths and fractions made one (NFKC); a blank at either end still separates words.
        flat = text
        if not text.isascii() or "\n" in text:
            plain = " ".join(unicodedata.normalize("NFKC", text).split())
            flat = (" " if text[:1].isspace() else "") + plain
            flat += " " if plain and text[-1:].isspace() else ""

        end = self.length + len(flat)
        if bold:
            self._mark(self.bold, end)
        if heading:
            self._mark(self.headings, end)
        for mark in self.inside:
            self._mark(self.painted.setdefault(mark, []), end)
        self.text.append(flat)
        if words := flat.rstrip():
            self.words_end = self.length + len(words)
        self.length = end

    def _mark(self, spans: list[Span], end: int) -> None:
        """Add a span up to `end`, joined to the one before where only blanks stand between."""
        if spans and self.words_end <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        elif end > self.length:
            spans.append((self.length, end))

    def _row(self, cells: Sequence[Nodes]) -> str:
        """A row of a table in one line; a number in its first cell is that of the row."""
        lines = (self._inner_lines(cell, asides=False) for cell in cells)
        said = [" ".join(line.text.strip() for line in each if line.region is Region.LIVE) for each in lines]
        first, *others = [one for one in said if one] or [""]
        return f"{first}. {', '.join(others)}" if first.isdigit() and others else ", ".join((first, *others))

    def _write_box(self, node: Node, bold: bool, heading: bool) -> None:
        """Nodes that stand on lines of their own, and wrappers that change nothing of their text."""
        parts: tuple[Nodes, ...]
        match node:
            case Area(children) | Heading(_, children):
                parts = (children,)
            case Listing(items):
                parts = items
            case Table(rows) if self.rows:
                parts = tuple((Text(self._row(row)),) for row in rows)
            case Table(rows):
                parts = tuple(cell for row in rows for cell in row)
            case _:
                self.write(getattr(node, "children", ()), bold, heading)
                return
        self.end_line()
        for part in parts:
            self.item = isinstance(node, Listing)
            self.write(part, bold, heading or isinstance(node, Heading))
            self.end_line()
