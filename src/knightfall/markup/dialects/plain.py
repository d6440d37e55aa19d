"""How does a post read as bare text, in a terminal or a mail?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from knightfall.markup.dialects.shapes import shape_of
from knightfall.markup.dialects.simpler import simpler
from knightfall.markup.dialects.tree import children, clean, has_block, hush, runs, words
from knightfall.markup.nodes import (
    Aside,
    Block,
    Bold,
    Break,
    Colour,
    Italic,
    Link,
    Listing,
    Mention,
    Node,
    Nodes,
    PostLink,
    Quote,
    Size,
    Table,
    Text,
    Underline,
)

_UNSEEN = ("Mn", "Me", "Cf")
_WITHOUT_SIGN = Bold | Italic | Underline | Colour | Size | PostLink | Block | Aside


@dataclass(frozen=True, slots=True)
class Plain:
    """Lines without any markup; what markup would tell is said in words or signs."""

    name: str = "plain"
    max_length: int | None = None
    unit: Literal["chars", "bytes"] = "chars"

    def write(self, nodes: Nodes) -> str:
        """The nodes as lines."""
        return "\n".join(_lines(nodes))


PLAIN = Plain()


def _lines(nodes: Nodes) -> list[str]:
    """The lines of each run and each block. The line end right before a block is the block's own."""
    lines: list[str] = []
    groups = list(runs(nodes))
    for n, group in enumerate(groups):
        if has_block(group):
            lines += _block(group[0])
        else:
            before_block = n + 1 < len(groups) and isinstance(group[-1], Break)
            lines += _inline(group[:-1] if before_block else group).split("\n")
    return lines


def _block(node: Node) -> list[str]:
    match node:
        case Quote(inner, author):
            by = [f"{hush(clean(author))}:"] if author else []
            return [f"> {line}".rstrip() for line in (*by, *_lines(inner))]
        case Listing(items, ordered):
            marks = [f"{n}. " if ordered else "- " for n in range(1, len(items) + 1)]
            return [line for mark, item in zip(marks, items, strict=True) for line in _item(mark, item)]
        case Table(rows):
            return list(_columns([[hush(words(cell)) for cell in row] for row in rows]))
        case _ if isinstance(node, _WITHOUT_SIGN):
            return _lines(children(node))
        case _:
            return _lines(simpler(node))


def _item(mark: str, item: Nodes) -> list[str]:
    first, *others = _lines(item) or [""]
    return [f"{mark}{first}".rstrip(), *(" " * len(mark) + line for line in others)]


def _inline(nodes: Nodes) -> str:
    return "".join(_within_line(node) for node in nodes)


def _within_line(node: Node) -> str:
    match node:
        case Text(text):
            return hush(clean(text))
        case Break():
            return "\n"
        case Mention(name) if shape_of(node).keys:
            return f"@{name}"
        case Link(url, inner):
            label = _inline(inner)
            return label if label in ("", url) and label else f"{label} ({url})".strip()
        case _ if isinstance(node, _WITHOUT_SIGN):
            return _inline(children(node))
        case _:
            return _inline(simpler(node))


def _columns(rows: list[list[str]]) -> Iterable[str]:
    """Rows padded to columns as wide as their widest cell."""
    count = max((len(row) for row in rows), default=0)
    widths = [max((_width(row[n]) for row in rows if n < len(row)), default=0) for n in range(count)]
    for row in rows:
        padded = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False))
        yield "  ".join(padded).rstrip()


def _width(text: str) -> int:
    """Columns in a terminal: wide letters take two, combining marks and what is not seen none."""
    return sum(
        0 if unicodedata.category(char) in _UNSEEN else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )
