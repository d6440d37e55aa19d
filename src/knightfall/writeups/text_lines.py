"""A post line by line: what stands in each, and which of it is a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from knightfall.markup.dialects.tree import is_block
from knightfall.markup.nodes import (
    Break,
    Code,
    Countdown,
    Given,
    Image,
    Listing,
    Mention,
    Name,
    Nodes,
    Table,
    Text,
)

Piece: TypeAlias = tuple[str, type[Text]]
"""What stands in a line, and what kind of text it is."""
_BLANK: Piece = (" ", Text)


def lines_of_nodes(nodes: Nodes) -> list[list[Piece]]:
    """The pieces of each line; a block, an item and a row of a table have lines of their own."""
    lines: list[list[Piece]] = [[]]
    for node in nodes:
        match node:
            case Text(text):
                lines[-1].append((text, type(node)))
            case Break():
                lines.append([])
            case Mention(name):
                lines[-1].append((name, Name))
            case Image(alt):
                lines[-1].append((alt, Given))
            case Code(text):
                first, *rest = text.split("\n")
                lines[-1].append((first, Given))
                lines += [[(line, Given)] for line in rest]
            case Countdown():
                lines[-1].append(_BLANK)  # an instant is no word
            case Table(rows):
                for row in rows:
                    in_cells = (line for cell in row for line in lines_of_nodes(cell))
                    lines.append([piece for line in in_cells for piece in (*line, _BLANK)])
                lines.append([])
            case Listing(items):
                for item in items:
                    lines += lines_of_nodes(item)
                lines.append([])
            case _:
                inner = lines_of_nodes(node.children)
                title = getattr(node, "title", "")
                titled: list[Piece] = [(title, Given), _BLANK] if title else []
                if is_block(node):
                    lines += [[*titled], *inner, []]
                else:
                    lines[-1] += [*titled, *inner[0]]
                    lines += inner[1:]
    return lines


def lines_naming(nodes: Nodes, name: str) -> Iterator[str]:
    """The lines in which somebody is named, in plain words."""
    for line in lines_of_nodes(nodes):
        if any(kind is Name and text == name for text, kind in line):
            yield " ".join("".join(text for text, _ in line).split())
