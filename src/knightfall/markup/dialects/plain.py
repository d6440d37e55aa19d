"""The dialect of terminals and mails: bare text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from knightfall.markup.boards import NO_BOARD
from knightfall.markup.dialects.shapes import shape_of
from knightfall.markup.dialects.simpler import simpler
from knightfall.markup.dialects.tree import (
    children,
    clean,
    columns,
    has_block,
    hush,
    runs,
    with_guarded_texts,
    words,
)
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
            lines: list[str] = []
            for n, item in enumerate(items, 1):
                mark = f"{n}. " if ordered else "- "
                first, *others = _lines(item) or [""]
                lines += [f"{mark}{first}".rstrip(), *(" " * len(mark) + line for line in others)]
            return lines
        case Table(rows):
            return columns([[hush(words(cell)) for cell in row] for row in rows])
        case _ if isinstance(node, _WITHOUT_SIGN):
            return _lines(children(node))
        case _:
            return _lines(simpler(node))


def _inline(nodes: Nodes) -> str:
    written: list[str] = []
    for node in with_guarded_texts(nodes, NO_BOARD):
        match node:
            case Text(text):
                written.append(hush(clean(text)))
            case Break():
                written.append("\n")
            case Mention(name) if shape_of(node).keys:
                written.append(f"@{name}")
            case Link(url, inner):
                label = _inline(inner)
                written.append(label if label and label == url else f"{label} ({url})".strip())
            case _ if isinstance(node, _WITHOUT_SIGN):
                written.append(_inline(children(node)))
            case _:
                written.append(_inline(simpler(node)))
    return "".join(written)
